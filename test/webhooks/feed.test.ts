import { randomBytes } from "node:crypto";
import { afterAll, afterEach, beforeAll, expect, test } from "@jest/globals";
import { createFeedLine } from "../../activities/webhooks/feed-line.ts";
import { createHostSlots } from "../../activities/webhooks/host-slots.ts";
import { createLookOut } from "../../activities/webhooks/look-out.ts";
import { pump } from "../../activities/webhooks/pump.ts";
import { createEgress } from "../../connectors/net/connect.ts";
import type { Egress } from "../../connectors/net/egress.ts";
import { parseAllow } from "../../domain/access/allowed-hosts.ts";
import { type Sealed, seal } from "../../domain/access/seal.ts";
import { MINUTE_MS } from "../../domain/time/durations.ts";
import { type DeliveryIds, FEED_TURN, type FeedTurn, MAX_WINDOW } from "../../domain/webhook.ts";
import { newSigningSecret, secretPlace } from "../../domain/webhook-signature.ts";
import { scoped } from "../../models/scoped.ts";
import type { WebhookDelivery } from "../../models/webhook-delivery.ts";
import type { WebhookSubscription } from "../../models/webhook-subscription.ts";
import { newId } from "../../mongo/ids.ts";
import { fanOutMany } from "../../store/webhooks/fan-out.ts";
import {
  type Answer,
  type FakeSubscriber,
  type Received,
  startSubscriber,
  verifySignature,
} from "../fakes/subscriber.ts";
import { until } from "../fakes/wait.ts";
import type { Rest } from "../support/rest.ts";
import { startWorld, type World } from "../support/world.ts";

let world: World;
let egress: Egress;
const receivers: FakeSubscriber[] = [];
const shared = { hosts: createHostSlots(MAX_WINDOW), lookOut: createLookOut() };

beforeAll(async () => {
  world = await startWorld({ settings: { egressAllow: "localhost:*" } });
  egress = createEgress({ allow: parseAllow("localhost:*"), ownAddresses: [] });
});
afterEach(async () => {
  await Promise.all(receivers.splice(0).map((receiver) => receiver.close()));
});
afterAll(async () => {
  await egress.close();
  await world.close();
});

interface Case {
  workspaceId: string;
  rest: Rest;
  receiver: FakeSubscriber;
  subscription(): Promise<WebhookSubscription | null>;
  change(fields: Partial<WebhookSubscription>): Promise<void>;
  sealed(secret: string): Sealed;
  secret: string;
  /** Lets this many events happen. Returns the ids of their deliveries, oldest first. */
  happen(count: number, event?: string): Promise<string[]>;
  /** One turn of the feed, until nothing waits. */
  turn(rows?: number, signal?: AbortSignal): Promise<FeedTurn>;
  /** The runs that were started. */
  runs: (DeliveryIds & { delayMs: number })[];
  delivery(id: string): Promise<WebhookDelivery | null>;
}

async function caseOf(answer: (request: Received) => Answer = () => ({})): Promise<Case> {
  const receiver = await startSubscriber({ answer });
  receivers.push(receiver);
  const subscriptionId = newId("whs");
  const secret = newSigningSecret(randomBytes(32));
  const { workspaceId, rest } = await world.workspace();
  const { WebhookSubscription, WebhookDelivery } = scoped(workspaceId);
  const sealedSecret = sealed(workspaceId, subscriptionId, secret);
  await WebhookSubscription.insert({ _id: subscriptionId, url: receiver.url, events: ["SENT", "TEST"], sealedSecret });
  const runs: Case["runs"] = [];
  return {
    workspaceId,
    rest,
    receiver,
    secret,
    runs,
    subscription: () => WebhookSubscription.get(subscriptionId),
    change: async (fields) => void (await WebhookSubscription.updateOne({ _id: subscriptionId }, { $set: fields })),
    sealed: (text) => sealed(workspaceId, subscriptionId, text),
    happen: async (count, event = "SENT") => {
      const payloadOf = () => ({
        event,
        eventId: newId("evt"),
        at: "2026-03-01T09:00:00.000Z",
        data: { recipientId: "rcp_1" },
      });
      await fanOutMany(Array.from({ length: count }, () => ({ workspaceId, payload: payloadOf() })));
      return (await WebhookDelivery.find({ waitsFor: subscriptionId }, { sort: { _id: 1 } })).map(({ _id }) => _id);
    },
    async turn(rows = FEED_TURN.rows, signal = new AbortController().signal) {
      const startRun = async (ids: DeliveryIds, _event: string, delayMs: number) => void runs.push({ ...ids, delayMs });
      const line = createFeedLine(
        { v: 1, workspaceId, subscriptionId },
        { egress, keyRing: world.services.keyRing, ...shared, startRun, signal },
      );
      try {
        return await pump(line, { ms: FEED_TURN.ms, lingerMs: 0, rows, signal }, await line.admission());
      } finally {
        await line.end();
      }
    },
    delivery: (id) => WebhookDelivery.get(id),
  };
}

function sealed(workspaceId: string, subscriptionId: string, secret: string) {
  return seal(world.services.keyRing, secretPlace(workspaceId, subscriptionId), secret);
}

test("each waiting webhook delivery is posted once, signed, oldest first, and recorded as delivered", async () => {
  const { receiver, secret, happen, turn, runs, subscription, delivery } = await caseOf();
  const ids = await happen(60);
  expect(await turn()).toEqual({ posted: 60, delivered: 60, isEmpty: true });
  const got = receiver.received.map(({ headers }) => String(headers["x-service-delivery"]));
  expect(got.toSorted()).toEqual(ids);
  // Several are under way at once and may overtake each other on the way: the order is that of their beginning
  const begun = await Promise.all(ids.map(async (id) => (await delivery(id))?.attemptLog[0]?.startedAt.getTime() ?? 0));
  expect(begun).toEqual(begun.toSorted((one, other) => one - other));
  expect(begun.at(-1)).toBeGreaterThan(begun[0] ?? 0);
  for (const request of receiver.received) {
    expect(verifySignature(secret, request)).toBe(true);
    expect(request.headers["x-service-attempt"]).toBe("1");
  }
  expect(runs).toEqual([]);
  expect(await delivery(ids[7] ?? "")).toMatchObject({
    status: "DELIVERED",
    attempts: 1,
    totalAttempts: 1,
    nextAttemptAt: null,
    waitsFor: null,
    lastStatusCode: 200,
    lastError: null,
    attemptLog: [
      { attempt: 1, statusCode: 200, cause: null, bodyExcerpt: "", location: null, startedAt: expect.any(Date) },
    ],
  });
  expect(await subscription()).toMatchObject({
    admissionWindow: 32,
    failuresInRow: 0,
    lastDeliveryStatus: "DELIVERED",
  });
});

test("a delivery refused once gets its own run, which starts with attempt 2 after a minute", async () => {
  const { workspaceId, happen, turn, runs, delivery, subscription } = await caseOf(() => ({
    status: 503,
    body: "busy",
  }));
  const ids = await happen(5);
  const before = Date.now();
  expect(await turn()).toMatchObject({ posted: 5, delivered: 0 });
  const wanted = ids.map((deliveryId) => ({ v: 1, workspaceId, deliveryId, attempt: 2, delayMs: MINUTE_MS }));
  expect(runs.toSorted((one, other) => (one.deliveryId < other.deliveryId ? -1 : 1))).toEqual(wanted);
  const row = await delivery(ids[0] ?? "");
  expect(row).toMatchObject({
    status: "RETRYING",
    attempts: 1,
    totalAttempts: 1,
    lastStatusCode: 503,
    lastError: "HTTP_503",
  });
  expect(row?.attemptLog).toMatchObject([{ attempt: 1, statusCode: 503, bodyExcerpt: "busy" }]);
  expect(row?.nextAttemptAt?.getTime()).toBeGreaterThanOrEqual(before + MINUTE_MS);
  expect(row?.nextAttemptAt?.getTime()).toBeLessThanOrEqual(Date.now() + MINUTE_MS);
  expect(await subscription()).toMatchObject({
    admissionWindow: 1,
    failuresInRow: 5,
    failedAttempts: 5,
    lastDeliveryStatus: "FAILED",
  });
});

test("a turn of a webhook feed starts as many requests as the recorded window allows", async () => {
  const { happen, turn, change, receiver } = await caseOf(() => ({ hang: true }));
  await change({ admissionWindow: 7 });
  await happen(20);
  const stopping = new AbortController();
  const running = turn(100, stopping.signal);
  await until(async () => receiver.received.length >= 7, { deadlineMs: 20_000, what: "the first requests" });
  // First asked to stop, then cut off: a delivery that has ended makes room for no other
  stopping.abort();
  await receiver.close();
  receivers.splice(receivers.indexOf(receiver), 1);
  expect(await running).toMatchObject({ posted: 7, delivered: 0 });
});

test.each([
  ["SUBSCRIPTION_DISABLED", { enabled: false }, 1],
  ["SUBSCRIPTION_DELETED", { enabled: false, deletedAt: new Date() }, 0],
])(
  "waiting deliveries end as %s without a request even with a window of one; only a TEST to a disabled subscription is posted",
  async (reason, fields, tests) => {
    const { happen, turn, receiver, delivery, change } = await caseOf();
    const ids = await happen(40);
    const [test = ""] = (await happen(1, "TEST")).slice(-1);
    await change({ ...fields, admissionWindow: 1 });
    expect(await turn()).toEqual({ posted: tests, delivered: tests, isEmpty: true });
    expect(receiver.received.map(({ headers }) => headers["x-service-event"])).toEqual(tests === 1 ? ["TEST"] : []);
    const refused = {
      status: "DEAD_LETTERED",
      lastError: reason,
      attempts: 0,
      totalAttempts: 0,
      waitsFor: null,
      nextAttemptAt: null,
    };
    for (const id of ids) expect(await delivery(id)).toMatchObject(refused);
    expect(await delivery(test)).toMatchObject(tests === 1 ? { status: "DELIVERED" } : refused);
  },
);

test("a feed uses a new secret and a new URL from the next delivery on, and posts nothing more once its subscription is disabled", async () => {
  const moved = await caseOf();
  const first = await caseOf();
  const fresh = newSigningSecret(randomBytes(32));
  const ids = await first.happen(4);
  for (const change of [{ sealedSecret: first.sealed(fresh) }, { url: moved.receiver.url }, { enabled: false }]) {
    expect(await first.turn(1)).toMatchObject({ posted: 1 });
    await first.change(change);
  }
  expect(await first.turn(1)).toMatchObject({ posted: 0 });
  const [old, rotated] = first.receiver.received;
  expect(old && verifySignature(first.secret, old)).toBe(true);
  expect(rotated && verifySignature(fresh, rotated)).toBe(true);
  expect(moved.receiver.received.map(({ headers }) => headers["x-service-delivery"])).toEqual([ids[2]]);
  expect(await first.delivery(ids[3] ?? "")).toMatchObject({
    status: "DEAD_LETTERED",
    lastError: "SUBSCRIPTION_DISABLED",
  });
});

test("simultaneous turns of one subscription's feed post each delivery once", async () => {
  const { happen, turn, receiver } = await caseOf();
  const ids = await happen(80);
  const turns = await Promise.all([turn(), turn(), turn()]);
  expect(turns.reduce((sum, { posted }) => sum + posted, 0)).toBe(80);
  expect(receiver.received.map(({ headers }) => String(headers["x-service-delivery"])).toSorted()).toEqual(ids);
});

test("a feed turn that must stop takes no more deliveries and records those under way", async () => {
  const { happen, turn, receiver, delivery } = await caseOf(() => ({ delayMs: 200 }));
  const ids = await happen(30);
  const stopping = new AbortController();
  const running = turn(1_000, stopping.signal);
  await until(async () => receiver.received.length > 0, { deadlineMs: 20_000, what: "a request" });
  stopping.abort();
  const { posted, isEmpty } = await running;
  expect([posted, isEmpty]).toEqual([receiver.received.length, false]);
  const states = await Promise.all(ids.map(async (id) => (await delivery(id))?.status));
  expect(states.filter((status) => status === "DELIVERED")).toHaveLength(posted);
  expect(states.filter((status) => status === "PENDING")).toHaveLength(30 - posted);
  expect(await turn()).toMatchObject({ posted: 30 - posted, isEmpty: true });
});

test("the feed posts a requeued delivery with its original bytes, as attempt 1 of a new count", async () => {
  let status = 503;
  const { workspaceId, rest, happen, turn, receiver, delivery } = await caseOf(() => ({ status }));
  const [id = ""] = await happen(1);
  await turn();
  await scoped(workspaceId).WebhookDelivery.updateOne(
    { _id: id },
    {
      $set: {
        status: "DEAD_LETTERED",
        attempts: 10,
        totalAttempts: 10,
        nextAttemptAt: null,
        deadLetteredAt: new Date(),
      },
    },
  );
  expect(await rest.post(`/webhooks/deliveries/${id}/requeue`)).toMatchObject({
    status: 200,
    body: { status: "PENDING", attempts: 0 },
  });
  status = 200;
  expect(await turn()).toMatchObject({ posted: 1, delivered: 1 });
  expect(await delivery(id)).toMatchObject({
    status: "DELIVERED",
    attempts: 1,
    totalAttempts: 11,
    deadLetteredAt: null,
  });
  const [one, two] = receiver.received;
  expect([two?.headers["x-service-attempt"], two?.body]).toEqual(["1", one?.body]);
});
