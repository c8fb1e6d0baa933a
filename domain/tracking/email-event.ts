import type { ConversionType, RejectionReason } from "../conversions.ts";
import { addressHashFrom } from "../leads/address-hash.ts";
import { MINUTE_MS } from "../time/durations.ts";
import { ownEventId, readConversion } from "./conversion-event.ts";

/** Why an event with the hash of an address does not count (rules/tracking 6.4). */
export const EMAIL_EVENT_REASONS = [
  "malformed",
  "unknown_event",
  "invalid_value",
  "invalid_em",
  "invalid_time",
  "unknown_address",
  "outside_attribution_window",
] as const;
export type EmailEventReason = (typeof EMAIL_EVENT_REASONS)[number];

/** An event that names the person by the hash of an address. */
export interface EmailEvent {
  eventId: string;
  type: ConversionType;
  addressHash: string;
  /** A decimal, as text. */
  value: string | null;
  currency: string | null;
  actionSource: string | null;
  occurredAt: Date;
}

export type ReadEmailEvent = { event: EmailEvent } | { reason: EmailEventReason; eventId: string | null };

/** The most milliseconds by which the clock of the reporting server may be ahead. */
const AHEAD_MS = 5 * MINUTE_MS;
const LONGEST = 512;
const HASH = /^[0-9a-f]{64}$/;
const INSTANT = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2}))?$/;

/**
 * Reads one event of a batch: first the fields that it shares with an event by `cid`, in the same way, then the address
 * hash and the time.
 */
export function readEmailEvent(raw: unknown, receivedAt: Date): ReadEmailEvent {
  const fields = fieldsOf(raw);
  const reading = readConversion({ ...fields, user_data: { ...fieldsOf(fields["user_data"]), cid: BY_ADDRESS } });
  if ("reason" in reading) return { reason: commonReason(reading.reason), eventId: reading.eventId };
  const { type, value, currency, actionSource, emailHash, ...reported } = reading.reported;
  const eventId = reported.eventId || null;
  const refused = (reason: EmailEventReason) => ({ reason, eventId });
  const occurred = fields["occurred_at"] ?? null;
  if (emailHash === null || (occurred !== null && !isText(occurred))) return refused("malformed");
  if (!HASH.test(emailHash)) return refused("invalid_em");
  const occurredAt = occurred === null ? receivedAt : readInstant(occurred);
  if (occurredAt === null || occurredAt.getTime() > receivedAt.getTime() + AHEAD_MS) return refused("invalid_time");
  const addressHash = addressHashFrom(emailHash);
  const ownId = () => ownEventId({ cid: addressHash, type }, occurredAt.getTime());
  return { event: { eventId: eventId ?? ownId(), type, addressHash, value, currency, actionSource, occurredAt } };
}

/** A placeholder for the `cid`, which events by address do not have. */
const BY_ADDRESS = "by-address";

function commonReason(reason: RejectionReason): EmailEventReason {
  return reason === "unknown_event" || reason === "invalid_value" ? reason : "malformed";
}

function readInstant(text: string): Date | null {
  const at = INSTANT.test(text) ? new Date(text) : null;
  return at === null || Number.isNaN(at.getTime()) ? null : at;
}

/** The fields of an object; none for any other value, so that the response names the missing fields. */
function fieldsOf(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : {};
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value.length <= LONGEST;
}
