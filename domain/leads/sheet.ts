/**
 * Types that the reading of a sheet shares with its workflow, and the servers that may store a sheet. This file imports
 * nothing, because it is part of the workflow bundle.
 */

export interface SheetIds {
  v: 1;
  workspaceId: string;
  /** The id under which first the request and then the content of the sheet are stored. */
  sheetId: string;
}

/** The result of reading a sheet. The content is stored for the caller. */
export type SheetOutcome =
  | { kind: "read"; parts: number }
  | { kind: "unreadable"; why: string }
  | { kind: "too-many" }
  | { kind: "away" };

/** The limits of rules/security 4.4. `callerMs`, how long the caller waits, is a little longer. */
export const SHEET = {
  workflow: "readSheet",
  startToCloseTimeout: "25s",
  timeoutMs: 20_000,
  maxBytes: 10_485_760,
  maxRedirects: 3,
  callerMs: 28_000,
} as const;

const OWN = "docs.google.com";
const PATH = /^\/spreadsheets\/d\/([A-Za-z0-9_-]{2,200})(?:\/|$)/;

/** A sheet by its ids. Its URL is always built from them. */
export interface Sheet {
  id: string;
  gid: string | null;
}

/**
 * The sheet of a URL; HOST if the URL is not on a server of sheets, PATH if it is not the URL of a sheet.
 */
export function sheetOf(text: string, server: string): Sheet | "HOST" | "PATH" {
  const url = URL.parse(text.trim());
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== "" || url.password !== "") return "PATH";
  if (url.host !== OWN && url.host !== new URL(server).host) return "HOST";
  const [, id] = PATH.exec(url.pathname) ?? [];
  if (id === undefined) return "PATH";
  const gid = /(?:^|[#&?])gid=(\d{1,20})(?:&|$)/.exec(url.hash)?.[1] ?? url.searchParams.get("gid");
  return { id, gid: gid !== null && /^\d{1,20}$/.test(gid) ? gid : null };
}

export function csvAddressOf({ id, gid }: Sheet, server: string): string {
  return `${server.replace(/\/+$/, "")}/spreadsheets/d/${id}/export?format=csv${gid === null ? "" : `&gid=${gid}`}`;
}

/** Whether a redirect to this URL may be followed. A private sheet redirects to a sign-in page. */
export function maySheetLeadTo(url: URL, server: string): boolean {
  if (url.host === new URL(server).host) return url.protocol === new URL(server).protocol;
  return (
    url.protocol === "https:" && url.port === "" && (url.host === OWN || url.host.endsWith(".googleusercontent.com"))
  );
}
