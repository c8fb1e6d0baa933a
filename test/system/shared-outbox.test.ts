import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { Client } from "@temporalio/client";
import mongoose from "mongoose";
import { OUTBOX_PARTS, outboxPartOf } from "../../domain/outbox.ts";
import { OutboxRow } from "../../models/outbox-row.ts";
import { trusted } from "../../mongo/collection.ts";
import { newId } from "../../mongo/ids.ts";
import { type Leases, startLeases } from "../../mongo/leases.ts";
import { createLog } from "../../runtime/log.ts";
import { nudge, nudgeAll } from "../../store/outbox.ts";
import { campaignWorkflowId } from "../../temporal/run.ts";
import { type Dispatcher, startDispatcher } from "../../worker/dispatcher.ts";
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

/** The engine through a client that counts the signals. */
function countingClient(calls: Calls): Client {
  if (world.temporal === null) throw new Error("There is no engine");
  const { client } = world.temporal;
  return new Client({
    connection: client.connection,
    namespace: client.options.namespace,
    interceptors: {
      workflow: [
        {
          signalWithStart(input, next) {
            calls.set(input.options.workflowId, (calls.get(input.options.workflowId) ?? 0) + 1);
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

test("a process of version 1.1 that executes every row beside two others leaves nothing undone", async () => {
  const [first, second] = [await begin(), await begin()];
  const calls: Calls = new Map();
  const client = countingClient(calls);
  const older = startDispatcher(() => client, createLog("silent"), wholeShare(OUTBOX_PARTS));
  const runs: string[] = [];
  for (let round = 0; round < 5; round++) runs.push(...(await addRows()));
  await allDone();
  expect(new Set([...callsOf(first, second), ...calls.keys()])).toEqual(new Set(runs));
  await Promise.all([first, second].map(({ dispatcher }) => dispatcher.stop()));
  await older.stop();
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
