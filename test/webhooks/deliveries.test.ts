import { randomBytes } from "node:crypto";
import { afterAll, afterEach, beforeAll, expect, test } from "@jest/globals";
import { MockActivityEnvironment } from "@temporalio/testing";
import { DefaultLogger } from "@temporalio/worker";
import { deliveryActivities } from "../../activities/webhook-deliveries.ts";
import { createEgress } from "../../connectors/net/connect.ts";
import type { Egress } from "../../connectors/net/egress.ts";
import { parseAllow } from "../../domain/access/allowed-hosts.ts";
import { seal } from "../../domain/access/seal.ts";
import { DAY_MS, MINUTE_MS } from "../../domain/time/durations.ts";
import type { DeliveryEnd } from "../../domain/webhook.ts";
import { newSigningSecret, secretPlace } from "../../domain/webhook-signature.ts";
import { scoped } from "../../models/scoped.ts";
import type { WebhookDelivery } from "../../models/webhook-delivery.ts";
import type { WebhookSubscription } from "../../models/webhook-subscription.ts";
import { newId } from "../../mongo/ids.ts";
import { fanOut } from "../../store/webhooks/fan-out.ts";
import { type Answer, type FakeSubscriber, startSubscriber, verifySignature } from "../fakes/subscriber.ts";
import { startWorld, type World } from "../support/world.ts";

const SILENT = new DefaultLogger("ERROR", () => {});
let world: World;
let egress: Egress;
let workspaceId: string;
const receivers: FakeSubscriber[] = [];

beforeAll(async () => {
  world = await startWorld();
  egress = createEgress({ allow: parseAllow("localhost:*"), ownAddresses: [] });
  ({ workspaceId } = await world.workspace());
});
afterEach(async () => {
  await Promise.all(receivers.splice(0).map((receiver) => receiver.close()));
});
afterAll(async () => {
  await egress.close();
  await world.close();
});

interface Case {
  receiver: FakeSubscriber;
  secret: string;
  subscriptionId: string;
  /** Makes one attempt, with this number in Temporal's count, in a run that began with attempt `first`. */
  attempt(run?: number, first?: number): Promise<DeliveryEnd>;
  bury(): Promise<void>;
  delivery(): Promise<WebhookDelivery | null>;
  subscription(): Promise<WebhookSubscription | null>;
}

/**
 * A receiver that responds like this, subscribed in a workspace, with one delivery to it that no feed waits to take.
 */
async function caseOf(answer: Answer = {}, fields: Partial<WebhookSubscription> = {}, event = "SENT"): Promise<Case> {
  const receiver = await startSubscriber({ answer: () => answer });
  receivers.push(receiver);
  const subscriptionId = newId("whs");
  const secret = newSigningSecret(randomBytes(32));
  const { WebhookSubscription, WebhookDelivery } = scoped(workspaceId);
  const sealedSecret = sealed(subscriptionId, secret);
  await WebhookSubscription.insert({ _id: subscriptionId, url: receiver.url, events: [event], sealedSecret });
  const eventId = newId("evt");
  await fanOut(workspaceId, { event, eventId, at: "2026-03-01T09:00:00.000Z", data: { email: "ü@x.example" } });
  const { _id: deliveryId = "" } = (await WebhookDelivery.findOne({ subscriptionId, eventId })) ?? {};
  await WebhookDelivery.updateOne({ _id: deliveryId }, { $set: { waitsFor: null } });
  await WebhookSubscription.updateOne({ _id: subscriptionId }, { $set: fields });
  const ids = { v: 1, workspaceId, deliveryId } as const;
  const { postEvent, bury } = deliveryActivities({ egress, keyRing: world.services.keyRing });
  return {
    receiver,
    secret,
    subscriptionId,
    attempt: (run = 1, first) =>
      new MockActivityEnvironment({ attempt: run }, { logger: SILENT }).run(postEvent, {
        ...ids,
        ...(first && { attempt: first }),
      }),
    bury: () => new MockActivityEnvironment().run(bury, ids),
    delivery: () => WebhookDelivery.get(deliveryId),
    subscription: () => WebhookSubscription.get(subscriptionId),
  };
}

function sealed(subscriptionId: string, secret: string) {
  return seal(world.services.keyRing, secretPlace(workspaceId, subscriptionId), secret);
}

test("a webhook receiver that answers 2xx gets the stored bytes once, and delivery and subscription record the success", async () => {
  const { attempt, receiver, secret, delivery, subscription } = await caseOf({ status: 204 });
  expect(await attempt()).toBe("delivered");
  const stored = await delivery();
  const [request] = receiver.received;
  expect(request && verifySignature(secret, request)).toBe(true);
  expect(request?.json).toEqual({
    event: "SENT",
    data: { email: "ü@x.example" },
    timestamp: "2026-03-01T09:00:00.000Z",
  });
  expect(request?.headers).toMatchObject({
    "x-service-attempt": "1",
    "x-service-delivery": stored?._id,
    "x-service-event": "SENT",
  });
  expect(stored).toMatchObject({
    status: "DELIVERED",
    attempts: 1,
    totalAttempts: 1,
    lastStatusCode: 204,
    lastError: null,
    nextAttemptAt: null,
  });
  expect(stored?.attemptLog).toMatchObject([{ attempt: 1, statusCode: 204, cause: null }]);
  expect(stored?.deliveredAt).not.toBeNull();
  expect(await subscription()).toMatchObject({ lastDeliveryStatus: "DELIVERED", admissionWindow: 5, failuresInRow: 0 });
  expect(await attempt(2)).toBe("delivered");
  expect(receiver.received).toHaveLength(1);
});

test.each([1, 2, 9])(
  "the failed webhook attempt %d is recorded with the time of the next attempt, and throws an error that Temporal retries",
  async (run) => {
    const { attempt, delivery, receiver } = await caseOf({ status: 503, body: "busy" });
    const before = Date.now();
    await expect(attempt(run)).rejects.toMatchObject({ type: "DeliveryFailed", nonRetryable: false });
    const stored = await delivery();
    expect(stored).toMatchObject({
      status: "RETRYING",
      attempts: run,
      lastStatusCode: 503,
      lastError: "HTTP_503",
      waitsFor: null,
    });
    expect(stored?.attemptLog).toMatchObject([{ attempt: run, statusCode: 503, bodyExcerpt: "busy" }]);
    const gap = 2 ** (run - 1) * MINUTE_MS;
    const next = stored?.nextAttemptAt?.getTime() ?? 0;
    expect(next).toBeGreaterThanOrEqual(before + gap);
    expect(next).toBeLessThanOrEqual(Date.now() + gap);
    expect(receiver.received[0]?.headers["x-service-attempt"]).toBe(String(run));
  },
);

test.each([
  [1, 2, 2],
  [2, 2, 3],
  [9, 2, 10],
  [1, 7, 7],
])(
  "try %d of a delivery run that began with attempt %d counts as attempt %d, and the next attempt follows the schedule",
  async (run, first, attempt) => {
    const { attempt: tried, delivery, receiver } = await caseOf({ status: 503 });
    await scoped(workspaceId).WebhookDelivery.updateOne(
      { _id: (await delivery())?._id },
      { $set: { attempts: attempt - 1 } },
    );
    const before = Date.now();
    await expect(tried(run, first)).rejects.toMatchObject({ nonRetryable: attempt === 10 });
    const { attempts, nextAttemptAt } = (await delivery()) ?? {};
    expect([attempts, receiver.received[0]?.headers["x-service-attempt"]]).toEqual([attempt, String(attempt)]);
    const gap = attempt === 10 ? 0 : 2 ** (attempt - 1) * MINUTE_MS;
    expect(nextAttemptAt?.getTime()).toBeGreaterThanOrEqual(before + gap);
    expect(nextAttemptAt?.getTime()).toBeLessThanOrEqual(Date.now() + gap);
  },
);

test("a delivery run that is still open after a requeue makes no attempt and leaves the delivery to the feed", async () => {
  const { attempt, delivery, receiver, subscriptionId } = await caseOf({ status: 503 });
  const _id = (await delivery())?._id;
  await scoped(workspaceId).WebhookDelivery.updateOne({ _id }, { $set: { waitsFor: subscriptionId, attempts: 0 } });
  expect(await attempt(3, 2)).toBe("waiting");
  expect(receiver.received).toEqual([]);
  expect(await delivery()).toMatchObject({ status: "PENDING", attempts: 0, waitsFor: subscriptionId });
});

test("a redirect is not followed, but its target is recorded", async () => {
  const { attempt, delivery } = await caseOf({ status: 302, headers: { location: "http://10.0.0.1/" } });
  await expect(attempt()).rejects.toThrow();
  expect((await delivery())?.attemptLog).toMatchObject([{ statusCode: 302, location: "http://10.0.0.1/" }]);
});

test("an attempt at an unreachable receiver is recorded with a cause and without a status code", async () => {
  const { attempt, delivery, receiver } = await caseOf();
  await receiver.close();
  receivers.pop();
  await expect(attempt()).rejects.toThrow("CONNECT_FAILED");
  expect(await delivery()).toMatchObject({ lastStatusCode: null, lastError: "CONNECT_FAILED" });
});

test("a receiver whose address is blocked gets no request, and the delivery records ADDRESS_BLOCKED", async () => {
  const { attempt, delivery } = await caseOf({}, { url: "https://127.0.0.1/" });
  await expect(attempt()).rejects.toThrow("ADDRESS_BLOCKED");
  expect(await delivery()).toMatchObject({ lastError: "ADDRESS_BLOCKED" });
});

test("the tenth failed attempt is final, and the delivery goes to the dead-letter queue", async () => {
  const { attempt, bury, delivery, subscription } = await caseOf({ status: 500 });
  await expect(attempt(10)).rejects.toMatchObject({ nonRetryable: true });
  await bury();
  expect(await delivery()).toMatchObject({
    status: "DEAD_LETTERED",
    attempts: 10,
    nextAttemptAt: null,
    lastError: "HTTP_500",
  });
  expect((await delivery())?.deadLetteredAt).not.toBeNull();
  expect(await subscription()).toMatchObject({ enabled: true });
});

test("a run that starts again continues with the recorded attempt count and makes no eleventh attempt", async () => {
  const { attempt, receiver, delivery } = await caseOf({ status: 500 });
  const _id = (await delivery())?._id;
  await scoped(workspaceId).WebhookDelivery.updateOne({ _id }, { $set: { attempts: 9, status: "RETRYING" } });
  await expect(attempt(1)).rejects.toMatchObject({ nonRetryable: true });
  expect(receiver.received[0]?.headers["x-service-attempt"]).toBe("10");
  expect(await attempt(2)).toBe("dead-lettered");
  expect(receiver.received).toHaveLength(1);
});

test("a successful delivery is never moved to the dead-letter queue", async () => {
  const { attempt, bury, delivery } = await caseOf();
  await attempt();
  await bury();
  expect(await delivery()).toMatchObject({ status: "DELIVERED", deadLetteredAt: null });
});

test("a delivery whose last attempt gets 410 goes to the dead-letter queue and disables its subscription", async () => {
  const { attempt, bury, subscription } = await caseOf({ status: 410 });
  await expect(attempt(10)).rejects.toThrow();
  expect(await subscription()).toMatchObject({ enabled: true });
  await bury();
  expect(await subscription()).toMatchObject({ enabled: false, disabledReason: "GONE" });
});

test.each([
  ["five days and twenty failures switch a subscription off", 5 * DAY_MS, 19, false],
  ["five days alone do not", 5 * DAY_MS, 18, true],
  ["twenty failures alone do not", 5 * DAY_MS - 60_000, 30, true],
])("automatic disabling of a failing subscription: %s", async (_name, forMs, failedAttempts, enabled) => {
  const { attempt, subscription } = await caseOf(
    { status: 500 },
    { failingSince: new Date(Date.now() - forMs), failedAttempts },
  );
  await expect(attempt(3)).rejects.toThrow();
  expect(await subscription()).toMatchObject({
    enabled,
    disabledReason: enabled ? null : "FAILING",
    failedAttempts: failedAttempts + 1,
  });
});

test("one success resets the failure counts of a subscription and widens its request window by one", async () => {
  const { attempt, subscription } = await caseOf(
    {},
    { failingSince: new Date(0), failedAttempts: 99, failuresInRow: 5, admissionWindow: 1 },
  );
  await attempt();
  expect(await subscription()).toMatchObject({
    failingSince: null,
    failedAttempts: 0,
    failuresInRow: 0,
    admissionWindow: 2,
  });
});

test.each([
  ["SUBSCRIPTION_DISABLED", { enabled: false }],
  ["SUBSCRIPTION_DELETED", { enabled: false, deletedAt: new Date() }],
])("a delivery to an inactive subscription ends as %s without a request", async (reason, fields) => {
  const { attempt, delivery, receiver, subscription } = await caseOf({}, fields);
  expect(await attempt()).toBe("dead-lettered");
  expect(receiver.received).toEqual([]);
  expect(await delivery()).toMatchObject({ status: "DEAD_LETTERED", lastError: reason, attempts: 0, waitsFor: null });
  expect(await subscription()).toMatchObject({ admissionWindow: 4, lastDeliveryAt: null });
});

test("a TEST event is delivered to a disabled subscription", async () => {
  const { attempt, receiver } = await caseOf({}, { enabled: false, disabledReason: "GONE" }, "TEST");
  expect(await attempt()).toBe("delivered");
  expect(receiver.received).toHaveLength(1);
});

test("during a secret rotation both secrets sign, each in its own header; afterwards only the new secret signs", async () => {
  const fresh = newSigningSecret(randomBytes(32));
  const { attempt, receiver, secret, subscriptionId } = await caseOf({ status: 500 });
  const { WebhookSubscription } = scoped(workspaceId);
  const sealedNextSecret = sealed(subscriptionId, fresh);
  await WebhookSubscription.updateOne(
    { _id: subscriptionId },
    { $set: { sealedNextSecret, rotationEndsAt: new Date(Date.now() + DAY_MS) } },
  );
  await expect(attempt(1)).rejects.toThrow();
  await WebhookSubscription.updateOne({ _id: subscriptionId }, { $set: { rotationEndsAt: new Date(Date.now() - 1) } });
  await expect(attempt(2)).rejects.toThrow();
  const [during, after] = receiver.received;
  expect(during && verifySignature(secret, during)).toBe(true);
  expect(during && verifySignature(fresh, during, "x-service-signature-next")).toBe(true);
  expect(after && verifySignature(fresh, after)).toBe(true);
  expect(after?.headers).not.toHaveProperty("x-service-signature-next");
});

test("attempts that fail at the same moment are all counted", async () => {
  const { attempt, subscription } = await caseOf({ status: 500 });
  await Promise.all([1, 2, 3, 4, 5].map((run) => attempt(run).catch(() => null)));
  expect(await subscription()).toMatchObject({ failedAttempts: 5, failuresInRow: 5, admissionWindow: 1 });
});
