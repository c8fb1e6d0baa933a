import { setTimeout as sleep } from "node:timers/promises";
import { scoped } from "../../models/scoped.ts";
import { newId } from "../../mongo/ids.ts";
import { nudge } from "../../store/outbox.ts";
import { fanOutMany } from "../../store/webhooks/fan-out.ts";
import { until } from "../../test/fakes/wait.ts";
import { type Rig, startRig } from "../rig.ts";
import { type BenchRun, bareRunOf, clocksOf, createdBy, mailerOf, runOf, startBare } from "../sending/mails.ts";
import type { ReceiverOrders } from "../sending/receivers.ts";
import { Part } from "../system/processes.ts";
import { median, ms, quantile, type Row, spread } from "../table.ts";

const ROUNDS = 3;
const BARE = 200;
const DELIVERIES = 3_000;
const RECIPIENTS = 100;
const ENDPOINTS = { healthy: 20, hanging: 20 };
const EVENTS = 100;
const EVENTS_APART_MS = 200;
const DEADLINE_MS = 180_000;

interface Round {
  bare: BenchRun;
  feed: BenchRun;
  mails: BenchRun;
  heard: BenchRun;
}

/**
 * Measures deliveries by a feed compared with plain workflows, sending emails with a webhook compared with sending
 * without, and the delays when some receivers hang.
 */
export async function run(): Promise<Row> {
  const rig = await startRig();
  const bare = await startBare(rig);
  const receivers = await Part.start(
    new URL("../sending/receivers.ts", import.meta.url),
    ENDPOINTS satisfies ReceiverOrders,
  );
  try {
    const worker = (await rig.worker()).pid;
    const fed = await feederOf(rig, worker);
    const [plain, heard] = [await mailerOf(rig, worker, false), await mailerOf(rig, worker, true)];
    // Compilers and caches warm up; this is not counted
    await bareRunOf(rig, bare, BARE / 2);
    await fed(DELIVERIES / 3);
    await plain(RECIPIENTS / 2);
    await heard(RECIPIENTS / 2);
    const rounds: Round[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const [bareRun, feedRun] = [await bareRunOf(rig, bare, BARE), await fed(DELIVERIES)];
      rounds.push({ bare: bareRun, feed: feedRun, mails: await plain(RECIPIENTS), heard: await heard(RECIPIENTS) });
    }
    return rowOf(rounds, await latenciesBeside(rig, receivers));
  } finally {
    await Promise.all([bare.stop(), receivers.stop()]);
    await rig.close();
  }
}

/**
 * Returns a function that stores `count` deliveries to one receiver, as the dispatcher does, and waits until the
 * receiver has got all of them.
 */
async function feederOf(rig: Rig, workerPid: number): Promise<(count: number) => Promise<BenchRun>> {
  const { workspaceId, rest } = await rig.workspace();
  await createdBy(rest.post("/webhooks", { url: rig.sink.subscriberUrl, events: ["OPEN"] }));
  const { WebhookDelivery } = scoped(workspaceId);
  return async (count) => {
    await rig.sink.take();
    const before = await clocksOf(rig, workerPid);
    const payloadOf = () => ({
      event: "OPEN",
      eventId: newId("evt"),
      at: new Date().toISOString(),
      data: { recipientId: newId("rcp") },
    });
    await fanOutMany(Array.from({ length: count }, () => ({ workspaceId, payload: payloadOf() })));
    await until(async () => (await rig.sink.counts()).webhooks >= count, {
      deadlineMs: DEADLINE_MS,
      what: `${count} deliveries`,
    });
    const recorded = async () => (await WebhookDelivery.count({ status: "PENDING" })) === 0;
    await until(recorded, { deadlineMs: DEADLINE_MS, what: "their records" });
    return runOf("feed", (await rig.sink.take()).webhooks, before, await clocksOf(rig, workerPid));
  };
}

/**
 * Sends events to every receiver. Returns the milliseconds from the outbox to each healthy receiver, and the number of
 * requests at receivers that hang.
 */
async function latenciesBeside(rig: Rig, receivers: Part): Promise<{ healthy: number[]; hanging: number }> {
  const { workspaceId, rest } = await rig.workspace();
  for (const url of await receivers.ask<string[]>("urls"))
    await createdBy(rest.post("/webhooks", { url, events: ["CLICK"] }));
  const counts = () => receivers.ask<{ healthy: number; hanging: number }>("counts");
  const arrived = (count: number) =>
    until(async () => (await counts()).healthy >= count, { deadlineMs: DEADLINE_MS, what: `${count} deliveries` });
  await nudge(workspaceId, "EVENT", { event: "CLICK", eventId: newId("evt"), at: new Date().toISOString(), data: {} });
  await arrived(ENDPOINTS.healthy);
  await receivers.ask("latencies");
  for (let n = 0; n < EVENTS; n++) {
    const at = new Date().toISOString();
    await nudge(workspaceId, "EVENT", {
      event: "CLICK",
      eventId: newId("evt"),
      at,
      data: { recipientId: "rcp_1", url: "https://a.test/" },
    });
    await sleep(EVENTS_APART_MS);
  }
  await arrived(EVENTS * ENDPOINTS.healthy);
  const { hanging } = await counts();
  return { healthy: await receivers.ask<number[]>("latencies"), hanging };
}

function rowOf(rounds: Round[], { healthy, hanging }: { healthy: number[]; hanging: number }): Row {
  const rate = (kind: keyof Round) => median(rounds.map((round) => round[kind].rate)).toFixed(1);
  const times = rounds.map(({ feed, bare }) => feed.rate / bare.rate);
  const costs = rounds.map(({ feed, bare }) => bare.cpuMs / feed.cpuMs);
  const mailCosts = rounds.map(({ heard, mails }) => heard.cpuMs / mails.cpuMs);
  const shares = rounds.map(({ heard, mails }) => heard.rate / mails.rate);
  const p95 = quantile(healthy, 0.95);
  const runs = rounds.flatMap(({ bare, feed, mails, heard }) => [bare, feed, mails, heard]);
  return {
    title: "Webhooks",
    how:
      `${ROUNDS} rounds of four runs on one Temporal server (SQLite, write-ahead log): ${BARE} bare workflows of one timer and one activity, ` +
      `${DELIVERIES} stored deliveries to one receiver until all are recorded, a campaign of ${RECIPIENTS} recipients and two steps without ` +
      "and with a subscriber to SENT, who must have got every event. Rates over the middle 80 % of a run, ratios within a round. Then " +
      `${EVENTS} events, ${1_000 / EVENTS_APART_MS} a second, to ${ENDPOINTS.healthy} receivers that answer and ${ENDPOINTS.hanging} that ` +
      "never do, from the outbox to the arrival; one event before them has started the feeds.",
    measured: [
      {
        what: `deliveries through the feed (${rate("feed")}/s) beside bare workflows (${rate("bare")}/s)`,
        goal: "at least 10 times",
        measured: `${median(times).toFixed(1)} times (${spread(times, 1)})`,
        met: median(times) >= 10,
      },
      {
        what: "CPU time of all processes in the line above",
        goal: "",
        measured: `${median(costs).toFixed(1)} times less`,
        met: null,
      },
      {
        what: `mails with a subscriber to SENT (${rate("heard")}/s) beside mails without (${rate("mails")}/s)`,
        goal: "at least 0.9",
        measured: `${median(shares).toFixed(2)} (${spread(shares, 2)})`,
        met: median(shares) >= 0.9,
      },
      {
        what: "CPU time of all processes in the line above",
        goal: "",
        measured: `${median(mailCosts).toFixed(2)} times (${spread(mailCosts, 2)})`,
        met: null,
      },
      {
        what: `healthy receivers while half of ${ENDPOINTS.healthy + ENDPOINTS.hanging} hang, p95`,
        goal: "under 1 s",
        measured: `${ms(p95)} (median ${ms(median(healthy))}; those that hang were asked ${hanging} times)`,
        met: p95 < 1_000,
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
