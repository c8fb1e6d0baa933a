import { setTimeout as sleep } from "node:timers/promises";
import { MINUTE_MS, SECOND_MS } from "../../domain/time/durations.ts";
import { scoped } from "../../models/scoped.ts";
import { trusted } from "../../mongo/collection.ts";
import { newId } from "../../mongo/ids.ts";
import { recipientWorkflowId } from "../../temporal/run.ts";
import { until } from "../../test/fakes/wait.ts";
import { ADA, storedPlace, storeLeadOf } from "../../test/privacy/stored-person.ts";
import { type BenchWorkspace, type Rig, startRig } from "../rig.ts";
import { Part } from "../system/processes.ts";
import { median, ms, quantile, type Row } from "../table.ts";
import { storeCampaign, storeMailboxes } from "./campaigns.ts";
import { launched, sentOf } from "./fairness.ts";
import { middleRate } from "./mails.ts";
import type { SinkOrders } from "./sink.ts";

const BURST = Number(process.env["BENCH_BURST"] ?? 10_000);
const MAILBOXES = 50;
const TURNS = 12;
/** Milliseconds between two turns of B. */
const EVERY_MS = 3 * SECOND_MS;
const STALL_MS = MINUTE_MS;
const DEADLINE_MS = 10 * MINUTE_MS;

/** The way of one email, as times since the launch was answered, in milliseconds. */
const STATIONS = ["run begun", "step decided", "step begun", "claimed", "accepted"] as const;
type Way = number[];

/** What B waits for, in milliseconds, by kind. */
interface Waits {
  email: number[];
  reply: number[];
  stop: number[];
  read: number[];
}

const GOALS_MS: Partial<Record<keyof Waits, { busy: number; stalled: number }>> = {
  email: { busy: 2 * SECOND_MS, stalled: 5 * SECOND_MS },
  reply: { busy: SECOND_MS, stalled: 5 * SECOND_MS },
};
const WHAT: Record<keyof Waits, string> = {
  email: "an email, from the launch to its acceptance",
  reply: "a person's reply, from the call to its acceptance",
  stop: "a pause of a campaign, until its answer",
  read: "a list of threads, until its answer",
};

/** Measures what a workspace waits for while another has thousands of emails due. */
export async function run(): Promise<Row> {
  const busy = await measure(false);
  const stalled = await measure(true);
  const kinds = Object.keys(WHAT) as (keyof Waits)[]; // its own keys
  return {
    title: "A workspace beside the burst of another",
    how: `Workspace A launches a campaign of ${BURST.toLocaleString("en")} recipients from ${MAILBOXES} mailboxes without gap or cap. Meanwhile B takes ${TURNS} turns: it launches a campaign of one recipient, replies in a thread, pauses a campaign and lists its threads. Then the same with mail servers of A that answer after ${STALL_MS / SECOND_MS} s. Each B alone before.`,
    measured: [
      ...kinds.flatMap((kind) => [
        row(`${WHAT[kind]}, p95`, busy.beside[kind], GOALS_MS[kind]?.busy),
        row(`the same while A's mail servers stall`, stalled.beside[kind], GOALS_MS[kind]?.stalled),
        row(`the same alone`, busy.alone[kind]),
      ]),
      { what: "A's emails per second meanwhile", goal: "", measured: busy.rate.toFixed(1), met: null },
    ],
    runs: {
      head: ["way of B's email beside A (ms after the launch)", ...STATIONS],
      lines: busy.ways.map((way, index) => [`email ${index + 1}`, ...way.map((at) => Math.round(at))]),
    },
  };
}

function row(what: string, waits: number[], goalMs?: number): Row["measured"][number] {
  const p95 = quantile(waits, 0.95);
  const measured = `${ms(p95)} (median ${ms(median(waits))}, longest ${ms(Math.max(...waits))})`;
  return goalMs === undefined
    ? { what, goal: "", measured, met: null }
    : { what, goal: `at most ${goalMs / SECOND_MS} s`, measured, met: p95 <= goalMs };
}

async function measure(isStalled: boolean): Promise<{ alone: Waits; beside: Waits; ways: Way[]; rate: number }> {
  const rig = await startRig();
  const stalling = isStalled ? await startStalling(rig) : null;
  try {
    const [a, b] = [await rig.workspace(), await rig.workspace()];
    const portOfA = stalling === null ? rig.sink.smtpPort : await portOf(stalling);
    const ofA = await storeMailboxes(a.workspaceId, rig.keyRing, portOfA, MAILBOXES);
    const ways: Way[] = [];
    const turn = await prepareB(rig, b, ways);
    await rig.worker();
    // Compilers and caches warm up; this is not counted
    await turn();
    const alone = await turnsOf(turn);
    ways.length = 0;
    const burst = await launched(a, await storeCampaign(a.workspaceId, { recipients: BURST, mailboxIds: ofA }));
    const begun = { campaignId: burst.campaignId, state: trusted({ $ne: "RESERVED" as const }) };
    const hasBegun = async () => (await scoped(a.workspaceId).Send.count(begun)) > 0;
    await until(hasBegun, { deadlineMs: DEADLINE_MS, what: "the burst to begin" });
    const beside = await turnsOf(turn);
    return { alone, beside, ways, rate: isStalled ? 0 : middleRate(await sentOf(a, burst.campaignId)) };
  } finally {
    await rig.killWorker();
    await stalling?.stop();
    await rig.close();
  }
}

async function startStalling({ certificate }: Rig): Promise<Part> {
  const orders: SinkOrders = { certificate, delayMs: STALL_MS };
  return Part.start(new URL("./sink.ts", import.meta.url), orders);
}

const portOf = async (sink: Part) => (await sink.ask<{ smtp: number }>("ports")).smtp;

async function turnsOf(turn: () => Promise<Record<keyof Waits, number>>): Promise<Waits> {
  const waits: Waits = { email: [], reply: [], stop: [], read: [] };
  for (let count = 0; count < TURNS; count++) {
    const taken = await turn();
    for (const kind of Object.keys(waits) as (keyof Waits)[]) waits[kind].push(taken[kind]); // its own keys
    console.error(JSON.stringify(taken));
    await sleep(EVERY_MS);
  }
  return waits;
}

/** Stores mailboxes and a thread of B, and returns a function that takes one turn. */
async function prepareB(rig: Rig, b: BenchWorkspace, ways: Way[]) {
  const { workspaceId, rest } = b;
  const mailboxIds = await storeMailboxes(workspaceId, rig.keyRing, rig.sink.smtpPort, 4);
  const place = await storedPlace(workspaceId);
  const [mailboxId = ""] = mailboxIds;
  const mailbox = await scoped(workspaceId).Mailbox.get(mailboxId);
  if (mailbox === null) throw new Error("B has no mailbox");
  const { threadId } = await storeLeadOf({ ...place, mailboxId, mailboxEmail: mailbox.email }, ADA);
  const timed = async (work: () => Promise<unknown>) => {
    const started = performance.now();
    await work();
    return performance.now() - started;
  };
  return async () => {
    const pausedId = await storeCampaign(workspaceId, { recipients: 0, mailboxIds });
    await scoped(workspaceId).Campaign.updateOne({ _id: pausedId }, { $set: { status: "ACTIVE" } });
    const email = await launched(b, await storeCampaign(workspaceId, { recipients: 1, mailboxIds }));
    const firstOf = async () => (await sentOf(b, email.campaignId))[0];
    await until(async () => (await firstOf()) !== undefined, {
      deadlineMs: DEADLINE_MS,
      what: "the email of B",
      longestMs: 50,
    });
    const reply = await timed(async () => {
      const call = { text: "Gladly.", idempotencyKey: newId("evt") };
      const { status, body } = await rest.post(`/inbox/threads/${threadId}/reply`, call);
      if (status >= 300) throw new Error(`The reply was answered ${status}: ${JSON.stringify(body)}`);
    });
    const stop = await timed(async () => {
      const { status } = await rest.post(`/campaigns/${pausedId}/control`, { action: "pause" });
      if (status !== 200) throw new Error(`The pause was answered ${status}`);
    });
    const read = await timed(() => rest.get("/inbox/threads?pageSize=50"));
    const way = await wayOf(rig, workspaceId, email.campaignId);
    ways.push(way.map((at) => at - email.at));
    return { email: ((await firstOf()) ?? 0) - email.at, reply, stop, read };
  };
}

/** When the email of a campaign of one recipient passed each station, in epoch milliseconds. */
async function wayOf({ client }: Rig, workspaceId: string, campaignId: string): Promise<Way> {
  const send = await scoped(workspaceId).Send.findOne({ campaignId });
  const run = client.workflow.getHandle(recipientWorkflowId(send?.recipientId ?? ""));
  const { events } = await run.fetchHistory();
  const timeOf = (isMeant: (event: NonNullable<typeof events>[number]) => boolean) => {
    const { seconds, nanos } = events?.find(isMeant)?.eventTime ?? {};
    return Number(seconds ?? 0) * SECOND_MS + (nanos ?? 0) / 1e6;
  };
  return [
    timeOf((event) => event.workflowExecutionStartedEventAttributes != null),
    timeOf((event) => event.activityTaskScheduledEventAttributes != null),
    timeOf((event) => event.activityTaskStartedEventAttributes != null),
    send?.claimedAt?.getTime() ?? 0,
    send?.sentAt?.getTime() ?? 0,
  ];
}
