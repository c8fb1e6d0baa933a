import { expect, test } from "@jest/globals";
import { expectNone } from "../support/expect-none.ts";
import { findStumbles, stumblesIn } from "../support/plain-english.ts";

test("no comment, test name or document contains a phrase that readers stumble over", () => {
  expectNone(
    findStumbles().map(({ path, line, phrase, better }) => `${path}:${line}: "${phrase}", better ${better}`),
    "Replace these phrases",
  );
});

test("a phrase is found in a comment, a test name and a paragraph, also across a line break", () => {
  const code = [
    "/** One who",
    " * heeds it. */",
    "// It goes",
    "// on for good",
    'test("nobody", () => {});',
    "test.each([1])(`Of the rows`, () => {});",
  ].join("\n");
  expect(stumblesIn("some.test.ts", code).map(({ line, phrase }) => [line, phrase])).toEqual([
    [2, "heeds"],
    [3, "goes on"],
    [4, "for good"],
    [5, "nobody"],
    [6, "Of the"],
  ]);
  expect(stumblesIn("README.md", "Whoever\n- reads that\n  which stands").map(({ line }) => line)).toEqual([1, 2]);
});

test("a phrase is not found in code, in quoted code, in a link's target, or within a field term", () => {
  const code = [
    'const nobody = "somebody";',
    "// The key `nobody` on a mail server, one of the leads",
    'expect("that which").toBe(/heeds/);',
  ].join("\n");
  expect(stumblesIn("some.test.ts", code)).toEqual([]);
  const document = "`nobody` and [a link](docs/somebody)\n\n```\nwhoever\n```\n\nThe `` a `whoever` b `` ends.";
  expect(stumblesIn("README.md", document)).toEqual([]);
});
