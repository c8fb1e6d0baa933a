import { createHash } from "node:crypto";
import { CONVERSION_TYPES, type ConversionType, type RejectionReason } from "../conversions.ts";
import { trimmedDecimal } from "../decimals.ts";

/** An event as a customer's page or server reported it, read and checked. */
export interface ReportedConversion {
  cid: string;
  type: ConversionType;
  /** The caller's id of the event; null if the event has none. */
  eventId: string | null;
  actionSource: string | null;
  /** A decimal with at most four digits after the point. */
  value: string | null;
  /** Upper-case. */
  currency: string | null;
  /** The SHA-256 of an address in lower-case hexadecimal. */
  emailHash: string | null;
}

export type ConversionReading =
  | { reported: ReportedConversion }
  | { reason: RejectionReason; eventId: string | null; cid: string | null };

const LONGEST_TEXT = 512;
const MOST_VALUE = 1e12;

/**
 * Reads one event. The first failed test gives the reason (rules/tracking 5.2). It never throws, for any value.
 */
export function readConversion(event: unknown): ConversionReading {
  const user = partOf(event, "user_data");
  const custom = partOf(event, "custom_data");
  const [name, id, source] = ["event_name", "event_id", "action_source"].map((key) => partOf(event, key));
  const [cid, em, currency] = [partOf(user, "cid"), partOf(user, "em"), partOf(custom, "currency")];
  const refused = (reason: RejectionReason) => ({ reason, eventId: shortText(id), cid: shortText(cid) });
  const texts = [name, id, source, cid, em].filter((text) => text !== undefined && text !== null);
  if (shortText(name) === null || shortText(cid) === null || texts.some((text) => shortText(text) === null))
    return refused("malformed");
  if (typeof currency === "string" && currency.length > LONGEST_TEXT) return refused("malformed");
  const type = typeOf(shortText(name) ?? "");
  if (type === null) return refused("unknown_event");
  const value = decimalOf(partOf(custom, "value"));
  const code = currencyOf(currency);
  if (value === undefined || code === undefined) return refused("invalid_value");
  const emailHash = shortText(em)?.trim().toLowerCase() ?? null;
  return {
    reported: {
      cid: shortText(cid) ?? "",
      type,
      eventId: shortText(id),
      actionSource: shortText(source),
      value,
      currency: code,
      emailHash: emailHash === "" ? null : emailHash,
    },
  };
}

/**
 * The event id for an event that has none: a person has at most one conversion of a type per day (rules/tracking 5.4).
 * `at` is in epoch ms.
 */
export function ownEventId({ cid, type }: Pick<ReportedConversion, "cid" | "type">, at: number): string {
  const day = new Date(at).toISOString().slice(0, 10);
  return `auto_${createHash("sha256")
    .update(JSON.stringify([cid, type, day]))
    .digest("hex")
    .slice(0, 32)}`;
}

/** The SHA-256 that an event may have instead of an address. */
export function addressHash(email: string): string {
  return createHash("sha256").update(email.trim().toLowerCase()).digest("hex");
}

function typeOf(name: string): ConversionType | null {
  for (const [type, alias] of Object.entries(CONVERSION_TYPES))
    if (name === type || name === alias) return type as ConversionType; // its keys
  return null;
}

/** A finite number from 0 to 1e12 as text; null when absent, undefined when it is not a number. */
function decimalOf(value: unknown): string | null | undefined {
  if (value === undefined || value === null) return null;
  if (typeof value !== "number" || !Number.isFinite(value) || value < 0 || value > MOST_VALUE) return undefined;
  return trimmedDecimal(Math.abs(value).toFixed(4));
}

function currencyOf(currency: unknown): string | null | undefined {
  if (currency === undefined || currency === null) return null;
  return typeof currency === "string" && /^[A-Za-z]{3}$/.test(currency) ? currency.toUpperCase() : undefined;
}

/** An own property of an object; undefined for anything that is not an object. */
function partOf(value: unknown, key: string): unknown {
  return typeof value === "object" && value !== null && !Array.isArray(value) && Object.hasOwn(value, key)
    ? Reflect.get(value, key)
    : undefined;
}

function shortText(value: unknown): string | null {
  return typeof value === "string" && value.length <= LONGEST_TEXT && value.isWellFormed() ? value : null;
}
