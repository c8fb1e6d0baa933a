import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { uniformInt } from "pure-rand/distribution/uniformInt";
import { xoroshiro128plus } from "pure-rand/generator/xoroshiro128plus";
import { sourcesIn } from "../support/imports.ts";
import { type Mutant, mutantsOf } from "./mutants.ts";

/** Replay tests guard workflows; types and tests have nothing to mutate. */
const ROOMS = [
  "activities",
  "api",
  "connectors",
  "domain",
  "embedded",
  "mcp",
  "mongo",
  "operations",
  "runtime",
  "store",
  "temporal",
  "worker",
];

/**
 * The mutants of these rooms that the hash of the present commit chooses: no one picks them, and the same commit
 * chooses the same ones.
 */
export function randomMutants(count: number, rooms: readonly string[]): Mutant[] {
  return draw(count, sourcesIn(rooms).filter(isCode).flatMap(mutantsIn), git("rev-parse", "HEAD")[0] ?? "");
}

/** The mutants on lines that changed since a commit; at most `count`, chosen as above. */
export function changedMutants(since: string, count: number): Mutant[] {
  const lines = changedLines(git("diff", "--unified=0", "--no-color", since, "--", ...ROOMS));
  const mutants = [...lines]
    .filter(([file]) => isCode(file))
    .flatMap(([file, changed]) => mutantsIn(file).filter(({ line }) => changed.has(line)));
  return draw(count, mutants, git("rev-parse", "HEAD")[0] ?? "");
}

function draw(count: number, mutants: Mutant[], commit: string): Mutant[] {
  const random = xoroshiro128plus(Number.parseInt(commit.slice(0, 8), 16) | 0);
  const left = [...mutants];
  const chosen: Mutant[] = [];
  while (chosen.length < count && left.length > 0)
    chosen.push(...left.splice(uniformInt(random, 0, left.length - 1), 1));
  return chosen;
}

function isCode(path: string): boolean {
  return path.endsWith(".ts") && !path.endsWith(".d.ts");
}

function mutantsIn(file: string): Mutant[] {
  return mutantsOf(file, readFileSync(file, "utf8"));
}

/** The numbers of the lines that a diff without context adds, by file. */
function changedLines(diff: readonly string[]): Map<string, Set<number>> {
  const changed = new Map<string, Set<number>>();
  let file = "";
  for (const line of diff) {
    if (line.startsWith("+++ ")) file = line.slice("+++ b/".length);
    const [, first, length = "1"] = /^@@ -\S+ \+(\d+)(?:,(\d+))? @@/.exec(line) ?? [];
    if (first === undefined) continue;
    const lines = changed.get(file) ?? new Set();
    for (let at = 0; at < Number(length); at++) lines.add(Number(first) + at);
    changed.set(file, lines);
  }
  return changed;
}

function git(...args: string[]): string[] {
  return execFileSync("git", args, { encoding: "utf8", maxBuffer: 64 * 1024 * 1024 }).split("\n");
}
