import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { DAY_MS } from "../../domain/time/durations.ts";
import { addressHash } from "../../domain/tracking/conversion-event.ts";
import { scoped } from "../../models/scoped.ts";
import type { Send } from "../../models/sending/send.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import { receiveConversions, recordConversion } from "../../store/tracking/convert.ts";
import { startWorld, type World } from "../support/world.ts";
import { carrying, trackedCampaign, visit } from "./tracked.ts";

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

interface Answer {
  code?: string;
  details?: unknown;
  received?: number;
  results: { event_id: string; status: string; reason: string | null }[];
}

const NOW = new Date("2026-06-01T12:00:00Z");
const post = async (body: unknown, headers: Record<string, string> = { "Content-Type": "application/json" }) => {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const response = await fetch(`${world.baseUrl}/capi/v1/events`, { method: "POST", headers, body: text });
  const answer = (await response.json()) as Answer; // what the API promises
  return { status: response.status, headers: response.headers, body: answer };
};
const pixel = (query: Record<string, string>) => fetch(`${world.baseUrl}/capi/p?${new URLSearchParams(query)}`);
const purchase = (cid: string, event_id: string, more: object = {}) => ({
  event_name: "Purchase",
  event_id,
  user_data: { cid },
  custom_data: { value: 10, currency: "EUR" },
  ...more,
});

async function people(count: number, settings: object = {}) {
  const all = await trackedCampaign(world, {
    people: count,
    settings,
    send: { sentAt: new Date(Date.now() - DAY_MS) },
  });
  const { Recipient } = scoped(all.workspaceId);
  await Recipient.updateMany({ campaignId: all.campaignId }, { $set: { lastSentAt: new Date(Date.now() - DAY_MS) } });
  return {
    ...all,
    cids: all.recipients.map(({ cid }) => cid),
    read: (index = 0) => Recipient.get(all.recipients[index]?._id ?? ""),
  };
}

test("each event of a batch gets its own result in order, and accepted events update recipients, statistics and revenue", async () => {
  const { cids, workspaceId, campaignId, rest, path, read } = await people(3);
  const [buyer = "", booker = ""] = cids;
  const { status, body } = await post({
    events: [
      purchase(buyer, "order-1", { user_data: { cid: buyer, em: addressHash("reader0@reader.test") } }),
      purchase(buyer, "order-2"),
      purchase(buyer, "order-1"),
      { event_name: "Schedule", event_id: "call-1", user_data: { cid: booker } },
      purchase("nobody00000000", "order-3"),
      { event_name: "Purchase" },
      purchase(buyer, "order-4", { custom_data: { value: "10" } }),
      purchase(buyer, "order-5", { event_name: "Bought" }),
    ],
  });
  expect(status).toBe(200);
  expect(body).toEqual({
    received: 8,
    results: [
      { event_id: "order-1", status: "accepted", reason: null },
      { event_id: "order-2", status: "accepted", reason: null },
      { event_id: "order-1", status: "duplicate", reason: null },
      { event_id: "call-1", status: "accepted", reason: null },
      { event_id: "order-3", status: "rejected", reason: "invalid_cid" },
      { event_id: "", status: "rejected", reason: "malformed" },
      { event_id: "order-4", status: "rejected", reason: "invalid_value" },
      { event_id: "order-5", status: "rejected", reason: "unknown_event" },
    ],
  });
  expect(await read(0)).toMatchObject({
    status: "COMPLETED",
    stopReason: "CONVERTED",
    revenueAmount: "20",
    revenueCurrency: "EUR",
  });
  expect(await read(1)).toMatchObject({ status: "COMPLETED", meetingBooked: true });
  const metrics = (await rest.get(path)).body.metrics;
  expect(metrics).toMatchObject({ conversions: 3, meetings: 1, revenue: [{ currency: "EUR", amount: "20" }] });
  const told = await scoped(workspaceId).ActivityEvent.find({ campaignId, type: "CONVERTED" });
  expect(told.map(({ data }) => data["type"]).sort()).toEqual(["MEETING_BOOKED", "PURCHASE", "PURCHASE"]);
  const listed = (await rest.get("/conversions?sort=receivedAt")).body;
  expect(listed.total).toBe(6);
  expect(listed.items[0]).toMatchObject({
    eventId: "order-1",
    emailMatch: true,
    channel: "SERVER",
    value: "10",
    campaignId,
  });
  expect((await rest.get("/conversions?status=rejected,duplicate")).body.total).toBe(3);
  const other = await world.workspace();
  expect((await other.rest.get("/conversions")).body).toMatchObject({ total: 0, items: [] });
});

test("a purchase that pixel and server report at the same moment is counted once, in each of 100 pairs", async () => {
  const { cids, workspaceId, recipients } = await people(25);
  const pairs = Array.from({ length: 100 }, (_, index) => ({ cid: cids[index % 25] ?? "", eid: `pair-${index}` }));
  const answers = await Promise.all(
    pairs.flatMap(({ cid, eid }) => [
      post({ events: [purchase(cid, eid, { custom_data: { value: 1, currency: "EUR" } })] }).then(
        ({ body }) => body.results[0]?.status,
      ),
      pixel({ ev: "Purchase", eid, cid, value: "1", currency: "EUR" }).then(({ status }) => status),
    ]),
  );
  expect(answers.filter((answer) => answer === 200)).toHaveLength(100);
  const rows = await scoped(workspaceId).Conversion.find({});
  const of = (status: string) => rows.filter((row) => row.status === status);
  expect([of("accepted").length, of("duplicate").length]).toEqual([100, 100]);
  expect(new Set(of("accepted").map(({ eventId }) => eventId)).size).toBe(100);
  const amounts = await Promise.all(
    recipients.map(async ({ _id }) => (await scoped(workspaceId).Recipient.get(_id))?.revenueAmount),
  );
  expect(amounts).toEqual(recipients.map(() => "4"));
});

test("an event key is accepted once per workspace, even when two recipients send the event at the same moment", async () => {
  const { cids, workspaceId } = await people(2, { stopOnConversion: false });
  const keys = Array.from({ length: 30 }, (_, index) => `shared-${index}`);
  const signUp = (cid: string, event_id: string) => ({ event_name: "SIGNUP", event_id, user_data: { cid } });
  await Promise.all(keys.flatMap((key) => cids.map((cid) => post({ events: [signUp(cid, key)] }))));
  const accepted = await scoped(workspaceId).Conversion.find({ status: "accepted" });
  expect(accepted.map(({ eventId }) => eventId).sort()).toEqual([...keys].sort());
});

test("the pixel returns a GIF for any result of its event, and HEAD records nothing", async () => {
  const { cids, workspaceId } = await people(1);
  const [cid = ""] = cids;
  for (const query of [
    {},
    { ev: "Purchase", cid: "nobody00000000" },
    { ev: "Purchase", eid: "p-1", cid, value: "1e999" },
  ]) {
    const response = await pixel(query as Record<string, string>);
    expect([response.status, response.headers.get("content-type"), response.headers.get("cache-control")]).toEqual([
      200,
      "image/gif",
      "no-store",
    ]);
    expect(response.headers.get("cross-origin-resource-policy")).toBe("cross-origin");
    expect((await response.arrayBuffer()).byteLength).toBe(43);
  }
  await fetch(`${world.baseUrl}/capi/p?ev=Purchase&eid=p-2&cid=${cid}`, { method: "HEAD" });
  const rows = await scoped(workspaceId).Conversion.find({});
  expect(rows.map(({ eventId, status, reason }) => [eventId, status, reason])).toEqual([
    ["p-1", "rejected", "invalid_value"],
  ]);
});

test("a click starts the attribution window, a robot's click does not extend the window, and the campaign sets its length", async () => {
  const { sends, cids, workspaceId, campaignId } = await trackedCampaignAt(new Date(NOW.getTime() - 120 * DAY_MS));
  const [send] = sends as [Send];
  const [cid = ""] = cids;
  const result = async (eventId: string, at: Date) =>
    (await receiveConversions([purchase(cid, eventId)], "SERVER", at))[0];
  expect(await result("old", NOW)).toMatchObject({ status: "rejected", reason: "outside_attribution_window" });
  const clickedAt = new Date(NOW.getTime() - 90 * DAY_MS);
  await visit(send, { link: 1, at: clickedAt, hitClass: "HUMAN", dueAt: null });
  await visit(send, { link: 0, at: new Date(NOW.getTime() - DAY_MS), hitClass: "BOT", dueAt: null });
  expect(await result("late", new Date(NOW.getTime() + 1))).toMatchObject({ reason: "outside_attribution_window" });
  expect(await result("edge", NOW)).toMatchObject({ status: "accepted" });
  const [row] = await scoped(workspaceId).Conversion.find({ eventId: "edge" });
  expect(row).toMatchObject({ clickedAt, url: "https://shop.test/1", sendId: send._id, stepId: send.stepId });
  await scoped(workspaceId).Campaign.updateOne({ _id: campaignId }, { $set: { "settings.attributionWindowDays": 30 } });
  expect(await result("shorter", NOW)).toMatchObject({ reason: "outside_attribution_window" });
});

async function trackedCampaignAt(sentAt: Date) {
  const all = await trackedCampaign(world, { tracking: carrying(2), send: { sentAt } });
  await scoped(all.workspaceId).Recipient.updateMany({}, { $set: { lastSentAt: sentAt } });
  return { ...all, cids: all.recipients.map(({ cid }) => cid) };
}

test("revenue set by hand is kept, and revenue in another currency is stored only on the conversion", async () => {
  const { cids, rest, path, recipients, read } = await people(2);
  const [byHand = "", counted = ""] = cids;
  const outcome = {
    action: "updateOutcome",
    recipientId: recipients[0]?._id,
    revenueAmount: "7",
    revenueCurrency: "EUR",
  };
  expect((await rest.post(`${path}/recipients`, outcome)).status).toBe(200);
  await post({
    events: [
      purchase(byHand, "h-1"),
      purchase(counted, "c-1"),
      purchase(counted, "c-2", { custom_data: { value: 5, currency: "USD" } }),
      purchase(counted, "c-3", { custom_data: { value: 0.5 } }),
    ],
  });
  expect(await read(0)).toMatchObject({ revenueAmount: "7", revenueCurrency: "EUR" });
  expect(await read(1)).toMatchObject({ revenueAmount: "10.5", revenueCurrency: "EUR" });
});

test("without stopOnConversion a conversion does not stop the recipient, and a failed transaction leaves no conversion", async () => {
  const { cids, workspaceId, read } = await people(1, { stopOnConversion: false });
  const [cid = ""] = cids;
  const failing = inTransaction(async () => {
    await recordConversion(purchase(cid, "signup_1"), "AUTO");
    throw new Error("the sign-up failed");
  });
  await expect(failing).rejects.toThrow("the sign-up failed");
  expect(await scoped(workspaceId).Conversion.find({})).toEqual([]);
  expect(await read()).toMatchObject({ revenueAmount: null });
  expect(await inTransaction(() => recordConversion(purchase(cid, "signup_1"), "AUTO"))).toMatchObject({
    status: "accepted",
  });
  expect(await read()).toMatchObject({ status: "IN_PROGRESS", revenueAmount: "10" });
});

test("a conversion event can be tested without any effect, and only in the workspace of its recipient", async () => {
  const { cids, rest, workspaceId, campaignId } = await people(1);
  const [cid = ""] = cids;
  const tried = await rest.post("/conversions/test", { event: purchase(cid, "t-1") });
  expect(tried.body).toMatchObject({
    status: "accepted",
    reason: null,
    eventId: "t-1",
    attribution: { campaignId, by: "SEND" },
    effects: { endsSequence: true, booksMeeting: false, addsRevenue: "10" },
  });
  expect(await scoped(workspaceId).Conversion.find({})).toEqual([]);
  const other = await world.workspace();
  expect((await other.rest.post("/conversions/test", { event: purchase(cid, "t-1") })).body).toMatchObject({
    reason: "invalid_cid",
    attribution: null,
  });
  await post({ events: [purchase(cid, "t-1")] });
  expect((await rest.post("/conversions/test", { event: purchase(cid, "t-1") })).body).toMatchObject({
    status: "duplicate",
    effects: null,
  });
});

test("no conversion is recorded for a deleted lead, and earlier conversions no longer name the lead", async () => {
  const { cids, rest, workspaceId, recipients } = await people(1);
  const [cid = ""] = cids;
  await post({ events: [purchase(cid, "d-1")] });
  await rest.post("/leads/manage", { action: "delete", leadId: recipients[0]?.leadId });
  expect((await post({ events: [purchase(cid, "d-2")] })).body.results[0]).toMatchObject({ reason: "invalid_cid" });
  const [row] = await scoped(workspaceId).Conversion.find({});
  expect(row).toMatchObject({ eventId: `erased_${row?._id}`, leadId: null, cid: "", value: "10" });
});

test("a body that is not a valid batch is refused, and pages of any origin may send batches", async () => {
  expect((await post("{")).status).toBe(400);
  expect((await post({ events: "x" })).body).toMatchObject({
    code: "VALIDATION_FAILED",
    details: { issues: [{ path: "events" }] },
  });
  expect((await post("[".repeat(10_000))).status).toBe(400);
  expect((await post({ events: Array.from({ length: 1_001 }, () => ({})) })).status).toBe(413);
  expect((await post(JSON.stringify({ events: ["x".repeat(1_048_576)] }))).status).toBe(413);
  expect((await post({ events: [] })).body).toEqual({ received: 0, results: [] });
  expect((await post({ events: [null] }, { "Content-Type": "text/plain" })).body.results[0]?.reason).toBe("malformed");
  const preflight = await fetch(`${world.baseUrl}/capi/v1/events`, {
    method: "OPTIONS",
    headers: { Origin: "https://shop.test" },
  });
  expect(preflight.status).toBe(204);
  expect(preflight.headers.get("access-control-allow-origin")).toBe("*");
  expect(preflight.headers.get("access-control-allow-credentials")).toBeNull();
  expect((await fetch(`${world.baseUrl}/capi/v1/events`)).status).toBe(405);
});

test("above the rate limit of an address batches get 429, and the pixel still returns 200", async () => {
  const { conversionsOf } = await import("../../api/public/conversions.ts");
  const { default: express } = await import("express");
  const app = express().use(conversionsOf(3));
  const server = app.listen(0, "127.0.0.1");
  try {
    await new Promise((resolve) => server.once("listening", resolve));
    const address = server.address();
    const base = `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`;
    const ask = async () => (await fetch(`${base}/capi/p?ev=Purchase&cid=nobody00000000`)).status;
    expect([await ask(), await ask(), await ask(), await ask(), await ask()]).toEqual([200, 200, 200, 200, 200]);
    expect((await fetch(`${base}/capi/v1/events`, { method: "POST", body: '{"events":[]}' })).status).toBe(429);
  } finally {
    server.close();
  }
});
