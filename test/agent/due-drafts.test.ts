import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { HOUR_MS } from "../../domain/time/durations.ts";
import { scoped } from "../../models/scoped.ts";
import { fulfilPromises } from "../../store/agent/promises.ts";
import { inForm } from "../fakes/model.ts";
import { until } from "../fakes/wait.ts";
import { answerOf } from "../inbox/inbox-parts.ts";
import { type AgentWorld, startAgentWorld } from "./agent-world.ts";

let agent: AgentWorld;
beforeAll(async () => {
  agent = await startAgentWorld();
  await agent.set({ enabled: true, mode: "AUTO", dailyLimit: 100 });
  agent.model.says((asked) => inForm(asked, { draft: asked.due === null ? null : "You asked me to write again." }));
}, 60_000);
afterAll(() => agent.close());

/** A person who promised, and whom no one has answered. */
async function promised(email: string, text = "Not now. Please write me again in three weeks.") {
  const { message, person } = await agent.replied(email, text);
  const { result, threadId } = await agent.settled(message);
  expect(result).toBe("NO_DRAFT");
  const [promise] = await scoped(agent.workspaceId).ReplyPromise.find({ messageId: message._id });
  if (promise?.dueAt == null) throw new Error("Nothing was promised");
  return { message, person, threadId, promise, dueAt: promise.dueAt };
}

test("when a promise is due the agent drafts an email and gives the reason, and never sends the draft by itself", async () => {
  const { promise, dueAt, threadId, message } = await promised("ada@b.test");
  await fulfilPromises(100, dueAt);
  const task = await agent.settled({ ...message, _id: promise._id });
  expect(task).toMatchObject({ status: "DONE", result: "APPROVAL_PROMISE" });
  expect(agent.model.asked.at(-1)).toMatchObject({ due: "Please write me again in three weeks." });
  expect(agent.model.asked.at(-1)?.messages[0]?.content).not.toContain("three weeks");
  const { body } = await agent.rest.get(`/approvals/${task.approvalId}`);
  expect(body).toMatchObject({
    status: "PENDING",
    kind: "REPLY",
    proposedText: "You asked me to write again.",
    threadId,
  });
  expect(body.reason).toContain("Please write me again in three weeks.");
  expect(agent.mailsTo("ada@b.test")).toBe(0);
  await fulfilPromises(100, dueAt);
  await agent.rest.post(`/approvals/${task.approvalId}`, { action: "approve" });
  await until(() => agent.mailsTo("ada@b.test") === 1, { deadlineMs: 40_000, what: "the approved mail" });
});

test("no draft is made for a due promise after a newer email, for a suppressed lead, or when someone has written since", async () => {
  const newer = await promised("bea@b.test");
  const suppressed = await promised("cia@b.test");
  const written = await promised("dia@b.test");
  await agent.settled(await agent.inbox.arrive(answerOf(newer.person, "It is me again.")));
  await agent.rest.post("/leads/suppress", { action: "suppress", ids: [suppressed.person.recipient.leadId] });
  await agent.rest.post(`/inbox/threads/${written.threadId}/schedule`, {
    text: "As you asked.",
    idempotencyKey: "as-you-asked",
    sendAt: new Date(Date.now() + HOUR_MS).toISOString(),
  });
  for (const { dueAt } of [newer, suppressed, written]) await fulfilPromises(100, dueAt);
  const results = [newer, suppressed, written].map(async ({ message, promise }) => {
    return (await agent.settled({ ...message, _id: promise._id })).result;
  });
  expect(await Promise.all(results)).toEqual(["NEWER_MAIL", "SUPPRESSED", "ANSWERED"]);
});

test("an answer that was given before the promise is due does not prevent its draft", async () => {
  const { message, promise, dueAt, threadId } = await promised("eda@b.test");
  await agent.rest.post(`/inbox/threads/${threadId}/reply`, { text: "I shall.", idempotencyKey: "i-shall-write" });
  await until(async () => (await scoped(agent.workspaceId).Thread.get(threadId))?.lastDirection === "OUTBOUND", {
    deadlineMs: 40_000,
    what: "the answer to be filed",
  });
  await fulfilPromises(100, dueAt);
  expect(await agent.settled({ ...message, _id: promise._id })).toMatchObject({ result: "APPROVAL_PROMISE" });
});
