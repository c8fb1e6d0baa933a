import type { z } from "zod";
import type { CrmActivityContent } from "../../domain/crm/activity.ts";
import type { CrmPage, CrmSegment } from "../../domain/crm/contact.ts";
import type { EgressResponse } from "../net/egress.ts";

interface CrmRequest {
  method: "GET" | "POST" | "PUT" | "PATCH";
  /** Relative to the base of the connection, with its query. */
  path: string;
  body?: object;
  headers?: Record<string, string>;
  /** Set for answers that may be as large as a page of contacts; others are small. */
  isPage?: true;
}

/** One exchange with the vendor: the JSON of its answer, null where it has none. @throws CrmTrouble */
export type CrmCall = (request: CrmRequest) => Promise<unknown>;

interface CrmAccount {
  id: string;
  name: string;
}

/** The place of a page of a segment's contacts, and which of the vendor's fields are read. */
export interface PagePlace {
  segmentId: string;
  fields: readonly string[];
  /** The cursor from the previous page; null for the first. */
  cursor: string | null;
}

/** All operations of a CRM. One file implements them for each vendor; each method @throws CrmTrouble. */
export interface CrmVendor {
  /** The headers that identify the caller; `isApiToken` where a person gave a token instead of consenting. */
  authorize(token: string, isApiToken: boolean): Record<string, string>;
  /** What an answer other than 2xx means. */
  troubleOf(answer: EgressResponse): CrmTrouble;
  readAccount(call: CrmCall): Promise<CrmAccount>;
  listSegments(call: CrmCall): Promise<CrmSegment[]>;
  readPage(call: CrmCall, place: PagePlace): Promise<CrmPage>;
  /** Logs an event at the contact; returns the vendor's id of it. */
  writeActivity(call: CrmCall, recordId: string, activity: CrmActivityContent): Promise<string>;
  /** Notes that the person must not be contacted. Repeated, it changes nothing. */
  writeDoNotContact(call: CrmCall, recordId: string, email: string): Promise<void>;
}

const CRM_FAULTS = [
  ...(["EXPIRED", "FORBIDDEN", "NOT_FOUND", "REFUSED"] as const),
  ...(["RATE_LIMITED", "DAY_USED_UP", "AWAY", "ANSWER_INVALID", "PLACE_LOST", "FIELD_UNKNOWN"] as const),
] as const;
export type CrmFault = (typeof CRM_FAULTS)[number];

/** A call failed. `fault` is ours and may be shown; `reasons` are the vendor's own codes, for the log. */
export class CrmTrouble extends Error {
  readonly fault: CrmFault;
  /** Milliseconds that the vendor asks to wait; null where it does not say. */
  readonly waitMs: number | null;
  readonly reasons: readonly string[];
  constructor(
    fault: CrmFault,
    {
      waitMs = null,
      reasons = [],
      ...options
    }: ErrorOptions & { waitMs?: number | null; reasons?: readonly string[] } = {},
  ) {
    super(`The CRM: ${fault}`, options);
    this.name = "CrmTrouble";
    this.fault = fault;
    this.waitMs = waitMs;
    this.reasons = reasons;
  }
}

/**
 * The JSON of an answer, or of none. @throws CrmTrouble ANSWER_INVALID for half a body, one that is too large, or no
 * JSON
 */
export function jsonOf({ bodyExcerpt, isBodyComplete }: EgressResponse): unknown {
  if (!isBodyComplete) throw new CrmTrouble("ANSWER_INVALID");
  if (bodyExcerpt.length === 0) return null;
  try {
    return JSON.parse(bodyExcerpt.toString("utf8"));
  } catch {
    throw new CrmTrouble("ANSWER_INVALID");
  }
}

/** The same for a body of any form, such as that of a refusal. */
export function jsonIfAny(answer: EgressResponse): unknown {
  try {
    return jsonOf(answer);
  } catch {
    return null;
  }
}

/** The fault that a status means for every vendor, unless the body says more. */
export function faultOfStatus(status: number): CrmFault {
  if (status === 401) return "EXPIRED";
  if (status === 403) return "FORBIDDEN";
  if (status === 404) return "NOT_FOUND";
  if (status === 429) return "RATE_LIMITED";
  return status >= 500 || status === 408 ? "AWAY" : status >= 400 ? "REFUSED" : "ANSWER_INVALID";
}

/** The wait in milliseconds from a header in seconds; null for anything but a number. */
export function secondsIn({ headers }: EgressResponse, name: string): number | null {
  const value = [headers[name]].flat()[0] ?? "";
  return /^\d{1,6}$/.test(value) ? Number(value) * 1_000 : null;
}

/** The few fields of an answer that are read. @throws CrmTrouble ANSWER_INVALID for another shape */
export function readShape<T>(shape: z.ZodType<T>, json: unknown): T {
  const { data, success } = shape.safeParse(json);
  if (!success) throw new CrmTrouble("ANSWER_INVALID");
  return data;
}
