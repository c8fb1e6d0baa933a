import type { MailApi } from "../mailboxes/transport.ts";
import { MINUTE_MS } from "../time/durations.ts";

/**
 * What a request to a provider's API is for. Sending goes before new emails, and new emails go before those from before
 * the mailbox was connected (rules/sending 5.14).
 */
export type CallPurpose = "SEND" | "NEW" | "OLDER";

/** How much one mailbox may ask of its provider's API. */
export interface ApiLimits {
  /** Units in any time of `windowMs`: what Google charges for a request, or one for each request to Graph. */
  units: number;
  windowMs: number;
  /** Requests at the same time; null where the provider does not limit them. */
  atOnce: number | null;
}

/** Units of a user and minute in projects of Google that were made since May 2026; older ones have 15,000. */
export const GMAIL_UNITS = 6_000;

/** The share of the limits that each purpose may use up; the rest is kept for what goes before it. */
const SHARES: Readonly<Record<CallPurpose, number>> = { SEND: 1, NEW: 0.85, OLDER: 0.75 };

export function limitsOf({ transport, unitsPerMinute = GMAIL_UNITS }: MailApi): ApiLimits {
  return transport === "GMAIL_API"
    ? { units: unitsPerMinute, windowMs: MINUTE_MS, atOnce: null }
    : { units: 10_000, windowMs: 10 * MINUTE_MS, atOnce: 4 };
}

export function shareOf({ units, windowMs, atOnce }: ApiLimits, purpose: CallPurpose): ApiLimits {
  const share = SHARES[purpose];
  return { units: Math.floor(units * share), windowMs, atOnce: atOnce === null ? null : Math.floor(atOnce * share) };
}
