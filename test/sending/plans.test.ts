import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { z } from "zod";
import { signPlan } from "../../domain/access/address-token.ts";
import { KEY_POLICY } from "../../domain/access/policy.ts";
import { scoped } from "../../models/scoped.ts";
import { newId } from "../../mongo/ids.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import { verifyApiKey } from "../../operations/access/api-keys.ts";
import { call } from "../../operations/call.ts";
import { planning } from "../../operations/effects.ts";
import { sendingOperation } from "../../operations/sending/sending-operation.ts";
import { readyCampaign, storedMailbox } from "../campaigns/campaign-parts.ts";
import type { Rest } from "../support/rest.ts";
import { startWorld, type World } from "../support/world.ts";
import { refusal, tokenOf } from "./permit-parts.ts";

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

const EMAILS = ["ada@example.test", "bob@example.test", "cid@example.test"];

/** A campaign that could be launched, its owner, and an agent that sends only what a plan showed. */
async function planned() {
  const made = await world.workspace();
  const agent = await made.withPolicy({ sends: "PLAN" });
  const campaign = await readyCampaign(made.rest, made.workspaceId, EMAILS);
  const control = (by: Rest, fields: object) => by.post(`${campaign.path}/control`, { action: "launch", ...fields });
  const plan = (by: Rest = agent, fields: object = {}) => control(by, { planOnly: true, ...fields });
  return {
    ...made,
    ...campaign,
    agent,
    control,
    plan,
    status: async () => (await made.rest.get(campaign.path)).body.status,
  };
}

/** The part of an effect that stays the same while time passes. */
const lasting = ({ people, mailboxes, recipients, texts, cost }: Record<string, unknown>) => ({
  people,
  mailboxes,
  recipients,
  texts,
  cost,
});

const firstOf = async (rest: Rest, path: string): Promise<string> =>
  (await rest.get(`${path}/recipients`)).body.items[0].id;

test("the plan of a launch shows recipients, texts, send times and mailboxes, and changes nothing", async () => {
  const { plan, status, mailbox, workspaceId } = await planned();
  const answer = await plan();
  expect(answer.status).toBe(200);
  const { effect, budget, expiresAt } = answer.body.plan;
  expect(effect).toMatchObject({
    kind: "LAUNCH",
    isDone: false,
    people: 3,
    mails: 3,
    cost: 3,
    recipients: EMAILS,
    mailboxes: [{ id: mailbox._id, email: mailbox.email }],
    texts: expect.arrayContaining([
      expect.objectContaining({ to: "ada@example.test", text: expect.stringContaining("shall we talk?") }),
      expect.objectContaining({ to: "bob@example.test", text: expect.stringContaining("shall we talk?") }),
    ]),
    validation: { valid: true, summary: { open: 3 } },
  });
  expect(Date.parse(effect.firstSendAt)).toBeLessThanOrEqual(Date.parse(effect.lastSendAt));
  expect(Date.parse(expiresAt)).toBeGreaterThan(Date.now());
  expect(budget).toBeNull();
  expect(await status()).toBe("DRAFT");
  const entries = await scoped(workspaceId).AuditEntry.find({ action: "campaigns.launch" });
  expect(entries).toMatchObject([{ outcome: "PLANNED" }]);
  expect(await scoped(workspaceId).OutboxRow.count({ kind: "CAMPAIGN" })).toBe(0);
});

test("a credential that may send only by plan is refused without a plan, and launches with one", async () => {
  const { agent, control, plan, status } = await planned();
  expect(await control(agent, {})).toMatchObject(refusal(403, "PLAN_REQUIRED"));
  expect(await status()).toBe("DRAFT");
  const planToken = tokenOf(await plan());
  expect(await control(agent, { planToken })).toMatchObject({
    status: 200,
    body: { launched: true, campaign: { status: "ACTIVE" } },
  });
});

test("a key that may not send can plan and pause, but cannot launch, not even with a plan token, send test emails or resume sending", async () => {
  const { withPolicy, control, plan, rest, status, path } = await planned();
  const mute = await withPolicy({ sends: "NONE" });
  const planToken = tokenOf(await plan(mute));
  expect(await control(mute, {})).toMatchObject(refusal(403, "SENDING_NOT_ALLOWED", { reason: "POLICY" }));
  expect(await control(mute, { planToken })).toMatchObject(refusal(403, "SENDING_NOT_ALLOWED"));
  expect(await mute.post(`${path}/test-send`, { toEmail: "me@example.test" })).toMatchObject(
    refusal(403, "SENDING_NOT_ALLOWED"),
  );
  expect(await mute.post("/workspace", { action: "resumeSending" })).toMatchObject(
    refusal(403, "SENDING_NOT_ALLOWED", { reason: "POLICY", effect: "SENDS" }),
  );
  expect(await status()).toBe("DRAFT");
  expect((await control(rest, {})).body.launched).toBe(true);
  // A stop is never refused
  expect((await control(mute, { action: "pause" })).body.status).toBe("PAUSED");
  expect((await mute.post("/workspace", { action: "pauseSending" })).status).toBe(200);
});

test("a plan becomes stale when a recipient, text, setting or mailbox changes, and the refusal returns the new plan; a rename keeps the plan", async () => {
  const { rest, workspaceId, agent, control, plan, status, path, mailbox, campaignId } = await planned();
  const second = await storedMailbox(workspaceId);
  const changes: [string, () => Promise<unknown>][] = [
    ["a person more", () => rest.post(`${path}/recipients`, { action: "addManual", emails: ["dan@example.test"] })],
    ["a mailbox more", () => rest.patch(`${path}/settings`, { mailboxIds: [mailbox._id, second._id] })],
    ["a mailbox lost", () => rest.post(`/mailboxes/${second._id}/disconnect`, {})],
    [
      "a text",
      () =>
        scoped(workspaceId).Sequence.updateOne(
          { campaignId },
          { $set: { "steps.0.variants.0.bodyHtml": "<p>Other</p>" } },
        ),
    ],
    ["a setting", () => rest.patch(`${path}/settings`, { dailyLimit: 7 })],
    [
      "a person less",
      async () => rest.post(`${path}/recipients`, { action: "bulkRemove", recipientIds: [await firstOf(rest, path)] }),
    ],
  ];
  let planToken = tokenOf(await plan());
  for (const [what, change] of changes) {
    await change();
    const answer = await control(agent, { planToken });
    expect({ what, ...answer }).toMatchObject({ what, ...refusal(409, "PLAN_STALE", { reason: "EFFECT_CHANGED" }) });
    expect(await status()).toBe("DRAFT");
    planToken = answer.body.details.planToken;
    expect(lasting(answer.body.details.plan.effect)).toEqual(lasting((await plan()).body.plan.effect));
  }
  await rest.patch(path, { name: "Another name" });
  const last = await control(agent, { planToken });
  expect(last.body.launched ?? last.body.code).toBe(true);
});

test("a plan launches a campaign once: a repeated commit returns the first result, and after a pause the token is stale", async () => {
  const { rest, workspaceId, agent, control, plan, status } = await planned();
  const planToken = tokenOf(await plan());
  const answers = await Promise.all(Array.from({ length: 8 }, () => control(agent, { planToken })));
  expect(answers.map(({ body }) => body.launched)).toEqual(Array(8).fill(true));
  expect(await control(agent, { planToken })).toMatchObject({ status: 200, body: { launched: true } });
  expect(await scoped(workspaceId).ActivityEvent.count({ type: "STATUS_CHANGED" })).toBe(1);
  await control(rest, { action: "pause" });
  expect(await control(agent, { planToken })).toMatchObject(refusal(409, "PLAN_STALE", { reason: "COMMITTED" }));
  expect(await status()).toBe("PAUSED");
});

test("an idempotency key whose call failed for a stale or missing plan can be reused with the new plan, and then repeats that result", async () => {
  const { rest, agent, path, plan, status } = await planned();
  const headers = { "Idempotency-Key": "launch-1" };
  const launch = (fields: object) => agent.post(`${path}/control`, { action: "launch", ...fields }, headers);
  expect(await launch({})).toMatchObject(refusal(403, "PLAN_REQUIRED"));
  // A plan takes no key, so it leaves none behind
  const { planToken } = (await launch({ planOnly: true })).body;
  await rest.patch(`${path}/settings`, { dailyLimit: 7 });
  const stale = await launch({ planToken });
  expect(stale).toMatchObject(refusal(409, "PLAN_STALE"));
  const done = await launch({ planToken: stale.body.details.planToken });
  expect(done.body).toMatchObject({ launched: true });
  await rest.post(`${path}/control`, { action: "pause" });
  const again = await launch({ planToken: stale.body.details.planToken });
  expect([again.headers.get("idempotency-replayed"), again.body]).toEqual(["true", done.body]);
  expect(await status()).toBe("PAUSED");
  expect(await launch({ planToken: tokenOf(await plan()) })).toMatchObject(refusal(409, "IDEMPOTENCY_KEY_REUSED"));
});

test("a plan token commits only the exact request that its own credential planned", async () => {
  const { agent, rest, control, plan, withPolicy, status, campaignId, path } = await planned();
  const other = await withPolicy({ sends: "PLAN" });
  const planToken = tokenOf(await plan());
  const { body: elsewhere } = await rest.post("/campaigns", { name: "Other" });
  const wrong = [
    control(other, { planToken }),
    control(agent, { planToken: `${planToken.slice(0, -2)}AA` }),
    control(agent, { planToken: "v1.a.b.c" }),
    control(agent, { action: "resume", planToken }),
    control(agent, { planToken, expectedVersion: 1 }),
    agent.post(`/campaigns/${elsewhere.id}/control`, { action: "launch", planToken }),
    agent.post(`${path}/test-send`, { toEmail: "me@example.test", planToken }),
    control(agent, { planToken: 7 }),
    control(agent, { planOnly: "yes" }),
  ];
  for (const answer of await Promise.all(wrong)) expect(answer).toMatchObject(refusal(400, "VALIDATION_FAILED"));
  expect(await status()).toBe("DRAFT");
  expect(campaignId).not.toBe(elsewhere.id);
});

test("an expired plan token is stale, even if nothing has changed", async () => {
  const { agent, control, plan, status, workspaceId } = await planned();
  const planToken = tokenOf(await plan());
  const said = JSON.parse(Buffer.from(planToken.split(".")[2] ?? "", "base64url").toString());
  expect(said).toMatchObject({ workspaceId, verb: "campaigns.launch" });
  const late = signPlan(world.services.signing.plan, { ...said, until: Date.now() - 1 });
  expect(await control(agent, { planToken: late })).toMatchObject(refusal(409, "PLAN_STALE", { reason: "EXPIRED" }));
  expect(await status()).toBe("DRAFT");
});

test("the plan of a campaign that cannot be launched lists the errors, and its token launches nothing", async () => {
  const { rest, workspaceId, withPolicy } = await planned();
  const agent = await withPolicy({ sends: "PLAN" });
  const { path } = await readyCampaign(rest, workspaceId, []);
  const answer = await agent.post(`${path}/control`, { action: "launch", planOnly: true });
  expect(answer.body.plan.effect).toMatchObject({
    people: 0,
    cost: 0,
    validation: { valid: false, errors: [{ code: "NO_RECIPIENTS" }] },
  });
  const { planToken } = answer.body;
  expect((await agent.post(`${path}/control`, { action: "launch", planToken })).body).toMatchObject({
    launched: false,
  });
});

test("the plan of a launch or resume of a running campaign shows no effect", async () => {
  const { rest, control, plan } = await planned();
  await control(rest, {});
  expect((await plan()).body.plan.effect).toMatchObject({ isDone: true, people: 0, mails: 0, cost: 0 });
  expect((await plan(rest, { action: "resume" })).body.plan.effect).toMatchObject({ kind: "RESUME", isDone: true });
});

test("the plan of a test email shows the rendered text, and is refused for a suppressed address", async () => {
  const { agent, path, rest } = await planned();
  const plan = (fields: object) => agent.post(`${path}/test-send`, { planOnly: true, ...fields });
  expect((await plan({ toEmail: "Me@Example.test" })).body.plan.effect).toMatchObject({
    kind: "TEST_SEND",
    people: 1,
    mails: 1,
    cost: 1,
    recipients: ["me@example.test"],
    texts: [
      {
        to: "me@example.test",
        subject: expect.stringMatching(/^\[TEST\] /),
        html: expect.stringContaining("shall we talk?"),
      },
    ],
  });
  await rest.post("/block-list", { value: "me@example.test" });
  expect(await plan({ toEmail: "me@example.test" })).toMatchObject(refusal(422, "RECIPIENT_SUPPRESSED"));
});

test("an operation that sends without asking for a permit fails and changes nothing, both when planned and when called directly", async () => {
  const forgetful = sendingOperation({
    summary: "Sends",
    scope: null,
    audits: "things.send",
    input: z.strictObject(planning),
    output: z.object({ name: z.string() }),
    run: ({ workspaceId }) =>
      inTransaction(() => scoped(workspaceId).LeadList.insert({ _id: newId("lst"), name: "Sent" })),
  });
  const { key, workspaceId } = await world.workspace();
  const ctx = { ...(await verifyApiKey(key, new Date())), services: world.services, ip: null, traceId: "forgetful" };
  for (const planOnly of [true, false]) {
    await expect(call(ctx, forgetful, { fields: () => ({ planOnly }) })).rejects.toThrow(/permit/);
  }
  expect(await scoped(workspaceId).LeadList.count()).toBe(0);
});

test("whoami returns the sending policy of an API key", async () => {
  const { rest, withPolicy } = await world.workspace();
  expect((await rest.get("/whoami")).body.policy).toEqual(KEY_POLICY);
  const agent = await withPolicy({ sends: "APPROVAL", dailySendBudget: 20, undoSeconds: 30 });
  expect((await agent.get("/whoami")).body.policy).toEqual({
    ...KEY_POLICY,
    SENDS: "APPROVAL",
    CHANGES_SENDING: "APPROVAL",
    dailySendBudget: 20,
    undoSeconds: 30,
  });
});
