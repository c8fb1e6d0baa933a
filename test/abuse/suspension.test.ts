import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import pLimit from "p-limit";
import { ENTERS_WITHIN_MS, TO_THE_WIRE_MS } from "../../domain/sending/last-look.ts";
import { DAY_MS } from "../../domain/time/durations.ts";
import { Workspace } from "../../models/access/workspace.ts";
import { scoped } from "../../models/scoped.ts";
import type { Send } from "../../models/sending/send.ts";
import { trusted } from "../../mongo/collection.ts";
import { newId } from "../../mongo/ids.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import { endWorkspaceSuspension, suspend } from "../../operations/abuse/suspend.ts";
import { verifyChain } from "../../store/audit-chain.ts";
import { resumeSending, suspendSending } from "../../store/campaigns/kill-switch.ts";
import { moveCampaign } from "../../store/campaigns/status.ts";
import { claim } from "../../store/sending/claim.ts";
import { lastLook } from "../../store/sending/last-look.ts";
import { readyCampaign } from "../campaigns/campaign-parts.ts";
import { until } from "../fakes/wait.ts";
import { claimingIn } from "../sending/claiming.ts";
import type { Rest } from "../support/rest.ts";
import { startWorld, type World } from "../support/world.ts";

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

const REASON = "Many bounces; write to abuse@operator.test";
const suspended = { status: 403, body: { code: "WORKSPACE_SUSPENDED", details: { by: "OPERATOR", reason: REASON } } };
const control = (rest: Rest, path: string, action: string) => rest.post(`${path}/control`, { action });

async function stateOf(rest: Rest, path: string): Promise<unknown[]> {
  const { status, pauseReason } = (await rest.get(path)).body;
  return [status, pauseReason];
}

test("a suspension pauses the campaigns that send, and its end resumes only those, each to its earlier status (rules/access 7.1, 7.4)", async () => {
  const { rest, workspaceId } = await world.workspace();
  const [running, manual, later] = [
    await readyCampaign(rest, workspaceId),
    await readyCampaign(rest, workspaceId, ["bob@example.test"]),
    await readyCampaign(rest, workspaceId, ["cid@example.test"]),
  ];
  await rest.patch(`${later.path}/settings`, { startAt: new Date(Date.now() + DAY_MS).toISOString() });
  for (const { path } of [running, manual, later]) await control(rest, path, "launch");
  await control(rest, manual.path, "pause");
  const states = () => Promise.all([running, manual, later].map(({ path }) => stateOf(rest, path)));
  const before = await states();
  expect(before).toEqual([
    ["ACTIVE", null],
    ["PAUSED", "MANUAL"],
    ["SCHEDULED", null],
  ]);
  expect(await suspend(workspaceId, REASON)).toBe(2);
  expect(await states()).toEqual([
    ["PAUSED", "WORKSPACE_SUSPENDED"],
    ["PAUSED", "MANUAL"],
    ["PAUSED", "WORKSPACE_SUSPENDED"],
  ]);
  expect((await rest.get("/workspace")).body).toMatchObject({
    isSendingPaused: false,
    suspension: { by: "OPERATOR", reason: REASON },
  });
  expect(await endWorkspaceSuspension(workspaceId, undefined)).toBe(2);
  expect(await states()).toEqual(before);
  expect((await rest.get("/workspace")).body).toMatchObject({ isSendingPaused: false, suspension: null });
});

test("while a workspace is suspended, calls that send or change what is sent are refused with the reason, and all others work (rules/access 7.2)", async () => {
  const { rest, workspaceId, withPolicy } = await world.workspace();
  const { path, mailbox } = await readyCampaign(rest, workspaceId);
  await control(rest, path, "launch");
  const { body: draft } = await rest.post("/campaigns", { name: "Draft" });
  await suspend(workspaceId, REASON);
  const refused = {
    launch: () => control(rest, path, "launch"),
    resume: () => control(rest, path, "resume"),
    resumeSending: () => rest.post("/workspace", { action: "resumeSending" }),
    "a test email": () => rest.post(`${path}/test-send`, { toEmail: "a@example.test" }),
    "settings of a launched campaign": () => rest.patch(`${path}/settings`, { minGapSeconds: 1 }),
    "resuming a mailbox": () => rest.post("/mailboxes/manage", { action: "resume", mailboxId: mailbox._id }),
    warmup: () => rest.post("/warmup/manage", { action: "start", mailboxId: mailbox._id }),
  };
  for (const [name, call] of Object.entries(refused)) expect([name, await call()]).toMatchObject([name, suspended]);
  expect(await rest.post("/workspaces", { name: "Another" })).toMatchObject(suspended);
  const planner = await withPolicy({ sends: "PLAN" });
  expect(await control(planner, path, "resume")).toMatchObject(suspended);
  const allowed = {
    reading: () => rest.get("/campaigns"),
    "the kill switch": () => rest.post("/workspace", { action: "pauseSending" }),
    "pausing a mailbox": () => rest.post("/mailboxes/manage", { action: "pause", mailboxId: mailbox._id }),
    "blocking an address": () => rest.post("/block-list", { value: "never@example.test" }),
    "settings of a draft": () => rest.patch(`/campaigns/${draft.id}/settings`, { minGapSeconds: 1 }),
    "its own name": () => rest.post("/workspace", { action: "update", patch: { name: "Ours" } }),
  };
  for (const [name, call] of Object.entries(allowed))
    expect([name, Math.floor((await call()).status / 100)]).toEqual([name, 2]);
});

test("a person of a suspended workspace signs in as before", async () => {
  const { person, workspaceId } = await world.workspace();
  await suspend(workspaceId, REASON);
  const member = await person();
  expect((await member.get("/workspace")).body).toMatchObject({ id: workspaceId, suspension: { reason: REASON } });
});

test("the kill switch of a workspace stays as it was, whether it was switched before or during a suspension (rules/access 7.4)", async () => {
  for (const isBefore of [true, false]) {
    const { rest, workspaceId } = await world.workspace();
    const { path } = await readyCampaign(rest, workspaceId);
    await control(rest, path, "launch");
    if (isBefore) await rest.post("/workspace", { action: "pauseSending" });
    await suspend(workspaceId, REASON);
    if (!isBefore) await rest.post("/workspace", { action: "pauseSending" });
    expect(await endWorkspaceSuspension(workspaceId, undefined)).toBe(0);
    expect([await stateOf(rest, path), (await rest.get("/workspace")).body.isSendingPaused]).toEqual([
      ["PAUSED", "WORKSPACE_SUSPENDED"],
      true,
    ]);
    expect(await openGatesOf(workspaceId)).toBe(0);
    await rest.post("/workspace", { action: "resumeSending" });
    expect([await stateOf(rest, path), await openGatesOf(workspaceId)]).toEqual([["ACTIVE", null], 16]);
  }
});

test("switching the kill switch off opens nothing while a suspension stands, in whatever order the two commit", async () => {
  const { rest, workspaceId } = await world.workspace();
  const { path } = await readyCampaign(rest, workspaceId);
  await control(rest, path, "launch");
  await suspendSending(workspaceId, null);
  for (let round = 0; round < 5; round++) {
    await Promise.all([resumeSending(workspaceId, null), suspend(workspaceId, REASON)]);
    expect([(await stateOf(rest, path))[0], await openGatesOf(workspaceId)]).toEqual(["PAUSED", 0]);
    await suspendSending(workspaceId, null);
    await endWorkspaceSuspension(workspaceId, undefined);
  }
});

test("a campaign that opens while its workspace is suspended becomes PAUSED", async () => {
  const { rest, workspaceId } = await world.workspace();
  const { path, campaignId } = await readyCampaign(rest, workspaceId);
  const { body } = await control(rest, path, "launch");
  expect(body.launched).toBe(true);
  await Workspace.updateOne(
    { _id: workspaceId },
    { $set: { suspension: { by: "OPERATOR", reason: "x", at: new Date() } } },
  );
  await control(rest, path, "pause");
  await inTransaction(() => moveCampaign(workspaceId, campaignId, { from: ["PAUSED"], to: "ACTIVE", actor: null }));
  expect(await stateOf(rest, path)).toEqual(["PAUSED", "WORKSPACE_SUSPENDED"]);
});

test("once a suspension is acknowledged no claim commits and no claimed email enters DATA, with and without a campaign (rules/access 7.1)", async () => {
  const { workspaceId } = await world.workspace();
  const claiming = await claimingIn(workspaceId);
  const campaignId = await claiming.activeCampaign();
  const { Send } = scoped(workspaceId);
  const booked = await Promise.all(
    Array.from({ length: 60 }, (_, index) =>
      claiming.bookedSend(campaignId, `person${index}@people.test`, claiming.mailboxes[index % 8]),
    ),
  );
  const single = await Promise.all(booked.slice(0, 20).map((send) => singleSend(workspaceId, send)));
  const inFlight = pLimit(8);
  const requests = [
    ...single.map((send) => ({ ...claiming.claimFor(send, campaignId, randomUUID()), campaign: null })),
    ...booked.map((send) => claiming.claimFor(send, campaignId, randomUUID())),
  ];
  const claims = requests.map((request) => inFlight(() => claim(request)));
  await Promise.race(claims);
  await suspend(workspaceId, REASON);
  const sending = () => Send.count({ state: "SENDING" });
  const claimedAtAnswer = await sending();
  const results = await Promise.all(claims);
  expect(await sending()).toBe(claimedAtAnswer);
  expect(results.filter(({ kind }) => kind === "parked").length).toBeGreaterThan(0);
  for (const result of results) if (result.kind === "claimed") expect(await lastLook(result.request)).not.toBeNull();
  expect(await Send.count({ phase: "DATA" })).toBe(0);
});

test("the reasons of a suspension and of its end are in the audit log, and the log stays intact", async () => {
  const { rest, workspaceId } = await world.workspace();
  await suspend(workspaceId, REASON);
  await endWorkspaceSuspension(workspaceId, "They cleaned their list");
  const { body } = await rest.get("/audit-log?action=workspace.");
  expect(body.items).toMatchObject([
    {
      action: "workspace.endSuspension",
      actor: { kind: "OPERATOR" },
      target: { workspaceId, reason: "They cleaned their list" },
      outcome: "DONE",
    },
    {
      action: "workspace.suspend",
      actor: { kind: "OPERATOR" },
      target: { workspaceId, reason: REASON },
      changed: expect.arrayContaining(["suspension"]),
    },
  ]);
  expect((await verifyChain(workspaceId)).brokenAt).toBeNull();
});

test("a suspension answers only when an email of the service, whose last look came just before, can no longer begin (rules/access 7.3)", async () => {
  const { workspaceId } = await world.workspace();
  const begunAt = performance.now();
  await suspend(workspaceId, REASON);
  expect(performance.now() - begunAt).toBeGreaterThanOrEqual(ENTERS_WITHIN_MS + TO_THE_WIRE_MS);
});

test("the operator's suspension of a workspace suspends its clients too, and its end resumes only those (rules/access 7.1, 7.2, 7.4)", async () => {
  const { rest, workspaceId } = await world.workspace();
  const { body: client } = await rest.post("/workspaces", { name: "Client" });
  const { body: held } = await rest.post("/workspaces", { name: "Held before" });
  const stands = async () => {
    const rows = await Workspace.find({ _id: trusted({ $in: [workspaceId, client.id, held.id] }) }).lean<Workspace[]>();
    const reasons = new Map(rows.map(({ _id, suspension }) => [_id, suspension?.reason ?? null]));
    return [workspaceId, client.id, held.id].map((id) => reasons.get(id));
  };
  await suspend(held.id, "Its own reason");
  expect(await rest.post("/workspaces", { name: "Instead" })).toMatchObject({
    status: 403,
    body: { code: "WORKSPACE_SUSPENDED", details: { reason: "Its own reason" } },
  });
  await suspend(workspaceId, REASON);
  expect(await stands()).toEqual([REASON, REASON, "Its own reason"]);
  expect(await openGatesOf(client.id)).toBe(0);
  await endWorkspaceSuspension(workspaceId, undefined);
  expect(await stands()).toEqual([null, null, "Its own reason"]);
  expect(await openGatesOf(client.id)).toBe(16);
});

test("a resumption that broke off is finished by the next one, also in a client (rules/access 7.4)", async () => {
  const { rest, workspaceId } = await world.workspace();
  const { body: client } = await rest.post("/workspaces", { name: "Client" });
  const own = await readyCampaign(rest, workspaceId);
  await control(rest, own.path, "launch");
  const campaignOfClient = newId("cmp");
  const held = { status: "PAUSED", pauseReason: "WORKSPACE_SUSPENDED" } as const;
  await scoped(client.id).Campaign.insert({
    _id: campaignOfClient,
    name: "Of the client",
    sequenceId: "seq_1",
    settings: { minGapSeconds: 60 },
    statusChangedAt: new Date(),
    ...held,
  });
  await suspend(workspaceId, REASON);
  // The process died after it had ended both suspensions, and before it moved a campaign
  const ids = trusted({ $in: [workspaceId, client.id] });
  await Workspace.updateMany({ _id: ids }, { $set: { suspension: null } });
  expect(await stateOf(rest, own.path)).toEqual(["PAUSED", "WORKSPACE_SUSPENDED"]);
  expect(await endWorkspaceSuspension(workspaceId, undefined)).toBe(2);
  expect(await stateOf(rest, own.path)).toEqual(["ACTIVE", null]);
  expect(await scoped(client.id).Campaign.get(campaignOfClient)).toMatchObject({ status: "ACTIVE" });
  await expect(endWorkspaceSuspension(workspaceId, undefined)).rejects.toThrow("is not suspended");
});

test("a campaign that a member pauses while a suspension ends stays paused (rules/access 7.4)", async () => {
  const { workspaceId } = await world.workspace();
  const { Campaign } = scoped(workspaceId);
  const held = { status: "PAUSED", pauseReason: "WORKSPACE_SUSPENDED" } as const;
  const ids = Array.from({ length: 60 }, () => newId("cmp")).sort();
  for (const _id of ids) {
    const fields = { name: _id, sequenceId: "seq_1", settings: { minGapSeconds: 60 }, statusChangedAt: new Date() };
    await Campaign.insert({ _id, ...fields, ...held });
  }
  const [first = "", last = ""] = [ids[0], ids.at(-1)];
  const resumed = resumeSending(workspaceId, null);
  const isMoved = async () => (await Campaign.get(first))?.status === "ACTIVE";
  await until(isMoved, { deadlineMs: 20_000, what: "the first campaign to continue" });
  // The last one is on the page that was read already
  const byHand = { $set: { pauseReason: "MANUAL" as const } };
  expect(await Campaign.updateOne({ _id: last, ...held }, byHand)).toBe(1);
  expect(await resumed).toBe(ids.length - 1);
  expect(await Campaign.get(last)).toMatchObject({ status: "PAUSED", pauseReason: "MANUAL" });
});

test("a suspension concerns one workspace alone", async () => {
  const [held, other] = [await world.workspace(), await world.workspace()];
  const [ofHeld, ofOther] = [
    await readyCampaign(held.rest, held.workspaceId),
    await readyCampaign(other.rest, other.workspaceId),
  ];
  await control(held.rest, ofHeld.path, "launch");
  await control(other.rest, ofOther.path, "launch");
  await suspend(held.workspaceId, REASON);
  expect(await stateOf(other.rest, ofOther.path)).toEqual(["ACTIVE", null]);
  expect(await openGatesOf(other.workspaceId)).toBe(16);
  expect(await control(other.rest, ofOther.path, "pause")).toMatchObject({ status: 200 });
});

test.each([
  ["an unknown workspace", () => suspend("wsp_unknown", REASON), /There is no workspace wsp_unknown/],
  ["no reason", () => world.workspace().then(({ workspaceId }) => suspend(workspaceId, "  ")), /1 to 500 characters/],
  [
    "the end of no suspension",
    () => world.workspace().then(({ workspaceId }) => endWorkspaceSuspension(workspaceId, undefined)),
    /is not suspended/,
  ],
] as const)("%s is refused with a sentence", async (_name, act, sentence) => {
  await expect(act()).rejects.toThrow(sentence);
});

/** The email of a person, without a campaign. */
async function singleSend(workspaceId: string, { to, mailboxId }: Send): Promise<Send> {
  return scoped(workspaceId).Send.insert({
    _id: newId("snd"),
    kind: "REPLY",
    to: `single-${to}`,
    mailboxId,
    sendKey: randomUUID(),
    state: "RESERVED",
  });
}

function openGatesOf(workspaceId: string): Promise<number> {
  return scoped(workspaceId).Gate.count({ ownerId: workspaceId, isOpen: true });
}
