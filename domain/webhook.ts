import { DAY_MS, HOUR_MS, MINUTE_MS } from "./time/durations.ts";

/** The event types a subscription may name (rules/webhooks 1.4). */
export const WEBHOOK_EVENTS = ["SENT", "OPEN", "CLICK", "REPLIED", "BOUNCED", "UNSUBSCRIBE", "TEST"] as const;

export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number];

/**
 * The retry schedule of the interface (6.2): 1 min, doubling up to 6 h, at most ten attempts. Inside the activity each attempt ends after
 * 15 s.
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
}

export type DeliveryEnd = "delivered" | "dead-lettered";

/** Milliseconds that Temporal waits after failed attempt `attempt` (1 to 9) before the next one: the schedule of rules/webhooks 2.1. */
export function gapAfter(attempt: number): number {
  return Math.min(2 ** (attempt - 1) * MINUTE_MS, 6 * HOUR_MS);
}

/** A subscription is switched off after five days in which every attempt failed, with at least 20 attempts (rules/webhooks 6.1). */
export const FAILING_AFTER = { ms: 5 * DAY_MS, attempts: 20 } as const;

/** How the service names itself to whom it posts. */
export const USER_AGENT = "outreach/1.0";

/** Milliseconds for one whole attempt: resolve, connect, TLS, headers and body (rules/webhooks 1.1). */
export const ATTEMPT_TIMEOUT_MS = 15_000;

/** First attempts that a subscription may have in flight while nothing is known about its receiver (rules/webhooks 3.1). */
export const FIRST_WINDOW = 4;
/** First attempts in flight at once, for one subscription and towards one host (rules/webhooks 3.1). */
export const MAX_WINDOW = 32;

/** How many first attempts a subscription may have in flight, and how many have failed in a row so far. */
export interface Admission {
  window: number;
  failuresInRow: number;
}

/**
 * The admission rule of rules/webhooks 3.1: a success opens the window by one, up to 32; a failure halves it; three failures in a row set
 * it to
 * one. `failuresInRow` counts the failures before this outcome; the result holds both numbers after it.
 */
export function nextWindow(window: number, failuresInRow: number, outcome: "success" | "failure"): Admission {
  if (outcome === "success") return { window: Math.min(window + 1, MAX_WINDOW), failuresInRow: 0 };
  const failures = failuresInRow + 1;
  return { window: failures >= 3 ? 1 : Math.max(1, Math.floor(window / 2)), failuresInRow: failures };
}
