import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { bundleWorkflowCode, DefaultLogger } from "@temporalio/worker";
import pLimit from "p-limit";
import { scoped } from "../../models/scoped.ts";
import { until } from "../../test/fakes/wait.ts";
import { type Rig, startRig } from "../rig.ts";
import type { BareOrders } from "../system/bare-worker.ts";
import { cpuMsOf, Part, profiled } from "../system/processes.ts";
import { median, type Row, spread } from "../table.ts";
import { storeCampaign, storeMailboxes } from "./campaigns.ts";

const QUEUE = "bare";
const MAILBOXES = 50;
const ROUNDS = 3;
const BARE = 200;
const RECIPIENTS = 100;
const STEPS = [0, 0].map((value) => ({ value, unit: "MINUTES" as const }));
const DEADLINE_MS = 120_000;

/**
 * The result of one run: emails or steps per second in the middle of the run, and each process's CPU milliseconds per
 * email or step.
 */
export interface BenchRun {
  kind: "bare" | "feed" | "mails" | "mails, subscriber";
  rate: number;
  cpuMs: number;
  worker: number;
  mongod: number;
  temporal: number;
  sink: number;
}

/**
 * Measures sending, compared with the minimum cost of a durable step on this server. The two are measured alternately.
 */
export async function run(): Promise<Row> {
  const rig = await startRig();
  const bare = await startBare(rig);
  const parts = { worker: (await rig.worker(profiled())).pid, bare: bare.pid };
  try {
    const plain = await mailerOf(rig, parts.worker, false);
    const heard = await mailerOf(rig, parts.worker, true);
    const bareRun = () => bareRunOf(rig, bare, BARE);
    // Compilers and caches warm up; this is not counted
    await bareRunOf(rig, bare, BARE / 2);
    await plain(RECIPIENTS / 2);
    const rounds: { bare: BenchRun; mails: BenchRun; heard: BenchRun }[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      rounds.push({ bare: await bareRun(), mails: await plain(RECIPIENTS), heard: await heard(RECIPIENTS) });
    }
    return rowOf(rounds);
  } finally {
    await bare.stop();
    await rig.close();
  }
}

export async function startBare(rig: Rig): Promise<Part> {
  const workflowsPath = fileURLToPath(new URL("../system/workflows.ts", import.meta.url));
  const { code } = await bundleWorkflowCode({ workflowsPath, logger: new DefaultLogger("WARN") });
  const codePath = join(rig.folder, "bare.js");
  await writeFile(codePath, code);
  return Part.start(new URL("../system/bare-worker.ts", import.meta.url), {
    temporalAddress: rig.temporal.address,
    codePath,
    queue: QUEUE,
  } satisfies BareOrders);
}

let started = 0;

export async function bareRunOf(rig: Rig, bare: Part, count: number): Promise<BenchRun> {
  const before = await clocksOf(rig, bare.pid);
  const calls = pLimit(8);
  const start = () => rig.client.workflow.start("bare", { taskQueue: QUEUE, workflowId: `bare/${started++}` });
  await Promise.all(Array.from({ length: count }, () => calls(start)));
  await until(async () => (await bare.ask<number>("count")) >= count, {
    deadlineMs: DEADLINE_MS,
    what: "the bare workflows",
  });
  return runOf("bare", await bare.ask<number[]>("take"), before, await clocksOf(rig, bare.pid));
}

/**
 * Creates a workspace with mailboxes. Returns a function that launches a campaign in it and waits until it is
 * completed.
 */
export async function mailerOf(
  rig: Rig,
  workerPid: number,
  isHeard: boolean,
): Promise<(recipients: number) => Promise<BenchRun>> {
  const { workspaceId, rest } = await rig.workspace();
  const mailboxIds = await storeMailboxes(workspaceId, rig.keyRing, rig.sink.smtpPort, MAILBOXES);
  if (isHeard) await createdBy(rest.post("/webhooks", { url: rig.sink.subscriberUrl, events: ["SENT"] }));
  return async (recipients) => {
    const campaignId = await storeCampaign(workspaceId, { recipients, mailboxIds, delays: STEPS });
    await rig.sink.take();
    const before = await clocksOf(rig, workerPid);
    const { body } = await rest.post(`/campaigns/${campaignId}/control`, { action: "launch" });
    if (body.launched !== true) throw new Error(`The campaign was not launched: ${JSON.stringify(body)}`);
    const mails = recipients * STEPS.length;
    const isDone = async () => {
      const counts = await rig.sink.counts();
      return counts.mails >= mails && (!isHeard || counts.webhooks >= mails);
    };
    await until(isDone, { deadlineMs: DEADLINE_MS, what: `${mails} mails` });
    const after = await clocksOf(rig, workerPid);
    const ended = async () => (await scoped(workspaceId).Campaign.get(campaignId))?.status === "COMPLETED";
    await until(ended, { deadlineMs: DEADLINE_MS, what: "the end of the campaign" });
    const taken = await rig.sink.take();
    // The slower of the two determines the rate
    return runOf(
      isHeard ? "mails, subscriber" : "mails",
      isHeard ? later(taken.mails, taken.webhooks) : taken.mails,
      before,
      after,
    );
  };
}

export async function createdBy(answer: Promise<{ status: number; body: unknown }>): Promise<void> {
  const { status, body } = await answer;
  if (status >= 300) throw new Error(`The API answered ${status}: ${JSON.stringify(body)}`);
}

/** Returns the series of times that ends later. */
function later(one: number[], other: number[]): number[] {
  return Math.max(...one) > Math.max(...other) ? one : other;
}

type Clocks = Omit<BenchRun, "kind" | "rate" | "cpuMs">;

export async function clocksOf(rig: Rig, workerPid: number): Promise<Clocks> {
  const pids = { worker: workerPid, mongod: rig.mongod.pid, temporal: rig.temporal.pid, sink: rig.sink.pid };
  const read = await Promise.all(Object.entries(pids).map(async ([part, pid]) => [part, await cpuMsOf(pid)]));
  return Object.fromEntries(read);
}

/** A second's rate over the middle 80 % of the run, because its start and end measure other things. */
export function middleRate(instants: readonly number[]): number {
  const sorted = instants.toSorted((one, other) => one - other);
  const [from, to] = [Math.floor(instants.length * 0.1), Math.floor(instants.length * 0.9)];
  return ((to - from) / ((sorted[to] ?? 0) - (sorted[from] ?? 0))) * 1000;
}

export function runOf(kind: BenchRun["kind"], instants: number[], before: Clocks, after: Clocks): BenchRun {
  const count = instants.length;
  const rate = middleRate(instants);
  const each = (part: keyof Clocks) => (after[part] - before[part]) / count;
  const used = { worker: each("worker"), mongod: each("mongod"), temporal: each("temporal"), sink: each("sink") };
  console.error(`${kind}: ${rate.toFixed(1)} a second`);
  return { kind, rate, cpuMs: used.worker + used.mongod + used.temporal + used.sink, ...used };
}

function rowOf(rounds: { bare: BenchRun; mails: BenchRun; heard: BenchRun }[]): Row {
  const ratios = rounds.map(({ bare, mails }) => mails.rate / bare.rate);
  const heardRatios = rounds.map(({ bare, heard }) => heard.rate / bare.rate);
  const costs = rounds.map(({ bare, mails }) => mails.cpuMs / bare.cpuMs);
  const rates = (kind: "bare" | "mails" | "heard") => median(rounds.map((round) => round[kind].rate)).toFixed(1);
  const runs = rounds.flatMap(({ bare, mails, heard }) => [bare, mails, heard]);
  return {
    title: "Emails per second, end to end",
    how:
      `${ROUNDS} rounds of three runs on one Temporal server (SQLite, write-ahead log): ${BARE} bare workflows of one timer and one activity, ` +
      `then a campaign of ${RECIPIENTS} recipients and two steps (claim, SMTP over TLS on loopback, record, booking; feeder and outbox ` +
      `included), then the same with one subscriber to SENT, who must have got every event. ${MAILBOXES} mailboxes without gap or cap. ` +
      "The SMTP server is a process of its own on the same cores; bare workflows have none. Rates over the middle 80 % of a run, ratios " +
      "within a round.",
    measured: [
      {
        what: `emails (${rates("mails")}/s) compared with plain workflows (${rates("bare")}/s)`,
        goal: "at least 0.8",
        measured: `${median(ratios).toFixed(2)} (${spread(ratios, 2)})`,
        met: median(ratios) >= 0.8,
      },
      {
        what: `emails with one webhook for SENT (${rates("heard")}/s)`,
        goal: "at least 0.4",
        measured: `${median(heardRatios).toFixed(2)} (${spread(heardRatios, 2)})`,
        met: median(heardRatios) >= 0.4,
      },
      {
        what: "CPU time of an email compared with a plain workflow, all processes",
        goal: "",
        measured: `${median(costs).toFixed(2)} times`,
        met: null,
      },
    ],
    runs: {
      head: ["run", "per second", "CPU ms each", "worker", "mongod", "Temporal", "SMTP and subscriber"],
      lines: runs.map(({ kind, ...run }) => [
        kind,
        ...[run.rate, run.cpuMs, run.worker, run.mongod, run.temporal, run.sink].map((value) => value.toFixed(1)),
      ]),
    },
  };
}
