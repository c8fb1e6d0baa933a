import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { text } from "node:stream/consumers";
import { MINUTE_MS } from "../../domain/time/durations.ts";
import { type Guard, without } from "./guard.ts";
import { type Mutant, mutated } from "./mutants.ts";
import type { Tree } from "./tree.ts";

export type Verdict = "caught" | "survives" | "stale" | "red";

/** A trial that exceeds this has shown nothing. */
const LIMIT_MS = 15 * MINUTE_MS;
/** Test files that are run at once against a mutant, the likeliest to fail first. */
const AT_ONCE = [6, 12, 24, 48];

interface Report {
  /** Whether the run ended at its first failure, of which Jest writes no results. */
  hasBailed?: boolean;
  testResults: { name: string; status: string; assertionResults: { status: string }[] }[];
}

/** The test files that fail, or do not load, before anything is taken out: they can show nothing about a guard. */
export async function redBefore(tree: Tree, tests: string[]): Promise<Set<string>> {
  if (tests.length === 0) return new Set();
  const { testResults } = await jest(tree.folder, tests);
  const green = testResults.filter(({ status }) => status === "passed").map(({ name }) => relative(tree.folder, name));
  return new Set(tests.filter((test) => !green.includes(test)));
}

/** Takes the guard out, runs its test file, and puts it back. */
export async function tryWithout(tree: Tree, guard: Guard): Promise<Verdict> {
  const changed = without(guard, await readFile(guard.file, "utf8"));
  if (changed === null) return "stale";
  return changedIn(tree, guard.file, changed, async () =>
    verdictOf(await jest(tree.folder, [guard.test], ["--testNamePattern", guard.only ?? ""])),
  );
}

/** Puts the mutant in, and runs test files, in the order given, until one fails. */
export async function tryMutant(tree: Tree, mutant: Mutant, tests: readonly string[]): Promise<Verdict> {
  const changed = mutated(mutant, await readFile(mutant.file, "utf8"));
  return changedIn(tree, mutant.file, changed, async () => {
    let left = [...tests];
    for (let round = 0; left.length > 0; round++) {
      const now = left.slice(0, AT_ONCE[round] ?? AT_ONCE.at(-1));
      left = left.slice(now.length);
      if (verdictOf(await jest(tree.folder, now, ["--bail"])) === "caught") return "caught";
    }
    return "survives";
  });
}

async function changedIn(tree: Tree, file: string, text: string, run: () => Promise<Verdict>): Promise<Verdict> {
  await tree.write(file, text);
  try {
    return await run();
  } finally {
    await tree.restore(file);
  }
}

/** A run in which no test ran has shown nothing. */
function verdictOf({ testResults, hasBailed = false }: Report): Verdict {
  if (hasBailed) return "caught";
  const statuses = testResults.flatMap(({ status, assertionResults }) => [
    ...assertionResults.map((assertion) => assertion.status),
    // The file could not be loaded
    ...(assertionResults.length === 0 && status === "failed" ? ["failed"] : []),
  ]);
  if (statuses.includes("failed")) return "caught";
  return statuses.includes("passed") ? "survives" : "stale";
}

/** Runs the project's own Jest in a folder, on these test files. */
async function jest(folder: string, tests: string[], options: string[] = []): Promise<Report> {
  const out = await mkdtemp(join(tmpdir(), "outreach-guards-out-"));
  const file = join(out, "report.json");
  const args = ["--json", "--outputFile", file, ...options, "--runTestsByPath", ...tests];
  try {
    const program = ["--no-warnings", "node_modules/jest/bin/jest.js", ...args];
    const child = spawn(process.execPath, program, {
      cwd: folder,
      stdio: ["ignore", "pipe", "pipe"],
      timeout: LIMIT_MS,
    });
    const [ended, output, errors] = await Promise.all([once(child, "exit"), text(child.stdout), text(child.stderr)]);
    const report: Report = existsSync(file) ? JSON.parse(await readFile(file, "utf8")) : { testResults: [] };
    return { ...report, hasBailed: !existsSync(file) && ended[0] === 1 && /^FAIL /m.test(output + errors) };
  } finally {
    await rm(out, { recursive: true, force: true });
  }
}
