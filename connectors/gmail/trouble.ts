import { z } from "zod";
import type { AccessFault } from "../../domain/mailboxes/connection-error.ts";
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
  /** The lost access that the answer shows; null when it is about something else. */
  readonly access: AccessFault | null;
  constructor(
    kind: GmailFault,
    {
      reason = null,
      retryAt = null,
      access = null,
      ...options
    }: ErrorOptions & { reason?: string | null; retryAt?: number | null; access?: AccessFault | null },
  ) {
    super(`Gmail: ${kind}`, options);
    this.name = "GmailTrouble";
    this.kind = kind;
    this.reason = reason;
    this.retryAt = retryAt;
    this.access = access;
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
  const access = accessOf(kind, { word, message, reason, domain });
  const cause = new Error(`${status} ${message}`);
  return new GmailTrouble(kind, { reason: reason || word || null, retryAt, access, cause });
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
  // 409 and 412: another change at the same time
  if (status === 429 || status === 409 || status === 412) return "rate";
  // The request may have had its effect before it was given up
  if (status === 408 || status === 499) return "away";
  if (status === 403) {
    if (PROJECT.test(reason)) return "project";
    if (RATE.test(reason) || domain === "usageLimits") return reason === "accessNotConfigured" ? "off" : "rate";
    if (reason === "accessNotConfigured") return "off";
    return SCOPE.test(reason) || SCOPE.test(message) ? "scope" : "policy";
  }
  if (status === 400 && (reason === "failedPrecondition" || word === "FAILED_PRECONDITION")) return "off";
  return status >= 400 && status < 500 ? "invalid" : "away";
}

function accessOf(kind: GmailFault, { message, reason }: Said): AccessFault | null {
  switch (kind) {
    case "scope":
      return "PERMISSION_MISSING";
    case "project":
      return reason === "dailyLimitExceeded" ? "CLIENT_LIMIT" : null;
    case "off":
      return reason === "accessNotConfigured" ? "API_NOT_ENABLED" : "NO_MAIL_SERVICE";
    case "policy":
      if (reason === "domainPolicy") return "API_BLOCKED";
      return /delegation denied/i.test(message) ? "WRONG_ACCOUNT" : "ACCESS_DENIED";
    default:
      return null;
  }
}

/** "User-rate limit exceeded. Retry after 2026-11-29T12:00:00.000Z": Google names the instant in the text alone. */
function instantIn(message: string, now: number): number | null {
  const at = Date.parse(/retry after (\S+)/i.exec(message)?.[1] ?? "");
  return at > now && at <= now + LONGEST_WAIT_MS ? at : null;
}
