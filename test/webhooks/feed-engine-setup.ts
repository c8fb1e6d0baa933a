import { randomBytes } from "node:crypto";
import { afterAll, afterEach, beforeAll } from "@jest/globals";
import { seal } from "../../domain/access/seal.ts";
import { newSigningSecret, secretPlace } from "../../domain/webhook-signature.ts";
import { scoped } from "../../models/scoped.ts";
import { newId } from "../../mongo/ids.ts";
import { type Answer, type FakeSubscriber, type Received, startSubscriber } from "../fakes/subscriber.ts";
import { realWorker } from "../support/real-worker.ts";
import { startWorld, type World } from "../support/world.ts";

export const DEADLINE = { deadlineMs: 60_000 };

export const ago = (ms: number) => new Date(Date.now() - ms);

export let world: World;

export let workspaceId: string;

let stopWorker: (() => Promise<void>) | null = null;

const receivers: FakeSubscriber[] = [];

export function engine() {
  if (world.temporal === null) throw new Error("There is no engine");
  return world.temporal.client;
}

/** Starts the worker of this process, unless a test before has. */
export async function work(): Promise<void> {
  if (world.temporal !== null)
    stopWorker ??= await realWorker()({ services: world.services, temporal: world.temporal });
}

/** A receiver with its subscription to one kind of event. */
export async function subscribed(event: string, answer: (request: Received) => Answer = () => ({})) {
  const receiver = await startSubscriber({ answer });
  receivers.push(receiver);
  const _id = newId("whs");
  const sealedSecret = seal(world.services.keyRing, secretPlace(workspaceId, _id), newSigningSecret(randomBytes(32)));
  await scoped(workspaceId).WebhookSubscription.insert({ _id, url: receiver.url, events: [event], sealedSecret });
  return { receiver, subscriptionId: _id };
}

export const happening = (event: string) => ({
  event,
  eventId: newId("evt"),
  at: "2026-03-01T09:00:00.000Z",
  data: { recipientId: "rcp_1" },
});

export const statusesOf = async (subscriptionId: string) =>
  (await scoped(workspaceId).WebhookDelivery.find({ subscriptionId })).map(({ status }) => status);

/** Registers the hooks that both of these test files share. */
export function useSetup(): void {
  beforeAll(async () => {
    world = await startWorld({ temporal: true });
    ({ workspaceId } = await world.workspace());
  });
  afterEach(async () => {
    await Promise.all(receivers.splice(0).map((receiver) => receiver.close()));
  });
  afterAll(async () => {
    await stopWorker?.();
    await world.close();
  });
}
