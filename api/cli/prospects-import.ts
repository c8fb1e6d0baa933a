import { createReadStream } from "node:fs";
import { basename } from "node:path";
import { parseArgs } from "node:util";
import { type ImportProgress, importPeople, importSample } from "../../operations/lead-search/import-people.ts";
import { onDatabase } from "./database.ts";

const USAGE = "usage: npm run prospects:import -- <file.csv or file.ndjson> | --sample [--count <people>]";
const SAMPLE_PEOPLE = 1_000;
const MOST_SAMPLE = 1_000_000;
const REPORT_MS = 5_000;
const MOST_REFUSALS_SHOWN = 20;

// Imports people for the lead search. Importing a file again creates no duplicates
await onDatabase(async () => {
  const options = { sample: { type: "boolean" }, count: { type: "string" } } as const;
  const { values, positionals } = parseArgs({ options, allowPositionals: true });
  const [file] = positionals;
  if ((file === undefined) === (values.sample !== true) || positionals.length > 1) throw new Error(USAGE);
  const count = values.count === undefined ? SAMPLE_PEOPLE : /^\d+$/.test(values.count) ? Number(values.count) : 0;
  if (count < 1 || count > MOST_SAMPLE) throw new Error(USAGE);
  const report = progressReport();
  const done =
    file === undefined
      ? await importSample(count, report)
      : await importPeople(createReadStream(file), basename(file), report);
  return sentenceOf(done);
});

/** Prints the progress every few seconds, and the reasons of the first refused rows. */
function progressReport(): (progress: ImportProgress) => void {
  const began = performance.now();
  let [last, shownRefusals] = [began, 0];
  return (progress) => {
    for (const { line, message } of progress.refusals.slice(shownRefusals, MOST_REFUSALS_SHOWN))
      process.stderr.write(`line ${line} ${message}\n`);
    shownRefusals = progress.refusals.length;
    const now = performance.now();
    if (now - last < REPORT_MS) return;
    last = now;
    const rate = Math.round(progress.read / ((now - began) / 1_000));
    process.stderr.write(`${sentenceOf(progress)}; ${rate.toLocaleString("en")} rows a second\n`);
  };
}

function sentenceOf({ read, created, updated, unchanged, refused }: ImportProgress): string {
  const [rows, fresh, changed, same, out] = [read, created, updated, unchanged, refused].map((count) =>
    count.toLocaleString("en"),
  );
  return `${rows} rows read: ${fresh} people created, ${changed} updated, ${same} unchanged, ${out} rows refused`;
}
