import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import mongoose from "mongoose";
import { Lead } from "../../models/leads/lead.ts";
import type { Rest } from "../../test/support/rest.ts";
import { startRig } from "../rig.ts";
import { cpuMsOf, memoryOf } from "../system/processes.ts";
import { median, type Row, spread } from "../table.ts";

const ROWS = 50_000;
const ROUNDS = 4;
const BATCH = 1_000;
const MB = 1_048_576;
const LOOK_MS = 5_000;

interface Round {
  rate: number;
  bareRate: number;
  api: number;
  worker: number;
  bodyMb: number;
  /** Processor seconds of the import, summed over the API, the worker and the database. */
  cpu: number[];
}

type StoredLead = { _id: string };

/**
 * Measures the import of the largest allowed number of rows over HTTP, each time into a new workspace, compared with
 * inserting the documents by the plain driver.
 */
export async function run(): Promise<Row> {
  const rounds: Round[] = [];
  let before: StoredLead[] = [];
  for (let round = 0; round <= ROUNDS; round++) {
    const { stored, ...measured } = await importOnce(before);
    if (round > 0) rounds.push(measured);
    before = stored;
  }
  const shares = rounds.map(({ rate, bareRate }) => rate / bareRate);
  const [api, worker] = [rounds.map(({ api, bodyMb }) => api - bodyMb), rounds.map(({ worker }) => worker)];
  const mb = (numbers: number[]) => `${median(numbers).toFixed(0)} MB (${spread(numbers, 0)})`;
  return {
    title: "Lead import",
    how: `${ROWS.toLocaleString("en")} new rows of eight columns in one request (${median(rounds.map(({ bodyMb }) => bodyMb)).toFixed(1)} MB), ${ROUNDS} times, each on fresh processes and a fresh database. Growth is a process's highest resident memory less what it had before, of the API also less the body. Bare: the documents that the import stored, by the driver's insertMany, ${BATCH} at a time, into a collection with the same indexes, just before the import (those of the round before) and just after it; a round that is not counted comes first.`,
    measured: [
      {
        what: "rows per second, as a share of a plain insertMany",
        goal: "at least 0.5",
        measured: `${median(shares).toFixed(2)} (${spread(shares, 2)})`,
        met: median(shares) >= 0.5,
      },
      { what: "growth of the API's memory", goal: "under 64 MB", measured: mb(api), met: median(api) < 64 },
      { what: "growth of the worker's memory", goal: "under 64 MB", measured: mb(worker), met: median(worker) < 64 },
    ],
    runs: {
      head: ["rows/s", "bare rows/s", "API MB", "worker MB", "CPU s: API", "worker", "mongod"],
      lines: rounds.map(({ rate, bareRate, api, worker, cpu }) => [
        ...[rate, bareRate, api, worker].map((number) => number.toFixed(0)),
        ...cpu.map((seconds) => seconds.toFixed(1)),
      ]),
    },
  };
}

/** `before` are the documents of an earlier round, which the plain driver inserts just before the import. */
async function importOnce(before: StoredLead[]): Promise<Round & { stored: StoredLead[] }> {
  const rig = await startRig();
  try {
    const { rest, workspaceId } = await rig.workspace();
    const worker = await rig.worker();
    const body = JSON.stringify({ action: "commit", rows: Array.from({ length: ROWS }, (_, index) => rowOf(index)) });
    // Code that only the first requests load is not measured
    await rest.post("/leads/import", { action: "commit", rows: [rowOf(-1)] });
    await rest.post("/leads/import", {
      action: "dryRun",
      rows: Array.from({ length: 1_500 }, (_, index) => rowOf(index)),
    });
    const [api, work] = [await memoryOf(rig.api.pid), await memoryOf(worker.pid)];
    const bareBefore = await bareSeconds(before);
    const clocks = () => Promise.all([rig.api.pid, worker.pid, rig.mongod.pid].map(cpuMsOf));
    const clocksBefore = await clocks();
    const started = performance.now();
    const answer = await summaryOf(rest, body);
    const seconds = (performance.now() - started) / 1000;
    const cpu = (await clocks()).map((ms, part) => (ms - (clocksBefore[part] ?? 0)) / 1000);
    if (answer.created !== ROWS) throw new Error(`The import came to ${JSON.stringify(answer).slice(0, 300)}`);
    const stored = await mongoose.connection.collection<StoredLead>("leads").find({ workspaceId }).toArray();
    const bareAfter = await bareSeconds(stored);
    return {
      stored,
      cpu,
      rate: ROWS / seconds,
      bareRate: (before.length + stored.length) / (bareBefore + bareAfter),
      api: (await memoryOf(rig.api.pid)).peak - api.now,
      worker: (await memoryOf(worker.pid)).peak - work.now,
      bodyMb: Buffer.byteLength(body) / MB,
    };
  } finally {
    await rig.close();
  }
}

/** Imports the rows and returns the summary, also when the import takes longer than one request may. */
async function summaryOf(rest: Rest, body: string): Promise<{ created?: number }> {
  const { body: answer } = await rest.post("/leads/import", body);
  if (answer.id === undefined) return answer;
  for (;;) {
    await sleep(LOOK_MS); // shorter pauses would measure the polling itself
    const { body: job } = await rest.get(`/leads/import/${answer.id}`);
    if (job.finishedAt !== null) return job.result;
  }
}

/** Seconds that the plain driver takes to insert these documents. */
async function bareSeconds(leads: StoredLead[]): Promise<number> {
  const bare = mongoose.connection.collection<StoredLead>(`leads_${randomUUID()}`);
  const indexes = Lead.schema
    .indexes()
    .map(([key, options]) => ({ ...options, key }) as { key: Record<string, 1 | -1> }); // without the text index
  await bare.createIndexes(indexes);
  const started = performance.now();
  for (let start = 0; start < leads.length; start += BATCH)
    await bare.insertMany(leads.slice(start, start + BATCH), { ordered: false });
  const seconds = (performance.now() - started) / 1000;
  await bare.drop();
  return seconds;
}

function rowOf(index: number) {
  const company = `company-${Math.floor(index / 7)}`;
  return {
    email: `person.${index}@${company}.test`,
    "First name": "Ada",
    "Last name": `Lovelace ${index}`,
    Company: company,
    "Job title": "Head of Engines",
    City: "London",
    Country: "GB",
    Industry: "Computing",
  };
}
