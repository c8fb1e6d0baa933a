import type { CallPurpose } from "../domain/sending/api-quota.ts";
import { DAY_MS, MINUTE_MS, SECOND_MS } from "../domain/time/durations.ts";
import type { Egress } from "./net/egress.ts";
import { EgressError } from "./net/egress-error.ts";

/** A mailbox at its provider's API, which one access token opens. */
export interface BearerAccess {
  egress: Pick<Egress, "request">;
  /** Where the service is, with its version, such as https://graph.microsoft.com/v1.0. */
  url: string;
  token: string;
  signal: AbortSignal;
  quota: CallQuota;
}

/** Lets the requests of one mailbox begin, over all processes. */
export interface CallQuota {
  /**
   * Waits until a request of so many units may begin. The caller calls what it returns when the request has ended.
   * @throws QuotaWait when that is too far away
   */
  begin(units: number): Promise<() => Promise<void>>;
  /** The provider wants no request of the mailbox for so many milliseconds. Never fails. */
  block(ms: number): Promise<void>;
  /** The same quota for requests with another purpose. */
  as(purpose: CallPurpose): CallQuota;
}

/** For requests that the limits of no mailbox concern. */
export const NO_LIMITS: CallQuota = {
  begin: async () => async () => {},
  block: async () => {},
  as: () => NO_LIMITS,
};

/** The mailbox has asked as much as it may, or its provider wants it to wait. Nothing was asked. */
export class QuotaWait extends Error {
  readonly waitMs: number;
  constructor(waitMs: number) {
    super(`The mailbox has to wait ${Math.ceil(waitMs)} ms for its provider's API`);
    this.waitMs = waitMs;
  }
}

/** Milliseconds that a mailbox waits when its provider asks for fewer requests and names no time. */
export const USUAL_WAIT_MS = MINUTE_MS;
/** The longest wait that a provider is believed. */
const LONGEST_WAIT_MS = DAY_MS;

export interface BearerRequest {
  method?: "GET" | "POST" | "PATCH" | "DELETE";
  headers?: Record<string, string>;
  /** Sent as JSON. */
  body?: object;
  /** A body that is not JSON, with its type. */
  media?: { type: string; content: Buffer | string };
  timeoutMs?: number;
  maxBytes?: number;
  /** Asked before the first byte is written; false fails the request unsent. */
  mayBegin?: () => boolean;
}

export interface BearerAnswer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  bytes: Buffer;
  /** Whether `bytes` is all of it. */
  isWhole: boolean;
  /** Null for an answer that is cut off or no JSON; an empty answer is an empty object. */
  json: unknown;
}

const CALL_MS = 20_000;
const ANSWER_BYTES = 4 * 1024 * 1024;

/** One request, which is never repeated here: the caller knows whether it may be. @throws EgressError */
export async function callWithToken(
  { egress, url, token, signal }: Omit<BearerAccess, "quota">,
  path: string,
  { method = "GET", headers = {}, body, media, timeoutMs = CALL_MS, maxBytes = ANSWER_BYTES, mayBegin }: BearerRequest,
): Promise<BearerAnswer> {
  const { type, content } =
    media ??
    (body === undefined ? { type: null, content: "" } : { type: "application/json", content: JSON.stringify(body) });
  const answer = await egress.request(`${url}${path}`, {
    method,
    headers: {
      Authorization: `Bearer ${token}`,
      ...(type !== null && { "Content-Type": type }),
      ...headers,
    },
    ...(method !== "GET" && { body: content }),
    ...(mayBegin !== undefined && { mayBegin }),
    timeoutMs,
    maxBodyBytes: maxBytes,
    signal,
  });
  const json = answer.isBodyComplete ? jsonIn(answer.bodyExcerpt) : null;
  return {
    status: answer.statusCode,
    headers: answer.headers,
    bytes: answer.bodyExcerpt,
    isWhole: answer.isBodyComplete,
    json,
  };
}

/**
 * Whether a request failed before any of it left: its host has no address, must not be connected to, has no valid
 * certificate, or the caller did not let it begin.
 */
export function isUnasked(cause: unknown): boolean {
  return (
    cause instanceof EgressError && ["DNS_FAILED", "ADDRESS_BLOCKED", "TLS_FAILED", "NOT_BEGUN"].includes(cause.reason)
  );
}

/**
 * One request as the mailbox's quota allows it. After an answer that says to wait, all requests of the mailbox wait:
 * `waitOf` reads how long from an answer, and returns null for any other.
 * @throws QuotaWait
 * @throws EgressError
 */
export async function callInQuota(
  access: BearerAccess,
  path: string,
  request: BearerRequest,
  { units, waitOf }: { units: number; waitOf: (answer: BearerAnswer) => number | null },
): Promise<BearerAnswer> {
  const end = await access.quota.begin(units);
  try {
    const answer = await callWithToken(access, path, request);
    const waitMs = waitOf(answer);
    if (waitMs !== null) await access.quota.block(waitMs);
    return answer;
  } finally {
    await end();
  }
}

/** Milliseconds that `Retry-After` names, as seconds or as a date; null without it. */
export function retryAfterMs({ headers }: Pick<BearerAnswer, "headers">): number | null {
  const value = [headers["retry-after"]].flat()[0];
  if (value === undefined) return null;
  const ms = /^\d+$/.test(value) ? Number(value) * SECOND_MS : Date.parse(value) - Date.now();
  return Number.isNaN(ms) ? null : Math.min(LONGEST_WAIT_MS, Math.max(0, ms));
}

function jsonIn(body: Buffer): unknown {
  try {
    return body.length === 0 ? {} : JSON.parse(body.toString("utf8"));
  } catch {
    return null;
  }
}
