import { LLMock } from "@copilotkit/aimock";
import { afterAll, beforeAll, beforeEach, expect, test } from "@jest/globals";
import { z } from "zod";
import { scoped } from "../../models/scoped.ts";
import { type AgentWorld, startAgentWorld } from "./agent-world.ts";

/** A model server that others wrote, as strictly as it can be: what it does not know is refused. */
let other: LLMock;
let agent: AgentWorld;
beforeAll(async () => {
  other = new LLMock({ port: 0, host: "127.0.0.1", strict: true, logLevel: "silent", journalMaxEntries: 0 });
  await other.start();
  agent = await startAgentWorld({ url: `${other.url}/v1` });
  await agent.set({ enabled: true, mode: "APPROVE" });
}, 60_000);
beforeEach(() => {
  other.clearChaos();
  other.clearFixtures();
  other.clearRequests();
});
afterAll(async () => {
  await agent.close();
  await other.stop();
});

const Question = z.object({ ref: z.string(), mails: z.array(z.object({ by: z.string(), text: z.string() })) });

/** Answers every question in the form that is asked for. */
function answerAll(): void {
  other.onMessage(/.*/s, ({ messages }) => {
    const { ref, mails } = Question.parse(JSON.parse(String(messages[1]?.content)));
    const reasons = [mails.at(-1)?.text ?? ""];
    return { content: JSON.stringify({ ref, category: "INTERESTED", confidence: 0.8, draft: "Gladly.", reasons, promises: [] }) };
  });
}

test("another model server reads our questions and lists its models, and its answer becomes a draft", async () => {
  answerAll();
  const { message } = await agent.replied("ada@b.test", "How much is it?");
  const { status, approvalId } = await agent.settled(message);
  expect(status).toBe("DONE");
  expect((await agent.rest.get(`/approvals/${approvalId}`)).body).toMatchObject({ status: "PENDING", proposedText: "Gladly." });
  const { path, method, body } = other.getLastRequest() ?? {};
  expect({ path, method, body }).toMatchObject({
    ...{ path: "/v1/chat/completions", method: "POST" },
    body: { model: "small", response_format: { type: "json_object" }, messages: [{ role: "system" }, { role: "user" }] },
  });
  const { usage } = (await agent.rest.get("/agent/settings")).body;
  expect(usage.inputTokens).toBeGreaterThan(0);
  expect(usage.outputTokens).toBeGreaterThan(0);
  expect(await agent.rest.get("/agent/models")).toMatchObject({
    status: 200,
    body: { items: expect.arrayContaining([expect.objectContaining({ id: "small" })]) },
  });
});

test("an answer that does not keep to the form that was asked for is asked for once more, and then nobody is answered", async () => {
  other.onMessage(/.*/s, { content: "With pleasure! Here is my reply: Gladly." });
  const { message } = await agent.replied("bea@b.test", "How much is it?");
  expect(await agent.settled(message)).toMatchObject({ status: "FAILED", result: "ANSWER_INVALID" });
  expect(other.getRequests()).toHaveLength(2);
});

test("while it drops, limits, breaks off and answers malformed, every reply gets one draft in the end, and nothing is sent", async () => {
  answerAll();
  other.setChaos({ dropRate: 0.15, malformedRate: 0.15, rateLimitRate: 0.15, disconnectRate: 0.15, latencyMs: 50 });
  const people = Array.from({ length: 12 }, (_, count) => `p${count}@b.test`);
  const mails = await Promise.all(people.map((email) => agent.replied(email, "How much is it?")));
  // By chance alone one of twelve may fail so often that its next attempt is minutes away: after ten seconds the server is well again
  const calm = setTimeout(() => other.clearChaos(), 10_000);
  const tasks = await Promise.all(mails.map(({ message }) => agent.settled(message))).finally(() => clearTimeout(calm));
  expect(tasks.map(({ status, result }) => `${status} ${result}`)).toEqual(people.map(() => "DONE APPROVAL"));
  expect(other.getRequests().length).toBeGreaterThan(people.length);
  const { Approval, Send } = scoped(agent.workspaceId);
  for (const { message } of mails) expect(await Approval.count({ messageId: message._id })).toBe(1);
  expect(await Send.count({ kind: "REPLY" })).toBe(0);
  expect(agent.sandbox.ledger).toHaveLength(0);
}, 150_000);
