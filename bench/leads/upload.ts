import { once } from "node:events";
import { createWriteStream, openAsBlob } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Rest } from "../../test/support/rest.ts";
import { startRig } from "../rig.ts";
import { memoryOf } from "../system/processes.ts";
import type { Row } from "../table.ts";

const ROWS = 1_000_000;
const MB = 1_048_576;
const LOOK_MS = 5_000;

interface Imported {
  uploadSeconds: number;
  jobSeconds: number;
  fileMb: number;
  api: number;
  worker: number;
}

/** Measures the upload of the largest allowed file, from the request to the end of its job. */
export async function run(): Promise<Row> {
  const { uploadSeconds, jobSeconds, fileMb, api, worker } = await importOnce();
  const mb = (number: number) => `${number.toFixed(0)} MB`;
  return {
    title: "Lead file",
    how: `${ROWS.toLocaleString("en")} new rows of eight columns as one CSV file (${mb(fileMb)}), committed once on fresh processes and a fresh database. The upload is measured until its job is there, the job until it has ended. Growth is a process's highest resident memory less what it had before.`,
    measured: [
      { what: "growth of the API's memory", goal: "under 64 MB", measured: mb(api), met: api < 64 },
      { what: "growth of the worker's memory", goal: "under 128 MB", measured: mb(worker), met: worker < 128 },
    ],
    runs: {
      head: ["upload s", "upload MB/s", "job s", "job rows/s", "API MB", "worker MB"],
      lines: [
        [uploadSeconds, fileMb / uploadSeconds, jobSeconds, ROWS / jobSeconds, api, worker].map((number) =>
          number.toFixed(0),
        ),
      ],
    },
  };
}

async function importOnce(): Promise<Imported> {
  const rig = await startRig();
  try {
    const { rest } = await rig.workspace();
    const worker = await rig.worker();
    const [small, large] = [join(rig.folder, "small.csv"), join(rig.folder, "large.csv")];
    await write(small, 2_000, -2_000);
    await write(large, ROWS, 0);
    // Code that only the first requests load is not measured
    await ended(rest, await send(rest, small));
    const [api, work] = [await memoryOf(rig.api.pid), await memoryOf(worker.pid)];
    const started = performance.now();
    const job = await send(rest, large);
    const sent = performance.now();
    const { result } = await ended(rest, job);
    if (result.created !== ROWS) throw new Error(`The import came to ${JSON.stringify(result).slice(0, 300)}`);
    return {
      uploadSeconds: (sent - started) / 1000,
      jobSeconds: (performance.now() - sent) / 1000,
      fileMb: (await openAsBlob(large)).size / MB,
      api: (await memoryOf(rig.api.pid)).peak - api.now,
      worker: (await memoryOf(worker.pid)).peak - work.now,
    };
  } finally {
    await rig.close();
  }
}

async function send(rest: Rest, path: string): Promise<string> {
  const form = new FormData();
  form.append("action", "commit");
  form.append("file", await openAsBlob(path), "leads.csv");
  const { status, body } = await rest.post("/leads/import/file", form);
  if (status !== 202) throw new Error(`The upload came to ${status}: ${JSON.stringify(body)}`);
  return body.id;
}

async function ended(rest: Rest, jobId: string): Promise<{ result: { created: number } }> {
  for (;;) {
    const { body: job } = await rest.get(`/leads/import/${jobId}`);
    if (job.finishedAt !== null) return job;
    await sleep(LOOK_MS); // shorter pauses would measure the polling itself
  }
}

async function write(path: string, rows: number, first: number): Promise<void> {
  const file = createWriteStream(path);
  file.write("email,First name,Last name,Company,Job title,City,Country,Industry\r\n");
  for (let at = first; at < first + rows; at++) {
    const company = `company-${Math.floor(at / 7)}`;
    const line = `person.${at}@${company}.test,Ada,Lovelace ${at},${company},Head of Engines,London,GB,Computing\r\n`;
    if (!file.write(line)) await once(file, "drain");
  }
  file.end();
  await once(file, "finish");
}
