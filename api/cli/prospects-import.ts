import { createReadStream } from "node:fs";
import { basename } from "node:path";
import { parseArgs } from "node:util";
import { type ImportProgress, importPeople, importSample } from "../../operations/lead-search/import-people.ts";
import { onDatabase } from "./database.ts";

const USAGE = "usage: npm run prospects:import -- <file.csv or file.ndjson> | --sample [--count <people>]";
const SAMPLE_PEOPLE = 1_000;
const MOST_SAMPLE = 1_000_000;
const TOLD_MS = 5_000;
const MOST_TOLD = 20;

// People for the lead search, of whom no one is twice there however often a file is imported
await onDatabase(async () => {
  const options = { sample: { type: "boolean" }, count: { type: "string" } } as const;
  const { values, positionals } = parseArgs({ options, allowPositionals: true });
  const [file] = positionals;
  if ((file === undefined) === (values.sample !== true) || positionals.length > 1) throw new Error(USAGE);
  const count = values.count === undefined ? SAMPLE_PEOPLE : /^\d+$/.test(values.count) ? Number(values.count) : 0;
  if (count < 1 || count > MOST_SAMPLE) throw new Error(USAGE);
  const tell = teller();
  const done =
    file === undefined
      ? await importSample(count, tell)
      : await importPeople(createReadStream(file), basename(file), tell);
  return sentenceOf(done);
});

/** Says every few seconds how far it is, and of the first refused rows why. */
function teller(): (progress: ImportProgress) => void {
  const began = performance.now();
  let [last, told] = [began, 0];
  return (progress) => {
    for (const { line, message } of progress.refusals.slice(told, MOST_TOLD))
      process.stderr.write(`line ${line} ${message}\n`);
    told = progress.refusals.length;
    const now = performance.now();
    if (now - last < TOLD_MS) return;
    last = now;
    const rate = Math.round(progress.read / ((now - began) / 1_000));
    process.stderr.write(`${sentenceOf(progress)}; ${rate.toLocaleString("en")} rows a second\n`);
  };
}

function sentenceOf({ read, created, updated, unchanged, refused }: ImportProgress): string {
  const [rows, fresh, changed, same, out] = [read, created, updated, unchanged, refused].map((count) =>
    count.toLocaleString("en"),
  );
  return `${rows} rows read: ${fresh} people new, ${changed} changed, ${same} as they were, ${out} rows left out`;
}
