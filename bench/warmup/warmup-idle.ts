import { setTimeout as sleep } from "node:timers/promises";
import pLimit from "p-limit";
import { HOUR_MS } from "../../domain/time/durations.ts";
import { localDate } from "../../domain/time/schedule.ts";
import { dayBefore } from "../../domain/warmup/day.ts";
import type { Mailbox } from "../../models/mailboxes/mailbox.ts";
import { WarmupEnrolment } from "../../models/warmup/warmup-enrolment.ts";
import { WarmupMail } from "../../models/warmup/warmup-mail.ts";
import { trusted } from "../../mongo/collection.ts";
import { nudge } from "../../store/outbox.ts";
import { moveWarmup } from "../../store/warmup/enrol.ts";
import { planWarmupRound } from "../../store/warmup/plan-round.ts";
import { until } from "../../test/fakes/wait.ts";
import { storeInboxes } from "../inbox/listening.ts";
import { type BenchWorkspace, type Rig, startRig } from "../rig.ts";
import { cpuMsOf, memoryOf } from "../system/processes.ts";
import type { Measured, Row } from "../table.ts";

const WORKSPACES = 10;
const EACH = 100;
const ENROLMENTS = WORKSPACES * EACH;
const SETTLE_MS = 70_000;
/** Milliseconds of two rounds of the reconciler. */
const IDLE_MS = 120_000;
const DEADLINE_MS = 300_000;
const calls = pLimit(8);
const ACROSS = { acrossWorkspaces: true };

/** For each process: the share of a CPU core that it used, and its resident memory in MB. */
type Idle = Record<string, { share: number; memory: number }>;
/** For each process: milliseconds of CPU time. */
type Work = { elapsedMs: number; cpu: Record<string, number> };

/**
 * Measures the cost of 1,000 warmup enrolments: while they wait for emails that are hours away, when they start, and
 * when they all end their day.
 */
export async function run(): Promise<Row> {
  const how =
    `${ENROLMENTS.toLocaleString("en")} connected mailboxes in ${WORKSPACES} workspaces whose hours begin in two hours, first without warmup, then all enrolled: ${IDLE_MS / 1_000} s of each, over API, worker, ` +
    "mongod and Temporal. All were enrolled and stopped once before, since what a process keeps after its first work is no cost of waiting.";
  return { title: "Idle warmups", how, ...(await measureIdle()) };
}

async function measureIdle(): Promise<Pick<Row, "measured" | "runs">> {
  const rig = await startRig();
  try {
    const worker = (await rig.worker()).pid;
    const pids = { API: rig.api.pid, worker, mongod: rig.mongod.pid, Temporal: rig.temporal.pid };
    const sides: { workspace: BenchWorkspace; mailboxes: Mailbox[] }[] = [];
    for (let index = 0; index < WORKSPACES; index++) {
      const workspace = await rig.workspace();
      sides.push({ workspace, mailboxes: await storeWaiting(rig, workspace.workspaceId, index) });
    }
    // All are started and stopped once before, because memory that a process keeps after its first work is not a cost
    // of waiting
    await startAll(sides);
    await stopAll(rig, sides);
    await sleep(SETTLE_MS);
    const alone = await idleOf(pids);
    const started = await workOf(pids, () => startAll(sides));
    const mails = await WarmupMail.countDocuments({ state: "PLANNED" });
    const again = await workOf(pids, () => planWarmupRound("ALL", () => {}));
    await sleep(SETTLE_MS);
    const enrolled = await idleOf(pids);
    const closed = await workOf(pids, closeAll);
    return {
      measured: measuredOf(alone, enrolled, started, again, closed, mails),
      runs: runsOf({ alone, enrolled }, { started, closed }),
    };
  } finally {
    await rig.close();
  }
}

/** Stores mailboxes whose working hours begin in two hours. Each has its own domain, and no worker watches them. */
function storeWaiting({ keyRing }: Rig, workspaceId: string, side: number): Promise<Mailbox[]> {
  const from = new Date(Date.now() + 2 * HOUR_MS).toISOString().slice(11, 16);
  const users = Array.from({ length: EACH }, (_, index) => `ada@m${side}-${index}.test`);
  return storeInboxes(workspaceId, keyRing, users, 1, {
    workday: { timezone: "UTC", days: [1, 2, 3, 4, 5, 6, 7], from, to: "24:00" },
  });
}

async function startAll(sides: { workspace: BenchWorkspace; mailboxes: Mailbox[] }[]): Promise<void> {
  for (const { workspace, mailboxes } of sides) {
    const onboard = { mailboxIds: mailboxes.map(({ _id }) => _id), config: { start: 20 } };
    const { status, body } = await workspace.rest.post("/warmup/manage", { action: "onboard", onboard });
    if (status !== 200 || body.changed !== EACH)
      throw new Error(`The API answered ${status}: ${JSON.stringify(body).slice(0, 300)}`);
  }
  const wait = { replanAt: null, wakeAt: trusted({ $gt: new Date() }) };
  const areWaiting = async () => (await WarmupEnrolment.countDocuments(wait, ACROSS)) === ENROLMENTS;
  await until(areWaiting, { deadlineMs: DEADLINE_MS, what: "every day to be planned", longestMs: 200 });
}

async function stopAll({ client }: Rig, sides: { mailboxes: Mailbox[] }[]): Promise<void> {
  const mailboxes = sides.flatMap(({ mailboxes }) => mailboxes);
  await Promise.all(mailboxes.map(({ workspaceId, _id }) => calls(() => moveWarmup(workspaceId, _id, "stop"))));
  const open = () => client.workflow.count("WorkflowType = 'warmup' AND ExecutionStatus = 'Running'");
  await until(async () => (await open()).count === 0, {
    deadlineMs: DEADLINE_MS,
    what: "every warmup to stop",
    longestMs: 1_000,
  });
}

/**
 * Ends the day of all enrolments: signals their workflows, which find that the day is over. At midnight they wake by
 * timer instead, which costs one check less.
 */
async function closeAll(): Promise<void> {
  const yesterday = dayBefore(localDate(Date.now(), "UTC"));
  await WarmupEnrolment.collection.updateMany({}, { $set: { closedDay: dayBefore(yesterday) } });
  for (const { _id, workspaceId } of await WarmupEnrolment.find({}, { workspaceId: 1 }, ACROSS).lean<
    WarmupEnrolment[]
  >())
    await nudge(workspaceId, "WARMUP", { mailboxId: _id, signal: "changed" });
  const wait = { closedDay: yesterday, wakeAt: trusted({ $gt: new Date() }) };
  const areClosed = async () => (await WarmupEnrolment.countDocuments(wait, ACROSS)) === ENROLMENTS;
  await until(areClosed, { deadlineMs: DEADLINE_MS, what: "every day to be closed", longestMs: 200 });
}

async function idleOf(pids: Record<string, number>): Promise<Idle> {
  const before = await cpuOf(pids);
  await sleep(IDLE_MS);
  const after = await cpuOf(pids);
  const parts = await Promise.all(
    Object.entries(pids).map(async ([part, pid]) => {
      const share = (100 * ((after[part] ?? 0) - (before[part] ?? 0))) / IDLE_MS;
      return [part, { share, memory: (await memoryOf(pid)).now }] as const;
    }),
  );
  return Object.fromEntries(parts);
}

async function workOf(pids: Record<string, number>, work: () => Promise<unknown>): Promise<Work> {
  const [before, startedAt] = [await cpuOf(pids), performance.now()];
  await work();
  const [elapsedMs, after] = [performance.now() - startedAt, await cpuOf(pids)];
  return {
    elapsedMs,
    cpu: Object.fromEntries(Object.entries(after).map(([part, ms]) => [part, ms - (before[part] ?? 0)])),
  };
}

async function cpuOf(pids: Record<string, number>): Promise<Record<string, number>> {
  return Object.fromEntries(
    await Promise.all(Object.entries(pids).map(async ([part, pid]) => [part, await cpuMsOf(pid)] as const)),
  );
}

function sumOf(idle: Idle, what: "share" | "memory"): number {
  return Object.values(idle).reduce((sum, part) => sum + part[what], 0);
}

function measuredOf(alone: Idle, enrolled: Idle, started: Work, again: Work, closed: Work, mails: number): Measured[] {
  const share = sumOf(enrolled, "share") - sumOf(alone, "share");
  const memory = sumOf(enrolled, "memory") - sumOf(alone, "memory");
  const took = ({ elapsedMs, cpu }: Work) =>
    `${(elapsedMs / 1_000).toFixed(1)} s (${(Object.values(cpu).reduce((sum, ms) => sum + ms, 0) / 1_000).toFixed(1)} s of processor time)`;
  const n = ENROLMENTS.toLocaleString("en");
  return [
    {
      what: `${n} enrolments that wait: share of a core, all processes`,
      goal: "under 1 %",
      measured: `${share.toFixed(1)} %`,
      met: share < 1,
    },
    {
      what: `${n} enrolments that wait: memory, all processes`,
      goal: "under 60 MB",
      measured: `${memory.toFixed(0)} MB`,
      met: memory < 60,
    },
    {
      what: `starting ${n} at once, until their ${mails.toLocaleString("en")} mails of the day are booked`,
      goal: "",
      measured: took(started),
      met: null,
    },
    {
      what: `planning the day of ${n} that is planned already`,
      goal: "",
      measured: `${(again.elapsedMs / 1_000).toFixed(1)} s`,
      met: null,
    },
    { what: `${n} days that end at once`, goal: "", measured: took(closed), met: null },
  ];
}

function runsOf(idle: Record<string, Idle>, work: Record<string, Work>): NonNullable<Row["runs"]> {
  const parts = ["API", "worker", "mongod", "Temporal"];
  const names: Record<string, string> = {
    alone: `${ENROLMENTS} mailboxes, none enrolled: share of a core, MB`,
    enrolled: "the same, all enrolled",
    started: "starting them: CPU s",
    closed: "ending their day: CPU s",
  };
  const idles = Object.entries(idle).map(([name, all]) => [
    names[name] ?? name,
    ...parts.map((part) => `${(all[part]?.share ?? 0).toFixed(2)} %, ${(all[part]?.memory ?? 0).toFixed(0)}`),
  ]);
  const works = Object.entries(work).map(([name, { cpu }]) => [
    names[name] ?? name,
    ...parts.map((part) => ((cpu[part] ?? 0) / 1_000).toFixed(1)),
  ]);
  return { head: ["", ...parts], lines: [...idles, ...works] };
}
