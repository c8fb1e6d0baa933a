import type { ErrorCode } from "../../domain/errors.ts";
import { Refusal } from "../api/refusal.ts";
import { signalOf } from "../api/signal.ts";
import type { OwnCode } from "./sentences.ts";

type Sentences = Readonly<Record<string, string>>;

/** The sentence for each error code. All but these two are loaded later, because no page needs them at first. */
export const sentences = signalOf<Sentences>({
  UNREACHABLE: "Outreach is not responding. It may be restarting, or you may be offline. Retrying...",
  UNAUTHENTICATED: "You are signed out. Sign in to continue.",
});

export async function loadSentences(): Promise<void> {
  const { SENTENCES } = await import("./sentences.ts");
  sentences.set(SENTENCES);
}

/** The sentence for every error while the database is unreachable, because no other error matters then. */
export const DATABASE_AWAY = "The database is not responding. Retrying...";

/**
 * Error codes whose message from the server is more precise than one sentence could be, for example about which limit
 * was exceeded.
 */
const TELLING: ReadonlySet<string> = new Set<ErrorCode | OwnCode>([
  ...([
    "TEMPLATE_INVALID",
    "FILTER_INVALID",
    "ROLE_NOT_ALLOWED",
    "SENDING_NOT_ALLOWED",
    "CRM_CONNECTION_FAILED",
  ] as const),
  ...([
    "HOST_NOT_ALLOWED",
    "NO_SENDING_MAILBOX",
    "SHEET_UNREADABLE",
    "LIMIT_EXCEEDED",
    "SEND_FAILED",
    "WRONG_PASSWORD",
  ] as const),
  ...(["WRONG_CODE", "RATE_LIMITED", "SERVICE_UNAVAILABLE", "PASSKEY_NOT_GIVEN"] as const),
]);

/** Matches names of fields, scopes, states and endpoints, which only users of the API understand. */
const API_WORDING =
  /`|\b(?:GET|POST|PUT|PATCH|DELETE) \/|\b[a-z]+[A-Z]\w*|\b[A-Z0-9]+_[A-Z0-9_]+\b|\b[a-z]+_[a-z_]+\b|\b[a-z_]+:[a-z_]+\b|\b(?!SMTP|IMAP|HTTPS?\b|JSON|HTML|DKIM|DMARC|STARTTLS)[A-Z]{4,}\b/;

/** Whether a text of the server contains no API names, so that a page can show it. */
export function isPlain(text: string): boolean {
  return !API_WORDING.test(text);
}

/**
 * The sentence for a refusal. The server's own message is used only if it is more precise and contains no API names.
 */
export function sentenceOf(
  { code, message, details, isDatabaseAway }: Refusal,
  known: Sentences = sentences.get(),
): string {
  if (isDatabaseAway) return DATABASE_AWAY;
  const own = Object.hasOwn(known, code) ? known[code] : undefined;
  if ((own === undefined || TELLING.has(code)) && message !== "" && isPlain(message))
    return `${message.replace(/\.$/, "")}.`;
  const names =
    code === "MISSING_VARIABLES" && Array.isArray(details["names"]) ? ` ${details["names"].join(", ")}` : "";
  return `${own ?? UNKNOWN}${names}`;
}

/** The sentence for an error that is stored in a record, such as a job's error. */
export function faultInWords(error: { code: string; message: string }): string {
  return sentenceOf(new Refusal(0, error));
}

const UNKNOWN = "Something went wrong.";

/** The path of an invalid value as text: `steps.0.subject` becomes "Steps, 1, subject". */
export function placeInWords(path: string): string {
  const parts = path.split(".").map((part) => (/^\d+$/.test(part) ? String(Number(part) + 1) : nameInWords(part)));
  const text = parts.join(", ");
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function nameInWords(name: string): string {
  return name
    .replaceAll("_", " ")
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1 $2")
    .toLowerCase();
}
