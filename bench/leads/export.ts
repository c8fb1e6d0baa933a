import mongoose from "mongoose";
import { applyLeadChange, blankLead } from "../../domain/leads/lead.ts";
import { newLead } from "../../store/leads/new-lead.ts";
import { startRig } from "../rig.ts";
import { memoryOf } from "../system/processes.ts";
import { median, type Row, spread } from "../table.ts";

const LEADS = Number(process.env["BENCH_LEADS"] ?? 1_000_000);
const ROUNDS = 3;
const BATCH = 2_000;

/**
 * Measures the download of all leads as CSV from its signed URL, compared with reading the documents by a plain cursor.
 */
export async function run(): Promise<Row> {
  const rig = await startRig();
  try {
    const { rest, workspaceId } = await rig.workspace();
    await fillLeads(workspaceId, LEADS);
    await drain(await addressOf(rest, rig.api.url));
    const before = await memoryOf(rig.api.pid);
    const rounds: { rate: number; bare: number }[] = [];
    while (rounds.length < ROUNDS) {
      const url = await addressOf(rest, rig.api.url);
      rounds.push({ rate: await rateOf(() => drain(url)), bare: await rateOf(() => walk(workspaceId)) });
    }
    const { peak } = await memoryOf(rig.api.pid);
    const shares = rounds.map(({ rate, bare }) => rate / bare);
    return {
      title: "Lead export",
      how: `${LEADS.toLocaleString("en")} leads of eight columns, ${ROUNDS} times over HTTP; bare: a cursor of the driver over the same documents in the same order, read and dropped.`,
      measured: [
        {
          what: "leads per second, as a share of a plain cursor",
          goal: "at least 0.5",
          measured: `${median(shares).toFixed(2)} (${spread(shares, 2)})`,
          met: median(shares) >= 0.5,
        },
        {
          what: "growth of the API's memory",
          goal: "under 64 MB",
          measured: `${(peak - before.now).toFixed(0)} MB`,
          met: peak - before.now < 64,
        },
      ],
      runs: {
        head: ["leads/s", "bare leads/s"],
        lines: rounds.map(({ rate, bare }) => [rate.toFixed(0), bare.toFixed(0)]),
      },
    };
  } finally {
    await rig.close();
  }
}

async function rateOf(work: () => Promise<number>): Promise<number> {
  const started = performance.now();
  const count = await work();
  if (count < LEADS) throw new Error(`Only ${count} of ${LEADS} leads came`);
  return count / ((performance.now() - started) / 1000);
}

async function addressOf(
  rest: { get(path: string): Promise<{ body: { url: string } }> },
  api: string,
): Promise<string> {
  const { body } = await rest.get("/leads/export");
  return api + new URL(body.url).pathname;
}

/** Reads a file as a stream and counts its lines without the header. */
async function drain(url: string): Promise<number> {
  const { body } = await fetch(url);
  if (body === null) throw new Error("The address answered with nothing");
  let lines = -1;
  for await (const part of body) for (const byte of part) if (byte === 10) lines++;
  return lines;
}

async function walk(workspaceId: string): Promise<number> {
  let count = 0;
  for await (const _lead of leads().find({ workspaceId }).sort({ _id: -1 }).batchSize(1_000)) count++;
  return count;
}

function leads() {
  return mongoose.connection.collection<{ _id: string }>("leads");
}

/** Inserts `count` leads into a workspace, directly by the driver. */
export async function fillLeads(workspaceId: string, count: number): Promise<void> {
  for (let start = 0; start < count; start += BATCH) {
    const batch = Array.from({ length: Math.min(BATCH, count - start) }, (_, index) =>
      leadOf(workspaceId, start + index),
    );
    await leads().insertMany(batch, { ordered: false });
  }
}

const WORK = { jobTitle: "Head of Engines", city: "London", country: "GB" };

function leadOf(workspaceId: string, index: number) {
  const now = new Date();
  const domain = `company-${Math.floor(index / 7)}.test`;
  const names = { firstName: "Ada", lastName: `Lovelace ${index}`, company: `Company ${Math.floor(index / 7)}` };
  return {
    workspaceId,
    createdAt: now,
    updatedAt: now,
    ...newLead(applyLeadChange(blankLead(`person.${index}@${domain}`, domain), { ...names, ...WORK }), [], {
      kind: "IMPORT",
      actor: null,
      name: null,
      id: null,
      source: "CSV",
      at: now,
    }),
  };
}
