import { z } from "zod";
import { MINUTE_MS } from "../../domain/time/durations.ts";

/**
 * Why Gmail did not do what it was asked. `expired`: another access token may help. `rate`: this mailbox waits.
 * `project`: every mailbox of the OAuth client waits. `scope`, `policy` and `off` need a person. `gone`: the item does
 * not exist. `invalid`: the request will never be accepted. `away`: the request may or may not have had an effect.
 */
export type GmailFault = "expired" | "rate" | "project" | "scope" | "policy" | "off" | "gone" | "invalid" | "away";

/** A request that Gmail did not answer with success. The message is ours; Google's own words are for the log. */
export class GmailTrouble extends Error {
  readonly kind: GmailFault;
  /** Google's reason, such as `rateLimitExceeded`; null without one. */
  readonly reason: string | null;
  /** When Google wants to be asked again, in milliseconds; null when it does not say. */
  readonly retryAt: number | null;
  constructor(
    kind: GmailFault,
    { reason = null, retryAt = null, ...options }: ErrorOptions & { reason?: string | null; retryAt?: number | null },
  ) {
    super(`Gmail: ${kind}`, options);
    this.name = "GmailTrouble";
    this.kind = kind;
    this.reason = reason;
    this.retryAt = retryAt;
  }
}

const Refusal = z.object({
  error: z.object({
    status: z.string().default(""),
    message: z.string().default(""),
    errors: z.array(z.object({ reason: z.string().default(""), domain: z.string().default("") })).default([]),
  }),
});

const RATE = /^(?:user)?rateLimitExceeded$/i;
const PROJECT = /^(?:dailyLimitExceeded|quotaExceeded)$/i;
const SCOPE = /insufficient ?(?:permissions?|authentication scopes)/i;
/** The longest time that a limit lasts; a date beyond it is not believed. */
const LONGEST_WAIT_MS = 24 * 60 * MINUTE_MS;

/** Reads an answer of Gmail by its reason, since a 403 may be about a quota, a policy or a scope. */
export function troubleOf(status: number, json: unknown, now: number): GmailTrouble {
  const read = Refusal.safeParse(json);
  const { status: word, message, errors } = read.success ? read.data.error : { status: "", message: "", errors: [] };
  const [{ reason = "", domain = "" } = {}] = errors;
  const kind = kindOf(status, { word, message, reason, domain });
  const retryAt = kind === "rate" ? instantIn(message, now) : null;
  return new GmailTrouble(kind, { reason: reason || word || null, retryAt, cause: new Error(`${status} ${message}`) });
}

interface Said {
  word: string;
  message: string;
  reason: string;
  domain: string;
}

function kindOf(status: number, { word, message, reason, domain }: Said): GmailFault {
  if (status === 401) return "expired";
  if (status === 404) return "gone";
  if (status === 429) return "rate";
  if (status === 403) {
    if (PROJECT.test(reason)) return "project";
    if (RATE.test(reason) || domain === "usageLimits") return reason === "accessNotConfigured" ? "off" : "rate";
    if (reason === "accessNotConfigured") return "off";
    return SCOPE.test(reason) || SCOPE.test(message) ? "scope" : "policy";
  }
  if (status === 400 && (reason === "failedPrecondition" || word === "FAILED_PRECONDITION")) return "off";
  return status >= 400 && status < 500 ? "invalid" : "away";
}

/** "User-rate limit exceeded. Retry after 2026-11-29T12:00:00.000Z": Google names the instant in the text alone. */
function instantIn(message: string, now: number): number | null {
  const at = Date.parse(/retry after (\S+)/i.exec(message)?.[1] ?? "");
  return at > now && at <= now + LONGEST_WAIT_MS ? at : null;
}
