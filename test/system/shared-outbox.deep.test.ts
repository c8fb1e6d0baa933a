import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "@jest/globals";
import type mongoose from "mongoose";
import { OUTBOX_PARTS } from "../../domain/outbox.ts";
import { OutboxRow } from "../../models/outbox-row.ts";
import { WorkLeases } from "../../models/work-leases.ts";
import { newId } from "../../mongo/ids.ts";
import { LEASE_MS } from "../../mongo/lease-holder.ts";
import type { LeaseTable } from "../../mongo/lease-plan.ts";
import { nudge } from "../../store/outbox.ts";
import { campaignRun } from "../../temporal/runs.ts";
import { until } from "../fakes/wait.ts";
import { startWorld, type World } from "../support/world.ts";
import type { WorkerOrders } from "./worker.ts";

const DEADLINE = { deadlineMs: 120_000 };
const SCRIPT = fileURLToPath(new URL("./engine-loops.ts", import.meta.url));

type Table = LeaseTable & { _id: string };

let world: World;
let workspaceIds: string[] = [];
let campaigns: { workspaceId: string; campaignId: string }[] = [];
let children: ChildProcess[] = [];
/** Every state of the table, in order. */
let tables: Table[] = [];
let stream: mongoose.mongo.ChangeStream<Table>;
beforeAll(async () => {
  world = await startWorld({ temporal: true });
  workspaceIds = Array.from({ length: 60 }, () => newId("wsp"));
});
beforeEach(async () => {
  [campaigns, tables] = [[], []];
  await WorkLeases.deleteMany({});
  stream = WorkLeases.collection.watch<Table>([], { fullDocument: "updateLookup" });
  stream.on("change", (change) => {
    if ("fullDocument" in change && change.fullDocument) tables.push(change.fullDocument);
  });
});
afterEach(async () => {
  await stream.close();
  for (const child of children) child.kill("SIGKILL");
  children = [];
});
afterAll(() => world.close());

async function begin(): Promise<ChildProcess> {
  const orders: Partial<WorkerOrders> = {
    mongodbUri: world.mongodbUri,
    temporalAddress: world.temporal?.address ?? "",
    namespace: world.temporal?.namespace ?? "",
  };
  const child = spawn(process.execPath, ["--no-warnings", SCRIPT, JSON.stringify(orders)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  children.push(child);
  if (child.stdout !== null) await once(child.stdout, "data");
  return child;
}

async function addRows(): Promise<void> {
  for (const workspaceId of workspaceIds) {
    const campaignId = newId("cmp");
    campaigns.push({ workspaceId, campaignId });
    await nudge(workspaceId, "CAMPAIGN", { campaignId });
  }
}

async function allDone(): Promise<void> {
  const countOpen = () => OutboxRow.countDocuments({ doneAt: null }).setOptions({ acrossWorkspaces: true });
  await until(async () => (await countOpen()) === 0, { ...DEADLINE, what: "an empty outbox" });
}

/** How often each row was executed, counted by the signals of its campaign's run. */
async function executions(): Promise<number[]> {
  return Promise.all(
    campaigns.map(async ({ workspaceId, campaignId }) => {
      const { workflowId } = campaignRun({ v: 1, workspaceId, campaignId }).options;
      const history = await world.temporal?.client.workflow.getHandle(workflowId).fetchHistory();
      return (history?.events ?? []).filter((event) => event.workflowExecutionSignaledEventAttributes).length;
    }),
  );
}

const partsOf = (table: Table | undefined, id: string | undefined) =>
  (table?.parts["outbox"] ?? []).filter((holder) => holder === id).length;
const load = () => WorkLeases.collection.findOne<Table>({});
const holds = (id: string, parts: number) =>
  until(async () => partsOf((await load()) ?? undefined, id) === parts, { ...DEADLINE, what: `${parts} parts` });

/** Two processes with equal shares. Returns their ids in the table. */
async function beginTwo() {
  const first = await begin();
  const [one = ""] = Object.keys((await load())?.holders ?? {});
  const second = await begin();
  await holds(one, OUTBOX_PARTS / 2);
  const [, other = ""] = Object.keys((await load())?.holders ?? {});
  await holds(other, OUTBOX_PARTS / 2);
  return { first, second, one, other };
}

/** The database's time of the last renewal of a holder and of the first table in which another one held everything. */
function moveOf(from: string, to: string) {
  const whole = tables.find(
    (table, at) => at > 0 && partsOf(tables[at - 1], from) > 0 && partsOf(table, to) === OUTBOX_PARTS,
  );
  const lease = tables.findLast(({ holders }) => holders[from] !== undefined)?.holders[from];
  const renewedAt = (lease?.until.getTime() ?? Number.NaN) - LEASE_MS;
  return { renewedAt, movedAt: whole?.at.getTime() ?? Number.NaN };
}

test("two processes execute each row once; the parts of one that stands still move when its lease is over, and it executes none of them after that", async () => {
  const { first, one, other } = await beginTwo();
  for (let round = 0; round < 3; round++) await addRows();
  await allDone();
  tables = [];
  first.kill("SIGSTOP");
  await holds(other, OUTBOX_PARTS);
  const { renewedAt, movedAt } = moveOf(one, other);
  console.log(`The parts of a paused process moved ${movedAt - renewedAt} ms after its last renewal`);
  expect(movedAt - renewedAt).toBeGreaterThanOrEqual(LEASE_MS);
  await addRows();
  first.kill("SIGCONT");
  await addRows();
  await holds(one, OUTBOX_PARTS / 2);
  await addRows();
  await allDone();
  expect(new Set(await executions())).toEqual(new Set([1]));
}, 300_000);

test("after a SIGKILL the other process takes all parts and executes every row, and after SIGTERM no lease is left", async () => {
  const { first, second, one, other } = await beginTwo();
  await addRows();
  tables = [];
  first.kill("SIGKILL");
  for (let round = 0; round < 3; round++) await addRows();
  await holds(other, OUTBOX_PARTS);
  const { renewedAt, movedAt } = moveOf(one, other);
  console.log(`The parts of a killed process moved ${movedAt - renewedAt} ms after its last renewal`);
  await allDone();
  const counts = await executions();
  // What the killed process had executed without noting it is executed again
  expect(Math.min(...counts)).toBe(1);
  expect(Math.max(...counts)).toBeLessThanOrEqual(2);
  const ended = once(second, "exit");
  second.kill("SIGTERM");
  expect((await ended)[0]).toBe(0);
  expect((await load())?.holders).toEqual({});
}, 300_000);
