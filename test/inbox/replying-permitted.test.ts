import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { KEY_POLICY } from "../../domain/access/policy.ts";
import { ALL_SCOPES } from "../../domain/scopes.ts";
import { scoped } from "../../models/scoped.ts";
import { trusted } from "../../mongo/collection.ts";
import { createKey, verifyApiKey } from "../../operations/access/api-keys.ts";
import { call } from "../../operations/call.ts";
import type { Context, Services } from "../../operations/context.ts";
import { verbs } from "../../operations/declarations.ts";
import { readyCampaign } from "../campaigns/campaign-parts.ts";
import { refusal, tokenOf } from "../sending/permit-parts.ts";
import { type Rest, type RestAnswer, restOf } from "../support/rest.ts";
import { type AnsweringWorld, type Conversation, newKey, startAnsweringWorld } from "./replying-world.ts";

let answering: AnsweringWorld;
let workspaceId: string;
let byPlan: Rest;
let asker: Rest;
let person: Rest;

beforeAll(async () => {
  answering = await startAnsweringWorld();
  ({ workspaceId } = answering);
  byPlan = await answering.withPolicy({ sends: "PLAN" });
  asker = await answering.withPolicy({ sends: "APPROVAL" });
  person = await answering.person();
}, 60_000);
afterAll(() => answering.close());

const reply = (by: Rest, { threadId }: Conversation, fields: object = {}) =>
  by.post(`/inbox/threads/${threadId}/reply`, { text: "Gladly.", idempotencyKey: newKey(), ...fields });
const decide = (id: string, fields: object = {}) => person.post(`/approvals/${id}`, { action: "approve", ...fields });
const approvalOf = async (asked: Promise<RestAnswer>): Promise<string> => (await asked).body.approval.id;

/** A campaign that sends from a mailbox of the sandbox. */
async function campaign() {
  const { path, mailbox } = await readyCampaign(answering.rest, workspaceId, []);
  await scoped(workspaceId).Mailbox.updateOne({ _id: mailbox._id }, { $set: { status: "DISCONNECTED" } });
  await answering.rest.patch(`${path}/settings`, { mailboxIds: [answering.mailboxIds.get("cid@a.test")] });
  return path;
}

test("a planned reply is sent once, as shown, even with repeated or simultaneous commits", async () => {
  const to = await answering.conversation("ada@b.test");
  const idempotencyKey = newKey();
  const planToken = tokenOf(await reply(byPlan, to, { planOnly: true }));
  expect(answering.mailsTo("ada@b.test")).toEqual([]);
  const answers = await Promise.all(Array.from({ length: 20 }, () => reply(byPlan, to, { planToken, idempotencyKey })));
  expect(answers.map(({ body }) => body.status)).toEqual(Array(20).fill("SENT"));
  expect(answering.mailsTo("ada@b.test")).toHaveLength(1);
  expect(await reply(byPlan, to, { planToken })).toMatchObject(refusal(409, "PLAN_STALE"));
  expect(answering.mailsTo("ada@b.test")).toHaveLength(1);
});

test("a planned test email is sent once, even with repeated commits, and a repetition returns the first answer", async () => {
  const path = await campaign();
  const toEmail = "test@b.test";
  const planToken = tokenOf(await byPlan.post(`${path}/test-send`, { toEmail, planOnly: true }));
  const answers = await Promise.all(
    Array.from({ length: 6 }, () => byPlan.post(`${path}/test-send`, { toEmail, planToken })),
  );
  expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(200));
  expect(new Set(answers.map(({ body }) => body.messageId)).size).toBe(1);
  expect(answering.mailsTo(toEmail)).toHaveLength(1);
});

test("an approved reply is sent once even if two people approve simultaneously, and the approval shows the outcome", async () => {
  const to = await answering.conversation("bob@b.test");
  const id = await approvalOf(reply(asker, to));
  expect(answering.mailsTo("bob@b.test")).toEqual([]);
  const answers = await Promise.all([decide(id), person.post(`/approvals/${id}`, { action: "approve" }), decide(id)]);
  for (const { body } of answers) expect(["APPROVED", "SENT"]).toContain(body.status);
  expect((await decide(id)).body).toMatchObject({ status: "SENT", sentMessageId: expect.stringContaining("@") });
  expect(answering.mailsTo("bob@b.test")).toHaveLength(1);
});

test("an edited reply is sent with the approver's text, and an approved reply that the mail server refuses becomes FAILED with the reason", async () => {
  const to = await answering.conversation("cid@b.test");
  const id = await approvalOf(reply(asker, to, { html: "<p>Gladly.</p>" }));
  expect((await decide(id, { action: "edit", text: "On Tuesday." })).body).toMatchObject({
    status: "SENT",
    proposedText: "On Tuesday.",
  });
  const [mail, ...others] = answering.mailsTo("cid@b.test");
  expect([others.length, mail?.raw.includes("On Tuesday."), mail?.raw.includes("Gladly")]).toEqual([0, true, false]);
  const refusing = await answering.conversation("refuse@b.test");
  const failed = await approvalOf(reply(asker, refusing));
  expect((await decide(failed)).body).toMatchObject({
    status: "FAILED",
    error: { code: "SEND_FAILED", message: expect.any(String) },
  });
  expect((await decide(failed)).body.status).toBe("FAILED");
});

test("an approved test email is sent once and settles its approval, and one whose text has changed is not sent", async () => {
  const path = await campaign();
  const toEmail = "approved-test@b.test";
  const id = await approvalOf(asker.post(`${path}/test-send`, { toEmail }));
  const answers = await Promise.all([decide(id), decide(id)]);
  for (const { body } of answers) expect(["APPROVED", "SENT"]).toContain(body.status);
  expect((await decide(id)).body.status).toBe("SENT");
  expect(answering.mailsTo(toEmail)).toHaveLength(1);
  const other = await approvalOf(asker.post(`${path}/test-send`, { toEmail }));
  await answering.rest.put(`${path}/sequence`, {
    action: "replaceSteps",
    steps: [{ subject: "Other", body: "<p>Words</p>" }],
  });
  expect(await decide(other)).toMatchObject(refusal(409, "PLAN_STALE"));
  expect(answering.mailsTo(toEmail)).toHaveLength(1);
});

/**
 * The services of a process that dies at a step of the call: no later step happens, and no earlier one is undone.
 */
function dying(at: "isReachable" | "execute"): Services {
  const { services } = answering.world;
  const die = () => Promise.reject(new Error("killed"));
  return { ...services, engine: { ...services.engine, [at]: die } };
}

test("when a process is killed before or after an approval is decided, the next approval sends the email once", async () => {
  const { key } = await keyOf();
  const ctx: Omit<Context, "services"> = {
    ...(await verifyApiKey(key, new Date())),
    kind: "CONSOLE",
    ip: null,
    traceId: "killed",
  };
  for (const at of ["isReachable", "execute"] as const) {
    const from = `${at.toLowerCase()}@b.test`;
    const approvalId = await approvalOf(reply(asker, await answering.conversation(from)));
    const dead = call({ ...ctx, services: dying(at) }, verbs["approvals.decide"], {
      fields: () => ({ action: "approve", approvalId }),
    });
    await expect(dead).rejects.toThrow("killed");
    const { Approval, Send } = scoped(workspaceId);
    expect((await Approval.get(approvalId))?.status).not.toBe("REJECTED");
    expect(await Send.count({ approvalId })).toBe(at === "execute" ? 1 : 0);
    expect((await decide(approvalId)).body).toMatchObject({ status: "SENT" });
    expect(answering.mailsTo(from)).toHaveLength(1);
  }
});

test("an approval that comes at the same moment as a rejection fails, and the rejected reply is not sent", async () => {
  const { key } = await keyOf();
  const ctx: Omit<Context, "services"> = {
    ...(await verifyApiKey(key, new Date())),
    kind: "CONSOLE",
    ip: null,
    traceId: "rejected",
  };
  const { services } = answering.world;
  const approvalId = await approvalOf(reply(asker, await answering.conversation("rejected@b.test")));
  // Asked when the approval has been looked at, and before the decision is written
  const isReachable = async () => (await decide(approvalId, { action: "reject" })).status === 200;
  const late = { ...services, engine: { ...services.engine, isReachable } };
  const fields = () => ({ action: "approve", approvalId });
  await expect(call({ ...ctx, services: late }, verbs["approvals.decide"], { fields })).rejects.toMatchObject({
    code: "INVALID_STATE_TRANSITION",
    details: { from: "REJECTED" },
  });
  expect(await scoped(workspaceId).Send.count({ approvalId })).toBe(0);
  expect(answering.mailsTo("rejected@b.test")).toEqual([]);
});

test("when a process is killed before or after a plan is committed, the next commit sends the email once", async () => {
  const path = await campaign();
  const { key, rest } = await keyOf("PLAN");
  const ctx: Omit<Context, "services"> = { ...(await verifyApiKey(key, new Date())), ip: null, traceId: "killed" };
  for (const at of ["isReachable", "execute"] as const) {
    const toEmail = `plan-${at.toLowerCase()}@b.test`;
    const planToken = tokenOf(await rest.post(`${path}/test-send`, { toEmail, planOnly: true }));
    const fields = () => ({ toEmail, planToken, campaignId: path.split("/").at(-1) });
    await expect(call({ ...ctx, services: dying(at) }, verbs["campaigns.testSend"], { fields })).rejects.toThrow(
      "killed",
    );
    expect((await rest.post(`${path}/test-send`, { toEmail, planToken })).status).toBe(200);
    expect(answering.mailsTo(toEmail)).toHaveLength(1);
  }
  const { PlanCommit } = scoped(workspaceId);
  expect(await PlanCommit.count({ verb: "campaigns.testSend", expiresAt: trusted({ $gt: new Date() }) })).toBe(3);
});

async function keyOf(sends: "DIRECT" | "PLAN" = "DIRECT") {
  const policy = { ...KEY_POLICY, sends };
  const { key } = await createKey({
    workspaceId,
    name: "another",
    scopes: ALL_SCOPES,
    createdBy: "usr_another",
    policy,
  });
  return { key, rest: restOf(`${answering.world.baseUrl}/api/v1`, key) };
}
