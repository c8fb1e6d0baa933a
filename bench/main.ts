import { existsSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { cpus } from "node:os";
import { fileURLToPath } from "node:url";
import { type Row, sectionOf } from "./table.ts";

/**
 * `npm run bench [row ...]`: runs the benchmarks whose names begin with these words, or all of them, prints their
 * tables and stores them in results/.
 */
const ROWS: Record<string, () => Promise<{ run: () => Promise<Row> }>> = {
  mails: () => import("./sending/mails.ts"),
  "email-commands": () => import("./sending/email-commands.ts"),
  transports: () => import("./apis/transports.ts"),
  fairness: () => import("./sending/fairness.ts"),
  scale: () => import("./sending/scale.ts"),
  "scale-launches": () => import("./sending/many-workspaces.ts"),
  "scale-lists": () => import("./reports/campaign-list.ts"),
  "scale-indexes": () => import("./reports/recipient-indexes.ts"),
  claims: () => import("./sending/claims.ts"),
  launch: () => import("./sending/launch.ts"),
  edits: () => import("./sending/edits.ts"),
  pause: () => import("./sending/pause.ts"),
  stops: () => import("./sending/stops.ts"),
  gate: () => import("./sending/gate.ts"),
  killed: () => import("./sending/killed.ts"),
  webhooks: () => import("./reports/webhooks.ts"),
  history: () => import("./inbox/history.ts"),
  memory: () => import("./system/memory.ts"),
  import: () => import("./leads/import.ts"),
  upload: () => import("./leads/upload.ts"),
  export: () => import("./leads/export.ts"),
  lists: () => import("./leads/lists.ts"),
  notice: () => import("./inbox/notice.ts"),
  replies: () => import("./inbox/replies.ts"),
  sync: () => import("./inbox/sync.ts"),
  "api-sync": () => import("./apis/api-sync.ts"),
  "api-notices": () => import("./apis/api-notices.ts"),
  idle: () => import("./inbox/idle.ts"),
  inbox: () => import("./inbox/inbox.ts"),
  classify: () => import("./inbox/classify.ts"),
  readings: () => import("./inbox/readings.ts"),
  intents: () => import("./inbox/intents.ts"),
  start: () => import("./system/start.ts"),
  tools: () => import("./tools/tools.ts"),
  "tools-costs": () => import("./tools/costs.ts"),
  "tools-jobs": () => import("./tools/jobs.ts"),
  experiments: () => import("./sending/experiments.ts"),
  tracking: () => import("./reports/tracking.ts"),
  conversions: () => import("./reports/conversions.ts"),
  analytics: () => import("./reports/analytics.ts"),
  warmup: () => import("./warmup/warmup.ts"),
  "warmup-rates": () => import("./warmup/warmup-rates.ts"),
  "warmup-reads": () => import("./warmup/warmup-reads.ts"),
  "warmup-idle": () => import("./warmup/warmup-idle.ts"),
  search: () => import("./leads/search.ts"),
  crm: () => import("./leads/crm.ts"),
  verify: () => import("./leads/verify.ts"),
  agent: () => import("./tools/agent.ts"),
  evidence: () => import("./reports/evidence.ts"),
  purge: () => import("./reports/purge.ts"),
  erase: () => import("./reports/erase.ts"),
  retention: () => import("./reports/retention.ts"),
  agency: () => import("./reports/agency.ts"),
  console: () => import("./system/console.ts"),
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

// On a signal this process exits, and so do the processes that a benchmark has started
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

/**
 * Stores the tables. The dated file contains only those measured now. In latest.md, a benchmark that was not run keeps
 * its last table.
 */
async function keep(measured: Map<string, string>): Promise<void> {
  await mkdir(RESULTS, { recursive: true });
  const at = new Date().toISOString();
  const head = `# Measurements\n\n${cpus().length} cores (${cpus()[0]?.model.trim()}), Node ${process.version}, ${process.platform}.\n`;
  const dated = [...measured].map(([name, section]) => stamped(name, section, at));
  await writeFile(`${RESULTS}${at.slice(0, 16).replaceAll(":", "")}.md`, [head, ...dated].join("\n"));
  const before = existsSync(LATEST) ? await readFile(LATEST, "utf8") : "";
  const earlierTables = new Map(
    [...before.matchAll(/<!-- ([\w-]+) -->\n[\s\S]*?(?=<!-- |$)/g)].map(([section, name = ""]) => [
      name,
      section.trimEnd(),
    ]),
  );
  for (const [name, section] of measured) earlierTables.set(name, stamped(name, section, at).trimEnd());
  const latest = names.flatMap((name) => earlierTables.get(name) ?? []);
  await writeFile(LATEST, `${[head, ...latest].join("\n\n").replace("\n\n\n", "\n\n")}\n`);
}

function stamped(name: string, section: string, at: string): string {
  return `<!-- ${name} -->\n${section}\nMeasured ${at.slice(0, 16).replace("T", " ")} UTC.\n`;
}
