import type { ServerResponse } from "node:http";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { faultOf } from "../../domain/agent/outgoing-rules.ts";
import { scoped } from "../../models/scoped.ts";
import { prepareReply } from "../../store/agent/prepare-reply.ts";
import { settleReply } from "../../store/agent/settle-reply.ts";
import { openUsage } from "../../store/agent/usage.ts";
import { inForm } from "../fakes/model.ts";
import { until } from "../fakes/wait.ts";
import { type AgentWorld, startAgentWorld } from "./agent-world.ts";

let agent: AgentWorld;
beforeAll(async () => {
  agent = await startAgentWorld();
  await agent.set({ enabled: true, mode: "APPROVE" });
}, 60_000);
afterAll(() => agent.close());

const askedSince = (before: number) => agent.model.asked.length - before;

test("after an answer in prose the model is asked once more, and then the task fails without a draft", async () => {
  agent.model.says(() => "Sure! I would write that we are glad.");
  const before = agent.model.asked.length;
  const { message } = await agent.replied("ada@b.test", "Tell me more.");
  expect(await agent.settled(message)).toMatchObject({ status: "FAILED", result: "ANSWER_INVALID", approvalId: null });
  expect(askedSince(before)).toBe(2);
  expect((await agent.rest.get("/approvals")).body.total).toBe(0);
});

test("an answer to another question is not accepted, and an answer in a code fence is", async () => {
  let count = 0;
  agent.model.says((asked) => {
    count += 1;
    const own = inForm(asked, { draft: "For this thread." });
    return count === 1
      ? inForm({ ...asked, ref: "another" }, { draft: "For another thread." })
      : `\`\`\`json\n${own}\n\`\`\``;
  });
  const { message } = await agent.replied("bea@b.test", "Tell me more.");
  const { approvalId } = await agent.settled(message);
  expect((await agent.rest.get(`/approvals/${approvalId}`)).body.proposedText).toBe("For this thread.");
  expect(count).toBe(2);
});

const slow = (status: number) => (res: ServerResponse) => void res.writeHead(status).end("no");
const FAULTS: [string, (res: ServerResponse) => void][] = [
  ["is rate-limited", slow(429)],
  ["fails", slow(500)],
  ["is cut", (res) => void res.writeHead(200, { "Content-Length": "1000" }).write('{"choices":[', () => res.destroy())],
  ["is no JSON", (res) => void res.writeHead(200).end("<html>")],
  ["has 2 MB", (res) => void res.writeHead(200).end(JSON.stringify({ choices: [], more: "x".repeat(2_000_000) }))],
  ["never comes", (res) => void res.destroy()],
];

test.each(FAULTS)(
  "a model whose first answer %s is asked again, and the second answer is used",
  async (name, fault) => {
    let count = 0;
    agent.model.says((asked) => {
      count += 1;
      return count === 1 ? fault : inForm(asked, {});
    });
    const { message } = await agent.replied(`p${FAULTS.findIndex(([one]) => one === name)}@b.test`, "Tell me more.");
    expect(await agent.settled(message)).toMatchObject({ status: "DONE", result: "APPROVAL" });
    expect(count).toBe(2);
  },
);

test("a model server that refuses the request is not asked again", async () => {
  agent.model.says(() => slow(400));
  const before = agent.model.asked.length;
  const { message } = await agent.replied("cia@b.test", "Tell me more.");
  expect(await agent.settled(message)).toMatchObject({ status: "FAILED", result: "REFUSED" });
  expect(askedSince(before)).toBe(1);
});

test("the request to the model for an email of a megabyte stays below 100 kB", async () => {
  agent.model.says((asked) => inForm(asked, {}));
  const { message } = await agent.replied("dia@b.test", "Tell me more. ".repeat(70_000));
  await agent.settled(message);
  expect(agent.model.asked.at(-1)?.raw.length).toBeLessThan(100_000);
});

test.each(["AUTO", "APPROVE"])(
  "under %s simultaneous runs for one email leave one draft and send at most one email",
  async (mode) => {
    await agent.set({ mode });
    let go = () => {};
    const gate = new Promise<void>((resolve) => {
      go = resolve;
    });
    agent.model.says(async (asked) => {
      await gate;
      return inForm(asked, { draft: "Once." });
    });
    const email = `${mode.toLowerCase()}@b.test`;
    const { message } = await agent.replied(email, "Tell me more.");
    const usage = await openUsage(agent.workspaceId);
    const prepared = await prepareReply(agent.workspaceId, message._id, usage.day);
    if (prepared.kind !== "ask") throw new Error(`It was ${prepared.kind}`);
    const said = { category: "INTERESTED", confidence: 1, draft: "Once.", reasons: [], promises: [] };
    expect(faultOf(said.draft, prepared.draftGround)).toBeNull();
    const runs = [1, 2, 3].map(() => settleReply(prepared.ground, said, null, usage));
    go();
    await Promise.all(runs);
    await agent.settled(message);
    const { Approval, Send } = scoped(agent.workspaceId);
    const mails = mode === "AUTO" ? 1 : 0;
    await until(() => agent.mailsTo(email) === mails, { deadlineMs: 40_000, what: "the mail" });
    expect(await Approval.count({ messageId: message._id })).toBe(1);
    expect(await Send.count({ to: email, kind: "REPLY" })).toBe(mails);
    expect(agent.mailsTo(email)).toBe(mails);
  },
);
