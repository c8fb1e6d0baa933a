import { parseArgs } from "node:util";
import pLimit from "p-limit";
import { sourcesIn } from "../support/imports.ts";
import { reachingOf } from "../support/reaching.ts";
import { readTimings } from "../support/timings.ts";
import { changedMutants, randomMutants } from "./chosen.ts";
import type { Mutant } from "./mutants.ts";
import { GUARDS } from "./table.ts";
import { copyTree, type Tree } from "./tree.ts";
import { redBefore, tryMutant, tryWithout, type Verdict } from "./trial.ts";

/**
 * `npm run test:guards [-- words… --jobs 2 --green --quick]`: takes each guard of the table out of a copy of the tree
 * and runs the test file that must fail. `--green`: the tests are known to pass as they are and are not run first.
 * `--quick`: only tests of `npm test`; a guard that is caught by a deep test alone counts as a survivor.
 *
 * `-- --random 60 [--in store,activities]`: changes 60 random places instead and runs the tests that reach them.
 * `-- --changed [--since <commit>] [--random 20]`: the same on lines that have changed since a commit, the last one
 * unless named.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    jobs: { type: "string", default: "2" },
    green: { type: "boolean", default: false },
    quick: { type: "boolean", default: false },
    random: { type: "string" },
    in: { type: "string", default: "store,activities" },
    changed: { type: "boolean", default: false },
    since: { type: "string", default: "HEAD" },
  },
});
const MOST_CHANGED = "60";
const jobs = Math.max(1, Number.parseInt(values.jobs, 10) || 1);
const trees = await Promise.all(Array.from({ length: jobs }, copyTree));
process.once("SIGINT", () => void end(130));

const trials = values.changed || values.random !== undefined ? mutantTrials() : await guardTrials();
const totals = await runAll(trials);
console.log(
  `${trials.length} tried, ${totals.caught} caught, ${totals.survives} survive, ${totals.stale + totals.red} stale`,
);
await end(totals.caught === trials.length ? 0 : 1);

interface Trial {
  name: string;
  run(tree: Tree): Promise<Verdict>;
}

async function guardTrials(): Promise<Trial[]> {
  const [first] = trees;
  const isNamed = ({ guard, file, test }: (typeof GUARDS)[number]) =>
    positionals.every((word) => `${guard} ${file} ${test}`.toLowerCase().includes(word.toLowerCase()));
  const guards = GUARDS.filter(isNamed);
  const isOut = ({ test }: (typeof GUARDS)[number]) => values.quick && test.endsWith(".deep.test.ts");
  const tests = values.green
    ? []
    : [...new Set(guards.filter((guard) => !isOut(guard)).map(({ test }) => test))].sort();
  if (tests.length > 0) console.log("First the test files as they are…");
  const red = first === undefined ? new Set<string>() : await redBefore(first, tests);
  for (const test of red) console.log(`  ${test} fails with nothing taken out`);
  return guards.map((guard) => ({
    name: `${guard.file}: ${guard.guard} (${guard.test})`,
    run: async (tree) => (isOut(guard) ? "survives" : red.has(guard.test) ? "red" : tryWithout(tree, guard)),
  }));
}

function mutantTrials(): Trial[] {
  const count = Number(values.random ?? MOST_CHANGED);
  const rooms = values.in.split(",");
  const mutants = values.changed ? changedMutants(values.since, count) : randomMutants(count, rooms);
  const timings = readTimings();
  const tests = sourcesIn(["test"]).filter((path) => /(?<!\.(deep|outside))\.test\.ts$/.test(path));
  const reaching = reachingOf(
    tests,
    timings,
    sourcesIn(["activities", "api", "domain", "mcp", "mongo", "operations", "store", "temporal", "worker"]),
  );
  return mutants.map((mutant) => ({
    name: `${mutant.file}:${mutant.line} ${mutant.what}`,
    run: (tree) => tryMutant(tree, mutant, likeliestFirst(mutant, reaching(mutant.file))),
  }));

  /** Tests that guard the file, then those of its area, then those that reach little else and so take less time. */
  function likeliestFirst({ file }: Mutant, found: readonly string[]): string[] {
    const area = file.split("/")[1] ?? "";
    const guarding = new Set(GUARDS.filter((guard) => guard.file === file).map(({ test }) => test));
    const rank = (test: string) =>
      (guarding.has(test) ? 0 : test.includes(`/${area}/`) ? 1 : 2) * 10_000 +
      (timings[test]?.files.length ?? 0) +
      10 * (timings[test]?.seconds ?? 0);
    return found
      .filter((test) => !/^test\/(rules|guards)\//.test(test))
      .toSorted((one, other) => rank(one) - rank(other));
  }
}

async function runAll(all: readonly Trial[]): Promise<Record<Verdict, number>> {
  const counts: Record<Verdict, number> = { caught: 0, survives: 0, stale: 0, red: 0 };
  const inTurn = pLimit(jobs);
  const free = [...trees];
  const trial = async ({ name, run }: Trial) => {
    const verdict = await withTree(free, run);
    counts[verdict] += 1;
    console.log(`  ${verdict.padEnd(9)} ${name}`);
  };
  await Promise.all(all.map((one) => inTurn(trial, one)));
  return counts;
}

/** No two changes stand in one tree at the same time. */
async function withTree<T>(free: Tree[], run: (tree: Tree) => Promise<T>): Promise<T> {
  const tree = free.pop();
  if (tree === undefined) throw new Error("More trials than trees");
  try {
    return await run(tree);
  } finally {
    free.push(tree);
  }
}

async function end(code: number): Promise<never> {
  await Promise.all(trees.map((tree) => tree.remove()));
  process.exit(code);
}
