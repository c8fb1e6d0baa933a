import pLimit from "p-limit";
import type { Egress } from "../../connectors/net/egress.ts";
import type { KeyRing } from "../../domain/access/seal.ts";
import {
  type Admission,
  type DeliveryIds,
  type FeedIds,
  FIRST_WINDOW,
  gapAfter,
  type WebhookEvent,
} from "../../domain/webhook.ts";
import { scoped } from "../../models/scoped.ts";
import { bytesOf } from "../../models/webhook-delivery.ts";
import type { WebhookSubscription } from "../../models/webhook-subscription.ts";
import { randomBase62 } from "../../mongo/ids.ts";
import {
  type FirstAttempt,
  findWaiting,
  recordFirstAttempts,
  refuseWaiting,
  takeWaiting,
  type WaitingDelivery,
} from "../../store/webhooks/feed.ts";
import { postToSubscriber } from "../post-event.ts";
import { refusalOf, secretsOf } from "../webhook-deliveries.ts";
import type { HostSlots } from "./host-slots.ts";
import type { LookOut } from "./look-out.ts";
import type { Line } from "./pump.ts";

export interface FeedParts {
  egress: Egress;
  keyRing: KeyRing;
  hosts: HostSlots;
  lookOut: LookOut;
  /** Starts the workflow that makes the later attempts of a delivery. */
  startRun(ids: DeliveryIds, event: string, delayMs: number): Promise<void>;
  /** Fires when the activity is cancelled. */
  signal: AbortSignal;
}

/** A delivery to post, with its URL and the secrets that sign it. */
interface TakenDelivery {
  delivery: WaitingDelivery;
  url: string;
  host: string;
  secrets: { secret: string; nextSecret?: string };
}

export interface FeedLine extends Line<TakenDelivery, FirstAttempt> {
  /** The concurrency limit at the beginning of a turn. */
  admission(): Promise<Admission>;
  /** Must be called once when the turn is over. */
  end(): Promise<void>;
}

/** How many deliveries are refused at a time; larger than the number that is posted, because no request is made. */
const REFUSED_AT_ONCE = 500;
const STARTS_AT_ONCE = 8;
/** Milliseconds that running requests may still take once the turn is cancelled. */
const GRACE_MS = 4_000;

/** Takes, posts and records the deliveries of one subscription during one turn of its feed. */
export function createFeedLine({ workspaceId, subscriptionId }: FeedIds, parts: FeedParts): FeedLine {
  const { egress, keyRing, hosts, lookOut, startRun, signal } = parts;
  const token = randomBase62(10);
  const calls = pLimit(STARTS_AT_ONCE);
  const starts = new Set<Promise<void>>();
  const cut = cutAfter(signal, GRACE_MS);
  let seen: WebhookSubscription | null = null;

  /** Reads the subscription again, so that a new address or secret, or its deletion, applies to the next delivery. */
  async function lookAtSubscription(): Promise<WebhookSubscription | null> {
    seen = await scoped(workspaceId).WebhookSubscription.get(subscriptionId);
    return seen;
  }

  /**
   * Ends the deliveries that a disabled or deleted subscription no longer gets. Returns those that it still gets: a
   * TEST.
   */
  async function endRefused(subscription: WebhookSubscription | null): Promise<WaitingDelivery[]> {
    const waiting = await findWaiting(workspaceId, subscriptionId, REFUSED_AT_ONCE);
    const byReason = Map.groupBy(waiting, (delivery) => refusalOf(subscription, delivery));
    for (const [reason, rows] of byReason) if (reason !== null) await refuseWaiting(rows, subscriptionId, reason);
    return byReason.get(null) ?? [];
  }

  async function takeFor(
    subscription: WebhookSubscription,
    rows: readonly WaitingDelivery[],
  ): Promise<TakenDelivery[]> {
    const { url } = subscription;
    const { host } = new URL(url);
    const secrets = secretsOf(keyRing, subscription, new Date());
    const granted = hosts.reserve(host, token, rows.length);
    let takenCount = 0;
    try {
      const taken = await takeWaiting(rows.slice(0, granted), subscriptionId, token);
      takenCount = taken.length;
      return taken.map((delivery) => ({ delivery, url, host, secrets }));
    } finally {
      for (let unused = granted - takenCount; unused > 0; unused--) hosts.release(host, token);
    }
  }

  function startRuns(failed: readonly FirstAttempt[]): void {
    for (const { deliveryId, event } of failed) {
      // If the workflow cannot start now, the delivery is overdue in two minutes and the reconciler starts it
      const start = calls(() => startRun({ v: 1, workspaceId, deliveryId, attempt: 2 }, event, gapAfter(1))).catch(
        () => {},
      );
      starts.add(start);
      void start.finally(() => starts.delete(start));
    }
  }

  return {
    async admission() {
      const { admissionWindow = FIRST_WINDOW, failuresInRow = 0 } = (await lookAtSubscription()) ?? {};
      return { window: admissionWindow, failuresInRow };
    },

    async take(limit) {
      const waiting = await findWaiting(workspaceId, subscriptionId, limit);
      if (waiting.length === 0) return { items: [], isDry: true };
      const subscription = await lookAtSubscription();
      const isRefused = waiting.some((delivery) => refusalOf(subscription, delivery) !== null);
      const rows = isRefused ? (await endRefused(subscription)).slice(0, limit) : waiting;
      const items = subscription === null ? [] : await takeFor(subscription, rows);
      return { items, isDry: items.length === waiting.length && waiting.length < limit };
    },

    listen: (onWaiting) => lookOut.listen(subscriptionId, onWaiting),

    async handle({ delivery, url, host, secrets }) {
      const { _id: deliveryId, event } = delivery;
      const now = new Date();
      try {
        const { ok, ...outcome } = await postToSubscriber(egress, {
          url,
          deliveryId,
          now,
          ...secrets,
          body: bytesOf(delivery),
          event: event as WebhookEvent, // only known events are stored
          attempt: 1,
          signal: cut.signal,
        });
        return { ...outcome, attempt: 1, startedAt: now, deliveryId, event, ok };
      } catch (error) {
        if (cut.signal.aborted) return null;
        throw error;
      } finally {
        hosts.release(host, token);
      }
    },

    async record(attempts) {
      const last = seen ?? (await lookAtSubscription());
      if (last === null) return { window: 1, failuresInRow: 0 }; // the workspace and its deliveries are gone
      const { subscription, failed } = await recordFirstAttempts(last, token, attempts);
      startRuns(failed);
      seen = subscription;
      const { admissionWindow, failuresInRow } = subscription ?? last;
      return { window: admissionWindow, failuresInRow };
    },

    async end() {
      cut.clear();
      hosts.leave(token);
      await Promise.all(starts);
    },
  };
}

/** A signal that fires some time after another one. */
function cutAfter(signal: AbortSignal, ms: number): { signal: AbortSignal; clear(): void } {
  const controller = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const startTimer = () => {
    timer = setTimeout(() => controller.abort(), ms);
  };
  if (signal.aborted) startTimer();
  else signal.addEventListener("abort", startTimer, { once: true });
  return {
    signal: controller.signal,
    clear() {
      clearTimeout(timer);
      signal.removeEventListener("abort", startTimer);
    },
  };
}
