import { createHash } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { DAY_MS, HOUR_MS } from "../../domain/time/durations.ts";
import { scoped } from "../../models/scoped.ts";
import { newId } from "../../mongo/ids.ts";
import { startWorld, type World } from "../support/world.ts";
import { campaignOf } from "./round-parts.ts";

let world: World;
beforeAll(async () => {
  // No worker acts on what is started here
  world = await startWorld({ temporal: true });
}, 60_000);
afterAll(() => world.close());

const emOf = (email: string) => createHash("sha256").update(email).digest("hex");
const bought = (email: string, id: string, more: object = {}) => ({
  event_name: "PURCHASE",
  event_id: id,
  user_data: { em: emOf(email) },
  custom_data: { value: 50, currency: "EUR" },
  ...more,
});

async function started(people: string[], settings: object = {}) {
  const parts = await campaignOf(world, Object.fromEntries(people.map((email) => [email, {}])), settings);
  await parts.round();
  const report = (events: unknown[]) => parts.rest.post("/conversions", { events });
  const results = async (events: unknown[]) =>
    (await report(events)).body.results.map(
      ({ status, reason }: { status: string; reason: string | null }) => reason ?? status,
    );
  const experiment = async () => (await parts.rest.get(`${parts.path}/experiment`)).body;
  return { ...parts, ...scoped(parts.workspaceId), report, results, experiment };
}

test("a conversion reported by address counts once for its recipients within the window, and changes no counter or status", async () => {
  const { rest, path, results, report, campaignId, Recipient, EmailConversion } = await started(
    ["ann@x.test", "bob@x.test"],
    {
      attributionWindowDays: 2,
    },
  );
  const before = (await rest.get(path)).body;
  const ann = await Recipient.findOne({ email: "ann@x.test" });
  const admittedAt = ann?.assignedAt?.getTime() ?? 0;
  expect(await results([bought("ann@x.test", "o1"), bought("ann@x.test", "o1"), { event_name: "PURCHASE" }])).toEqual([
    ...["accepted", "duplicate", "malformed"],
  ]);
  expect(
    await results([bought("ann@x.test", "o1"), bought("nobody@x.test", "o2"), bought("bob@x.test", "o2")]),
  ).toEqual([...["duplicate", "unknown_address", "accepted"]]);
  const early = bought("ann@x.test", "o3", { occurred_at: new Date(admittedAt - 1).toISOString() });
  expect(await results([early])).toEqual(["outside_attribution_window"]);
  // The window ends with its last millisecond
  await Recipient.updateOne({ email: "ann@x.test" }, { $set: { assignedAt: new Date(admittedAt - 2 * DAY_MS) } });
  const at = (ms: number) => new Date(admittedAt + ms).toISOString();
  expect(
    await results([
      bought("ann@x.test", "o4", { occurred_at: at(0) }),
      bought("ann@x.test", "o5", { occurred_at: at(1) }),
    ]),
  ).toEqual([...["accepted", "outside_attribution_window"]]);
  expect(await report([])).toMatchObject({ status: 200, body: { received: 0, results: [] } });
  expect(await report(Array.from({ length: 1_001 }, () => ({})))).toMatchObject({
    status: 413,
    body: { code: "PAYLOAD_TOO_LARGE" },
  });
  const { metrics, version } = (await rest.get(path)).body;
  expect([metrics, version]).toEqual([before.metrics, before.version]);
  const stored = await EmailConversion.findOne({ eventId: "o1" });
  expect(stored).toMatchObject({
    type: "PURCHASE",
    value: "50",
    currency: "EUR",
    recipients: [{ campaignId, recipientId: ann?._id }],
  });
});

test("each of a thousand events that come twice at once is counted once", async () => {
  const { report, EmailConversion } = await started(["ann@x.test"]);
  const events = Array.from({ length: 1_000 }, (_, index) => bought("ann@x.test", `many-${index}`));
  const answers = await Promise.all([report(events), report(events)]);
  const statuses = answers.flatMap(({ body }) => body.results.map(({ status }: { status: string }) => status));
  expect([
    statuses.filter((status) => status === "accepted").length,
    statuses.filter((status) => status === "duplicate").length,
  ]).toEqual([1_000, 1_000]);
  expect(await EmailConversion.count()).toBe(1_000);
});

test("a conversion report of another workspace does not count, and an erased lead is no longer found by the hash of the address", async () => {
  const { rest, results, workspaceId, Lead, Recipient, EmailConversion } = await started(["ann@x.test"]);
  const other = await world.workspace();
  const foreign = await other.rest.post("/conversions", { events: [bought("ann@x.test", "x1")] });
  expect(foreign.body.results).toMatchObject([{ reason: "unknown_address" }]);
  expect(await results([bought("ann@x.test", "mine")])).toEqual(["accepted"]);
  const lead = await Lead.findOne({ email: "ann@x.test" });
  expect(await rest.post("/leads/manage", { action: "delete", leadId: lead?._id })).toMatchObject({ status: 200 });
  expect(await results([bought("ann@x.test", "x2")])).toEqual(["unknown_address"]);
  expect((await Recipient.find({})).map(({ addressHash }) => addressHash)).toEqual([null]);
  expect((await EmailConversion.find({})).map(({ eventId }) => eventId)).toEqual([null]);
  expect(await scoped(other.workspaceId).EmailConversion.count()).toBe(0);
  expect(workspaceId).not.toBe(other.workspaceId);
});

test("a lead with a new address is found only by the new address", async () => {
  const { rest, results, Lead } = await started(["ann@x.test"]);
  const lead = await Lead.findOne({ email: "ann@x.test" });
  await rest.post("/leads/manage", { action: "update", leadId: lead?._id, patch: { email: "anna@x.test" } });
  expect(await results([bought("ann@x.test", "m1"), bought("anna@x.test", "m2")])).toEqual([
    "unknown_address",
    "accepted",
  ]);
});

const MANY = Array.from({ length: 400 }, (_, index) => `p${index}@x.test`);

test("held-out people form a separate arm, which is not measured before the first report, and then by outcomes, deals and reported conversions", async () => {
  const { rest, path, campaignId, workspaceId, experiment, report, Recipient, Deal } = await started([], {});
  expect((await experiment()).holdOut).toMatchObject({ share: 0, comparedShare: null, code: "OFF", measures: [] });
  const arms = MANY.map((email, index) => ({
    _id: newId("rcp"),
    campaignId,
    leadId: newId("led"),
    email,
    addressHash: null,
    cid: newId("rcp"),
    shard: 0,
    assignedAt: new Date(Date.now() - DAY_MS),
    assignedShare: 0.2,
    ...(index < 80
      ? { status: "SKIPPED" as const, stopReason: "HOLD_OUT" as const }
      : { status: "COMPLETED" as const, sentCount: 1 }),
  }));
  await Recipient.insertMany(arms);
  await Recipient.insertMany([
    { ...arms[0], _id: newId("rcp"), cid: newId("rcp"), email: "other@x.test", assignedShare: 0.1 },
  ]);
  const { holdOut: silent } = await experiment();
  expect(silent).toMatchObject({ comparedShare: 0.2, leftOut: 1, code: "NOT_MEASURED" });
  expect(silent.measures).toHaveLength(4);
  for (const { code, written, heldOut, difference, proven, revenue } of silent.measures) {
    expect([code, written.people, heldOut.people, written.hits, written.value, heldOut.value]).toEqual([
      "NOT_MEASURED",
      320,
      80,
      null,
      null,
      null,
    ]);
    expect([difference.value, proven, revenue]).toEqual([null, null, null]);
  }
  // A meeting that a reply has booked is known only for contacted recipients
  await Recipient.updateOne({ _id: arms[399]?._id }, { $set: { meetingBooked: true, meetingBookedAt: new Date() } });
  const outcome = (index: number, more: object) =>
    rest.post(`${path}/recipients`, { action: "updateOutcome", recipientId: arms[index]?._id, ...more });
  for (const index of [0, 1, 100, 101, 102])
    expect(await outcome(index, { meetingBooked: true })).toMatchObject({ status: 200 });
  expect((await Recipient.get(arms[0]?._id ?? ""))?.stopReason).toBe("HOLD_OUT");
  for (const index of [200, 201]) {
    const won = {
      leadId: arms[index]?.leadId ?? "",
      name: "Deal",
      stage: "WON",
      amountCents: 10_000,
      currency: "USD",
      closedAt: new Date(),
    };
    await Deal.insert({ _id: newId("deal"), ...won });
  }
  for (const index of [1, 300, 301, 302, 303, 304, 305]) {
    const hash = createHash("sha256")
      .update(MANY[index] ?? "")
      .digest()
      .subarray(0, 16)
      .toString("base64url");
    await Recipient.updateOne({ _id: arms[index]?._id }, { $set: { addressHash: hash } });
    expect((await report([bought(MANY[index] ?? "", `o${index}`)])).body.results).toMatchObject([
      { status: "accepted" },
    ]);
  }
  const { holdOut } = await experiment();
  const by = Object.fromEntries(holdOut.measures.map((measure: { source: string }) => [measure.source, measure]));
  expect(by["OUTCOMES"]).toMatchObject({
    code: "NOT_ENOUGH_YET",
    written: { hits: 3 },
    heldOut: { hits: 2 },
    difference: { value: null },
  });
  expect(by["DEALS"]).toMatchObject({
    written: { hits: 2 },
    heldOut: { hits: 0 },
    revenue: { currency: "USD", written: { value: 200 / 320 } },
  });
  expect(by["CONVERSIONS"]).toMatchObject({
    written: { hits: 6 },
    heldOut: { hits: 1 },
    revenue: { currency: "EUR", heldOut: { value: 50 / 80 } },
  });
  // One person was reported in two ways and counts once
  expect(by["ANY"]).toMatchObject({ code: "MEASURED", written: { hits: 11 }, heldOut: { hits: 2 }, revenue: null });
  expect(by["ANY"].difference.value).toBeCloseTo(11 / 320 - 2 / 80, 9);
  expect(holdOut.code).toBe("MEASURED");
  expect((await (await world.workspace()).rest.get(`${path}/experiment`)).status).toBe(404);
  expect(workspaceId).toBe(Recipient.workspaceId);
});

test("the experiment shows a step's variants with their current share, and revenue with its currency", async () => {
  const { rest, path, campaignId, experiment, Send, ActivityEvent } = await started([]);
  const variants = [
    { subject: "A", bodyText: "a", weight: 25 },
    { subject: "B", bodyText: "b", weight: 75 },
  ];
  const winner = { mode: "AUTO", metric: "REVENUE", minSends: 10, maturityHours: 1 };
  const { body } = await rest.put(`${path}/sequence`, { action: "replaceSteps", steps: [{ variants, winner }] });
  const [{ stepId, variants: stored }] = body.steps;
  const [a, b] = stored.map(({ variantId }: { variantId: string }) => variantId);
  expect((await experiment()).steps).toMatchObject([
    { code: "NOT_MEASURED", metric: "REVENUE", currency: null, variants: [{ hits: null }, {}] },
  ]);
  for (let index = 0; index < 60; index++) {
    const [recipientId, sentAt] = [newId("rcp"), new Date(Date.now() - (index < 4 ? 0 : 2) * HOUR_MS)];
    const mail = {
      campaignId,
      recipientId,
      stepId,
      variantId: index % 4 === 0 ? a : b,
      to: "a@b.test",
      state: "SENT" as const,
      sentAt,
    };
    await Send.insertMany([{ _id: newId("snd"), ...mail, variantShares: { [a]: 0.25, [b]: 0.75 } }]);
    if (index < 40) continue;
    const event = {
      type: "CONVERTED",
      at: new Date(),
      campaignId,
      recipientId,
      data: { stepId, value: "20.00", currency: "EUR" },
    };
    await ActivityEvent.insert({ _id: newId("evt"), ...event });
  }
  const { steps } = await experiment();
  expect(steps).toMatchObject([
    {
      stepId,
      order: 1,
      mode: "AUTO",
      metric: "REVENUE",
      currency: "EUR",
      code: "UNDECIDED",
      winnerVariantId: null,
      variants: [
        { variantId: a, share: 0.25, contacted: 15, judged: 14, hits: 5, result: { value: 100 / 14 } },
        { variantId: b, share: 0.75, contacted: 45, judged: 42, hits: 15, difference: { value: 0 } },
      ],
    },
  ]);
  for (const { result } of steps[0].variants)
    expect(result.low < result.value && result.value < result.high).toBe(true);
});
