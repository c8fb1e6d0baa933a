import { afterAll, beforeAll, expect, test } from "@jest/globals";
import {
  CONDUCT_THRESHOLDS,
  type ConductFigures,
  type ConductLimits,
  judgeConduct,
} from "../../domain/access/conduct.ts";
import { DAY_MS } from "../../domain/time/durations.ts";
import { utcDay } from "../../domain/time/schedule.ts";
import { Workspace } from "../../models/access/workspace.ts";
import { Message } from "../../models/inbox/message.ts";
import { scoped } from "../../models/scoped.ts";
import { newId } from "../../mongo/ids.ts";
import { limit } from "../../operations/abuse/limit.ts";
import { listWorkspaces } from "../../operations/abuse/list.ts";
import { endWorkspaceSuspension, suspend } from "../../operations/abuse/suspend.ts";
import { verifyChain } from "../../store/audit-chain.ts";
import { announceAbuseLimits, judgeWorkspace, loadConduct } from "../../store/campaigns/conduct.ts";
import { suspendWorkspace } from "../../store/campaigns/kill-switch.ts";
import { setCap } from "../../store/sending/caps.ts";
import { readyCampaign, storedMailbox } from "../campaigns/campaign-parts.ts";
import { startWorld, type World } from "../support/world.ts";

const LIMITS: ConductLimits = { thresholds: CONDUCT_THRESHOLDS, slowedEmails: 7 };
let world: World;
beforeAll(async () => {
  world = await startWorld({ apart: true });
  await announceAbuseLimits(LIMITS);
});
afterAll(() => world.close());

const NOTHING: ConductFigures = {
  mails: 0,
  bounced: 0,
  complained: 0,
  seen: 0,
  inSpam: 0,
  domains: 0,
  listed: 0,
  unknown: new Set(),
};

test.each<[string, Partial<ConductFigures>, string]>([
  ["nothing", {}, "GOOD"],
  ["many bounces of few emails", { mails: 99, bounced: 60 }, "GOOD"],
  ["4.9 % bounces", { mails: 1_000, bounced: 49 }, "GOOD"],
  ["5 % bounces", { mails: 1_000, bounced: 50 }, "SLOW"],
  ["10 % bounces", { mails: 100, bounced: 10 }, "HOLD"],
  ["two complaints", { mails: 100, complained: 2 }, "GOOD"],
  ["0.3 % complaints", { mails: 1_000, complained: 3 }, "SLOW"],
  ["1 % complaints", { mails: 300, complained: 3 }, "HOLD"],
  ["few measured emails in Junk", { seen: 49, inSpam: 49 }, "GOOD"],
  ["half of the measured emails in Junk", { seen: 50, inSpam: 25 }, "SLOW"],
  ["90 % of the measured emails in Junk", { seen: 50, inSpam: 45 }, "HOLD"],
  ["one listed domain of one", { domains: 1, listed: 1 }, "GOOD"],
  ["two listed domains of four", { domains: 4, listed: 2 }, "SLOW"],
  ["all domains listed", { domains: 2, listed: 2 }, "HOLD"],
  ["a hold by one measure and a slowing by another", { mails: 100, bounced: 5, domains: 2, listed: 2 }, "HOLD"],
])("a workspace with %s is judged as it should be (rules/access 8.2)", (_name, figures, kind) => {
  const verdict = judgeConduct({ ...NOTHING, ...figures }, LIMITS);
  expect([verdict.kind, verdict.reason === ""]).toEqual([kind, kind === "GOOD"]);
});

/** Stores what reading and sending emails would have stored. */
async function happened(
  workspaceId: string,
  { sent = 0, bounced = 0, complained = 0, at = new Date(), bounce = {}, leadId = null as string | null },
) {
  const { ActivityEvent, Message } = scoped(workspaceId);
  const rows = (count: number, type: string, data: Record<string, unknown> = {}) =>
    Array.from({ length: count }, () => ({ _id: newId("evt"), type, at, data, campaignId: "cmp_1", leadId }));
  await ActivityEvent.insertMany([
    ...rows(sent, "SENT"),
    ...rows(bounced, "BOUNCED", { type: "HARD", reason: "USER_UNKNOWN", ...bounce }),
  ]);
  await Message.insertMany(
    Array.from({ length: complained }, () => {
      const _id = newId("msg");
      const report = { direction: "INBOUND", kind: "COMPLAINT", recipientId: "rcp_1", campaignId: "cmp_1" } as const;
      return { ...report, _id, mailboxId: "mbx_1", contentKey: _id, from: "reports@people.test" };
    }),
  );
}

async function measured(workspaceId: string, day: string, { seen = 60, inSpam = 58 } = {}) {
  const of = { of: "WORKSPACE", subjectId: workspaceId, day, at: new Date() } as const;
  const { MailFiguresDay } = scoped(workspaceId);
  await MailFiguresDay.insert({ _id: `${workspaceId}:WORKSPACE:${workspaceId}:${day}`, ...of, seen, inSpam });
}

async function checked(workspaceId: string, domain: string, checkedAt = new Date()) {
  const day = utcDay(checkedAt.getTime());
  await scoped(workspaceId).DomainCheck.insert({
    _id: `${workspaceId}:${domain}:${day}`,
    domain,
    day,
    checkedAt,
    listings: [{ list: { zone: "bl.test", of: "DOMAIN" }, subject: domain, status: "LISTED" }],
  });
}

const figuresOf = async (workspaceId: string, most?: number) =>
  loadConduct({ _id: workspaceId, judgedFrom: null }, Date.now(), { isShown: true, ...(most && { most }) });

test("a workspace whose emails bounce too often is slowed, then held with the reason, and another workspace is unaffected (rules/access 8.2, 8.3)", async () => {
  const [bad, good] = [await world.workspace(), await world.workspace()];
  const { path } = await readyCampaign(bad.rest, bad.workspaceId);
  await bad.rest.post(`${path}/control`, { action: "launch" });
  const judged = async () => {
    await judgeWorkspace(bad.workspaceId);
    await judgeWorkspace(good.workspaceId);
    return (await bad.rest.get("/workspace")).body;
  };
  await happened(bad.workspaceId, { sent: 200, bounced: 5 });
  await happened(good.workspaceId, { sent: 200, bounced: 2 });
  expect(await judged()).toMatchObject({ suspension: null, sendingCap: null });
  await happened(bad.workspaceId, { bounced: 8 });
  const slowed = await judged();
  expect(slowed).toMatchObject({ suspension: null, sendingCap: { most: 7, by: "RATES" } });
  expect(slowed.sendingCap.reason).toBe("13 of 213 emails bounced because the address does not exist (limit 5 %)");
  await happened(bad.workspaceId, { bounced: 20 });
  expect(await judged()).toMatchObject({
    suspension: {
      by: "SERVICE",
      reason: "33 of 233 emails bounced because the address does not exist (limit 10 %)",
    },
  });
  expect((await bad.rest.get(path)).body.pauseReason).toBe("WORKSPACE_SUSPENDED");
  expect(await bad.rest.post(`${path}/control`, { action: "resume" })).toMatchObject({
    status: 403,
    body: { code: "WORKSPACE_SUSPENDED", details: { by: "SERVICE" } },
  });
  expect((await good.rest.get("/workspace")).body).toMatchObject({ suspension: null, sendingCap: null });
  const { items } = (await bad.rest.get("/audit-log?action=workspace.")).body;
  expect(items).toMatchObject([
    {
      action: "workspace.suspend",
      actor: { kind: "SERVICE" },
      target: { reason: expect.stringContaining("33 of 233") },
    },
    { action: "workspace.slow", actor: { kind: "SERVICE" } },
  ]);
  expect((await verifyChain(bad.workspaceId)).brokenAt).toBeNull();
});

test("a slowed workspace whose rates are good again is no longer slowed, and what happened long ago does not count", async () => {
  const { workspaceId } = await world.workspace();
  await happened(workspaceId, { sent: 200, bounced: 60, at: new Date(Date.now() - 4 * DAY_MS) });
  await judgeWorkspace(workspaceId);
  const slowedBy = async () => (await scoped(workspaceId).SendingCap.findOne({ _id: workspaceId }))?.by;
  expect(await slowedBy()).toBeUndefined();
  await happened(workspaceId, { sent: 200, bounced: 12 });
  await judgeWorkspace(workspaceId);
  expect(await slowedBy()).toMatchObject({ RATES: { most: 7 } });
  await happened(workspaceId, { sent: 200 });
  await judgeWorkspace(workspaceId);
  expect(await slowedBy()).toBeUndefined();
});

test("after the operator ended a suspension, only what happens from then on counts (rules/access 8.3)", async () => {
  const { workspaceId, rest } = await world.workspace();
  const suspension = async () => (await rest.get("/workspace")).body.suspension;
  await happened(workspaceId, { sent: 100, bounced: 50 });
  await judgeWorkspace(workspaceId);
  expect(await suspension()).toMatchObject({ by: "SERVICE" });
  await endWorkspaceSuspension(workspaceId, "They promised");
  await judgeWorkspace(workspaceId);
  expect(await suspension()).toBeNull();
  await happened(workspaceId, { sent: 100, bounced: 50 });
  await judgeWorkspace(workspaceId);
  expect(await suspension()).toMatchObject({ by: "SERVICE" });
});

test("a judgement pauses the campaigns that a suspension did not reach, of the service or of the operator (rules/access 7.1)", async () => {
  const { workspaceId, rest } = await world.workspace();
  const { path } = await readyCampaign(rest, workspaceId);
  await rest.post(`${path}/control`, { action: "launch" });
  const suspendedBy = (by: "SERVICE" | "OPERATOR") =>
    Workspace.updateOne({ _id: workspaceId }, { $set: { suspension: { by, reason: "Broken off", at: new Date() } } });
  for (const by of ["SERVICE", "OPERATOR"] as const) {
    await suspendedBy(by);
    expect((await rest.get(path)).body.status).toBe("ACTIVE");
    await judgeWorkspace(workspaceId);
    expect((await rest.get(path)).body).toMatchObject({ status: "PAUSED", pauseReason: "WORKSPACE_SUSPENDED" });
    await endWorkspaceSuspension(workspaceId, "By mistake");
  }
  await judgeWorkspace(workspaceId);
  expect((await rest.get(path)).body.status).toBe("ACTIVE");
});

test("a judgement replaces no suspension of the operator", async () => {
  const { workspaceId, rest } = await world.workspace();
  await suspend(workspaceId, "By hand");
  await happened(workspaceId, { sent: 100, bounced: 50 });
  await judgeWorkspace(workspaceId);
  // A judgement that began before the operator's command
  let noted = 0;
  await suspendWorkspace(workspaceId, { by: "SERVICE", reason: "Rates", at: new Date() }, async () => {
    noted++;
  });
  expect(noted).toBe(0);
  expect((await rest.get("/workspace")).body.suspension).toMatchObject({ by: "OPERATOR", reason: "By hand" });
});

test("complaints, emails in Junk and listed domains are measured from what the service stores", async () => {
  const complained = await world.workspace();
  await happened(complained.workspaceId, { sent: 300, complained: 3 });
  const inJunk = await world.workspace();
  await measured(inJunk.workspaceId, utcDay(Date.now()));
  const listed = await world.workspace();
  for (const domain of ["one.test", "two.test"]) {
    await storedMailbox(listed.workspaceId, { email: `kim@${domain}` });
    await checked(listed.workspaceId, domain);
  }
  for (const { workspaceId, rest } of [complained, inJunk, listed]) {
    await judgeWorkspace(workspaceId);
    expect((await rest.get("/workspace")).body.suspension).toMatchObject({ by: "SERVICE" });
  }
});

test("after the operator ended a suspension, neither Junk nor block lists of the days before count (rules/access 8.3)", async () => {
  const { workspaceId, rest } = await world.workspace();
  for (const domain of ["one.test", "two.test"]) {
    await storedMailbox(workspaceId, { email: `kim@${domain}` });
    await checked(workspaceId, domain);
  }
  for (const days of [0, 1, 2]) await measured(workspaceId, utcDay(Date.now() - days * DAY_MS));
  await judgeWorkspace(workspaceId);
  expect((await rest.get("/workspace")).body.suspension).toMatchObject({ by: "SERVICE" });
  await endWorkspaceSuspension(workspaceId, "They promised");
  await judgeWorkspace(workspaceId);
  expect((await rest.get("/workspace")).body).toMatchObject({ suspension: null, sendingCap: null });
  await measured(workspaceId, utcDay(Date.now() + DAY_MS));
  await judgeWorkspace(workspaceId, Date.now() + DAY_MS);
  expect((await rest.get("/workspace")).body.suspension).toMatchObject({ reason: expect.stringContaining("58 of 60") });
});

test("a domain that a workspace only monitors is not one of its sending domains (rules/access 8.2)", async () => {
  const { workspaceId } = await world.workspace();
  await storedMailbox(workspaceId, { email: "kim@ours.test" });
  for (const domain of ["ours.test", "monitored.test"]) await checked(workspaceId, domain);
  expect(await figuresOf(workspaceId)).toMatchObject({ domains: 1, listed: 1 });
});

test("a deleted lead takes no bounce away (rules/access 8.2)", async () => {
  const { workspaceId, rest } = await world.workspace();
  const { body: lead } = await rest.post("/leads", { email: "gone@people.test" });
  await happened(workspaceId, { bounced: 2, leadId: lead.id, bounce: { diagnostic: "gone@people.test is unknown" } });
  expect((await rest.post("/leads/manage", { action: "delete", leadId: lead.id })).status).toBe(200);
  expect(await figuresOf(workspaceId)).toMatchObject({ bounced: 2, mails: 2 });
  expect((await scoped(workspaceId).ActivityEvent.find({ leadId: lead.id }))[0]?.data).toEqual({
    type: "HARD",
    reason: "USER_UNKNOWN",
  });
});

test("an email that bounces by report counts once, and neither replies nor forwarded emails count (rules/access 8.2)", async () => {
  const { workspaceId } = await world.workspace();
  await happened(workspaceId, { sent: 100, bounced: 5, bounce: { sendId: "snd_1" } });
  await happened(workspaceId, { bounced: 3 });
  await happened(workspaceId, { bounced: 7, bounce: { sendId: "snd_2", sendKind: "REPLY" } });
  await happened(workspaceId, { bounced: 7, bounce: { sendId: "snd_3", reason: "FORWARDED" } });
  expect(await figuresOf(workspaceId)).toMatchObject({ mails: 103, bounced: 8 });
});

test("of too many emails only the last ones are judged, with their bounces and complaints (rules/access 8.2)", async () => {
  const { workspaceId } = await world.workspace();
  await happened(workspaceId, {
    sent: 150,
    bounced: 30,
    bounce: { sendId: "snd_1" },
    at: new Date(Date.now() - DAY_MS),
  });
  await happened(workspaceId, { sent: 120, bounced: 2, complained: 1, bounce: { sendId: "snd_2" } });
  expect(await figuresOf(workspaceId, 100)).toMatchObject({ mails: 100, bounced: 2, complained: 1 });
});

test("a measure that cannot be read holds up no other, and ends no slowing", async () => {
  const { workspaceId, rest } = await world.workspace();
  const slowed = await world.workspace();
  await happened(slowed.workspaceId, { sent: 600, complained: 3 });
  await judgeWorkspace(slowed.workspaceId);
  await happened(workspaceId, { sent: 100, bounced: 50 });
  const { collection } = Message;
  await collection.dropIndex("workspaceId_1_campaignId_1_createdAt_1");
  try {
    await judgeWorkspace(workspaceId);
    await judgeWorkspace(slowed.workspaceId);
    expect((await listWorkspaces(workspaceId)).items[0]).toMatchObject({ rates: { complaints: null } });
  } finally {
    const where = { partialFilterExpression: { kind: "COMPLAINT" } };
    await collection.createIndex({ workspaceId: 1, campaignId: 1, createdAt: 1 }, where);
  }
  expect((await rest.get("/workspace")).body.suspension).toMatchObject({ by: "SERVICE" });
  expect((await slowed.rest.get("/workspace")).body.sendingCap).toMatchObject({ by: "RATES" });
});

test("operators see the suspended workspaces first, then those with the worst rates, and find one by name", async () => {
  const [quiet, bad, held] = [await world.workspace(), await world.workspace(), await world.workspace()];
  for (const { rest, workspaceId } of [quiet, bad]) {
    const { path } = await readyCampaign(rest, workspaceId);
    await rest.post(`${path}/control`, { action: "launch" });
  }
  await happened(bad.workspaceId, { sent: 96, bounced: 4 });
  await suspend(held.workspaceId, "By hand");
  await quiet.rest.post("/workspace", { action: "update", patch: { name: "Quiet Ltd" } });
  const { items: listed, total } = await listWorkspaces(null);
  const placeOf = ({ workspaceId }: { workspaceId: string }) =>
    listed.findIndex((one) => one.workspaceId === workspaceId);
  expect(placeOf(held)).toBeLessThan(placeOf(bad));
  expect(placeOf(bad)).toBeLessThan(placeOf(quiet));
  expect(listed[placeOf(bad)]).toMatchObject({ suspension: null, rates: { bounces: 0.04 }, figures: { mails: 100 } });
  // Only the part that is shown is judged, and the latest suspension comes first
  const first = await listWorkspaces(null, { most: 1 });
  expect([first.total, first.items.map(({ workspaceId }) => workspaceId)]).toEqual([total, [held.workspaceId]]);
  expect((await listWorkspaces("quiet l")).items.map(({ workspaceId }) => workspaceId)).toEqual([quiet.workspaceId]);
});

test("a workspace that is only new is not in the list of operators, and one that an operator limited is", async () => {
  const [fresh, limited] = [await world.workspace(), await world.workspace()];
  await setCap(fresh.workspaceId, "NEW", { most: 50, reason: "New" });
  await setCap(limited.workspaceId, "NEW", { most: 50, reason: "New" });
  await limit(limited.workspaceId, 7, "By hand", { what: "IMPORTED_ROWS" });
  const { items } = await listWorkspaces(null);
  expect(items.filter(({ workspaceId }) => workspaceId === fresh.workspaceId)).toEqual([]);
  expect(items.find(({ workspaceId }) => workspaceId === limited.workspaceId)).toMatchObject({
    cap: { most: 50, by: "NEW" },
    ownLimits: { EMAILS: null, CONNECTION_TESTS: null, IMPORTED_ROWS: 7 },
  });
});

test("without limits no workspace is judged", async () => {
  const { workspaceId, rest } = await world.workspace();
  await announceAbuseLimits(null);
  await happened(workspaceId, { sent: 100, bounced: 50 });
  await judgeWorkspace(workspaceId);
  await announceAbuseLimits(LIMITS);
  expect((await rest.get("/workspace")).body).toMatchObject({ suspension: null, sendingCap: null });
});
