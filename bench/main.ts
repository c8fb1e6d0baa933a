import { existsSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { cpus } from "node:os";
import { fileURLToPath } from "node:url";
import { type Row, sectionOf } from "./table.ts";

/** `npm run bench [row ...]`: measures the rows that begin with these words, or all of them, prints their tables and stores them in results/. */
const ROWS = [
  "mails",
  "claims",
  "launch",
  "edits",
  "pause",
  "stops",
  "gate",
  "killed",
  "webhooks",
  "history",
  "memory",
  "import",
  "upload",
  "export",
  "lists",
  "notice",
  "replies",
  "sync",
  "idle",
  "inbox",
  "classify",
  "readings",
  "intents",
  "start",
  "tools",
  "experiments",
  "tracking",
  "conversions",
  "analytics",
  "warmup",
  "warmup-rates",
  "warmup-reads",
  "warmup-idle",
  "search",
  "crm",
  "verify",
  "agent",
  "evidence",
  "purge",
  "agency",
  "console",
] as const;
const RESULTS = fileURLToPath(new URL("./results/", import.meta.url));
const LATEST = `${RESULTS}latest.md`;

const named = process.argv.slice(2);
const unknown = named.filter((name) => !ROWS.some((row) => row.startsWith(name)));
if (unknown.length > 0) {
  console.error(`There is no row ${unknown.join(", ")}: ${ROWS.join(", ")}`);
  process.exit(2);
}

// So that every process that a row has started ends with it
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(130));

const sections = new Map<string, string>();
let failed = false;
for (const name of ROWS.filter((row) => named.length === 0 || named.some((name) => row.startsWith(name)))) {
  const started = performance.now();
  try {
    const { run }: { run: () => Promise<Row> } = await import(`./${name}.ts`);
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
  const latest = ROWS.flatMap((name) => known.get(name) ?? []);
  await writeFile(LATEST, `${[head, ...latest].join("\n\n").replace("\n\n\n", "\n\n")}\n`);
}

function stamped(name: string, section: string, at: string): string {
  return `<!-- ${name} -->\n${section}\nMeasured ${at.slice(0, 16).replace("T", " ")} UTC.\n`;
}
