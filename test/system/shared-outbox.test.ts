import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { Client } from "@temporalio/client";
import mongoose from "mongoose";
import { OUTBOX_PARTS, outboxPartOf } from "../../domain/outbox.ts";
import { MINUTE_MS } from "../../domain/time/durations.ts";
import { OutboxRow } from "../../models/outbox-row.ts";
import { trusted } from "../../mongo/collection.ts";
import { newId } from "../../mongo/ids.ts";
import { type Leases, startLeases } from "../../mongo/leases.ts";
import { createLog } from "../../runtime/log.ts";
import { nudge, nudgeAll } from "../../store/outbox.ts";
import { campaignWorkflowId } from "../../temporal/run.ts";
import { type Dispatcher, startDispatcher } from "../../worker/dispatcher.ts";
import { startLoops } from "../../worker/loops.ts";
import { until } from "../fakes/wait.ts";
import { wholeShare } from "../support/shares.ts";
import { startWorld, type World } from "../support/world.ts";

const WORKSPACES = 40;
const DEADLINE = { deadlineMs: 60_000 };

let world: World;
beforeAll(async () => {
  world = await startWorld({ temporal: true });
});
afterAll(() => world.close());

/** How often each dispatcher signalled each campaign. */
type Calls = Map<string, number>;

/** The engine through a client that counts the signals, and takes at least `slowMs` for each. */
function countingClient(calls: Calls, slowMs = 0): Client {
  if (world.temporal === null) throw new Error("There is no engine");
  const { client } = world.temporal;
  return new Client({
    connection: client.connection,
    namespace: client.options.namespace,
    interceptors: {
      workflow: [
        {
          async signalWithStart(input, next) {
            calls.set(input.options.workflowId, (calls.get(input.options.workflowId) ?? 0) + 1);
            if (slowMs > 0) await sleep(slowMs);
            return next(input);
          },
        },
      ],
    },
  });
}

interface Process {
  calls: Calls;
  leases: Leases;
  dispatcher: Dispatcher;
}

async function begin(): Promise<Process> {
  const calls: Calls = new Map();
  const client = countingClient(calls);
  const leases = await startLeases({ sizes: { outbox: OUTBOX_PARTS }, onFault: (error) => console.error(error) });
  return { calls, leases, dispatcher: startDispatcher(() => client, createLog("silent"), leases.of("outbox")) };
}

const countOpen = () => OutboxRow.countDocuments({ doneAt: null }).setOptions({ acrossWorkspaces: true });
const allDone = () => until(async () => (await countOpen()) === 0, { ...DEADLINE, what: "an empty outbox" });

const workspaceIds = Array.from({ length: WORKSPACES }, () => newId("wsp"));

/** A row of each workspace, the last of them as version 1.1 wrote it. Returns the ids of the runs that they signal. */
async function addRows(): Promise<string[]> {
  const runs: string[] = [];
  for (const workspaceId of workspaceIds) {
    const campaignId = newId("cmp");
    runs.push(campaignWorkflowId(campaignId));
    await nudge(workspaceId, "CAMPAIGN", { campaignId });
  }
  const old = newId("cmp");
  runs.push(campaignWorkflowId(old));
  const times = { createdAt: new Date(), updatedAt: new Date() };
  const row = { workspaceId: workspaceIds[0], kind: "CAMPAIGN", payload: { campaignId: old }, doneAt: null, ...times };
  await mongoose.connection.collection<{ _id: string }>("outbox").insertOne({ _id: newId("out"), ...row });
  return runs;
}

const sorted = (ids: Iterable<string>) => [...ids].sort();
const callsOf = (...processes: Process[]) =>
  sorted(
    processes.flatMap(({ calls }) => [...calls].flatMap(([id, count]) => Array.from({ length: count }, () => id))),
  );

test("two processes share the outbox: each row is executed once, also while one joins and ends", async () => {
  const first = await begin();
  const runs = await addRows();
  const second = await begin();
  for (let round = 0; round < 5; round++) runs.push(...(await addRows()));
  const isShared = () => second.calls.size > 0;
  await until(
    async () => {
      runs.push(...(await addRows()));
      return isShared();
    },
    { ...DEADLINE, what: "rows of the second process" },
  );
  await allDone();
  expect(callsOf(first, second)).toEqual(sorted(runs));
  const [before, ofBefore] = [first.calls.size, second.calls.size];
  expect([before, ofBefore]).not.toContain(0);

  runs.push(...(await addRows()));
  await second.dispatcher.stop();
  runs.push(...(await addRows()));
  await allDone();
  expect(callsOf(first, second)).toEqual(sorted(runs));
  await first.dispatcher.stop();
}, 120_000);

test("a process of version 1.1 that executes every row beside two others leaves nothing undone, and when it stops they do the work", async () => {
  const [first, second] = [await begin(), await begin()];
  const calls: Calls = new Map();
  const client = countingClient(calls);
  const older = startDispatcher(() => client, createLog("silent"), wholeShare(OUTBOX_PARTS));
  const runs: string[] = [];
  for (let round = 0; round < 5; round++) runs.push(...(await addRows()));
  await allDone();
  expect(new Set([...callsOf(first, second), ...calls.keys()])).toEqual(new Set(runs));
  await older.stop();
  const [ofFirst, ofSecond] = [first.calls.size, second.calls.size];
  const later = await addRows();
  await allDone();
  expect(later.filter((run) => calls.has(run))).toEqual([]);
  expect(first.calls.size).toBeGreaterThan(ofFirst);
  expect(second.calls.size).toBeGreaterThan(ofSecond);
  await Promise.all([first, second].map(({ dispatcher }) => dispatcher.stop()));
}, 120_000);

test("a process that has lost Temporal leaves the outbox to one that has not", async () => {
  const calls: Calls = new Map();
  const client = countingClient(calls);
  let isLost = false;
  const settings = { log: createLog("silent"), reconcileEveryMs: 10 * MINUTE_MS };
  const first = await startLoops({ ...settings, client: () => (isLost ? null : client) });
  const second = await startLoops({ ...settings, client: () => client });
  isLost = true;
  const runs = await addRows();
  await allDone();
  expect(runs.filter((run) => !calls.has(run))).toEqual([]);
  await Promise.all([first.stop(), second.stop()]);
}, 120_000);

test("a row of one workspace is executed in the middle of a backlog of another that is being worked through", async () => {
  const [busy = "", single = ""] = workspaceIds;
  const many = Array.from({ length: 400 }, () => ({
    kind: "CAMPAIGN" as const,
    payload: { campaignId: newId("cmp") },
  }));
  await nudgeAll(busy, many);
  const calls: Calls = new Map();
  const client = countingClient(calls, 100);
  const dispatcher = startDispatcher(() => client, createLog("silent"), wholeShare(OUTBOX_PARTS));
  await until(() => calls.size > 0, { ...DEADLINE, what: "the backlog to be worked on" });
  const campaignId = newId("cmp");
  await nudge(single, "CAMPAIGN", { campaignId });
  await allDone();
  await dispatcher.stop();
  expect([...calls.keys()].indexOf(campaignWorkflowId(campaignId))).toBeLessThan(300);
});

test("a row whose part another process waits for is left to it", async () => {
  const calls: Calls = new Map();
  const client = countingClient(calls);
  const part = outboxPartOf(workspaceIds[0] ?? "");
  const share = wholeShare(OUTBOX_PARTS, { isWanted: (one) => one !== part });
  const dispatcher = startDispatcher(() => client, createLog("silent"), share);
  await addRows();
  const left = workspaceIds.filter((workspaceId) => outboxPartOf(workspaceId) === part);
  // One of them has a second row, without a part
  await until(async () => (await countOpen()) === left.length + 1, { ...DEADLINE, what: "the rows of other parts" });
  expect(
    await OutboxRow.find({ doneAt: null }, { workspaceId: 1 }, { acrossWorkspaces: true }).distinct("workspaceId"),
  ).toEqual(sorted(left));
  await dispatcher.stop();
  const last = startDispatcher(() => client, createLog("silent"), wholeShare(OUTBOX_PARTS));
  await allDone();
  await last.stop();
}, 120_000);

test("rows of version 1.1 that wait for other processes do not hide the rows of a process", async () => {
  const calls: Calls = new Map();
  const client = countingClient(calls);
  const [workspaceId = ""] = workspaceIds;
  const part = outboxPartOf(workspaceId);
  const others = Array.from({ length: 1_200 }, () => newId("wsp")).filter((other) => outboxPartOf(other) !== part);
  const times = { createdAt: new Date(), updatedAt: new Date() };
  const rowOf = (other: string) => {
    const payload = { campaignId: newId("cmp") };
    return { _id: newId("out"), workspaceId: other, kind: "CAMPAIGN", payload, doneAt: null, ...times };
  };
  await mongoose.connection.collection<{ _id: string }>("outbox").insertMany(others.map(rowOf));
  const campaignId = newId("cmp");
  await nudge(workspaceId, "CAMPAIGN", { campaignId });
  const dispatcher = startDispatcher(() => client, createLog("silent"), wholeShare(1, { parts: [part] }));
  const isDone = () => calls.has(campaignWorkflowId(campaignId));
  await until(isDone, { ...DEADLINE, what: "the own row" });
  await dispatcher.stop();
  expect([...calls.keys()]).toEqual([campaignWorkflowId(campaignId)]);
  await OutboxRow.deleteMany({}).setOptions({ acrossWorkspaces: true });
}, 120_000);

test("every row stores the part of its workspace, and the parts are about equally large", async () => {
  const workspaceId = newId("wsp");
  await nudge(workspaceId, "CAMPAIGN", { campaignId: newId("cmp") });
  await nudgeAll(workspaceId, [{ kind: "CAMPAIGN", payload: { campaignId: newId("cmp") } }]);
  const stored = await OutboxRow.find({ workspaceId }).lean<OutboxRow[]>();
  expect(stored.map(({ part }) => part)).toEqual(Array.from({ length: 2 }, () => outboxPartOf(workspaceId)));
  const many = Array.from({ length: 6_400 }, () => outboxPartOf(newId("wsp")));
  const counts = [...Map.groupBy(many, (part) => part).values()].map(({ length }) => length);
  expect(counts).toHaveLength(OUTBOX_PARTS);
  expect(Math.min(...counts)).toBeGreaterThan(50);
  expect(Math.max(...counts)).toBeLessThan(160);
});

test("the rows of some parts are found by an index", async () => {
  const plan = await OutboxRow.find({ doneAt: null, part: trusted({ $in: [1, 2, null] }) })
    .setOptions({ acrossWorkspaces: true })
    .sort({ _id: 1 })
    .limit(500)
    .explain("queryPlanner");
  const text = JSON.stringify(plan);
  expect(text).toContain("part_1__id_1");
  expect(text).toContain("SORT_MERGE");
});
