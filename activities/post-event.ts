import { EgressError, type EgressReason } from "../connectors/net/connect.ts";
import type { Egress } from "../connectors/net/egress.ts";
import { ATTEMPT_TIMEOUT_MS, USER_AGENT, type WebhookEvent } from "../domain/webhook.ts";
import { signBody } from "../domain/webhook-signature.ts";

const READ_BYTES = 8 * 1024;
const KEPT_BYTES = 1024;
const BODY_TIMEOUT_MS = 2_000; // the status code has decided by then; an excerpt is not worth more waiting

/**
 * One attempt of a delivery. `body` is the stored bytes and `now` the time of the attempt. `nextSecret` is set only
 * while two secrets are valid during a rotation (rules/webhooks 5.2).
 */
export interface PostAttempt {
  url: string;
  body: Buffer;
  event: WebhookEvent;
  deliveryId: string;
  secret: string;
  nextSecret?: string | undefined;
  /** 1 to 10. */
  attempt: number;
  now: Date;
  timeoutMs?: number;
  /** The activity's cancellation: it is rethrown, not recorded as an outcome. */
  signal?: AbortSignal | undefined;
}

/**
 * What the attempt log keeps: either the receiver responded (`statusCode`) or something prevented the request
 * (`cause`).
 */
export interface AttemptOutcome {
  ok: boolean;
  statusCode: number | null;
  cause: EgressReason | null;
  ms: number;
  /** At most 1 KiB of the response, read as UTF-8. */
  bodyExcerpt: string | null;
  /** The target of a redirect, which is never followed. */
  location: string | null;
}

/**
 * Posts the stored bytes once, within 15 s in total (rules/webhooks 1.1). A 2xx status counts as success as soon as the
 * headers have arrived. A failure at the receiver is returned as an outcome, not thrown.
 */
export async function postToSubscriber(egress: Egress, attempt: PostAttempt): Promise<AttemptOutcome> {
  const startedAt = performance.now();
  const elapsed = () => Math.round(performance.now() - startedAt);
  try {
    const answer = await egress.request(attempt.url, {
      method: "POST",
      headers: headersOf(attempt),
      body: attempt.body,
      timeoutMs: attempt.timeoutMs ?? ATTEMPT_TIMEOUT_MS,
      bodyTimeoutMs: BODY_TIMEOUT_MS,
      maxBodyBytes: READ_BYTES,
      signal: attempt.signal,
    });
    const { statusCode, headers, bodyExcerpt } = answer;
    const location = [headers["location"]].flat()[0] ?? null;
    const ok = statusCode >= 200 && statusCode < 300;
    return { ok, statusCode, cause: null, ms: elapsed(), bodyExcerpt: textOf(bodyExcerpt), location };
  } catch (error) {
    if (!(error instanceof EgressError)) throw error;
    return { ok: false, statusCode: null, cause: error.reason, ms: elapsed(), bodyExcerpt: null, location: null };
  }
}

function headersOf({ body, event, deliveryId, secret, nextSecret, attempt, now }: PostAttempt): Record<string, string> {
  return {
    "Content-Type": "application/json",
    "User-Agent": USER_AGENT,
    "X-Service-Event": event,
    "X-Service-Signature": signBody(secret, body),
    "X-Service-Delivery": deliveryId,
    "X-Service-Timestamp": String(Math.floor(now.getTime() / 1000)),
    "X-Service-Attempt": String(attempt),
    ...(nextSecret !== undefined && { "X-Service-Signature-Next": signBody(nextSecret, body) }),
  };
}

/** The first KiB as text; a character that is cut in two at the end is left out. */
function textOf(bytes: Buffer): string {
  return new TextDecoder().decode(bytes.subarray(0, KEPT_BYTES), { stream: true });
}
