import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { scoped } from "../../models/scoped.ts";
import { trusted } from "../../mongo/collection.ts";
import { inForm } from "../fakes/model.ts";
import { accept, silence } from "../fakes/smtp-answers.ts";
import { until } from "../fakes/wait.ts";
import { type KilledWorker, killedWorkerOf } from "../system/killed-worker.ts";
import { type AgentWorld, startAgentWorld } from "./agent-world.ts";

/** Work that a killed worker had begun is missed after 30 s and tried again. */
const PATIENCE = { deadlineMs: 100_000 };

const KILLS = 2;

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

/** Kills the worker and restarts it; the leases of the emails it was sending end at once instead of in two minutes. */
async function killAndReturn(): Promise<void> {
  await worker.kill();
  await scoped(agent.workspaceId).Send.updateMany({ state: "SENDING" }, { $set: { leaseUntil: new Date(0) } });
  worker.start();
}

const sendTo = (to: string) => scoped(agent.workspaceId).Send.findOne({ to, kind: "REPLY" });
const statesOf = (people: readonly string[]) =>
  Promise.all(people.map(async (to) => (await sendTo(to))?.state ?? null));

test("a worker that dies while the model generates one answer and before another is sent, sends both once after its restart", async () => {
  await agent.set({ enabled: true, mode: "AUTO" });
  let isThinking = true;
  agent.model.says((asked) =>
    asked.mails.at(-1)?.text === "Think." && isThinking ? () => {} : inForm(asked, { draft: "Gladly." }),
  );
  agent.sandbox.smtp.setRules(() => silence("RCPT"));
  worker.start();
  const thinking = await agent.replied("thinking@b.test", "Think.");
  await agent.replied("claimed@b.test", "Do you deliver?");
  const isUnderWay = async () =>
    (await sendTo("claimed@b.test"))?.phase === "CLAIMED" &&
    agent.model.asked.some(({ mails }) => mails.at(-1)?.text === "Think.");
  await until(isUnderWay, { ...PATIENCE, what: "both to be under way" });
  await worker.kill();
  isThinking = false;
  agent.sandbox.smtp.setRules(() => accept);
  await killAndReturn();
  const people = ["thinking@b.test", "claimed@b.test"];
  await until(async () => (await statesOf(people)).every((state) => state === "SENT"), {
    ...PATIENCE,
    what: "both to be sent",
  });
  expect(await agent.settled(thinking.message)).toMatchObject({ status: "DONE", result: "SENT" });
  expect(people.map(agent.mailsTo)).toEqual([1, 1]);
  expect(await scoped(agent.workspaceId).Approval.count({ kind: "REPLY" })).toBe(people.length);
}, 200_000);

test("a worker that dies while it sends an answer does not send that answer again, and sends an answer approved meanwhile once", async () => {
  await agent.set({ mode: "APPROVE" });
  agent.model.says((asked) => inForm(asked, { draft: "Gladly." }));
  const { message } = await agent.replied("approved@b.test", "Do you deliver?");
  const { approvalId } = await agent.settled(message);
  await agent.set({ mode: "AUTO" });
  agent.sandbox.smtp.setRules(() => silence("DOT", { kept: true }));
  await agent.replied("begun@b.test", "Do you deliver?");
  await until(() => agent.mailsTo("begun@b.test") === 1, { ...PATIENCE, what: "the transmission to have begun" });
  await worker.kill();
  agent.sandbox.smtp.setRules(() => accept);
  // No one works now: the decision is kept, and its mail with it
  const decided = agent.rest.post(`/approvals/${approvalId}`, { action: "approve" });
  await until(async () => (await statesOf(["approved@b.test"]))[0] === "RESERVED", {
    ...PATIENCE,
    what: "the approved mail to be kept",
  });
  await killAndReturn();
  const people = ["begun@b.test", "approved@b.test"];
  const isOver = async () => JSON.stringify(await statesOf(people)) === JSON.stringify(["UNKNOWN", "SENT"]);
  await until(isOver, { ...PATIENCE, what: "both to have ended" });
  expect((await decided).status).toBe(200);
  expect((await agent.rest.post(`/approvals/${approvalId}`, { action: "approve" })).body).toMatchObject({
    status: "SENT",
  });
  expect(people.map(agent.mailsTo)).toEqual([1, 1]);
}, 200_000);

test("a worker that is killed repeatedly during automatic replies sends no reply twice and leaves none unsettled", async () => {
  agent.model.says((asked) => inForm(asked, { draft: "Gladly." }));
  const people = Array.from({ length: 8 }, (_, count) => `again${count}@b.test`);
  const mails = [];
  for (const email of people) mails.push((await agent.replied(email, "Do you deliver?")).message);
  const done = { messageIds: mails.map(({ _id }) => _id) };
  const { AgentTask, Send } = scoped(agent.workspaceId);
  const looked = () => AgentTask.count({ _id: trusted({ $in: done.messageIds }), status: trusted({ $ne: "QUEUED" }) });
  for (let kill = 1; kill <= KILLS; kill++) {
    const at = Math.min(people.length, kill * 2);
    await until(async () => (await looked()) >= at, {
      ...PATIENCE,
      what: `${at} mails to be looked at`,
      longestMs: 20,
    });
    await killAndReturn();
  }
  const open = {
    to: trusted({ $in: people }),
    kind: "REPLY" as const,
    state: trusted({ $in: ["RESERVED", "SENDING"] }),
  };
  const isOver = async () => (await looked()) === people.length && (await Send.count(open)) === 0;
  await until(isOver, { deadlineMs: 200_000, what: "all answers to have ended" });
  const sends = await Send.find({ to: trusted({ $in: people }), kind: "REPLY" });
  expect(sends).toHaveLength(people.length);
  for (const { to, state } of sends) {
    // An email in transmission at a kill may have arrived, and is not sent again
    expect([to, agent.mailsTo(to) <= 1, state !== "SENT" || agent.mailsTo(to) === 1]).toEqual([to, true, true]);
    expect(["SENT", "UNKNOWN"]).toContain(state);
  }
}, 300_000);
