import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { OPEN } from "../../domain/states.ts";
import { scoped } from "../../models/scoped.ts";
import { trusted } from "../../mongo/collection.ts";
import { ALWAYS } from "../campaigns/campaign-parts.ts";
import { type Sandbox, startSandbox } from "../fakes/sandbox.ts";
import { type FakeSubscriber, startSubscriber } from "../fakes/subscriber.ts";
import { until } from "../fakes/wait.ts";
import { mailboxIn } from "../inbox/mailbox-in.ts";
import { startWorld, type World } from "../support/world.ts";
import { type KilledWorker, killedWorkerOf, randomFrom } from "../system/killed-worker.ts";

const KILLS = 3;
const RECIPIENTS = 40;
const NOW = { value: 0, unit: "MINUTES" };

let sandbox: Sandbox;
let subscriber: FakeSubscriber;
let world: World;
let worker: KilledWorker;

beforeAll(async () => {
  sandbox = await startSandbox({ mailboxes: ["ann@a.test", "bob@b.test"] });
  subscriber = await startSubscriber({ answer: () => ({ delayMs: 100 }) });
  world = await startWorld({ temporal: true, settings: { egressAllow: "localhost:*" } });
  worker = await killedWorkerOf(world, sandbox.certificate.cert);
}, 90_000);

afterAll(async () => {
  await worker.kill();
  await world.close();
  await Promise.all([sandbox.close(), subscriber.close()]);
}, 30_000);

test("after repeated worker kills each step has acted once for each recipient, and a webhook repeats only with the same idempotency key", async () => {
  const { workspaceId, rest } = await world.workspace();
  const mailboxIds: string[] = [];
  for (const email of ["ann@a.test", "bob@b.test"])
    mailboxIds.push(await mailboxIn(world, workspaceId, email, sandbox));
  const path = `/campaigns/${(await rest.post("/campaigns", { name: "Killed" })).body.id}`;
  const emails = Array.from({ length: RECIPIENTS }, (_, index) => `plain${index}@people.test`);
  await rest.patch(`${path}/settings`, {
    windows: ALWAYS,
    minGapSeconds: 0,
    maxGapSeconds: 0,
    perMailboxDailyLimit: 0,
    mailboxIds,
  });
  await rest.put(`${path}/sequence`, { action: "setMode", mode: "VISUAL" });
  const steps = [
    { type: "TASK", config: { title: "First" }, delay: NOW },
    { subject: "One", body: "<p>1</p>", delay: NOW, conditions: [{ if: "RANDOM", percent: 50, nextStepId: "tag" }] },
    { type: "WEBHOOK", config: { url: subscriber.url }, delay: NOW },
    { stepId: "tag", type: "ADD_TAG", config: { tags: ["done"] }, delay: NOW },
    { type: "TASK", config: { title: "Last" }, delay: NOW },
  ];
  expect(await rest.put(`${path}/sequence`, { action: "replaceSteps", steps })).toMatchObject({ status: 200 });
  await rest.post(`${path}/recipients`, { action: "addManual", emails });
  expect((await rest.post(`${path}/control`, { action: "launch" })).body).toMatchObject({ launched: true });

  const random = randomFrom(7);
  for (let kill = 0; kill < KILLS; kill++) {
    worker.start();
    await sleep(3_000 + 2_000 * random());
    await worker.kill();
  }
  worker.start();
  const db = scoped(workspaceId);
  await until(
    async () => {
      const unknown = (await db.Send.find({ state: "UNKNOWN" })).map(({ recipientId }) => recipientId);
      return (await db.Recipient.count({ status: trusted({ $in: [...OPEN] }), _id: trusted({ $nin: unknown }) })) === 0;
    },
    { deadlineMs: 200_000, what: "every recipient to come to an end" },
  );

  const finished = await db.Recipient.find({ status: "COMPLETED" });
  expect(finished.length).toBeGreaterThan(RECIPIENTS / 2);
  for (const { _id: recipientId, leadId } of finished) {
    const tasks = await db.ActivityEvent.find({ recipientId, type: "TASK_ADDED" });
    expect(tasks.map(({ data }) => data["title"]).sort()).toEqual(["First", "Last"]);
    expect((await db.Lead.get(leadId))?.tags).toEqual(["done"]);
    expect(await db.ActivityEvent.count({ recipientId, type: "LEAD_UPDATED" })).toBe(1);
  }
  const posts = await db.StepExecution.find({ type: "WEBHOOK" });
  const keys = subscriber.received.map(({ headers }) => String(headers["idempotency-key"]));
  expect(new Set(keys)).toEqual(new Set(posts.map(({ _id }) => _id)));
  expect(posts.length).toBeGreaterThan(RECIPIENTS / 6);
  for (const { _id, recipientId, attempts, state } of posts) {
    expect(state).toBe("DONE");
    expect(keys.filter((key) => key === _id).length).toBeLessThanOrEqual(attempts);
    expect(await db.ActivityEvent.count({ type: "WEBHOOK_CALLED", recipientId })).toBe(1);
  }
  expect(sandbox.report().duplicates).toEqual([]);
}, 300_000);
