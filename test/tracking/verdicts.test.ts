import { expect, test } from "@jest/globals";
import { DAY_MS, MINUTE_MS } from "../../domain/time/durations.ts";
import { readNetworks } from "../../domain/tracking/networks.ts";
import { scoped } from "../../models/scoped.ts";
import type { Send } from "../../models/sending/send.ts";
import { newId } from "../../mongo/ids.ts";
import { loadGrounds } from "../../store/tracking/conversion-ground.ts";
import { cutAddresses, cutDayOf, findHits } from "../../store/tracking/hits.ts";
import { reclassifyPage } from "../../store/tracking/reclassify.ts";
import type { KnownNetworks } from "../../store/tracking/settle-hits.ts";
import { outboxOf } from "../support/outbox.ts";
import { CHROME, carrying, LATER, trackedCampaign, visit } from "./tracked.ts";
import { NOWHERE, settleAll, toldOf, useSetup, world } from "./verdicts-setup.ts";

useSetup();

const classesOf = async ({ workspaceId, _id }: Send) =>
  (await findHits(workspaceId, [_id])).map(({ hitClass }) => hitClass);

test("among eight kinds of visitors only possible people are counted and send events", async () => {
  const { sends, recipients, rest, path, workspaceId } = await trackedCampaign(world, { people: 8 });
  await rest.post("/webhooks", { url: "https://subscriber.example.com/hook", events: [] });
  const [person, google, apple, head, mimecast, scanner, slow, silent] = sends as [
    Send,
    Send,
    Send,
    Send,
    Send,
    Send,
    Send,
    Send,
  ];
  await visit(person, {}, { link: 0, at: new Date(LATER.getTime() + MINUTE_MS) });
  await visit(google, {
    agent: "Mozilla/5.0 (Windows NT 5.1; rv:11.0) Gecko Firefox/11.0 (via ggpht.com GoogleImageProxy)",
  });
  await visit(apple, { agent: "Mozilla/5.0" });
  await visit(head, { method: "HEAD" });
  await visit(mimecast, { link: 0, agent: "Mozilla/5.0 (compatible; Mimecast)" });
  await visit(scanner, { link: 0 }, { link: 1, at: new Date(LATER.getTime() + 300) });
  await visit(slow, { link: 0 }, { link: 1, at: new Date(LATER.getTime() + 300_000) });
  await visit(silent, { agent: "" });
  await settleAll();
  expect(await Promise.all(sends.map(classesOf))).toEqual([
    ["HUMAN", "HUMAN"],
    ["UNKNOWN"],
    ["PRIVACY_PROXY"],
    ["BOT"],
    ["BOT"],
    ["BOT", "BOT"],
    ["HUMAN", "HUMAN"],
    ["UNKNOWN"],
  ]);
  const told = await Promise.all(sends.map(async (send) => (await toldOf(send)).map(({ type }) => type).sort()));
  expect(told).toEqual([["CLICK", "OPEN"], ["OPEN"], [], [], [], [], ["CLICK", "CLICK"], ["OPEN"]]);
  const webhooks = await outboxOf(workspaceId, "EVENT");
  expect(webhooks.map(({ payload }) => payload.event).sort()).toEqual([
    "CLICK",
    "CLICK",
    "CLICK",
    "OPEN",
    "OPEN",
    "OPEN",
  ]);
  const [{ _id: first } = { _id: "" }] = recipients;
  const ofFirst = webhooks.map(({ payload }) => payload).filter(({ data }) => data["recipientId"] === first);
  expect(ofFirst.find(({ event }) => event === "OPEN")?.data).toEqual({ recipientId: first });
  expect(ofFirst.find(({ event }) => event === "CLICK")).toMatchObject({
    at: new Date(LATER.getTime() + MINUTE_MS).toISOString(),
    data: { recipientId: first, url: "https://shop.test/0" },
  });
  const metrics = (await rest.get(path)).body.metrics;
  expect(metrics).toMatchObject({ opened: 3, proxyOpened: 1, clicked: 2 });
  const after = await scoped(workspaceId).Recipient.find({}, { sort: { _id: 1 } });
  expect(
    after.map(({ openedAt, clickedAt, proxyOpenedAt }) =>
      [openedAt, clickedAt, proxyOpenedAt].map((at) => at !== null),
    ),
  ).toEqual([
    [true, true, false],
    [true, false, false],
    [false, false, true],
    [false, false, false],
    [false, false, false],
    [false, false, false],
    [false, true, false],
    [true, false, false],
  ]);
});

test("all hits of a visitor that followed the invisible link count as a robot's, and none of them starts an attribution window", async () => {
  const { sends, recipients, workspaceId, rest, path } = await trackedCampaign(world, {
    people: 2,
    settings: { stopOnClick: true, trackClicks: true },
    tracking: carrying(3, { hiddenLink: true }),
  });
  const [robot, person] = sends as [Send, Send];
  const later = new Date(LATER.getTime() + 20_000);
  await visit(robot, {}, { link: 0, at: later }, { kind: "HIDDEN", at: later });
  await visit(person, { kind: "HIDDEN", address: "192.0.2.7" }, {}, { link: 1, at: later });
  const [{ cid } = { cid: "" }] = recipients;
  // Not yet settled, it is no click either
  const opening = async () => (await loadGrounds([cid])).get(cid)?.clicks.map(({ url }) => url);
  expect(await opening()).toEqual(["https://shop.test/0"]);
  await settleAll();
  expect([await classesOf(robot), await classesOf(person)]).toEqual([
    ["BOT", "BOT", "BOT"],
    ["BOT", "HUMAN", "HUMAN"],
  ]);
  expect(await toldOf(robot)).toEqual([]);
  expect((await toldOf(person)).map(({ type }) => type)).toEqual(["OPEN", "CLICK"]);
  expect((await rest.get(path)).body.metrics).toMatchObject({ opened: 1, clicked: 1 });
  expect(await scoped(workspaceId).Recipient.get(robot.recipientId ?? "")).toMatchObject({
    status: "IN_PROGRESS",
    clickedAt: null,
  });
  expect(await opening()).toEqual(["https://shop.test/0"]);
});

test("repeated opens and clicks send one event per email or link, and the earliest time is kept", async () => {
  const { sends, workspaceId } = await trackedCampaign(world);
  const [send] = sends as [Send];
  const earlier = new Date(LATER.getTime() - MINUTE_MS);
  await visit(send, {}, { link: 1 });
  await settleAll();
  await visit(send, { at: earlier }, { link: 1, at: earlier });
  await settleAll();
  await visit(send, {}, { link: 1 });
  await settleAll();
  expect(
    (await toldOf(send)).map(({ type, data }) => [type, data["stepId"] === send.stepId, data["url"] ?? null]),
  ).toEqual([
    ["OPEN", true, null],
    ["CLICK", true, "https://shop.test/1"],
  ]);
  const { Recipient, Send } = scoped(workspaceId);
  expect(await Send.get(send._id)).toMatchObject({ openedAt: earlier, clickedAt: earlier });
  expect(await Recipient.get(send.recipientId ?? "")).toMatchObject({ openedAt: earlier, clickedAt: earlier });
});

test("a campaign with stopOnClick ends recipients that clicked, and not recipients whose scanner clicked", async () => {
  const { sends, workspaceId } = await trackedCampaign(world, {
    people: 2,
    settings: { stopOnClick: true, trackClicks: true },
  });
  const [person, scanned] = sends as [Send, Send];
  await visit(person, {}, { link: 0 });
  await visit(scanned, { link: 0 }, { link: 1 });
  await settleAll();
  const { Recipient } = scoped(workspaceId);
  expect(await Recipient.get(person.recipientId ?? "")).toMatchObject({ status: "COMPLETED", stopReason: "CLICKED" });
  expect(await Recipient.get(scanned.recipientId ?? "")).toMatchObject({ status: "IN_PROGRESS", stopReason: null });
});

test("a campaign with stopOnOpen ends recipients that opened an email", async () => {
  const { sends, workspaceId } = await trackedCampaign(world, { settings: { stopOnOpen: true, trackOpens: true } });
  const [send] = sends as [Send];
  await visit(send, {});
  await settleAll();
  expect(await scoped(workspaceId).Recipient.get(send.recipientId ?? "")).toMatchObject({
    status: "COMPLETED",
    stopReason: "OPENED",
  });
});

test("where clicks are not tracked, a click on a link that feeds conversions is classified but sends no event", async () => {
  const tracking = carrying(2, { clicks: false, opens: false });
  const { sends, workspaceId } = await trackedCampaign(world, { tracking, settings: { stopOnClick: true } });
  const [send] = sends as [Send];
  await visit(send, { link: 0 });
  await settleAll();
  expect(await classesOf(send)).toEqual(["HUMAN"]);
  expect(await toldOf(send)).toEqual([]);
  expect(await scoped(workspaceId).Recipient.get(send.recipientId ?? "")).toMatchObject({
    clickedAt: null,
    status: "IN_PROGRESS",
  });
});

test("a hit proves that an email of unknown outcome arrived, but waits while the email is still being recorded", async () => {
  const { sends, workspaceId } = await trackedCampaign(world, { people: 2 });
  const [unknown, running] = sends as [Send, Send];
  const { Send } = scoped(workspaceId);
  await Send.updateOne(
    { _id: unknown._id },
    { $set: { state: "UNKNOWN", sentAt: null, unknownAt: LATER, claimedAt: LATER } },
  );
  const leaseUntil = new Date(Date.now() + DAY_MS);
  await Send.updateOne(
    { _id: running._id },
    { $set: { state: "SENDING", phase: "DATA", sentAt: null, claimedAt: LATER, leaseUntil } },
  );
  await visit(unknown, { at: new Date(LATER.getTime() + MINUTE_MS) });
  await visit(running, { at: new Date(LATER.getTime() + MINUTE_MS) });
  await settleAll();
  expect(await Send.get(unknown._id)).toMatchObject({ state: "SENT", evidence: "hit" });
  expect((await toldOf(unknown)).length).toBe(1);
  const [waits] = await findHits(workspaceId, [running._id]);
  expect(waits).toMatchObject({ hitClass: null });
  expect(waits?.dueAt?.getTime()).toBeGreaterThan(Date.now());
  expect(await toldOf(running)).toEqual([]);
});

test("a visit from the address of a workspace member's session is not counted", async () => {
  const { sends, workspaceId } = await trackedCampaign(world);
  const [send] = sends as [Send];
  const { Session } = await import("../../models/sign-in/session.ts");
  const { Membership } = await import("../../models/access/membership.ts");
  const member = await Membership.findOne({ workspaceId }).lean();
  const now = new Date();
  const userId = member?.userId ?? newId("usr");
  if (member === null) await Membership.create({ _id: newId("mbr"), workspaceId, userId, role: "OWNER" });
  const times = { confirmedAt: now, lastSeenAt: now, expiresAt: new Date(now.getTime() + DAY_MS) };
  await Session.create({
    _id: newId("ses"),
    sessionId: newId("ses"),
    userId,
    stage: "OPEN",
    ...times,
    ip: "203.0.113.50",
  });
  await visit(send, { address: "203.0.113.50", at: now });
  await settleAll();
  expect(await classesOf(send)).toEqual(["SELF"]);
  expect(await toldOf(send)).toEqual([]);
});

test("reclassifying hits updates the statistics by the current rules and sends no event again", async () => {
  const { sends, workspaceId, rest, path } = await trackedCampaign(world);
  const [send] = sends as [Send];
  await visit(send, { address: "192.0.2.9" }, { link: 0, at: new Date(LATER.getTime() + MINUTE_MS) });
  await settleAll();
  const { Recipient } = scoped(workspaceId);
  const recipientId = send.recipientId ?? "";
  expect(await Recipient.get(recipientId)).toMatchObject({ openedAt: LATER });
  const scanners = readNetworks("192.0.2.0/24");
  const first = await reclassifyWhole({ scanners, relays: [] });
  expect(first["HUMAN > BOT"]).toBe(1);
  expect(await Recipient.get(recipientId)).toMatchObject({
    openedAt: null,
    clickedAt: new Date(LATER.getTime() + MINUTE_MS),
  });
  expect((await rest.get(path)).body.metrics.clicked).toBe(1);
  const back = await reclassifyWhole(NOWHERE);
  expect(back["BOT > HUMAN"]).toBeGreaterThanOrEqual(1);
  expect(await Recipient.get(recipientId)).toMatchObject({ openedAt: LATER });
  await visit(send, {});
  await settleAll();
  expect((await toldOf(send)).map(({ type }) => type)).toEqual(["OPEN", "CLICK"]);
});

async function reclassifyWhole(networks: KnownNetworks): Promise<Record<string, number>> {
  const changes: Record<string, number> = {};
  for (let after: string | null = null; ; ) {
    const page = await reclassifyPage(after, networks);
    for (const [change, count] of Object.entries(page.changes)) changes[change] = (changes[change] ?? 0) + count;
    if (page.next === null) return changes;
    after = page.next;
  }
}

test("after 30 days the address of a hit is shortened to its network; deleting the lead deletes the hits, and later hits are not stored", async () => {
  const { sends, workspaceId, rest } = await trackedCampaign(world);
  const [send] = sends as [Send];
  await visit(send, { cutOn: cutDayOf(LATER.getTime()) }, { cutOn: cutDayOf(LATER.getTime() + DAY_MS) });
  await settleAll();
  await cutAddresses(LATER.getTime() + 30 * DAY_MS, 100);
  expect((await findHits(workspaceId, [send._id])).map(({ address }) => address).sort()).toEqual([
    "198.51.100.0/24",
    "198.51.100.7",
  ]);
  await rest.post("/leads/manage", { action: "delete", leadId: send.leadId });
  expect(await findHits(workspaceId, [send._id])).toEqual([]);
  await visit(send, { agent: CHROME });
  await settleAll();
  expect(await findHits(workspaceId, [send._id])).toEqual([]);
});
