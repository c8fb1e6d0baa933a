import { DAY_MS, HOUR_MS, MINUTE_MS } from "./time/durations.ts";

/** The event types a subscription may name (rules/webhooks 1.4). */
export const WEBHOOK_EVENTS = ["SENT", "OPEN", "CLICK", "REPLIED", "BOUNCED", "UNSUBSCRIBE", "TEST"] as const;

export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number];

/**
 * The retry schedule of the API (6.2): 1 min, doubling up to 6 h, at most ten attempts. Inside the activity each
 * attempt ends after 15 s.
 */
export const WEBHOOK_DELIVERY = {
  startToCloseTimeout: "30s", // leaves room for worker latency; the limit of 15 s is inside the activity
  retry: { initialInterval: "1m", backoffCoefficient: 2, maximumInterval: "6h", maximumAttempts: 10 },
} as const;

/** The ids with which a delivery's workflow is started. */
export interface DeliveryIds {
  v: 1;
  workspaceId: string;
  deliveryId: string;
  /**
   * The number of the first attempt that the workflow makes, 2 to 10. Workflows that an earlier version started do not
   * have it and make all ten attempts themselves.
   */
  attempt?: number;
}

/** `waiting`: the delivery was requeued, and the subscription's feed makes the first attempt again. */
export type DeliveryEnd = "delivered" | "dead-lettered" | "waiting";

/** The ids with which the feed of a subscription is started. */
export interface FeedIds {
  v: 1;
  workspaceId: string;
  subscriptionId: string;
}

/** The result of one round of a subscription's feed. */
export interface FeedTurn {
  /** First attempts made. */
  posted: number;
  delivered: number;
  /** Whether no delivery has been waiting for some seconds. */
  isEmpty: boolean;
}

/** The limits of one round of a feed (rules/webhooks 3.1). A round ends by itself well before `startToCloseTimeout`. */
export const WEBHOOK_FEED = {
  startToCloseTimeout: "2m",
  heartbeatTimeout: "60s",
  retry: { initialInterval: "1s", backoffCoefficient: 2, maximumInterval: "1m" },
} as const;

/**
 * After `ms` milliseconds or `rows` deliveries, a round ends so that another feed can run. After `lingerMs`
 * milliseconds without a delivery, the feed itself ends (rules/webhooks 3.1).
 */
export const FEED_TURN = { ms: 30_000, rows: 1_000, lingerMs: 5_000 } as const;

/**
 * After this many milliseconds a feed is started again even if it seems to run, because it may have been about to end.
 */
const FEED_SURE_MS = 4_000;
/** Milliseconds between two starts of a feed if its deliveries stay waiting. */
const FEED_AGAIN_MS = 1_000;
/** Milliseconds within which a feed without other work takes a waiting delivery. */
const FEED_TAKES_MS = 500;

/**
 * Whether a process should start the feed of a subscription with waiting deliveries. `startedAt` is when the process
 * last started it. Starting a running feed has no effect, but costs a call to Temporal. Instants are epoch
 * milliseconds.
 */
export function isFeedDue(
  now: number,
  { startedAt, waitingSince }: { startedAt: number | undefined; waitingSince: number },
): boolean {
  if (startedAt === undefined || now - startedAt >= FEED_SURE_MS) return true;
  return now - startedAt >= FEED_AGAIN_MS && now - waitingSince >= FEED_TAKES_MS;
}

/**
 * Milliseconds that Temporal waits after failed attempt `attempt` (1 to 9) before the next one: the schedule of
 * rules/webhooks 2.1.
 */
export function gapAfter(attempt: number): number {
  return Math.min(2 ** (attempt - 1) * MINUTE_MS, 6 * HOUR_MS);
}

/**
 * The retries of a run that begins with this attempt. They keep the schedule, and there is never an eleventh
 * (rules/webhooks 2.1).
 */
export function retriesFrom(attempt: number) {
  const { retry } = WEBHOOK_DELIVERY;
  return {
    ...retry,
    initialInterval: gapAfter(attempt),
    maximumAttempts: Math.max(1, retry.maximumAttempts + 1 - attempt),
  };
}

/**
 * A subscription is switched off after five days in which every attempt failed, with at least 20 attempts
 * (rules/webhooks 6.1).
 */
export const FAILING_AFTER = { ms: 5 * DAY_MS, attempts: 20 } as const;

/** The User-Agent header of webhook requests. */
export const USER_AGENT = "outreach/1.0";

/** Milliseconds for one whole attempt: resolve, connect, TLS, headers and body (rules/webhooks 1.1). */
export const ATTEMPT_TIMEOUT_MS = 15_000;

/**
 * How many first attempts a subscription may have in flight while nothing is known about its receiver (rules/webhooks
 * 3.1).
 */
export const FIRST_WINDOW = 4;
/** The most first attempts in flight at the same time, for one subscription and for one host (rules/webhooks 3.1). */
export const MAX_WINDOW = 32;

/** How many first attempts a subscription may have in flight, and how many have failed in a row so far. */
export interface Admission {
  window: number;
  failuresInRow: number;
}

/**
 * The admission rule of rules/webhooks 3.1: a success opens the window by one, up to 32; a failure halves it; three
 * failures in a row set it to one. `failuresInRow` counts the failures before this outcome; the result contains both
 * numbers after it.
 */
export function nextWindow(window: number, failuresInRow: number, outcome: "success" | "failure"): Admission {
  if (outcome === "success") return { window: Math.min(window + 1, MAX_WINDOW), failuresInRow: 0 };
  const failures = failuresInRow + 1;
  return { window: failures >= 3 ? 1 : Math.max(1, Math.floor(window / 2)), failuresInRow: failures };
}
