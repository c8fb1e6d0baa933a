import type { Client } from "@temporalio/client";
import pLimit from "p-limit";
import { isFeedDue } from "../domain/webhook.ts";
import type { Log } from "../runtime/log.ts";
import { findWaitingFeeds, type WaitingFeed } from "../store/webhooks/first-attempts.ts";
import { startFeed } from "../temporal/starts.ts";

/** Starts the feeds of the subscriptions for which deliveries wait. */
export type FeedStarter = (client: Client) => Promise<void>;

const calls = pLimit(8);

/** Remembers when it started each feed, because starting one that is at work costs the engine a call for nothing. */
export function createFeedStarter(log: Log): FeedStarter {
  const startedAt = new Map<string, number>();

  async function start(client: Client, { workspaceId, subscriptionId }: WaitingFeed): Promise<void> {
    startedAt.set(subscriptionId, Date.now());
    try {
      await calls(() => startFeed(client, { v: 1, workspaceId, subscriptionId }));
    } catch (error) {
      startedAt.delete(subscriptionId);
      log.warn({ err: error, workspaceId }, "a feed could not be started");
    }
  }

  return async (client) => {
    const waiting = await findWaitingFeeds();
    const now = Date.now();
    const isDue = ({ subscriptionId, waitingSince }: WaitingFeed) =>
      isFeedDue(now, { startedAt: startedAt.get(subscriptionId), waitingSince });
    const due = waiting.filter(isDue);
    const still = new Set(waiting.map(({ subscriptionId }) => subscriptionId));
    // One that has caught up is asked for again as soon as something waits, which is when it may have ended
    for (const [subscriptionId, at] of startedAt) {
      if (!still.has(subscriptionId) && isFeedDue(now, { startedAt: at, waitingSince: now })) startedAt.delete(subscriptionId);
    }
    await Promise.all(due.map((feed) => start(client, feed)));
  };
}
