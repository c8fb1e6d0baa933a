import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { scoped } from "../../models/scoped.ts";
import { trusted } from "../../mongo/collection.ts";
import { inForm } from "../fakes/model.ts";
import { accept, silence } from "../fakes/smtp-answers.ts";
import { until } from "../fakes/wait.ts";
import { type KilledWorker, killedWorkerOf } from "../system/killed-worker.ts";
import { type AgentWorld, startAgentWorld } from "./agent-world.ts";

/** What a killed worker had begun is missed after 30 s and tried again. */
const PATIENCE = { deadlineMs: 100_000 };
/** Three kills here; `npm run bench agent` measures, and kills nobody. */
const KILLS = 3;

let agent: AgentWorld;
let worker: KilledWorker;
beforeAll(async () => {
  agent = await startAgentWorld({ isWorked: false });
  worker = await killedWorkerOf(agent.world, agent.sandbox.certificate.cert, undefined, { agent: agent.access });
}, 60_000);
afterAll(async () => {
  await worker.kill();
  await agent.close();
}, 30_000);

/** Kills the worker and lets it come back; the leases of what it was sending end at once instead of in two minutes. */
async function killAndReturn(): Promise<void> {
  await worker.kill();
  await scoped(agent.workspaceId).Send.updateMany({ state: "SENDING" }, { $set: { leaseUntil: new Date(0) } });
  worker.start();
}

const stateOf = async (to: string) => (await scoped(agent.workspaceId).Send.findOne({ to, kind: "REPLY" }))?.state ?? null;
const phaseOf = async (to: string) => (await scoped(agent.workspaceId).Send.findOne({ to, kind: "REPLY" }))?.phase ?? null;

test("a worker that dies while the model thinks, before its answer is sent or in the middle of it, and under an approved draft, leaves one mail or none", async () => {
  await agent.set({ enabled: true, mode: "APPROVE" });
  worker.start();
  const { message: approved } = await agent.replied("approved@b.test", "Do you deliver?");
  const { approvalId } = await agent.settled(approved);
  await agent.set({ mode: "AUTO" });

  let isHeld = true;
  agent.model.says((asked) => {
    const isThinking = asked.mails.at(-1)?.text === "Think." && isHeld;
    return isThinking ? () => {} : inForm(asked, { draft: "Gladly." });
  });
  agent.sandbox.smtp.setRules((rcpt) =>
    rcpt.startsWith("claimed") ? silence("RCPT") : rcpt.startsWith("begun") ? silence("DOT", { kept: true }) : accept,
  );
  const thinking = await agent.replied("thinking@b.test", "Think.");
  await agent.replied("claimed@b.test", "Do you deliver?");
  await agent.replied("begun@b.test", "Do you deliver?");
  const isUnderWay = async () =>
    (await phaseOf("claimed@b.test")) === "CLAIMED" &&
    agent.mailsTo("begun@b.test") === 1 &&
    agent.model.asked.some(({ mails }) => mails.at(-1)?.text === "Think.");
  await until(isUnderWay, { ...PATIENCE, what: "all of them to be under way" });
  await worker.kill();
  // Nobody works now: the decision is kept, and its mail with it
  const decided = agent.rest.post(`/approvals/${approvalId}`, { action: "approve" });
  await until(async () => (await stateOf("approved@b.test")) === "RESERVED", { ...PATIENCE, what: "the approved mail to be kept" });
  isHeld = false;
  agent.sandbox.smtp.setRules(() => accept);
  await killAndReturn();

  const people = ["thinking@b.test", "claimed@b.test", "begun@b.test", "approved@b.test"];
  const states = () => Promise.all(people.map(stateOf));
  const ends = ["SENT", "SENT", "UNKNOWN", "SENT"];
  await until(async () => JSON.stringify(await states()) === JSON.stringify(ends), { ...PATIENCE, what: "each mail to have ended" });
  expect((await decided).status).toBe(200);
  expect(await agent.settled(thinking.message)).toMatchObject({ status: "DONE", result: "SENT" });
  expect(people.map(agent.mailsTo)).toEqual([1, 1, 1, 1]);
  const { Approval, Send } = scoped(agent.workspaceId);
  expect(await Approval.count({ kind: "REPLY" })).toBe(people.length);
  expect(await Send.count({ kind: "REPLY" })).toBe(people.length);
}, 240_000);

test("a worker that is killed again and again while it answers by itself sends each answer once, and forgets none", async () => {
  agent.model.says((asked) => inForm(asked, { draft: "Gladly." }));
  const people = Array.from({ length: 8 }, (_, count) => `again${count}@b.test`);
  const mails = [];
  for (const email of people) mails.push((await agent.replied(email, "Do you deliver?")).message);
  const done = { messageIds: mails.map(({ _id }) => _id) };
  const { AgentTask, Send } = scoped(agent.workspaceId);
  const looked = () => AgentTask.count({ _id: trusted({ $in: done.messageIds }), status: trusted({ $ne: "QUEUED" }) });
  for (let kill = 1; kill <= KILLS; kill++) {
    const at = Math.min(people.length, kill * 2);
    await until(async () => (await looked()) >= at, { ...PATIENCE, what: `${at} mails to be looked at`, longestMs: 20 });
    await killAndReturn();
  }
  const open = { to: trusted({ $in: people }), kind: "REPLY" as const, state: trusted({ $in: ["RESERVED", "SENDING"] }) };
  const isOver = async () => (await looked()) === people.length && (await Send.count(open)) === 0;
  await until(isOver, { deadlineMs: 200_000, what: "all answers to have ended" });
  const sends = await Send.find({ to: trusted({ $in: people }), kind: "REPLY" });
  expect(sends).toHaveLength(people.length);
  for (const { to, state } of sends) {
    // What was in transmission at a kill may have arrived, and is not sent again
    expect([to, agent.mailsTo(to) <= 1, state !== "SENT" || agent.mailsTo(to) === 1]).toEqual([to, true, true]);
    expect(["SENT", "UNKNOWN"]).toContain(state);
  }
}, 300_000);
