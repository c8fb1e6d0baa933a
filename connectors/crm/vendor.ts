import type { z } from "zod";
import type { CrmActivityContent } from "../../domain/crm/activity.ts";
import type { CrmPage, CrmSegment } from "../../domain/crm/contact.ts";
import type { EgressResponse } from "../net/egress.ts";

interface CrmRequest {
  method: "GET" | "POST" | "PUT" | "PATCH";
  /** The path and query, relative to the connection's base URL. */
  path: string;
  body?: object;
  headers?: Record<string, string>;
  /** Set when the answer may be as large as a page of contacts; the size limit of other answers is small. */
  isPage?: true;
}

/**
 * Sends one request to the vendor and returns the JSON of its answer; null when the answer has no body. @throws
 * CrmTrouble
 */
export type CrmCall = (request: CrmRequest) => Promise<unknown>;

interface CrmAccount {
  id: string;
  name: string;
}

/** Names a page of a segment's contacts, and the vendor's fields to read. */
export interface PagePlace {
  segmentId: string;
  fields: readonly string[];
  /** The cursor from the previous page; null for the first. */
  cursor: string | null;
}

/** All operations of a CRM. One file implements them for each vendor; each method @throws CrmTrouble. */
export interface CrmVendor {
  /**
   * The headers that authenticate the caller. `isApiToken` is true for a token that a person entered, false for an
   * OAuth token.
   */
  authorize(token: string, isApiToken: boolean): Record<string, string>;
  /** Turns an answer whose status is not 2xx into an error. */
  troubleOf(answer: EgressResponse): CrmTrouble;
  readAccount(call: CrmCall): Promise<CrmAccount>;
  listSegments(call: CrmCall): Promise<CrmSegment[]>;
  readPage(call: CrmCall, place: PagePlace): Promise<CrmPage>;
  /** Adds an activity to the contact and returns the vendor's id of the activity. */
  writeActivity(call: CrmCall, recordId: string, activity: CrmActivityContent): Promise<string>;
  /** Marks the contact as do not contact. A repetition changes nothing. */
  writeDoNotContact(call: CrmCall, recordId: string, email: string): Promise<void>;
}

const CRM_FAULTS = [
  ...(["EXPIRED", "FORBIDDEN", "NOT_FOUND", "REFUSED"] as const),
  ...(["RATE_LIMITED", "DAY_USED_UP", "AWAY", "ANSWER_INVALID", "PLACE_LOST", "FIELD_UNKNOWN"] as const),
] as const;
export type CrmFault = (typeof CRM_FAULTS)[number];

/**
 * Thrown when a call fails. `fault` is our own code, which users may see. `reasons` are the vendor's codes, only for
 * the log.
 */
export class CrmTrouble extends Error {
  readonly fault: CrmFault;
  /** Milliseconds that the vendor asks to wait; null if it does not say. */
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
 * Parses the JSON of an answer; null for an empty body. @throws CrmTrouble ANSWER_INVALID if the body is incomplete,
 * too large or not JSON
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

/** Parses the JSON of an answer; null for any body that cannot be parsed, such as the HTML page of an error. */
export function jsonIfAny(answer: EgressResponse): unknown {
  try {
    return jsonOf(answer);
  } catch {
    return null;
  }
}

/** The fault for an HTTP status, for every vendor; a vendor may find a more precise one in the body. */
export function faultOfStatus(status: number): CrmFault {
  if (status === 401) return "EXPIRED";
  if (status === 403) return "FORBIDDEN";
  if (status === 404) return "NOT_FOUND";
  if (status === 429) return "RATE_LIMITED";
  return status >= 500 || status === 408 ? "AWAY" : status >= 400 ? "REFUSED" : "ANSWER_INVALID";
}

/** Reads a header in seconds and returns milliseconds; null if the value is not a whole number. */
export function secondsIn({ headers }: EgressResponse, name: string): number | null {
  const value = [headers[name]].flat()[0] ?? "";
  return /^\d{1,6}$/.test(value) ? Number(value) * 1_000 : null;
}

/**
 * Reads the fields of an answer that `shape` names. @throws CrmTrouble ANSWER_INVALID if the answer has another shape
 */
export function readShape<T>(shape: z.ZodType<T>, json: unknown): T {
  const { data, success } = shape.safeParse(json);
  if (!success) throw new CrmTrouble("ANSWER_INVALID");
  return data;
}
