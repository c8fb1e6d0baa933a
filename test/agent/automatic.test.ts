import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { AgentDay } from "../../models/agent/agent-day.ts";
import { scoped } from "../../models/scoped.ts";
import { inForm } from "../fakes/model.ts";
import { until } from "../fakes/wait.ts";
import { answerOf } from "../inbox/inbox-parts.ts";
import { type AgentWorld, startAgentWorld } from "./agent-world.ts";

let agent: AgentWorld;
beforeAll(async () => {
  agent = await startAgentWorld();
  await agent.set({ enabled: true, mode: "AUTO", dailyLimit: 100 });
}, 60_000);
afterAll(() => agent.close());

const sentTo = (email: string, count = 1) =>
  until(() => agent.mailsTo(email) >= count, { deadlineMs: 40_000, what: `${count} mails to ${email}` });

/**
 * Waits until the emails have left and are recorded. A person who answers in the milliseconds between would count as
 * answered by that email.
 */
async function recordedTo(email: string, count: number): Promise<void> {
  await sentTo(email, count);
  const { Send } = scoped(agent.workspaceId);
  await until(async () => (await Send.count({ to: email, kind: "REPLY", state: "SENT" })) === count, {
    deadlineMs: 30_000,
    what: "the mail before to be recorded",
  });
}

test("AUTO sends once and marks the email as automatic, and the approval shows the outcome", async () => {
  agent.model.says((asked) => inForm(asked, { draft: "Thursday suits us." }));
  const { message } = await agent.replied("ada@b.test", "Does Thursday suit you?");
  const { result, approvalId } = await agent.settled(message);
  expect(result).toBe("SENT");
  await sentTo("ada@b.test");
  const raw = agent.sandbox.ledger.find(({ to }) => to.includes("ada@b.test"))?.raw.toString() ?? "";
  expect(raw).toContain("Thursday suits us.");
  expect(raw).toContain("This reply was written automatically.");
  const { Approval } = scoped(agent.workspaceId);
  await until(async () => (await Approval.get(approvalId ?? ""))?.status === "SENT", {
    deadlineMs: 30_000,
    what: "the approval to be SENT",
  });
  expect((await agent.rest.post(`/approvals/${approvalId}`, { action: "approve" })).body).toMatchObject({
    status: "SENT",
    decidedBy: "agent",
  });
  expect(agent.mailsTo("ada@b.test")).toBe(1);
});

test("an email that AUTO sends appears in its thread as sent by the agent, and the thread stays unread", async () => {
  const { message } = await agent.replied("ana@b.test", "Does Monday suit you?");
  const { threadId } = await agent.settled(message);
  await sentTo("ana@b.test");
  const thread = await until(
    async () => {
      const { body } = await agent.rest.get(`/inbox/threads/${threadId}`);
      // The thread and its messages are read one after the other: its mail may be filed between the two
      const isFiled =
        body.messages.some(({ kind }: { kind: string }) => kind === "AGENT") && body.lastDirection !== "INBOUND";
      return isFiled ? body : null;
    },
    { deadlineMs: 30_000, what: "the mail to be filed" },
  );
  expect(thread).toMatchObject({ isRead: false, lastDirection: "OUTBOUND", agent: { status: "DONE", result: "SENT" } });
});

test("when a person ends AUTO while the model is generating, the draft waits for a person or is dropped", async () => {
  const changes = [
    ["oda@b.test", { mode: "APPROVE" }, "APPROVAL"],
    ["oya@b.test", { enabled: false }, "DISABLED"],
  ] as const;
  for (const [email, change, result] of changes) {
    await agent.set({ enabled: true, mode: "AUTO" });
    agent.model.says(async (asked) => {
      await agent.set(change);
      return inForm(asked, { draft: "Too late." });
    });
    const { message } = await agent.replied(email, "Tell me more.");
    expect(await agent.settled(message)).toMatchObject({ result });
    expect(await scoped(agent.workspaceId).Send.count({ to: email, kind: "REPLY" })).toBe(0);
  }
  agent.model.says((asked) => inForm(asked, {}));
  await agent.set({ enabled: true, mode: "AUTO" });
});

test("without a disclosure setting an automatic reply does not say that it was written automatically", async () => {
  await agent.set({ disclosure: null });
  const { message } = await agent.replied("bea@b.test", "Does Friday suit you?");
  await agent.settled(message);
  await sentTo("bea@b.test");
  expect(agent.sandbox.ledger.find(({ to }) => to.includes("bea@b.test"))?.raw.toString()).not.toContain(
    "automatically",
  );
});

test("a reply that would go to another address or to a forged sender waits for a person", async () => {
  const elsewhere = await agent.replied("cia@b.test", "Fine.", { replyTo: "thief@c.test" });
  const forged = await agent.replied("dia@b.test", "Fine.", {}, { authentication: "FAIL" });
  expect(await agent.settled(elsewhere.message)).toMatchObject({ result: "APPROVAL_OTHER_ADDRESSEE" });
  expect(await agent.settled(forged.message)).toMatchObject({ result: "APPROVAL_FORGED" });
  expect([agent.mailsTo("thief@c.test"), agent.mailsTo("cia@b.test"), agent.mailsTo("dia@b.test")]).toEqual([0, 0, 0]);
});

test("after three automatic replies in a thread the agent asks a person", async () => {
  const { message, person } = await agent.replied("eda@b.test", "One.");
  expect(await agent.settled(message)).toMatchObject({ result: "SENT" });
  for (const [count, text] of [
    [2, "Two."],
    [3, "Three."],
  ] as const) {
    await recordedTo("eda@b.test", count - 1);
    expect(await agent.settled(await agent.inbox.arrive(answerOf(person, text)))).toMatchObject({ result: "SENT" });
  }
  await recordedTo("eda@b.test", 3);
  const fourth = await agent.inbox.arrive(answerOf(person, "Four."));
  expect(await agent.settled(fourth)).toMatchObject({ result: "APPROVAL_LONG_EXCHANGE" });
  expect(agent.mailsTo("eda@b.test")).toBe(3);
});

test("beyond the daily limit of emails the agent asks a person and sends nothing by itself", async () => {
  const { sent } = (await agent.rest.get("/agent/settings")).body.usage;
  await agent.set({ dailyLimit: sent + 1 });
  const people = ["fia@b.test", "gia@b.test", "hia@b.test"];
  const mails = await Promise.all(people.map((email) => agent.replied(email, "Good.")));
  const results = await Promise.all(mails.map(async ({ message }) => (await agent.settled(message)).result));
  expect(results.sort()).toEqual(["APPROVAL_DAILY_LIMIT", "APPROVAL_DAILY_LIMIT", "SENT"]);
  await until(() => people.some((email) => agent.mailsTo(email) > 0), { deadlineMs: 40_000, what: "the one mail" });
  expect(people.map(agent.mailsTo).reduce((all, one) => all + one, 0)).toBe(1);
  expect((await agent.rest.get("/agent/settings")).body.usage.sent).toBe(sent + 1);
});

test("tokens and costs are counted per day, and above the limit the model is not called", async () => {
  const { usage } = (await agent.rest.get("/agent/settings")).body;
  expect(usage).toMatchObject({ inputTokens: expect.any(Number), outputTokens: expect.any(Number) });
  expect(usage.inputTokens).toBe(agent.model.asked.length * 100);
  expect(usage.outputTokens).toBe(agent.model.asked.length * 20);
  expect(usage.cost).toBeCloseTo((usage.inputTokens * 1 + usage.outputTokens * 10) / 1_000_000, 6);
  await agent.set({ dailyTokenLimit: usage.inputTokens + usage.outputTokens + 10 });
  const before = agent.model.asked.length;
  const { message } = await agent.replied("iia@b.test", "Good.");
  expect(await agent.settled(message)).toMatchObject({ status: "FAILED", result: "TOKEN_LIMIT" });
  expect(agent.model.asked.length).toBe(before);
  const [row] = await AgentDay.find({ workspaceId: agent.workspaceId });
  expect(row?.tokens).toBe(usage.inputTokens + usage.outputTokens);
  expect(usage.tokens).toBe(usage.inputTokens + usage.outputTokens);
  expect(
    (await agent.rest.get(`/inbox/threads/${message.threadId ?? (await threadOf(message._id))}`)).body,
  ).toMatchObject({
    agent: { status: "FAILED", result: "TOKEN_LIMIT" },
  });
});

test("an unreadable answer of the model counts with the most tokens that it may have cost", async () => {
  await agent.set({ dailyTokenLimit: 100_000_000 });
  const { usage } = (await agent.rest.get("/agent/settings")).body;
  let count = 0;
  agent.model.says((asked) => {
    count += 1;
    return count === 1 ? (res) => void res.writeHead(200).end("<html>") : inForm(asked, {});
  });
  const { message } = await agent.replied("jaa@b.test", "Good.");
  await agent.settled(message);
  const after = (await agent.rest.get("/agent/settings")).body.usage;
  expect(after.outputTokens - usage.outputTokens).toBe(2_000 + 20);
  expect(after.tokens).toBe(after.inputTokens + after.outputTokens);
});

const threadOf = async (messageId: string) => (await scoped(agent.workspaceId).Message.get(messageId))?.threadId;
