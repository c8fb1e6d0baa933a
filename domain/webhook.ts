import { DAY_MS, HOUR_MS, MINUTE_MS } from "./time/durations.ts";

/** The event types a subscription may name (interface 6.1). */
export const WEBHOOK_EVENTS = ["SENT", "OPEN", "CLICK", "REPLIED", "BOUNCED", "UNSUBSCRIBE", "TEST"] as const;

export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number];

/** The interface's schedule (6.2): 1 min, doubling, at most 6 h, ten attempts; each ends after 15 s inside the activity. */
export const WEBHOOK_DELIVERY = {
  startToCloseTimeout: "30s", // covers worker latency; the 15 s limit is inside the activity
  retry: { initialInterval: "1m", backoffCoefficient: 2, maximumInterval: "6h", maximumAttempts: 10 },
} as const;

/** What a delivery's workflow is started with. */
export interface DeliveryIds {
  v: 1;
  workspaceId: string;
  deliveryId: string;
}

export type DeliveryEnd = "delivered" | "dead-lettered";

/** How long the engine waits after failed attempt `attempt` (1 to 9) until the next: the schedule of webhooks.md 3. */
export function gapAfter(attempt: number): number {
  return Math.min(2 ** (attempt - 1) * MINUTE_MS, 6 * HOUR_MS);
}

/** Five days of nothing but failures, at least 20, switch a subscription off (webhooks.md 7). */
export const FAILING_AFTER = { ms: 5 * DAY_MS, attempts: 20 } as const;

/** How the service names itself to whom it posts. */
export const USER_AGENT = "outreach/1.0";

/** One attempt in all: resolve, connect, TLS, headers and body, in milliseconds (interface 6.2). */
export const ATTEMPT_TIMEOUT_MS = 15_000;

/** First attempts a subscription may have in flight before anything is known of its receiver (webhooks.md 4). */
export const FIRST_WINDOW = 4;
/** First attempts in flight at once, of one subscription and towards one host (webhooks.md 4). */
export const MAX_WINDOW = 32;

/** How many first attempts a subscription may have in flight, and how many failed in a row up to now. */
export interface Admission {
  window: number;
  failuresInRow: number;
}

/**
 * The admission rule of webhooks.md 4: one more per success up to 32, half after a failure, one after three in a row.
 * `failuresInRow` counts the failures before this outcome; the answer holds both numbers as they stand after it.
 */
export function nextWindow(window: number, failuresInRow: number, outcome: "success" | "failure"): Admission {
  if (outcome === "success") return { window: Math.min(window + 1, MAX_WINDOW), failuresInRow: 0 };
  const failures = failuresInRow + 1;
  return { window: failures >= 3 ? 1 : Math.max(1, Math.floor(window / 2)), failuresInRow: failures };
}
