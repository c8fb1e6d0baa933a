import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { MINUTE_MS } from "../../domain/time/durations.ts";
import type { Guard } from "./guard.ts";
import type { Tree } from "./tree.ts";

export type Verdict = "caught" | "survives" | "stale" | "red";

/** A trial that exceeds this has shown nothing. */
const LIMIT_MS = 15 * MINUTE_MS;

interface Report {
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
  if (!(await tree.takeOut(guard))) return "stale";
  try {
    const { testResults } = await jest(tree.folder, [guard.test], guard.only);
    const statuses = testResults.flatMap(({ assertionResults }) => assertionResults.map(({ status }) => status));
    if (statuses.includes("failed")) return "caught";
    // A file in which no test ran has shown nothing
    return statuses.includes("passed") ? "survives" : "stale";
  } finally {
    await tree.putBack(guard);
  }
}

/** Runs the project's own Jest in a folder, on these test files. */
async function jest(folder: string, tests: string[], only = ""): Promise<Report> {
  const out = await mkdtemp(join(tmpdir(), "outreach-guards-out-"));
  const file = join(out, "report.json");
  const args = ["--json", "--outputFile", file, "--testNamePattern", only, "--runTestsByPath", ...tests];
  try {
    const program = ["--no-warnings", "node_modules/jest/bin/jest.js", ...args];
    const child = spawn(process.execPath, program, { cwd: folder, stdio: "ignore", timeout: LIMIT_MS });
    await once(child, "exit");
    const report: Report = existsSync(file) ? JSON.parse(await readFile(file, "utf8")) : { testResults: [] };
    return report;
  } finally {
    await rm(out, { recursive: true, force: true });
  }
}
