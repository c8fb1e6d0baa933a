import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { describe, expect, test } from "@jest/globals";
import { expectNone } from "../support/expect-none.ts";
import { texts } from "../support/markdown.ts";

const RULES = "docs/rules";
/** A paragraph or section of a file of rules, or several: `rules/sending 3.1 to 3.5, 8`. */
const CITED = /\brules\/([a-z-]+) (\d+(?:\.\d+)?(?:(?:, | and | to )\d+(?:\.\d+)?)*)/g;
/** Citations, by section or by the number of a rule, of texts that are not part of the repository. */
const FOREIGN = /(?<![\w:%.-])B\d{1,2}\b|\bbehaviou?rs? \d|\binterface \d|[\w-]+\.md`? \d/g;
const DOCUMENT = /[\w./-]*\w\.md\b/g;
/** This file names what it forbids. */
const files = texts().filter(({ path }) => path !== "test/rules/citations.test.ts");

/** The numbers of a file of rules: `8` by its heading, `8.3` by the paragraph that begins with it. */
function numbersIn(markdown: string): string[] {
  return [...markdown.matchAll(/^(?:## (\d+) |\*\*(\d+\.\d+)\*\* )/gm)].map(
    ([, section, paragraph]) => section ?? paragraph ?? "",
  );
}

const paragraphs = new Map(
  readdirSync(RULES).map(
    (file) => [basename(file, ".md"), numbersIn(readFileSync(join(RULES, file), "utf8"))] as const,
  ),
);

/** What a text cites, one by one; a comment may break its line within a citation. */
function citedIn(text: string): string[] {
  return [...text.replace(/\n\s*(?:\*|\/\/)?\s*/g, " ").matchAll(CITED)].flatMap(([, file = "", list = ""]) =>
    list.split(/, | and | to /).map((number) => `${file} ${number}`),
  );
}

function isThere(citation: string): boolean {
  const [file = "", number = ""] = citation.split(" ");
  return paragraphs.get(file)?.includes(number) === true;
}

test("every citation in a comment or document names an existing paragraph of docs/rules", () => {
  const cited = files.map(({ path, text }) => ({ path, citations: citedIn(text) }));
  expect(cited.flatMap(({ citations }) => citations).length).toBeGreaterThan(300);
  const lost = cited.flatMap(({ path, citations }) =>
    citations.filter((one) => !isThere(one)).map((one) => `${path}: rules/${one}`),
  );
  expectNone(lost, "Correct the citation, or add the paragraph to docs/rules");
});

test("no comment or document cites a text outside the repository", () => {
  const foreign = files.flatMap(({ path, text }) => {
    // Benchmarks name the files that they write
    const places = [".", dirname(path), "bench/results"];
    const lost = (document: string) => !places.some((place) => existsSync(join(place, document)));
    return [...(text.match(FOREIGN) ?? []), ...(text.match(DOCUMENT) ?? []).filter(lost)].map(
      (found) => `${path}: ${found}`,
    );
  });
  expectNone(foreign, "Cite docs/rules instead: readers have only this repository");
});

describe("each file of rules", () => {
  const counted = [...paragraphs].filter(([file]) => file !== "README");
  test.each(counted)("%s numbers its sections and paragraphs in order, without duplicates", (_, numbers) => {
    const inOrder = [...new Set(numbers)].sort((one, other) => rankOf(one) - rankOf(other));
    expect(numbers).toEqual(inOrder);
    const sections = numbers.filter((number) => !number.includes("."));
    expectNone(
      numbers.filter((number) => !sections.includes(number.split(".")[0] ?? "")),
      "Number the paragraphs of this file within their section",
    );
  });
});

/** A section comes before its paragraphs, and 2.10 after 2.9. */
function rankOf(number: string): number {
  const [section = 0, paragraph = 0] = number.split(".").map(Number);
  return section * 1_000 + paragraph;
}
