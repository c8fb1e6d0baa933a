import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { HOUR_MS } from "../../domain/time/durations.ts";
import { scoped } from "../../models/scoped.ts";
import { isBeingAnswered } from "../../store/inbox/answering.ts";
import { inForm } from "../fakes/model.ts";
import { until } from "../fakes/wait.ts";
import { answerOf } from "../inbox/inbox-parts.ts";
import { type AgentWorld, callTool, startAgentWorld } from "./agent-world.ts";

let agent: AgentWorld;
beforeAll(async () => {
  agent = await startAgentWorld();
}, 60_000);
afterAll(() => agent.close());

const approvalOf = async (threadId: string | null) => {
  const { body } = await agent.rest.get("/approvals");
  return body.items.find((one: { threadId: string }) => one.threadId === threadId);
};
const sentTo = (email: string) =>
  until(() => agent.mailsTo(email) > 0, { deadlineMs: 40_000, what: `a mail to ${email}` });

test("the list of models comes from the model server, with the default model", async () => {
  const items = [
    { id: "large", name: "The large one", available: true },
    { id: "small", name: "small", available: true },
  ];
  expect((await agent.rest.get("/agent/models")).body).toEqual({ items, defaultModelId: "small" });
  expect((await callTool(agent, "agent_models_list")).body).toMatchObject({
    items,
    defaultModelId: "small",
    untrusted: true,
  });
});

test("a reply gets a category and an approval with reasons, and the approved draft is sent once, to the writer, in the thread", async () => {
  await agent.set({ enabled: true, mode: "APPROVE", instructions: "Be brief.", knowledge: ["We open at nine."] });
  agent.model.says((asked) =>
    inForm(asked, { draft: "We open at nine.", reasons: ["When do you open?", "I never said this"] }),
  );
  const { message, person } = await agent.replied("ada@b.test", "Sounds good. When do you open?");
  expect(await agent.settled(message)).toMatchObject({ status: "DONE", result: "APPROVAL" });
  const asked = agent.model.asked.at(-1);
  expect(asked).toMatchObject({ model: "small", authorization: "Bearer model-key" });
  expect(asked?.mails.at(-1)).toEqual({ by: "them", text: "Sounds good. When do you open?" });
  const { threadId } = (await scoped(agent.workspaceId).Message.get(message._id)) ?? {};
  const approval = await approvalOf(threadId ?? null);
  expect(approval).toMatchObject({
    kind: "REPLY",
    proposedText: "We open at nine.",
    confidence: 0.9,
    messageId: message._id,
  });
  expect(approval.reason).toContain("When do you open?");
  expect(approval.reason).not.toContain("I never said this");
  expect(await scoped(agent.workspaceId).Message.get(message._id)).toMatchObject({ category: "INTERESTED" });
  expect(agent.mailsTo("ada@b.test")).toBe(0);
  const both = await Promise.all(
    [1, 2].map(() => callTool(agent, "agent_approval_action", { approvalId: approval.id, action: "approve" })),
  );
  expect(both.map(({ isError }) => isError)).toEqual([false, false]);
  await sentTo("ada@b.test");
  expect(await agent.rest.post(`/approvals/${approval.id}`, { action: "approve" })).toMatchObject({ status: 200 });
  const shown = await until(
    async () => {
      const { body } = await callTool(agent, "agent_approvals", { approvalId: approval.id });
      return body.status === "SENT" ? body : null;
    },
    { deadlineMs: 30_000, what: "the approval to be SENT" },
  );
  expect(shown).toMatchObject({ thread: { id: threadId }, sentMessageId: expect.any(String) });
  expect(agent.mailsTo("ada@b.test")).toBe(1);
  expect(person.recipient.email).toBe("ada@b.test");
});

test("an edited draft is sent with the edited text, a rejected draft is not sent, and a credential that may only read decides nothing", async () => {
  agent.model.says((asked) => inForm(asked, { draft: "As proposed." }));
  const edited = await agent.replied("bea@b.test", "Tell me more please.");
  const rejected = await agent.replied("cia@b.test", "Tell me more please.");
  await agent.settled(edited.message);
  const { approvalId } = await agent.settled(edited.message);
  const { approvalId: other } = await agent.settled(rejected.message);
  const reader = await agent.withScopes("inbox:read");
  expect(await reader.post(`/approvals/${approvalId}`, { action: "approve" })).toMatchObject({ status: 403 });
  expect((await agent.rest.post(`/approvals/${other}`, { action: "reject", note: "No" })).body).toMatchObject({
    status: "REJECTED",
  });
  await agent.rest.post(`/approvals/${approvalId}`, { action: "edit", text: "As a person wrote it." });
  await sentTo("bea@b.test");
  expect(agent.sandbox.ledger.find(({ to }) => to.includes("bea@b.test"))?.raw.toString()).toContain(
    "As a person wrote it.",
  );
  expect((await agent.rest.post(`/approvals/${other}`, { action: "approve" })).body).toMatchObject({
    code: "INVALID_STATE_TRANSITION",
  });
  expect(agent.mailsTo("cia@b.test")).toBe(0);
  const stranger = await agent.world.workspace();
  expect(await stranger.rest.post(`/approvals/${other}`, { action: "approve" })).toMatchObject({ status: 404 });
});

test("a key under PLAN approves a draft by its plan, once, and the email counts against the key's budget", async () => {
  await agent.set({ enabled: true, mode: "APPROVE" });
  agent.model.says((asked) => inForm(asked, { draft: "On Monday." }));
  const [first, second] = [await agent.replied("ned@b.test", "When?"), await agent.replied("nia@b.test", "When?")];
  const [{ approvalId: one }, { approvalId: other }] = [
    await agent.settled(first.message),
    await agent.settled(second.message),
  ];
  const by = await agent.withPolicy({ SENDS: "PLAN", dailySendBudget: 1 });
  const decide = (id: string | null, fields: object) => by.post(`/approvals/${id}`, { action: "approve", ...fields });
  expect(await decide(one, {})).toMatchObject({ status: 403, body: { code: "PLAN_REQUIRED" } });
  const { status, body } = await decide(one, { planOnly: true });
  expect([status, body.plan]).toMatchObject([
    200,
    {
      effect: {
        causes: ["SENDS"],
        people: 1,
        mails: 1,
        cost: 1,
        recipients: ["ned@b.test"],
        texts: [{ text: expect.stringContaining("On Monday.") }],
      },
    },
  ]);
  expect((await agent.rest.get(`/approvals/${one}`)).body).toMatchObject({ status: "PENDING" });
  expect(await decide(other, { planToken: body.planToken })).toMatchObject({
    status: 400,
    body: { code: "VALIDATION_FAILED" },
  });
  const edit = { action: "edit", text: "On Tuesday." };
  expect(await decide(one, { ...edit, planToken: body.planToken })).toMatchObject({
    status: 400,
    body: { code: "VALIDATION_FAILED" },
  });
  expect(agent.mailsTo("ned@b.test")).toBe(0);
  expect((await decide(one, { planToken: body.planToken })).status).toBe(200);
  await sentTo("ned@b.test");
  const again = await decide(one, { planToken: body.planToken });
  expect([again.status, again.body.id]).toEqual([200, one]);
  const { body: edited } = await decide(other, { ...edit, planOnly: true });
  expect(edited.plan).toMatchObject({
    budget: { left: 0 },
    effect: { texts: [{ text: expect.stringContaining("On Tuesday.") }] },
  });
  expect(await decide(other, { ...edit, planToken: edited.planToken })).toMatchObject({
    status: 422,
    body: { code: "SEND_BUDGET_EXCEEDED" },
  });
  const asking = await agent.withPolicy({ SENDS: "APPROVAL" });
  expect(await asking.post(`/approvals/${other}`, { action: "approve" })).toMatchObject({
    status: 403,
    body: { code: "SENDING_NOT_ALLOWED", details: { reason: "DIRECT_ONLY" } },
  });
  expect([agent.mailsTo("ned@b.test"), agent.mailsTo("nia@b.test")]).toEqual([1, 0]);
});

test("a newer email from the recipient expires the waiting draft, and at most one draft waits in a thread", async () => {
  agent.model.says((asked) => inForm(asked, { draft: `Answer to: ${asked.mails.at(-1)?.text}` }));
  const { message, person } = await agent.replied("dia@b.test", "First mail.");
  const { approvalId } = await agent.settled(message);
  const newer = await agent.inbox.arrive(answerOf(person, "Second mail."));
  await agent.settled(newer);
  const { threadId } = (await scoped(agent.workspaceId).Message.get(newer._id)) ?? {};
  const open = await scoped(agent.workspaceId).Approval.find({ threadId, status: "PENDING" });
  expect(open.map(({ proposedText }) => proposedText)).toEqual(["Answer to: Second mail."]);
  expect((await agent.rest.post(`/approvals/${approvalId}`, { action: "approve" })).body).toMatchObject({
    code: "INVALID_STATE_TRANSITION",
  });
  expect(agent.mailsTo("dia@b.test")).toBe(0);
});

test("a person's answer, sent now or scheduled, expires the waiting draft, and an email with a scheduled answer counts as being answered", async () => {
  agent.model.says((asked) => inForm(asked, { draft: "Of the agent." }));
  const { message } = await agent.replied("pia@b.test", "Tell me more.");
  const { approvalId, threadId } = await agent.settled(message);
  const key = "a-person-answers";
  await agent.rest.post(`/inbox/threads/${threadId}/reply`, { text: "Of a person.", idempotencyKey: key });
  expect((await agent.rest.get(`/approvals/${approvalId}`)).body).toMatchObject({ status: "EXPIRED" });
  expect((await agent.rest.post(`/approvals/${approvalId}`, { action: "approve" })).body).toMatchObject({
    code: "INVALID_STATE_TRANSITION",
  });
  await sentTo("pia@b.test");
  expect(agent.sandbox.ledger.filter(({ to }) => to.includes("pia@b.test")).map(({ raw }) => raw.toString())).toEqual([
    expect.stringContaining("Of a person."),
  ]);

  const later = await agent.replied("qia@b.test", "Tell me more.");
  const { threadId: other, approvalId: waiting } = await agent.settled(later.message);
  const sendAt = new Date(Date.now() + HOUR_MS).toISOString();
  const scheduled = await agent.rest.post(`/inbox/threads/${other}/schedule`, {
    text: "Tomorrow.",
    sendAt,
    idempotencyKey: "later-answer-1",
  });
  expect(scheduled.status).toBe(201);
  expect((await agent.rest.get(`/approvals/${waiting}`)).body).toMatchObject({ status: "EXPIRED" });
  expect(await isBeingAnswered((await scoped(agent.workspaceId).Message.get(later.message._id)) ?? later.message)).toBe(
    true,
  );
});

test("an approval names the address of the reply if it is not the sender's address, and warns if the sender may be forged", async () => {
  agent.model.says((asked) => inForm(asked, { draft: "Gladly.", reasons: ["Fine."] }));
  const elsewhere = await agent.replied("ria@b.test", "Fine.", { replyTo: "thief@c.test" });
  const forged = await agent.replied("sia@b.test", "Fine.", {}, { authentication: "FAIL" });
  const reasonOf = async ({ message }: typeof forged) => {
    const { approvalId } = await agent.settled(message);
    return (await agent.rest.get(`/approvals/${approvalId}`)).body.reason;
  };
  expect(await reasonOf(elsewhere)).toContain("thief@c.test, which is not the address of whoever wrote");
  expect(await reasonOf(forged)).toContain("may be forged");
});

test("a thread shows the result of the agent's task", async () => {
  agent.model.says((asked) => inForm(asked, { draft: "See https://evil.com" }));
  const { message } = await agent.replied("tia@b.test", "Tell me more.");
  const { threadId } = await agent.settled(message);
  expect((await agent.rest.get(`/inbox/threads/${threadId}`)).body).toMatchObject({
    agent: { messageId: message._id, status: "DONE", result: "REFUSED_FOREIGN_LINK", approvalId: null },
    promises: [],
  });
});

test("a draft is not sent to a person who has been suppressed since", async () => {
  agent.model.says((asked) => inForm(asked, {}));
  const { message, person } = await agent.replied("eda@b.test", "Interesting.");
  const { approvalId } = await agent.settled(message);
  await agent.rest.post("/leads/suppress", { action: "suppress", ids: [person.recipient.leadId] });
  expect((await agent.rest.post(`/approvals/${approvalId}`, { action: "approve" })).body).toMatchObject({
    code: "RECIPIENT_SUPPRESSED",
  });
  expect(agent.mailsTo("eda@b.test")).toBe(0);
});

test("the model is not asked about threats, complaints, data requests, opt-outs and automatic replies, and threats and data requests get their category", async () => {
  const before = agent.model.asked.length;
  const legal = await agent.replied("fia@b.test", "My lawyer will hear of this.");
  const complaint = await agent.replied("gia@b.test", "This is spam.");
  const data = await agent.replied("via@b.test", "Where did you get my address from?");
  expect(await agent.settled(legal.message)).toMatchObject({ status: "SKIPPED", result: "LEGAL" });
  expect(await agent.settled(complaint.message)).toMatchObject({ status: "SKIPPED", result: "COMPLAINT" });
  expect(await scoped(agent.workspaceId).Message.get(legal.message._id)).toMatchObject({ category: "LEGAL" });
  expect(await scoped(agent.workspaceId).Message.get(data.message._id)).toMatchObject({ category: "DATA_REQUEST" });
  expect(await scoped(agent.workspaceId).AgentTask.get(data.message._id)).toBeNull();
  const stop = await agent.replied("hia@b.test", "Please unsubscribe me.");
  const machine = await agent.replied("iia@b.test", "I am away until Monday.", {
    headers: new Map([["auto-submitted", ["auto-replied"]]]),
    subject: "Automatic reply",
  });
  expect(await scoped(agent.workspaceId).AgentTask.get(stop.message._id)).toBeNull();
  expect(await scoped(agent.workspaceId).AgentTask.get(machine.message._id)).toBeNull();
  expect(agent.model.asked.length).toBe(before);
});

test("an opt-out that only the model recognizes becomes a question to a person and pauses the recipient, but suppresses no one before the approval", async () => {
  agent.model.says((asked) => inForm(asked, { category: "UNSUBSCRIBE", draft: "Done." }));
  const { message, person } = await agent.replied("jia@b.test", "We would rather hear from nobody these days.");
  const { approvalId, result } = await agent.settled(message);
  expect(result).toBe("OPT_OUT");
  const { Campaign, Lead, Recipient } = scoped(agent.workspaceId);
  expect(await Lead.get(person.recipient.leadId)).toMatchObject({ suppressed: false });
  await agent.rest.post(`/approvals/${approvalId}`, { action: "approve" });
  expect(await Lead.get(person.recipient.leadId)).toMatchObject({ suppressed: true });
  expect(agent.mailsTo("jia@b.test")).toBe(0);

  // A campaign that continues after a reply waits for the answer
  const other = await agent.inbox.contacted("uia@b.test", { settings: { stopOnReply: false } });
  await Campaign.updateOne({ _id: other.recipient.campaignId }, { $set: { status: "PAUSED" } });
  await agent.settled(await agent.inbox.arrive(answerOf(other, "We would rather hear from nobody these days.")));
  expect(await Recipient.get(other.recipient._id)).toMatchObject({
    status: "PAUSED",
    pauseReason: "APPROVAL_REQUIRED",
  });
});

test("if a person already has to decide about an opt-out, the model's opinion is only added to the open approval", async () => {
  agent.model.says((asked) => inForm(asked, { category: "UNSUBSCRIBE", draft: "Done." }));
  const { message, person } = await agent.replied("xia@b.test", "How do I unsubscribe?");
  const { result, approvalId } = await agent.settled(message);
  expect(result).toBe("MAY_OPT_OUT");
  const { Approval, Lead } = scoped(agent.workspaceId);
  expect(await Approval.find({ messageId: message._id })).toMatchObject([
    { _id: approvalId, kind: "OPT_OUT", status: "PENDING", suggestion: { optsOut: true } },
  ]);
  expect((await agent.rest.get(`/approvals/${approvalId}`)).body).toMatchObject({
    expiresAt: null,
    suggestion: { optsOut: true },
  });
  expect(await Lead.get(person.recipient.leadId)).toMatchObject({ suppressed: false });
  expect(agent.mailsTo("xia@b.test")).toBe(0);
});

test("SUGGEST fills the saved draft of a thread, and never overwrites a draft that a person has begun", async () => {
  await agent.set({ mode: "SUGGEST" });
  agent.model.says((asked) => inForm(asked, { draft: "A suggestion." }));
  const { message, person } = await agent.replied("kia@b.test", "How much is it?");
  expect(await agent.settled(message)).toMatchObject({ result: "DRAFT", approvalId: null });
  const { threadId } = (await scoped(agent.workspaceId).Message.get(message._id)) ?? {};
  const { body } = await agent.rest.get(`/inbox/threads/${threadId}/draft`);
  expect(body.draft).toMatchObject({ text: "A suggestion.", source: "AGENT" });
  await agent.rest.put(`/inbox/threads/${threadId}/draft`, { text: "Mine." });
  await agent.settled(await agent.inbox.arrive(answerOf(person, "And when?")));
  expect((await agent.rest.get(`/inbox/threads/${threadId}/draft`)).body.draft).toMatchObject({
    text: "Mine.",
    source: "USER",
  });
});
