import { findWaitingSubscriptions } from "../../store/webhooks/first-attempts.ts";

/**
 * Informs the feeds of this process when deliveries wait for them. One query serves all feeds, and runs only while a
 * feed listens.
 */
export interface LookOut {
  /** Calls `onWaiting` repeatedly while deliveries wait for the subscription. Returns a function that ends this. */
  listen(subscriptionId: string, onWaiting: () => void): () => void;
}

const EVERY_MS = 100;
/**
 * Milliseconds to pause after a failed query. A feed that takes deliveries meanwhile gets the error from its own query.
 */
const PAUSE_MS = 1_000;

export function createLookOut(find: () => Promise<string[]> = findWaitingSubscriptions): LookOut {
  const listeners = new Set<{ subscriptionId: string; onWaiting: () => void }>();
  let isLooking = false;

  async function poll(): Promise<void> {
    let pauseMs = EVERY_MS;
    try {
      const waiting = new Set(await find());
      for (const { subscriptionId, onWaiting } of [...listeners]) if (waiting.has(subscriptionId)) onWaiting();
    } catch {
      pauseMs = PAUSE_MS;
    }
    isLooking = listeners.size > 0;
    if (isLooking) setTimeout(() => void poll(), pauseMs);
  }

  return {
    listen(subscriptionId, onWaiting) {
      const listener = { subscriptionId, onWaiting };
      listeners.add(listener);
      if (!isLooking) {
        isLooking = true;
        void poll();
      }
      return () => void listeners.delete(listener);
    },
  };
}
