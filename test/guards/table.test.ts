import { existsSync, globSync, readFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { dirname } from "node:path";
import { describe, expect, test } from "@jest/globals";
import { transformWithOxc } from "vite";
import { expectNone } from "../support/expect-none.ts";
import { without } from "./guard.ts";
import { GUARDS } from "./table.ts";

/** When a guard moves, its row moves with it. Whether its test bites is shown by `npm run test:guards`. */
describe("the table of guards", () => {
  test("the table contains at least 80 guards with unique names", () => {
    const names = GUARDS.map(({ guard }) => guard);
    expect(new Set(names).size).toBe(names.length);
    expect(names.length).toBeGreaterThanOrEqual(80);
  });

  test("each guard's text occurs exactly once in its file, and its test file exists", () => {
    const lost = GUARDS.filter((guard) => {
      if (!existsSync(guard.file) || !existsSync(guard.test)) return true;
      return without(guard, readFileSync(guard.file, "utf8")) === null;
    });
    expectNone(
      lost.map(({ guard, file }) => `${file}: ${guard}`),
      "Correct the row in test/guards: its text must occur exactly once in its file, and its test file must exist",
    );
  });

  test("half of the words of each row's `only` stand together in the test file or beside the file", () => {
    const lost = GUARDS.filter(({ test, only }) => {
      if (only === undefined || !existsSync(test)) return false;
      return !only.split("|").every((part) => standsIn(textBeside(test), part));
    });
    expectNone(
      lost.map(({ guard, test, only }) => `${test}: ${only} (${guard})`),
      "Correct `only` in the row: it must be part of the name of a test, with the values of its row of `test.each`",
    );
  });

  test("every file can still be parsed after its guard is replaced", async () => {
    const looked = GUARDS.map(async (guard) => {
      const text = without(guard, readFileSync(guard.file, "utf8")) ?? "";
      try {
        // Node does not read the TypeScript of the pages
        if (guard.file.endsWith(".tsx")) await transformWithOxc(text, guard.file);
        else if (guard.file.endsWith(".go")) return null;
        else stripTypeScriptTypes(text);
        return null;
      } catch {
        return guard;
      }
    });
    const broken = (await Promise.all(looked)).filter((guard) => guard !== null);
    expectNone(
      broken.map(({ guard, file }) => `${file}: ${guard}`),
      "Correct `instead` in the row: the file cannot be parsed with it",
    );
  });
});

/** The text of a test file and of the files of its folder, where the values of its tables may be. */
function textBeside(test: string): string {
  const folder = dirname(test);
  textOf[folder] ??= globSync(`${folder}/*.ts`)
    .map((path) => readFileSync(path, "utf8"))
    .join("\n")
    .replace(/\s+/g, " ")
    .toLowerCase();
  return textOf[folder];
}

const textOf: Record<string, string> = {};

/** The name of a test may be put together from a title and values, so half of the words together are enough. */
function standsIn(text: string, part: string): boolean {
  const words = part
    .replace(/\\|\.[*+]|[()]/g, " ")
    .trim()
    .split(/\s+/);
  const many = Math.floor(words.length / 2) || 1;
  return words.some((_, at) => {
    const run = words.slice(at, at + many);
    return run.length === many && text.includes(run.join(" ").toLowerCase());
  });
}
