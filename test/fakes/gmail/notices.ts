import { EventEmitter, once } from "node:events";
import { z } from "zod";
import { DAY_MS } from "../../../domain/time/durations.ts";
import type { GmailMailbox } from "./mailbox.ts";
import type { GmailHistoryRecord } from "./messages.ts";
import { GmailRefusal, invalidArgument, notFound } from "./refusals.ts";

export const PROJECT = "outreach-test";
const WATCH_MS = 7 * DAY_MS;
/** At most one event in this time and user; the rest is dropped. */
const EVENT_EACH_MS = 1_000;

interface Watch {
  topic: string;
  labelIds: string[];
  isExcluding: boolean;
  expiration: number;
  lastEventAt: number;
}

interface Event {
  id: string;
  data: string;
  publishedAt: number;
  attempts: number;
  /** Until when the subscriber who pulled it may acknowledge it. */
  leasedUntil: number;
}

export interface NoticeSettings {
  /** How many of the next events are lost on their way. */
  lost: number;
  /** How late events arrive. */
  delayMs: number;
  /** How long a pull waits for an event. */
  pullMs: number;
  /** After which time an event that was not acknowledged is delivered again. */
  ackDeadlineMs: number;
}

const WatchRequest = z.object({
  topicName: z.string(),
  labelIds: z.array(z.string()).default([]),
  labelFilterBehavior: z.enum(["include", "exclude"]).optional(),
  labelFilterAction: z.enum(["include", "exclude"]).optional(),
});
const PullRequest = z.object({ maxMessages: z.number(), returnImmediately: z.boolean().default(false) });
const AckRequest = z.object({ ackIds: z.array(z.string()) });

/** Watches of mailboxes, and the Pub/Sub subscriptions that their events go to. */
export function noticeBoard(settings: NoticeSettings, now: () => number) {
  const watches = new Map<string, Watch>();
  const subscriptions = new Map<string, { topic: string; events: Event[] }>();
  const timers = new Set<NodeJS.Timeout>();
  const arrivals = new EventEmitter().setMaxListeners(100);
  const stopped = new AbortController();
  let count = 0;

  function publish(topic: string, data: string): void {
    const id = String(++count);
    for (const subscription of subscriptions.values())
      if (subscription.topic === topic)
        subscription.events.push({ id, data, publishedAt: now(), attempts: 0, leasedUntil: 0 });
    arrivals.emit("event");
  }

  function pullable(events: Event[]): Event[] {
    return events.filter(({ leasedUntil }) => leasedUntil <= now());
  }

  async function pull(events: Event[], body: unknown): Promise<object> {
    const { maxMessages, returnImmediately } = PullRequest.parse(body);
    if (pullable(events).length === 0 && !returnImmediately) {
      const signal = AbortSignal.any([stopped.signal, AbortSignal.timeout(settings.pullMs)]);
      await once(arrivals, "event", { signal }).catch(() => {});
    }
    const receivedMessages = pullable(events)
      .slice(0, maxMessages)
      .map((event) => {
        event.leasedUntil = now() + settings.ackDeadlineMs;
        event.attempts++;
        const publishTime = new Date(event.publishedAt).toISOString();
        return { ackId: `ack-${event.id}`, message: { data: event.data, messageId: event.id, publishTime } };
      });
    return receivedMessages.length > 0 ? { receivedMessages } : {};
  }

  return {
    /** Makes a topic with a subscription. */
    subscribe(topic: string, subscription: string): void {
      subscriptions.set(subscription, { topic, events: [] });
    },

    watch(mailbox: GmailMailbox, body: unknown): object {
      const { topicName: topic, labelIds, labelFilterBehavior, labelFilterAction } = WatchRequest.parse(body);
      if (!topic.startsWith(`projects/${PROJECT}/topics/`))
        throw invalidArgument(`Invalid topicName does not match projects/${PROJECT}/topics/*`);
      if (![...subscriptions.values()].some((each) => each.topic === topic))
        throw notFound(
          `Error sending test message to Cloud PubSub ${topic} : Resource not found (resource=${topic.split("/").at(-1)}).`,
        );
      const isExcluding = (labelFilterBehavior ?? labelFilterAction) === "exclude";
      const expiration = now() + WATCH_MS;
      watches.set(mailbox.address, { topic, labelIds, isExcluding, expiration, lastEventAt: 0 });
      return { historyId: String(mailbox.historyId), expiration: String(expiration) };
    },

    stop(mailbox: GmailMailbox): void {
      watches.delete(mailbox.address);
    },

    /** A change of a mailbox becomes an event where the mailbox is watched. */
    changed(mailbox: GmailMailbox, { id, message, labelIds }: GmailHistoryRecord): void {
      const watch = watches.get(mailbox.address);
      if (watch === undefined || watch.expiration <= now()) return;
      const labels = [...message.labelIds, ...labelIds];
      const isNamed = watch.labelIds.length === 0 || watch.labelIds.some((label) => labels.includes(label));
      if (watch.labelIds.length > 0 && isNamed === watch.isExcluding) return;
      if (now() - watch.lastEventAt < EVENT_EACH_MS) return;
      watch.lastEventAt = now();
      if (settings.lost > 0) {
        settings.lost--;
        return;
      }
      // Gmail writes the id as a number, unlike its documents
      const data = Buffer.from(`{"emailAddress":"${mailbox.address}","historyId":${id}}`).toString("base64");
      if (settings.delayMs === 0) {
        publish(watch.topic, data);
        return;
      }
      const timer = setTimeout(() => {
        timers.delete(timer);
        publish(watch.topic, data);
      }, settings.delayMs);
      timers.add(timer);
    },

    /** A request to Pub/Sub. */
    async ask(subscription: string, verb: string, body: unknown): Promise<object> {
      const found = subscriptions.get(subscription);
      if (found === undefined) {
        const message = `Resource not found (resource=${subscription.split("/").at(-1)}).`;
        throw new GmailRefusal(404, message, { error: { code: 404, message, status: "NOT_FOUND" } });
      }
      if (verb === "pull") return pull(found.events, body);
      const { ackIds } = AckRequest.parse(body);
      found.events = found.events.filter(({ id }) => !ackIds.includes(`ack-${id}`));
      return {};
    },

    close(): void {
      stopped.abort();
      for (const timer of timers) clearTimeout(timer);
    },
  };
}
