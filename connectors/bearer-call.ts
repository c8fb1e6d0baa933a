import type { Egress } from "./net/egress.ts";
import { EgressError } from "./net/egress-error.ts";

/** A service that one access token opens. */
export interface BearerAccess {
  egress: Pick<Egress, "request">;
  /** Where the service is, with its version, such as https://graph.microsoft.com/v1.0. */
  url: string;
  token: string;
  signal: AbortSignal;
}

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
  { egress, url, token, signal }: BearerAccess,
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

function jsonIn(body: Buffer): unknown {
  try {
    return body.length === 0 ? {} : JSON.parse(body.toString("utf8"));
  } catch {
    return null;
  }
}
