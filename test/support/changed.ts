import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { parseArgs } from "node:util";
import { sourcesIn } from "./imports.ts";
import { reachingOf } from "./reaching.ts";
import { readTimings } from "./timings.ts";

/**
 * `npm run test:changed [-- --since <commit> --deep --list]`: runs the test files that reach what has changed since a
 * commit, the last one unless named. `--deep` takes those of `npm run test:deep` along, `--list` only names them.
 */
const { values } = parseArgs({
  options: {
    since: { type: "string", default: "HEAD" },
    deep: { type: "boolean", default: false },
    list: { type: "boolean", default: false },
  },
});
const git = (...args: string[]) => execFileSync("git", args, { encoding: "utf8" }).split("\n").filter(Boolean);
const changed = [...git("diff", "--name-only", values.since), ...git("ls-files", "--others", "--exclude-standard")];
const sources = sourcesIn([
  "api",
  "activities",
  "connectors",
  "console",
  "domain",
  "embedded",
  "mcp",
  "models",
  "mongo",
  "operations",
  "runtime",
  "store",
  "temporal",
  "worker",
  "workflows",
]);
const tests = sourcesIn(["test"]).filter(
  (path) => /(?<!\.outside)\.test\.ts$/.test(path) && (values.deep || !path.endsWith(".deep.test.ts")),
);
const reaching = reachingOf(tests, readTimings(), sources);
const chosen = [...new Set(changed.flatMap(reaching))].sort();
console.log(`${changed.length} changed files are reached by ${chosen.length} of ${tests.length} test files`);
if (values.list) for (const path of chosen) console.log(path);
else if (chosen.length > 0) {
  const args = ["--no-warnings", "node_modules/jest/bin/jest.js", "--runTestsByPath", ...chosen];
  const [code] = await once(spawn(process.execPath, args, { stdio: "inherit" }), "exit");
  process.exitCode = code ?? 1;
}
