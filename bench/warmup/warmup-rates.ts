import { setTimeout as sleep } from "node:timers/promises";
import type { WarmupWaits } from "../../domain/warmup/engagement.ts";
import { MailboxCursor } from "../../models/inbox/mailbox-cursor.ts";
import { scoped } from "../../models/scoped.ts";
import { makeCertificate } from "../../test/fakes/certificate.ts";
import { until } from "../../test/fakes/wait.ts";
import { listeningWorker, PASSWORD, storeInboxes } from "../inbox/listening.ts";
import type { Posted, PostOfficeOrders } from "../inbox/post-office.ts";
import { type BenchWorkspace, type Rig, startRig } from "../rig.ts";
import { storeCampaign } from "../sending/campaigns.ts";
import { cpuMsOf, Part } from "../system/processes.ts";
import { type Measured, median, quantile, type Row, spread } from "../table.ts";
import { engagedSince, enrolAll, plantWaves, release, settled, TIRELESS } from "./warming.ts";

const WARMING = 200;
const WRITING = 50;
const ROUNDS = 3;
const RECIPIENTS = 200;
const STEPS = [0, 0].map((value) => ({ value, unit: "MINUTES" as const }));
/** A campaign with gaps: its number of mailboxes, the gap between emails in seconds, and its length in milliseconds. */
const PACED = { mailboxes: 10, gapSeconds: 2, ms: 80_000 };
const PACED_ROUNDS = 2;
/** The part of a run with gaps that is counted. */
const COUNTED = { fromMs: 10_000, forMs: 60_000 };
const PEOPLE = "people.test";
const DEADLINE_MS = 300_000;

/** Simulated delays: emails are read within a second and answered within two. Waiting itself costs no work. */
const HASTY: WarmupWaits = {
  readMedianMs: 300,
  longestReadMs: 1_000,
  answerMs: { least: 0, most: 1_000 },
  tidyMs: 1_000,
};

type Cpu = Record<"worker" | "mongod" | "temporal" | "servers", number>;

/** The results of a run: campaign and warmup emails per second over one period, and the CPU time of all work. */
interface RatesRun {
  kind: string;
  campaign: number | null;
  warmup: number | null;
  mails: number;
  cpu: Cpu;
  loginsPerMail: number | null;
}

interface Stage {
  rig: Rig;
  office: Part;
  worker: Part;
  sender: BenchWorkspace;
  writing: string[];
  paced: string[];
  waves: string[][];
}

/** Measures the rate of warmup emails compared with campaign emails, and how much they slow a campaign down. */
export async function run(): Promise<Row> {
  const how =
    `${ROUNDS} rounds on one worker with ${WARMING + WRITING + PACED.mailboxes} mailboxes that it listens to: a campaign of ${RECIPIENTS} recipients and ${STEPS.length} steps without gaps, a wave of ` +
    `${WARMING} warmup mails that are due at once, and both at once. Then ${PACED_ROUNDS} rounds of a campaign in ${PACED.mailboxes} mailboxes that leave gaps of ${PACED.gapSeconds} s, with and without a wave spread over the same ` +
    "time. A warmup mail counts when it has been sent, delivered, seen, read and put away. The SMTP and IMAP servers (a quick IMAP of our own, so that it is no bottleneck) are one process on the same cores.";
  return { title: "Warmup compared with campaigns", how, ...(await measureRates()) };
}

async function measureRates(): Promise<Pick<Row, "measured" | "runs">> {
  const rig = await startRig();
  const certificate = await makeCertificate();
  const orders = { certificate, password: PASSWORD, people: PEOPLE } satisfies PostOfficeOrders;
  const office = await Part.start(new URL("../inbox/post-office.ts", import.meta.url), orders);
  let worker: Part | null = null;
  try {
    const ports = await office.ask<{ smtp: number; imap: number }>("ports");
    const smtp = { host: "localhost", port: ports.smtp, security: "SSL_TLS" as const };
    const stored = async (count: number, name: string, workspaceId: string, more = {}) => {
      const users = Array.from({ length: count }, (_, index) => `ada@${name}${index}.test`);
      return storeInboxes(workspaceId, rig.keyRing, users, ports.imap, { ...TIRELESS, smtp, ...more });
    };
    const [one, other, sender] = [await rig.workspace(), await rig.workspace(), await rig.workspace()];
    const sides = [
      await stored(WARMING / 2, "one", one.workspaceId),
      await stored(WARMING / 2, "other", other.workspaceId),
    ];
    const warming = (sides[0] ?? []).flatMap((mailbox, index) => [mailbox, sides[1]?.[index] ?? mailbox]);
    const gap = { minGapSeconds: PACED.gapSeconds, maxGapSeconds: PACED.gapSeconds };
    const idsOf = (mailboxes: typeof warming) => mailboxes.map(({ _id }) => _id);
    const writing = idsOf(await stored(WRITING, "writing", sender.workspaceId));
    const paced = idsOf(await stored(PACED.mailboxes, "paced", sender.workspaceId, gap));
    await enrolAll(warming);
    const waves = await plantWaves(warming, 1 + 2 * ROUNDS + PACED_ROUNDS);
    worker = await listeningWorker(rig, certificate.cert, undefined, HASTY);
    const mailboxes = WARMING + WRITING + PACED.mailboxes;
    const areListening = async () =>
      (await MailboxCursor.countDocuments({}, { acrossWorkspaces: true })) === 4 * mailboxes;
    await until(areListening, { deadlineMs: DEADLINE_MS, what: "every mailbox to be listened to", longestMs: 500 });
    return await measureOn({ rig, office, worker, sender, writing, paced, waves });
  } finally {
    await worker?.stop();
    await office.stop();
    await rig.close();
  }
}

async function measureOn(stage: Stage): Promise<Pick<Row, "measured" | "runs">> {
  const next = () => {
    const wave = stage.waves.shift();
    if (wave === undefined) throw new Error("There are too few waves");
    return wave;
  };
  // Compilers and caches warm up; this is not counted
  await fast(stage, next(), true);
  const rounds: { alone: RatesRun; warmup: RatesRun; both: RatesRun }[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    rounds.push({
      alone: await fast(stage, null, true),
      warmup: await fast(stage, next(), false),
      both: await fast(stage, next(), true),
    });
  }
  const pacedRounds: { alone: RatesRun; both: RatesRun }[] = [];
  for (let round = 0; round < PACED_ROUNDS; round++)
    pacedRounds.push({ alone: await pacedRun(stage, null), both: await pacedRun(stage, next()) });
  return {
    measured: measuredOf(rounds, pacedRounds),
    runs: runsOf([...rounds.flatMap(Object.values), ...pacedRounds.flatMap(Object.values)]),
  };
}

/** Runs a campaign without gaps, a wave of warmup emails that are all due immediately, or both at the same time. */
async function fast(stage: Stage, wave: string[] | null, hasCampaign: boolean): Promise<RatesRun> {
  const campaignId = hasCampaign ? await draft(stage, stage.writing, RECIPIENTS, STEPS) : null;
  const from = wave === null ? Date.now() : await release(wave, 0);
  await stage.office.ask<Posted>("take");
  await sleep(Math.max(0, from - Date.now()));
  const before = await cpuOf(stage);
  const mails = RECIPIENTS * STEPS.length;
  if (campaignId !== null) await launch(stage, campaignId);
  const sentAll = () =>
    until(async () => (await stage.office.ask<number>("toPeople")) >= mails, {
      deadlineMs: DEADLINE_MS,
      what: `${mails} mails`,
      longestMs: 100,
    });
  await Promise.all([campaignId === null ? null : sentAll(), wave === null ? null : settled()]);
  const after = await cpuOf(stage);
  const { toPeople, between, logins } = await stage.office.ask<Posted>("take");
  const engaged = wave === null ? [] : await engagedSince(from);
  const kind = wave === null ? "campaign" : hasCampaign ? "both" : "warmup";
  return report({
    kind,
    ...ratesOf(from, toPeople, engaged),
    mails: toPeople.length + between.length,
    ...costOf(before, after, between.length, logins),
  });
}

/** Runs a campaign with gaps, alone or together with a wave spread over its length. */
async function pacedRun(stage: Stage, wave: string[] | null): Promise<RatesRun> {
  const recipients = (PACED.mailboxes * PACED.ms) / (1_000 * PACED.gapSeconds);
  const campaignId = await draft(stage, stage.paced, recipients, [{ value: 0, unit: "MINUTES" }]);
  const from = wave === null ? Date.now() : await release(wave, PACED.ms);
  await stage.office.ask<Posted>("take");
  await sleep(Math.max(0, from - Date.now()));
  const before = await cpuOf(stage);
  await launch(stage, campaignId);
  const launched = Date.now();
  await sleep(COUNTED.fromMs + COUNTED.forMs);
  const after = await cpuOf(stage);
  const [first, last] = [launched + COUNTED.fromMs, launched + COUNTED.fromMs + COUNTED.forMs];
  const { toPeople, between, logins } = await stage.office.ask<Posted>("take");
  const rate = (at: number[]) => at.filter((one) => one >= first && one < last).length / (COUNTED.forMs / 1_000);
  const ended = async () => (await scoped(stage.sender.workspaceId).Campaign.get(campaignId))?.status === "COMPLETED";
  await until(ended, { deadlineMs: DEADLINE_MS, what: "the end of the campaign", longestMs: 500 });
  if (wave !== null) await settled();
  const warmup = wave === null ? null : rate(await engagedSince(from));
  const kind = wave === null ? "paced campaign" : "paced campaign, warmup beside";
  const cost = costOf(before, after, between.length, logins);
  return report({ kind, campaign: rate(toPeople), warmup, mails: toPeople.length + between.length, ...cost });
}

async function draft(
  { sender }: Stage,
  mailboxIds: string[],
  recipients: number,
  delays: typeof STEPS,
): Promise<string> {
  return storeCampaign(sender.workspaceId, { recipients, mailboxIds, delays });
}

async function launch({ sender }: Stage, campaignId: string): Promise<void> {
  const { body } = await sender.rest.post(`/campaigns/${campaignId}/control`, { action: "launch" });
  if (body.launched !== true) throw new Error(`The campaign was not launched: ${JSON.stringify(body)}`);
}

/**
 * Calculates the rates. For a campaign: over the middle 80 % of its emails. For warmup, whose emails are first all sent
 * and then all read: from the time when they were due until 90 % are archived. For both: over the period in which both
 * run.
 */
function ratesOf(
  from: number,
  campaign: number[],
  warmup: number[],
): { campaign: number | null; warmup: number | null } {
  const ends = [campaign, warmup].filter(({ length }) => length > 0).map((at) => quantile(at, 0.9));
  const start = warmup.length === 0 ? quantile(campaign, 0.1) : from;
  const end = Math.min(...ends);
  const rate = (at: number[]) =>
    at.length === 0 ? null : at.filter((one) => one >= start && one < end).length / ((end - start) / 1_000);
  return { campaign: rate(campaign), warmup: rate(warmup) };
}

async function cpuOf({ rig, office, worker }: Stage): Promise<Cpu> {
  const pids = { worker: worker.pid, mongod: rig.mongod.pid, temporal: rig.temporal.pid, servers: office.pid };
  const [one = 0, two = 0, three = 0, four = 0] = await Promise.all(Object.values(pids).map(cpuMsOf));
  return { worker: one, mongod: two, temporal: three, servers: four };
}

function costOf(before: Cpu, after: Cpu, warmupMails: number, logins: number): Pick<RatesRun, "cpu" | "loginsPerMail"> {
  const used = (part: keyof Cpu) => after[part] - before[part];
  const cpu = { worker: used("worker"), mongod: used("mongod"), temporal: used("temporal"), servers: used("servers") };
  return { cpu, loginsPerMail: warmupMails === 0 ? null : logins / warmupMails };
}

function report(run: RatesRun): RatesRun {
  console.error(JSON.stringify(run));
  return run;
}

function measuredOf(
  rounds: { alone: RatesRun; warmup: RatesRun; both: RatesRun }[],
  paced: { alone: RatesRun; both: RatesRun }[],
): Measured[] {
  const shares = rounds.map(({ alone, warmup }) => (warmup.warmup ?? 0) / (alone.campaign ?? 1));
  const costs = rounds.map(({ alone, warmup }) => cpuMsOfOne(alone) / cpuMsOfOne(warmup));
  const keptShares = rounds.map(({ alone, both }) => (both.campaign ?? 0) / (alone.campaign ?? 1));
  const pacedKept = paced.map(({ alone, both }) => (both.campaign ?? 0) / (alone.campaign ?? 1));
  const rate = (runs: (number | null)[]) => median(runs.map((one) => one ?? 0)).toFixed(1);
  const aMinute = (runs: (number | null)[]) => (60 * median(runs.map((one) => one ?? 0))).toFixed(0);
  const together = rounds.map(({ both }) => both);
  return [
    {
      what: `warmup mails with their engagement (${rate(rounds.map(({ warmup }) => warmup.warmup))}/s) beside campaign mails (${rate(rounds.map(({ alone }) => alone.campaign))}/s)`,
      goal: "at least 0.5",
      measured: `${median(shares).toFixed(2)} (${spread(shares, 2)})`,
      met: median(shares) >= 0.5,
    },
    {
      what: "CPU time of an email, warmup compared with campaign, all processes",
      goal: "",
      measured: `${median(costs).toFixed(2)} (${spread(costs, 2)})`,
      met: null,
    },
    {
      what: "both at the same time: warmup emails and campaign emails per second",
      goal: "",
      measured: `${rate(together.map(({ warmup }) => warmup))} and ${rate(together.map(({ campaign }) => campaign))}`,
      met: null,
    },
    {
      what: `campaign paced by gaps: mails a minute with ${rate(paced.map(({ both }) => both.warmup))} warmup mails a second beside (${aMinute(paced.map(({ both }) => both.campaign))}), against without (${aMinute(paced.map(({ alone }) => alone.campaign))})`,
      goal: "within 5 %",
      measured: `${(100 * (median(pacedKept) - 1)).toFixed(1)} %`,
      met: median(pacedKept) >= 0.95,
    },
    {
      what: "campaign as fast as it can: mails with warmup beside, against without",
      goal: "",
      measured: `${median(keptShares).toFixed(2)} (${spread(keptShares, 2)})`,
      met: null,
    },
  ];
}

function cpuMsOfOne({ cpu, mails }: RatesRun): number {
  return Object.values(cpu).reduce((sum, ms) => sum + ms, 0) / mails;
}

function runsOf(runs: RatesRun[]): NonNullable<Row["runs"]> {
  const cell = (value: number | null) => (value === null ? "" : value.toFixed(1));
  return {
    head: [
      "run",
      "campaign/s",
      "warmup/s",
      "CPU ms a mail",
      "worker",
      "mongod",
      "Temporal",
      "mail servers",
      "IMAP logins a warmup mail",
    ],
    lines: runs.map(({ kind, campaign, warmup, mails, cpu, loginsPerMail }) => {
      const each = [cpu.worker, cpu.mongod, cpu.temporal, cpu.servers].map((ms) => ms / mails);
      const all = each.reduce((sum, ms) => sum + ms, 0);
      return [kind, cell(campaign), cell(warmup), ...[all, ...each].map((ms) => ms.toFixed(1)), cell(loginsPerMail)];
    }),
  };
}
