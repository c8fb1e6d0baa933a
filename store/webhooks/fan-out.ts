import type { EventPayload } from "../../domain/outbox.ts";
import { WebhookDelivery } from "../../models/webhook-delivery.ts";
import { WebhookSubscription } from "../../models/webhook-subscription.ts";
import { trusted } from "../../mongo/collection.ts";
import { DUPLICATE_KEY } from "../../mongo/duplicate.ts";
import { newId } from "../../mongo/ids.ts";

type Subscriber = Pick<WebhookSubscription, "_id" | "workspaceId" | "url" | "events">;
type NewDelivery = WebhookDelivery;

/** `fanOutMany` for one event. */
export function fanOut(workspaceId: string, payload: EventPayload): Promise<string[]> {
  return fanOutMany([{ workspaceId, payload }]);
}

/**
 * Creates one delivery for each event and each enabled subscription to it, for any workspaces, in two commands. Returns
 * the ids of the new deliveries. Repeating it adds none, because a subscription has at most one delivery of an event.
 * Do not call it in a transaction.
 */
export async function fanOutMany(rows: readonly { workspaceId: string; payload: EventPayload }[]): Promise<string[]> {
  if (rows.length === 0) return [];
  const subscribers = await subscribersOf([...new Set(rows.map(({ workspaceId }) => workspaceId))]);
  const deliveries = rows.flatMap(({ workspaceId, payload: happened }) => {
    const wanting = (subscribers.get(workspaceId) ?? []).filter(
      ({ events }) => events.length === 0 || events.includes(happened.event),
    );
    if (wanting.length === 0) return [];
    const body = bodyOf(happened);
    return wanting.map((subscriber) => newDelivery(subscriber, happened, body));
  });
  return insertOnce(deliveries);
}

/** The exact body that every attempt sends (rules/webhooks 1.1): `{event, data, timestamp}`. */
export function bodyOf({ event, data, at }: EventPayload): Buffer {
  return Buffer.from(JSON.stringify({ event, data, timestamp: new Date(at).toISOString() }));
}

/** A new delivery that waits for the feed of its subscription, with every field of the document. */
export function newDelivery(subscriber: Subscriber, { event, eventId }: EventPayload, body: Buffer): NewDelivery {
  const now = new Date();
  return {
    _id: newId("whd"),
    workspaceId: subscriber.workspaceId,
    subscriptionId: subscriber._id,
    event,
    eventId,
    status: "PENDING",
    attempts: 0,
    totalAttempts: 0,
    nextAttemptAt: null,
    lastAttemptAt: null,
    lastStatusCode: null,
    lastError: null,
    body,
    host: new URL(subscriber.url).host,
    waitsFor: subscriber._id,
    takenBy: null,
    startedAt: null,
    deliveredAt: null,
    deadLetteredAt: null,
    attemptLog: [],
    createdAt: now,
    updatedAt: now,
  };
}

async function subscribersOf(workspaceIds: string[]): Promise<Map<string, Subscriber[]>> {
  const wanted = { workspaceId: trusted({ $in: workspaceIds }), enabled: true, deletedAt: null };
  const found = await WebhookSubscription.find(wanted, { workspaceId: 1, url: 1, events: 1 })
    .setOptions({ acrossWorkspaces: true })
    .lean<Subscriber[]>();
  return Map.groupBy(found, ({ workspaceId }) => workspaceId);
}

async function insertOnce(deliveries: NewDelivery[]): Promise<string[]> {
  if (deliveries.length === 0) return [];
  const refused = new Set<number>();
  try {
    // Uses the driver's own command, because this runs for every sent email and casting costs more than storing
    await WebhookDelivery.collection.insertMany(deliveries as never, { ordered: false }); // the driver's types expect another type of id
  } catch (error) {
    for (const index of duplicatesOf(error)) refused.add(index);
  }
  return deliveries.flatMap(({ _id }, index) => (refused.has(index) ? [] : [_id]));
}

/** The indexes of documents that already existed. Any other fault is thrown. */
function duplicatesOf(error: unknown): number[] {
  if (!(error instanceof Error) || !("writeErrors" in error)) throw error;
  const faults = [error.writeErrors].flat() as { code: number; index: number }[]; // Only typed on a class of the driver
  if (faults.some(({ code }) => code !== DUPLICATE_KEY)) throw error;
  return faults.map(({ index }) => index);
}
