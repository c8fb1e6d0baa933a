import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { HOUR_MS } from "../../domain/time/durations.ts";
import { scoped } from "../../models/scoped.ts";
import type { WebhookDelivery } from "../../models/webhook-delivery.ts";
import { newId } from "../../mongo/ids.ts";
import { fanOut } from "../../store/webhooks/fan-out.ts";
import type { Rest } from "../support/rest.ts";
import { startWorld, type World } from "../support/world.ts";

const URL = "https://hooks.example.com/in";
let world: World;
beforeAll(async () => {
  const settings = {
    publicUrl: "https://api.service.example",
    trackUrl: "https://track.service.example:8443/t",
    egressAllow: "localhost:*",
  };
  world = await startWorld({ settings });
});
afterAll(() => world.close());

const subscribe = async (rest: Rest, body: object = {}) => (await rest.post("/webhooks", { url: URL, ...body })).body;

const happening = (event = "SENT") => ({
  event,
  eventId: newId("evt"),
  at: "2026-03-01T09:00:00.000Z",
  data: { recipientId: "rcp_1" },
});

async function deliver(workspaceId: string, fields: Partial<WebhookDelivery> = {}, event = "SENT"): Promise<string> {
  const [deliveryId = ""] = await fanOut(workspaceId, happening(event));
  if (Object.keys(fields).length > 0)
    await scoped(workspaceId).WebhookDelivery.updateOne({ _id: deliveryId }, { $set: fields });
  return deliveryId;
}

const DEAD: Partial<WebhookDelivery> = {
  status: "DEAD_LETTERED",
  attempts: 10,
  totalAttempts: 10,
  waitsFor: null,
  deadLetteredAt: new Date("2026-03-01T18:00:00Z"),
  lastStatusCode: 500,
  lastError: "HTTP_500",
};

test("the signing secret is shown only when the subscription is created, and is stored encrypted", async () => {
  const { rest, workspaceId } = await world.workspace("webhooks:read", "webhooks:write");
  const created = await rest.post("/webhooks", {
    url: "https://Hooks.Example.com:443/in",
    events: ["SENT", "OPEN", "SENT"],
  });
  expect(created).toMatchObject({
    status: 201,
    body: {
      id: expect.stringMatching(/^whs_/),
      workspaceId,
      url: URL,
      events: ["SENT", "OPEN"],
      enabled: true,
      disabledReason: null,
      lastDeliveryAt: null,
      lastDeliveryStatus: null,
      signingSecret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
    },
  });
  const { signingSecret, ...subscription } = created.body;
  expect((await rest.get(`/webhooks/${subscription.id}`)).body).toEqual(subscription);
  expect((await rest.get("/webhooks")).body).toEqual({
    items: [subscription],
    total: 1,
    totalIsExact: true,
    page: 1,
    pageSize: 50,
  });
  expect(JSON.stringify(await scoped(workspaceId).WebhookSubscription.find())).not.toContain(signingSecret);
});

test("a subscription that names no events gets all events, and two subscriptions may share one URL", async () => {
  const { rest } = await world.workspace();
  const [one, two] = [await subscribe(rest), await subscribe(rest, { events: [] })];
  expect(one.events).toEqual([]);
  expect(two.id).not.toBe(one.id);
});

test.each([
  ["events.0", { url: URL, events: ["OPENED"] }],
  ["events", { url: URL, events: "SENT" }],
  ["url", {}],
  ["url", { url: "no address" }],
  ["url", { url: "http://hooks.example.com/" }],
  ["url", { url: "ftp://hooks.example.com/" }],
  ["url", { url: "https://user:pw@hooks.example.com/" }],
  ["url", { url: "https://hooks.example.com/#part" }],
  ["url", { url: `https://hooks.example.com/${"x".repeat(2_048)}` }],
  ["secret", { url: URL, secret: "mine" }],
])("creating a subscription with an invalid %s is refused: %j", async (path, body) => {
  const { rest } = await world.workspace();
  expect(await rest.post("/webhooks", body)).toMatchObject({
    status: 400,
    body: { code: "VALIDATION_FAILED", details: { issues: [{ path }] } },
  });
  expect((await rest.get("/webhooks")).body.total).toBe(0);
});

const FORBIDDEN = [
  "https://127.0.0.1/",
  "https://0177.0.0.1/",
  "https://2130706433/",
  "https://169.254.169.254/latest/meta-data",
  "https://8.8.8.8/",
  "https://[::1]/",
  "https://[::ffff:10.0.0.1]/",
  "https://intranet/",
  "https://db.internal/",
  "https://printer.local/",
  "https://api.service.example/",
  "https://TRACK.service.example./",
  "https://hooks.example.com:22/",
];

test.each(FORBIDDEN)("a subscription can neither be created with nor changed to the forbidden URL %s", async (url) => {
  const { rest } = await world.workspace();
  const refusal = { status: 422, body: { code: "HOST_NOT_ALLOWED" } };
  expect(await rest.post("/webhooks", { url })).toMatchObject(refusal);
  const { id } = await subscribe(rest);
  expect(await rest.patch(`/webhooks/${id}`, { url })).toMatchObject(refusal);
  expect((await rest.get(`/webhooks/${id}`)).body.url).toBe(URL);
});

test("a host that the operator allows may be local and without HTTPS", async () => {
  const { rest } = await world.workspace();
  expect((await rest.post("/webhooks", { url: "http://localhost:8080/in" })).status).toBe(201);
});

test("a workspace has at most 50 subscriptions, not counting deleted ones", async () => {
  const { rest } = await world.workspace();
  const first = await subscribe(rest);
  for (let n = 1; n < 50; n++) await subscribe(rest);
  expect(await rest.post("/webhooks", { url: URL })).toMatchObject({
    status: 422,
    body: { code: "LIMIT_EXCEEDED", details: { limit: 50 } },
  });
  await rest.delete(`/webhooks/${first.id}`);
  expect((await rest.post("/webhooks", { url: URL })).status).toBe(201);
});

test("a change keeps the fields it does not name, and enabling a subscription resets its failures", async () => {
  const { rest, workspaceId } = await world.workspace();
  const { id } = await subscribe(rest, { events: ["SENT"] });
  const { WebhookSubscription } = scoped(workspaceId);
  const failing = {
    enabled: false,
    disabledReason: "GONE",
    admissionWindow: 1,
    failuresInRow: 9,
    failedAttempts: 30,
    failingSince: new Date(),
  };
  await WebhookSubscription.updateOne({ _id: id }, { $set: failing });
  expect((await rest.get("/webhooks?enabled=false")).body.items).toMatchObject([{ id, disabledReason: "GONE" }]);
  expect((await rest.get("/webhooks?enabled=true")).body.total).toBe(0);
  expect(await rest.patch(`/webhooks/${id}`, { enabled: true })).toMatchObject({
    status: 200,
    body: { url: URL, events: ["SENT"], enabled: true, disabledReason: null },
  });
  expect(await WebhookSubscription.get(id)).toMatchObject({
    admissionWindow: 4,
    failuresInRow: 0,
    failedAttempts: 0,
    failingSince: null,
  });
  expect((await rest.patch(`/webhooks/${id}`, { events: [] })).body).toMatchObject({ events: [], enabled: true });
});

test("waiting deliveries go to the changed URL of their subscription", async () => {
  const { rest, workspaceId } = await world.workspace();
  const { id } = await subscribe(rest);
  const deliveryId = await deliver(workspaceId);
  await rest.patch(`/webhooks/${id}`, { url: "https://other.example.com/in" });
  expect(await scoped(workspaceId).WebhookDelivery.get(deliveryId)).toMatchObject({ host: "other.example.com" });
});

test("a deleted subscription is not found, and its deliveries stay readable", async () => {
  const { rest, workspaceId } = await world.workspace();
  const { id } = await subscribe(rest);
  const deliveryId = await deliver(workspaceId);
  expect(await rest.delete(`/webhooks/${id}`)).toMatchObject({ status: 200, body: { id, deleted: true } });
  const missing = { status: 404, body: { code: "WEBHOOK_NOT_FOUND" } };
  expect(await rest.get(`/webhooks/${id}`)).toMatchObject(missing);
  expect(await rest.patch(`/webhooks/${id}`, { enabled: true })).toMatchObject(missing);
  expect(await rest.delete(`/webhooks/${id}`)).toMatchObject(missing);
  expect(await rest.post(`/webhooks/${id}/test`)).toMatchObject(missing);
  expect(await rest.post(`/webhooks/${id}/rotate-secret`)).toMatchObject(missing);
  expect((await rest.get("/webhooks")).body.total).toBe(0);
  expect((await rest.get(`/webhooks/deliveries/${deliveryId}`)).status).toBe(200);
});

test("testing a subscription creates one TEST delivery to that subscription alone, even if disabled", async () => {
  const { rest, workspaceId } = await world.workspace();
  const { id } = await subscribe(rest, { events: ["OPEN"] });
  await subscribe(rest);
  await rest.patch(`/webhooks/${id}`, { enabled: false });
  const answer = await rest.post(`/webhooks/${id}/test`, {});
  expect(answer).toMatchObject({
    status: 202,
    body: { deliveryId: expect.stringMatching(/^whd_/), event: "TEST", status: "PENDING" },
  });
  const { deliveryId } = answer.body;
  expect((await rest.get("/webhooks/deliveries")).body.items).toMatchObject([
    {
      id: deliveryId,
      subscriptionId: id,
      payload: { event: "TEST", data: { ok: true }, timestamp: expect.stringMatching(/\.\d{3}Z$/) },
    },
  ]);
  const [row] = await scoped(workspaceId).OutboxRow.find({ kind: "DELIVERY" });
  expect(row).toMatchObject({ payload: { deliveryId }, doneAt: null });
});

test("the response to a repeated request lacks the secret that the first response showed", async () => {
  const { rest } = await world.workspace();
  const key = { "Idempotency-Key": "k" };
  const created = await rest.post("/webhooks", { url: URL, events: [] }, key);
  const { signingSecret, ...subscription } = created.body;
  expect(signingSecret).toMatch(/^whsec_/);
  const replayed = await rest.post("/webhooks", { url: URL, events: [] }, key);
  expect([replayed.status, replayed.body, replayed.headers.get("idempotency-replayed")]).toEqual([
    201,
    subscription,
    "true",
  ]);
  const rotate = () => rest.post(`/webhooks/${subscription.id}/rotate-secret`, {}, key);
  expect((await rotate()).body.signingSecret).toMatch(/^whsec_/);
  expect((await rotate()).body).not.toHaveProperty("signingSecret");
});

test("a rotation shows the new secret once, and the earlier secret stays in the first header until the overlap ends", async () => {
  const { rest, workspaceId } = await world.workspace();
  const { id, signingSecret } = await subscribe(rest);
  const { sealedSecret } = (await scoped(workspaceId).WebhookSubscription.get(id)) ?? {};
  const rotated = await rest.post(`/webhooks/${id}/rotate-secret`, { overlapHours: 1 });
  expect(rotated).toMatchObject({ status: 200, body: { id, signingSecret: expect.stringMatching(/^whsec_/) } });
  expect(rotated.body.signingSecret).not.toBe(signingSecret);
  const overlapping = await scoped(workspaceId).WebhookSubscription.get(id);
  expect(overlapping?.sealedSecret).toEqual(sealedSecret);
  const end = overlapping?.rotationEndsAt?.getTime() ?? 0;
  expect(end).toBeGreaterThan(Date.now() + 3_500_000);
  expect(end).toBeLessThanOrEqual(Date.now() + HOUR_MS);
  await rest.post(`/webhooks/${id}/rotate-secret`);
  expect((await scoped(workspaceId).WebhookSubscription.get(id))?.sealedSecret).toEqual(overlapping?.sealedNextSecret);
  await rest.post(`/webhooks/${id}/rotate-secret`, { overlapHours: 0 });
  expect(await scoped(workspaceId).WebhookSubscription.get(id)).toMatchObject({
    sealedNextSecret: null,
    rotationEndsAt: null,
  });
  expect((await rest.post(`/webhooks/${id}/rotate-secret`, { overlapHours: 73 })).status).toBe(400);
});

test("deliveries are filtered by subscription, event, status and time, newest first", async () => {
  const { rest, workspaceId } = await world.workspace();
  const { id } = await subscribe(rest);
  const sent = await deliver(workspaceId);
  const open = await deliver(workspaceId, {}, "OPEN");
  const dead = await deliver(workspaceId, DEAD, "CLICK");
  const idsOf = async (query: string) =>
    (await rest.get(`/webhooks/deliveries${query}`)).body.items.map((item: { id: string }) => item.id);
  expect(await idsOf("")).toEqual([dead, open, sent]);
  expect(await idsOf("?event=OPEN,CLICK")).toEqual([dead, open]);
  expect(await idsOf("?status=PENDING&pageSize=1&page=2")).toEqual([sent]);
  expect(await idsOf(`?subscriptionId=${id}`)).toHaveLength(3);
  expect(await idsOf("?subscriptionId=whs_other")).toEqual([]);
  expect(
    await idsOf(
      `?from=${new Date(Date.now() - 60_000).toISOString()}&to=${new Date(Date.now() + 60_000).toISOString()}`,
    ),
  ).toHaveLength(3);
  expect(await idsOf("?to=2020-01-01")).toEqual([]);
  expect((await rest.get("/webhooks/deliveries?event=NOPE")).status).toBe(400);
  expect((await rest.get("/webhooks/deliveries/dlq")).body).toMatchObject({
    total: 1,
    items: [{ id: dead, status: "DEAD_LETTERED" }],
  });
  expect((await rest.get("/webhooks/deliveries/dlq?event=SENT")).body.total).toBe(0);
});

test("a single delivery shows its attempts, and lists of deliveries do not", async () => {
  const { rest, workspaceId } = await world.workspace();
  await subscribe(rest);
  const startedAt = new Date("2026-03-01T09:00:01Z");
  const attempt = {
    attempt: 1,
    startedAt,
    ms: 12,
    statusCode: 302,
    cause: null,
    bodyExcerpt: "moved",
    location: "https://x.example/",
  };
  const deliveryId = await deliver(workspaceId, { attemptLog: [attempt] });
  const { body } = await rest.get(`/webhooks/deliveries/${deliveryId}`);
  expect(body.attemptLog).toEqual([{ ...attempt, startedAt: "2026-03-01T09:00:01.000Z" }]);
  expect(body).not.toHaveProperty("body");
  expect((await rest.get("/webhooks/deliveries")).body.items[0]).not.toHaveProperty("attemptLog");
  expect(await rest.get("/webhooks/deliveries/whd_none")).toMatchObject({
    status: 404,
    body: { code: "DELIVERY_NOT_FOUND" },
  });
});

test("requeuing a delivery resets its attempts and keeps its bytes, and repeated requeue requests change nothing more", async () => {
  const { rest, workspaceId } = await world.workspace();
  await subscribe(rest);
  const deliveryId = await deliver(workspaceId, DEAD);
  const before = await scoped(workspaceId).WebhookDelivery.get(deliveryId);
  const answers = await Promise.all(
    Array.from({ length: 5 }, () => rest.post(`/webhooks/deliveries/${deliveryId}/requeue`)),
  );
  for (const answer of answers) {
    expect(answer).toMatchObject({
      status: 200,
      body: { id: deliveryId, status: "PENDING", attempts: 0, totalAttempts: 10, deadLetteredAt: null },
    });
  }
  expect(await scoped(workspaceId).OutboxRow.count({ kind: "DELIVERY" })).toBe(1);
  expect((await scoped(workspaceId).WebhookDelivery.get(deliveryId))?.body).toEqual(before?.body);
  expect((await rest.get("/webhooks/deliveries/dlq")).body.total).toBe(0);
});

test("a delivery that succeeded, or whose subscription is disabled or deleted, cannot be requeued", async () => {
  const { rest, workspaceId } = await world.workspace();
  const { id } = await subscribe(rest);
  const refusal = { status: 409, body: { code: "INVALID_STATE_TRANSITION", details: { action: "requeue" } } };
  const delivered = await deliver(workspaceId, { status: "DELIVERED", waitsFor: null });
  const dead = await deliver(workspaceId, DEAD);
  expect(await rest.post(`/webhooks/deliveries/${delivered}/requeue`)).toMatchObject(refusal);
  await rest.patch(`/webhooks/${id}`, { enabled: false });
  expect(await rest.post(`/webhooks/deliveries/${dead}/requeue`)).toMatchObject(refusal);
  await rest.delete(`/webhooks/${id}`);
  expect(await rest.post(`/webhooks/deliveries/${dead}/requeue`)).toMatchObject(refusal);
  expect(await rest.post("/webhooks/deliveries/whd_none/requeue")).toMatchObject({
    status: 404,
    body: { code: "DELIVERY_NOT_FOUND" },
  });
});

test("subscriptions and deliveries of another workspace are not found, and the read scope does not allow writing", async () => {
  const own = await world.workspace();
  const { id } = await subscribe(own.rest);
  const deliveryId = await deliver(own.workspaceId, DEAD);
  const { rest } = await world.workspace();
  for (const answer of [
    await rest.get(`/webhooks/${id}`),
    await rest.patch(`/webhooks/${id}`, { enabled: false }),
    await rest.delete(`/webhooks/${id}`),
  ]) {
    expect(answer.status).toBe(404);
  }
  expect((await rest.get(`/webhooks/deliveries/${deliveryId}`)).status).toBe(404);
  expect((await rest.post(`/webhooks/deliveries/${deliveryId}/requeue`)).status).toBe(404);
  const reader = await own.withScopes("webhooks:read");
  const refusal = { status: 403, body: { code: "INSUFFICIENT_SCOPE", details: { requiredScope: "webhooks:write" } } };
  for (const path of [
    "/webhooks",
    `/webhooks/${id}/test`,
    `/webhooks/${id}/rotate-secret`,
    `/webhooks/deliveries/${deliveryId}/requeue`,
  ]) {
    expect(await reader.post(path, {})).toMatchObject(refusal);
  }
  expect((await reader.get(`/webhooks/${id}`)).status).toBe(200);
});
