import { existsSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { cpus } from "node:os";
import { fileURLToPath } from "node:url";
import { type Row, sectionOf } from "./table.ts";

/** `npm run bench [row ...]`: measures the rows that begin with these words, or all of them, prints their tables and stores them in results/. */
const ROWS: Record<string, () => Promise<{ run: () => Promise<Row> }>> = {
  mails: () => import("./mails.ts"),
  claims: () => import("./claims.ts"),
  launch: () => import("./launch.ts"),
  edits: () => import("./edits.ts"),
  pause: () => import("./pause.ts"),
  stops: () => import("./stops.ts"),
  gate: () => import("./gate.ts"),
  killed: () => import("./killed.ts"),
  webhooks: () => import("./webhooks.ts"),
  history: () => import("./history.ts"),
  memory: () => import("./memory.ts"),
  import: () => import("./import.ts"),
  upload: () => import("./upload.ts"),
  export: () => import("./export.ts"),
  lists: () => import("./lists.ts"),
  notice: () => import("./notice.ts"),
  replies: () => import("./replies.ts"),
  sync: () => import("./sync.ts"),
  idle: () => import("./idle.ts"),
  inbox: () => import("./inbox.ts"),
  classify: () => import("./classify.ts"),
  readings: () => import("./readings.ts"),
  intents: () => import("./intents.ts"),
  start: () => import("./start.ts"),
  tools: () => import("./tools.ts"),
  experiments: () => import("./experiments.ts"),
  tracking: () => import("./tracking.ts"),
  conversions: () => import("./conversions.ts"),
  analytics: () => import("./analytics.ts"),
  warmup: () => import("./warmup.ts"),
  "warmup-rates": () => import("./warmup-rates.ts"),
  "warmup-reads": () => import("./warmup-reads.ts"),
  "warmup-idle": () => import("./warmup-idle.ts"),
  search: () => import("./search.ts"),
  crm: () => import("./crm.ts"),
  verify: () => import("./verify.ts"),
  agent: () => import("./agent.ts"),
  evidence: () => import("./evidence.ts"),
  purge: () => import("./purge.ts"),
  agency: () => import("./agency.ts"),
  console: () => import("./console.ts"),
};
const RESULTS = fileURLToPath(new URL("./results/", import.meta.url));
const LATEST = `${RESULTS}latest.md`;

const names = Object.keys(ROWS);
const named = process.argv.slice(2);
const unknown = named.filter((name) => !names.some((row) => row.startsWith(name)));
if (unknown.length > 0) {
  console.error(`There is no row ${unknown.join(", ")}: ${names.join(", ")}`);
  process.exit(2);
}

// So that every process that a row has started ends with it
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(130));

const sections = new Map<string, string>();
let failed = false;
for (const [name, load] of Object.entries(ROWS)) {
  if (named.length > 0 && !named.some((start) => name.startsWith(start))) continue;
  const started = performance.now();
  try {
    const { run } = await load();
    const section = sectionOf(await run());
    sections.set(name, section);
    console.log(`${section}\n(${((performance.now() - started) / 1000).toFixed(0)} s)\n`);
  } catch (error) {
    failed = true;
    console.error(`${name} could not be measured:`, error);
  }
}
if (sections.size > 0) await keep(sections);
process.exit(failed ? 1 : 0);

/** The dated file holds what was measured now. In latest.md a row that was not measured keeps its last table. */
async function keep(measured: Map<string, string>): Promise<void> {
  await mkdir(RESULTS, { recursive: true });
  const at = new Date().toISOString();
  const head = `# Measurements\n\n${cpus().length} cores (${cpus()[0]?.model.trim()}), Node ${process.version}, ${process.platform}.\n`;
  const dated = [...measured].map(([name, section]) => stamped(name, section, at));
  await writeFile(`${RESULTS}${at.slice(0, 16).replaceAll(":", "")}.md`, [head, ...dated].join("\n"));
  const before = existsSync(LATEST) ? await readFile(LATEST, "utf8") : "";
  const known = new Map(
    [...before.matchAll(/<!-- ([\w-]+) -->\n[\s\S]*?(?=<!-- |$)/g)].map(([section, name = ""]) => [name, section.trimEnd()]),
  );
  for (const [name, section] of measured) known.set(name, stamped(name, section, at).trimEnd());
  const latest = names.flatMap((name) => known.get(name) ?? []);
  await writeFile(LATEST, `${[head, ...latest].join("\n\n").replace("\n\n\n", "\n\n")}\n`);
}

function stamped(name: string, section: string, at: string): string {
  return `<!-- ${name} -->\n${section}\nMeasured ${at.slice(0, 16).replace("T", " ")} UTC.\n`;
}
