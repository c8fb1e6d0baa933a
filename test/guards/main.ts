import { parseArgs } from "node:util";
import pLimit from "p-limit";
import type { Guard } from "./guard.ts";
import { GUARDS } from "./table.ts";
import { copyTree, type Tree } from "./tree.ts";
import { redBefore, tryWithout, type Verdict } from "./trial.ts";

/**
 * `npm run test:guards [-- words… --jobs 2 --green]`: takes each guard out of a copy of the tree and runs the test file that must fail.
 * `--green`: the tests are known to pass as they are, and are not run first.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { jobs: { type: "string", default: "2" }, green: { type: "boolean", default: false } },
});
const isNamed = (row: Guard) =>
  positionals.every((word) => `${row.guard} ${row.file} ${row.test}`.toLowerCase().includes(word.toLowerCase()));
const guards = GUARDS.filter(isNamed);
const jobs = Math.max(1, Math.min(Number.parseInt(values.jobs, 10) || 1, guards.length));
const trees = await Promise.all(Array.from({ length: jobs }, copyTree));
process.once("SIGINT", () => void end(130));

const counts = await count();
console.log(`${guards.length} guards, ${counts.caught} caught, ${counts.survives} survive, ${counts.stale + counts.red} stale`);
await end(counts.caught === guards.length ? 0 : 1);

async function count(): Promise<Record<Verdict, number>> {
  const totals: Record<Verdict, number> = { caught: 0, survives: 0, stale: 0, red: 0 };
  const [first] = trees;
  if (first === undefined || guards.length === 0) return totals;
  const tests = values.green ? [] : [...new Set(guards.map(({ test }) => test))].sort();
  if (tests.length > 0) console.log("First the test files as they are…");
  const red = await redBefore(first, tests);
  for (const test of red) console.log(`  ${test} fails with nothing taken out`);
  const inTurn = pLimit(jobs);
  const free = [...trees];
  const trial = async (guard: Guard) => {
    const verdict = red.has(guard.test) ? "red" : await withTree(free, (tree) => tryWithout(tree, guard));
    totals[verdict] += 1;
    console.log(`  ${verdict.padEnd(9)} ${guard.file}: ${guard.guard} (${guard.test})`);
  };
  await Promise.all(guards.map((guard) => inTurn(trial, guard)));
  return totals;
}

/** No two guards are taken out of one tree at the same time. */
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
