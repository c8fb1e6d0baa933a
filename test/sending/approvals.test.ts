import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { DAY_MS } from "../../domain/time/durations.ts";
import { scoped } from "../../models/scoped.ts";
import { verifyApiKey } from "../../operations/access/api-keys.ts";
import { approveRequest } from "../../operations/sending/approve.ts";
import { expireApprovals } from "../../store/campaigns/approvals.ts";
import { readyCampaign } from "../campaigns/campaign-parts.ts";
import { newKey } from "../inbox/replying-world.ts";
import type { Rest, RestAnswer } from "../support/rest.ts";
import { invited, signInOwner } from "../support/signed-in.ts";
import { startWorld, type World } from "../support/world.ts";
import { inboxOf, refusal, tokenOf } from "./permit-parts.ts";

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

const idOf = ({ body }: RestAnswer): string => body.approval.id;

/** A campaign, its owner, and an agent that must ask a person. */
async function asking(policy: { dailySendBudget?: number } = {}) {
  const made = await world.workspace();
  const agent = await made.withPolicy({ sends: "APPROVAL", ...policy });
  const { path, campaignId } = await readyCampaign(made.rest, made.workspaceId, [
    "ada@example.test",
    "bob@example.test",
  ]);
  const launch = (fields: object = {}, by: Rest = agent) => by.post(`${path}/control`, { action: "launch", ...fields });
  const person = await signInOwner(world, made);
  const decide = (id: string, fields: object = {}, by: Rest = person.rest) =>
    by.post(`/approvals/${id}`, { action: "approve", ...fields });
  return {
    ...made,
    person,
    agent,
    path,
    campaignId,
    launch,
    decide,
    status: async () => (await made.rest.get(path)).body.status,
  };
}

test("a launch by an API key that needs approval creates a pending approval and sends nothing; a user's approval starts the campaign", async () => {
  const { agent, rest, launch, decide, status, campaignId, workspaceId } = await asking();
  const { body: me } = await agent.get("/whoami");
  const asked = await launch();
  expect(asked).toMatchObject({
    status: 200,
    body: {
      approval: {
        kind: "LAUNCH",
        status: "PENDING",
        campaignId,
        requestedBy: me.credentialId,
        verb: "campaigns.launch",
      },
    },
  });
  expect(asked.body.approval.effect).toMatchObject({
    people: 2,
    cost: 2,
    recipients: ["ada@example.test", "bob@example.test"],
  });
  expect(Date.parse(asked.body.approval.expiresAt)).toBeGreaterThan(Date.now() + 6 * DAY_MS);
  expect(await status()).toBe("DRAFT");
  const { body: page } = await rest.get(`/approvals?campaignId=${campaignId}`);
  expect(page).toMatchObject({ total: 1, items: [{ id: idOf(asked), effect: { people: 2 } }] });
  expect((await rest.get(`/approvals/${idOf(asked)}`)).body).toMatchObject({ id: idOf(asked), thread: null });
  const decided = await decide(idOf(asked), { note: "Go" });
  expect(decided).toMatchObject({
    status: 200,
    body: { status: "APPROVED", decidedBy: expect.stringMatching(/^ses_/), note: "Go" },
  });
  expect(await status()).toBe("ACTIVE");
  expect((await rest.get("/approvals")).body.items).toEqual([]);
  expect((await rest.get("/approvals?status=APPROVED")).body.total).toBe(1);
  const entries = await scoped(workspaceId).AuditEntry.find({}, { sort: { seq: 1 } });
  const told = entries
    .map(({ action, outcome }) => `${action} ${outcome}`)
    .filter((line) => /launch|approvals/.test(line));
  expect(told).toEqual(["campaigns.launch ASKED", "approvals.approve DONE"]);
});

test("an API key of any policy is refused when it approves a launch request; a key that may not send can reject the request", async () => {
  const { agent, launch, decide, status, withPolicy, withScopes, workspaceId } = await asking();
  const id = idOf(await launch());
  const others: [Rest, string, string][] = [
    [agent, "SENDING_NOT_ALLOWED", "PERSON_NEEDED"],
    ...(await Promise.all(
      (["DIRECT", "PLAN", "APPROVAL", "NONE"] as const).map(
        async (sends): Promise<[Rest, string, string]> => [
          await withPolicy({ sends }),
          "SENDING_NOT_ALLOWED",
          "PERSON_NEEDED",
        ],
      ),
    )),
  ];
  for (const [by, code, reason] of others)
    expect(await decide(id, {}, by)).toMatchObject(refusal(403, code, { reason }));
  expect(await decide(id, {}, await withScopes("inbox:write", "inbox:send"))).toMatchObject(
    refusal(403, "INSUFFICIENT_SCOPE", { requiredScope: "campaigns:launch" }),
  );
  expect(await decide(id, {}, await withScopes("inbox:read"))).toMatchObject(refusal(403, "INSUFFICIENT_SCOPE"));
  const stranger = await world.workspace();
  expect(await decide(id, {}, stranger.rest)).toMatchObject(refusal(404, "APPROVAL_NOT_FOUND"));
  expect(await stranger.rest.get(`/approvals/${id}`)).toMatchObject(refusal(404, "APPROVAL_NOT_FOUND"));
  expect(await status()).toBe("DRAFT");
  expect((await decide(id, { action: "reject", note: "No" }, await withPolicy({ sends: "NONE" }))).body).toMatchObject({
    status: "REJECTED",
  });
  for (const action of ["approve", "edit"]) {
    const answer = await decide(id, { action, ...(action === "edit" && { text: "x" }) });
    expect(answer).toMatchObject(refusal(409, "INVALID_STATE_TRANSITION", { from: "REJECTED" }));
  }
  expect((await decide(id, { action: "reject" })).body).toMatchObject({ status: "REJECTED", note: "No" });
  expect(await status()).toBe("DRAFT");
  expect(await scoped(workspaceId).ActivityEvent.count({ type: "STATUS_CHANGED" })).toBe(0);
});

test("approving a request whose effect has changed is refused; the request stays pending under a new version, and can be approved with that version", async () => {
  const { rest, path, launch, decide, status } = await asking();
  const id = idOf(await launch());
  await rest.post(`${path}/recipients`, { action: "addManual", emails: ["cid@example.test"] });
  const stale = await decide(id, { expectedVersion: 1 });
  expect(stale).toMatchObject(refusal(409, "PLAN_STALE", { version: 2, plan: { effect: { people: 3 } } }));
  expect(await status()).toBe("DRAFT");
  expect((await rest.get(`/approvals/${id}`)).body).toMatchObject({
    status: "PENDING",
    version: 2,
    effect: { people: 3 },
  });
  expect(await decide(id, { expectedVersion: 1 })).toMatchObject(
    refusal(409, "VERSION_CONFLICT", { currentVersion: 2 }),
  );
  expect((await decide(id, { expectedVersion: 2 })).body.status).toBe("APPROVED");
  expect(await status()).toBe("ACTIVE");
});

test("several users who approve a launch at the same time start the campaign once, and a repeated approval does not end a later pause", async () => {
  const { rest, path, launch, decide, person, workspaceId, status } = await asking();
  const id = idOf(await launch());
  const others = await Promise.all(
    [1, 2].map((n) => invited(world, person, `other${n}-${person.userId}@acme.test`.toLowerCase(), "ADMIN")),
  );
  const people = [person, ...others].map((one) => one.rest);
  const answers = await Promise.all([...people, ...people].map((by) => decide(id, {}, by)));
  expect(answers.map(({ body }) => body.status)).toEqual(Array(6).fill("APPROVED"));
  expect(new Set(answers.map(({ body }) => body.decidedBy)).size).toBe(1);
  expect(await scoped(workspaceId).ActivityEvent.count({ type: "STATUS_CHANGED" })).toBe(1);
  await rest.post(`${path}/control`, { action: "pause" });
  expect((await decide(id)).body.status).toBe("APPROVED");
  expect(await status()).toBe("PAUSED");
});

test("a request past its expiry cannot be approved, even before the expiry job marks the request as expired, and starts nothing", async () => {
  const { launch, decide, status, workspaceId, rest } = await asking();
  const id = idOf(await launch());
  await scoped(workspaceId).Approval.updateOne({ _id: id }, { $set: { expiresAt: new Date(Date.now() - 1) } });
  expect(await decide(id)).toMatchObject(refusal(409, "INVALID_STATE_TRANSITION", { from: "EXPIRED" }));
  await expireApprovals();
  expect((await rest.get("/approvals?status=EXPIRED")).body.items).toMatchObject([{ id }]);
  for (const action of ["approve", "reject"])
    expect(await decide(id, { action })).toMatchObject(refusal(409, "INVALID_STATE_TRANSITION", { from: "EXPIRED" }));
  expect(await status()).toBe("DRAFT");
});

test("a launch request that expires while a user approves it does not start the campaign", async () => {
  const { launch, status, workspaceId, key } = await asking();
  const approvalId = idOf(await launch());
  const ctx = { ...(await verifyApiKey(key, new Date())), services: world.services, ip: null, traceId: "late" };
  const { Approval } = scoped(workspaceId);
  const approval = await Approval.get(approvalId);
  await Approval.updateOne({ _id: approvalId }, { $set: { expiresAt: new Date(Date.now() - 1) } });
  if (approval === null) throw new Error("It is gone");
  // As it was read a moment before it expired
  await approveRequest(ctx, approval, { note: "" });
  expect((await Approval.get(approvalId))?.status).toBe("PENDING");
  expect(await status()).toBe("DRAFT");
});

test("committing a plan several times creates one approval, and a stale plan none; a launch without effect or of an invalid campaign creates none", async () => {
  const { rest, launch, path, agent, workspaceId } = await asking();
  const planToken = tokenOf(await launch({ planOnly: true }));
  const ids = await Promise.all([1, 2, 3].map(async () => idOf(await launch({ planToken }))));
  expect(new Set(ids).size).toBe(1);
  await rest.post(`${path}/recipients`, { action: "addManual", emails: ["cid@example.test"] });
  const other = tokenOf(await launch({ planOnly: true }));
  await rest.patch(`${path}/settings`, { dailyLimit: 9 });
  expect(await launch({ planToken: other })).toMatchObject(refusal(409, "PLAN_STALE"));
  await rest.post(`${path}/control`, { action: "launch" });
  expect((await launch()).body).toMatchObject({ launched: true });
  expect((await agent.post(`${path}/control`, { action: "resume" })).body).toMatchObject({ status: "ACTIVE" });
  const empty = await readyCampaign(rest, workspaceId, []);
  expect((await agent.post(`${empty.path}/control`, { action: "launch" })).body).toMatchObject({ launched: false });
  expect(await scoped(workspaceId).Approval.count()).toBe(1);
});

test("approving the launch of a campaign that a user has already launched first returns a stale plan, and then succeeds without effect", async () => {
  const { launch, decide, rest, path } = await asking();
  const id = idOf(await launch());
  await rest.post(`${path}/control`, { action: "launch" });
  expect(await decide(id)).toMatchObject(refusal(409, "PLAN_STALE", { plan: { effect: { isDone: true } } }));
  expect((await decide(id)).body.status).toBe("APPROVED");
});

test("approving a launch of a campaign that is no longer valid is refused and does not launch the campaign", async () => {
  const { launch, decide, rest, path, status } = await asking();
  const id = idOf(await launch());
  await rest.patch(`${path}/settings`, { mailboxIds: [] });
  expect(await decide(id)).toMatchObject(
    refusal(409, "PLAN_STALE", { plan: { effect: { validation: { valid: false } } } }),
  );
  expect(await decide(id)).toMatchObject(refusal(422, "CAMPAIGN_NOT_VALID"));
  expect((await rest.get(`/approvals/${id}`)).body.status).toBe("PENDING");
  expect(await status()).toBe("DRAFT");
});

test("an approved call counts against the requesting credential's daily budget; a call beyond the whole budget creates no approval", async () => {
  const { launch, decide, agent, rest, workspaceId, status } = await asking({ dailySendBudget: 3 });
  const other = await readyCampaign(rest, workspaceId, ["dan@example.test", "eve@example.test"]);
  const big = await readyCampaign(rest, workspaceId, [
    "a@example.test",
    "b@example.test",
    "c@example.test",
    "d@example.test",
  ]);
  expect(await agent.post(`${big.path}/control`, { action: "launch" })).toMatchObject(
    refusal(422, "SEND_BUDGET_EXCEEDED", { left: 3, asked: 4 }),
  );
  const [first, second] = [idOf(await launch()), idOf(await agent.post(`${other.path}/control`, { action: "launch" }))];
  expect((await decide(first)).body.status).toBe("APPROVED");
  expect(await decide(second)).toMatchObject(refusal(422, "SEND_BUDGET_EXCEEDED", { left: 1, asked: 2 }));
  expect((await rest.get(`/approvals/${second}`)).body.status).toBe("PENDING");
  expect((await rest.get(other.path)).body.status).toBe("DRAFT");
  expect(await status()).toBe("ACTIVE");
});

test("a reply that needs approval creates one approval per idempotency key and shows the thread; deleting the lead expires the approval and erases the text", async () => {
  const { agent, thread, schedule, rest, person: signIn, waiting, workspaceId } = await inboxOf(world);
  const by = await agent({ sends: "APPROVAL" });
  const threadId = await thread("ada@people.test");
  const idempotencyKey = newKey();
  const asked = await Promise.all([1, 2, 3, 4].map(() => schedule(by, threadId, { idempotencyKey })));
  const [id = "", ...others] = new Set(asked.map(idOf));
  expect(others).toEqual([]);
  expect(await schedule(by, threadId, { idempotencyKey, text: "Other" })).toMatchObject(
    refusal(409, "IDEMPOTENCY_KEY_REUSED"),
  );
  // The key stays that of the question for a credential that need not ask
  expect(idOf(await schedule(rest, threadId, { idempotencyKey }))).toBe(id);
  expect((await rest.get(`/approvals/${id}`)).body).toMatchObject({
    kind: "REPLY",
    verb: "inbox.schedule",
    proposedText: "As promised.",
    thread: { id: threadId, subject: "Widgets" },
  });
  const person = await signIn();
  const answers = await Promise.all(
    [1, 2, 3].map(() => person.post(`/approvals/${id}`, { action: "edit", text: "Better words" })),
  );
  expect(answers.map(({ body }) => body.status)).toEqual(Array(3).fill("APPROVED"));
  expect(await waiting()).toBe(1);
  expect(await scoped(workspaceId).ScheduledReply.findOne({})).toMatchObject({
    bodyText: "Better words",
    approvalId: id,
  });
  expect(idOf(await schedule(by, threadId, { idempotencyKey }))).toBe(id);
  const { body: lead } = await rest.post("/leads", { email: "bob@people.test" });
  const second = idOf(await schedule(by, await thread("bob@people.test")));
  await rest.post("/leads/manage", { action: "delete", leadId: lead.id });
  const { body: erased } = await rest.get(`/approvals/${second}`);
  expect(erased).toMatchObject({ status: "EXPIRED", effect: null, proposedText: null });
  const kept = JSON.stringify(await scoped(workspaceId).Approval.get(second));
  expect(kept).not.toContain("bob@people.test");
});

test("approving an unclear opt-out suppresses the lead; a key that needs approval or may not send cannot resume a recipient whose email awaits approval", async () => {
  const { rest, path, campaignId, workspaceId, decide, agent, withPolicy } = await asking();
  const [recipient] = (await rest.get(`${path}/recipients`)).body.items;
  const { Approval, Recipient } = scoped(workspaceId);
  const fields = { campaignId, recipientId: recipient.id, expiresAt: new Date(Date.now() + DAY_MS) };
  await Recipient.updateOne({ _id: recipient.id }, { $set: { status: "PAUSED", pauseReason: "APPROVAL_REQUIRED" } });
  const resume = { action: "resumeRecipients", recipientIds: [recipient.id] };
  for (const by of [agent, await withPolicy({ sends: "NONE" })]) {
    const { body } = await by.post(`${path}/recipients`, resume);
    expect(body.items).toMatchObject([{ ok: false, error: { code: "INVALID_STATE_TRANSITION" } }]);
  }
  await Approval.insert({ _id: "apr_optout", kind: "OPT_OUT", proposedText: "please stop", ...fields });
  expect((await rest.get("/approvals")).body.items).toMatchObject([
    { kind: "OPT_OUT", effect: null, requestedBy: null },
  ]);
  for (const _ of [1, 2]) expect((await decide("apr_optout")).body).toMatchObject({ status: "APPROVED" });
  expect((await rest.get(`/leads/${recipient.leadId}`)).body).toMatchObject({ suppressed: true });
});

test("approving a campaign email resumes the recipient, and requires the scope recipients:write and a key that may send directly", async () => {
  const { rest, path, campaignId, workspaceId, decide, withScopes, withPolicy } = await asking();
  const [recipient] = (await rest.get(`${path}/recipients`)).body.items;
  const { Approval, Recipient, Sequence } = scoped(workspaceId);
  const stepId = (await Sequence.findOne({ campaignId }))?.steps[0]?.stepId ?? "";
  const waiting = { status: "PAUSED", pauseReason: "APPROVAL_REQUIRED", nextStepId: stepId } as const;
  await Recipient.updateOne({ _id: recipient.id }, { $set: waiting });
  const question = {
    campaignId,
    recipientId: recipient.id,
    stepId,
    proposedText: "Hello",
    expiresAt: new Date(Date.now() + DAY_MS),
  };
  await Approval.insert({ _id: "apr_mail", kind: "CAMPAIGN_SEND", ...question });
  expect(await decide("apr_mail", { action: "edit", text: "Other" })).toMatchObject(
    refusal(409, "INVALID_STATE_TRANSITION"),
  );
  expect(await decide("apr_mail", {}, await withScopes("inbox:write", "campaigns:launch"))).toMatchObject(
    refusal(403, "INSUFFICIENT_SCOPE", { requiredScope: "recipients:write" }),
  );
  const planner = await withPolicy({ SENDS: "PLAN" });
  for (const fields of [{}, { planOnly: true }])
    expect(await decide("apr_mail", fields, planner)).toMatchObject(
      refusal(403, "SENDING_NOT_ALLOWED", { reason: "DIRECT_ONLY" }),
    );
  expect((await decide("apr_mail", { note: "Fine" })).body).toMatchObject({ status: "APPROVED", note: "Fine" });
  expect(await Recipient.get(recipient.id)).toMatchObject({ pauseReason: null });
  expect((await decide("apr_mail")).body.status).toBe("APPROVED");
});
