import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { expectNone } from "../support/expect-none.ts";

const FOLDERS = readdirSync(".", { withFileTypes: true }).filter(
  (one) => one.isDirectory() && !/^(\.|node_modules$)/.test(one.name),
);
const files = [
  ...readdirSync("."),
  ...FOLDERS.flatMap(({ name }) =>
    readdirSync(name, { recursive: true, encoding: "utf8" }).map((file) => join(name, file)),
  ),
].filter((path) => path.endsWith(".ts") && path !== join("test", "rules", "numbers.test.ts"));

const ONCE = join("domain", "time", "durations.ts");

/** Lines of all files but the one place, by where they stand. */
function linesWith(pattern: RegExp): string[] {
  return files
    .filter((path) => path !== ONCE)
    .flatMap((path) => {
      const lines = readFileSync(path, "utf8").split("\n");
      return lines.flatMap((line, index) => (pattern.test(line) ? `${path}:${index + 1} ${line.trim()}` : []));
    });
}

test("the durations of a second, a minute, an hour and a day are defined only in domain/time/durations.ts", () => {
  expect(files).toContain(ONCE);
  expect(readFileSync(ONCE, "utf8")).not.toMatch(/^import/m);
  expectNone(
    linesWith(/\b(?:const|let)\s+(?:(?:SECOND|MINUTE|HOUR|DAY)(?:_MS)?|DAY_SECONDS)\s*=\s*[\d(]/),
    "Import the duration from domain/time/durations.ts",
  );
});

test("no file writes out the milliseconds of an hour or a day, or multiplies the milliseconds of a minute", () => {
  expectNone(
    linesWith(/\b(?:86_?400_?000|3_?600_?000|1000 \* 60)\b|[\w)\]] [*/] 60_?000\b/),
    "Use the durations of domain/time/durations.ts",
  );
});
