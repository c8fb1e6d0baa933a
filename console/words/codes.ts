import type { ErrorCode } from "../../domain/errors.ts";
import { Refusal } from "../api/refusal.ts";
import { signalOf } from "../api/signal.ts";
import type { OwnCode } from "./sentences.ts";

type Sentences = Readonly<Record<string, string>>;

/** The sentence of each code, once they are loaded; no page needs them at first. */
export const sentences = signalOf<Sentences>({
  UNREACHABLE: "Outreach is not responding. It may be restarting, or you may be offline. Retrying...",
  UNAUTHENTICATED: "You are signed out. Sign in to continue.",
});

export async function loadSentences(): Promise<void> {
  const { SENTENCES } = await import("./sentences.ts");
  sentences.set(SENTENCES);
}

/** While the database is unreachable, no other error on a page matters. */
export const DATABASE_AWAY = "The database is not responding. Retrying...";

/** Codes whose own messages say more than one sentence for all cases could, such as which limit was exceeded. */
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

/** Names of fields, scopes, states and requests, which have a meaning only in the API. */
const API_WORDING =
  /`|\b(?:GET|POST|PUT|PATCH|DELETE) \/|\b[a-z]+[A-Z]\w*|\b[A-Z0-9]+_[A-Z0-9_]+\b|\b[a-z]+_[a-z_]+\b|\b[a-z_]+:[a-z_]+\b|\b(?!SMTP|IMAP|HTTPS?\b|JSON|HTML|DKIM|DMARC|STARTTLS)[A-Z]{4,}\b/;

/** Whether a page can show a text as the service wrote it. */
export function isPlain(text: string): boolean {
  return !API_WORDING.test(text);
}

/**
 * The sentence for a refusal. The service's own message is used only if it says more, in words that a page can show.
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

/** The same for an error that is part of a record, such as the error of a job. */
export function faultInWords(error: { code: string; message: string }): string {
  return sentenceOf(new Refusal(0, error));
}

const UNKNOWN = "Something went wrong.";

/** The path of a wrong value in words: `steps.0.subject` is "Steps, 1, subject". */
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
