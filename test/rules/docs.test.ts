import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "@jest/globals";
import { linksOf, pathsNamed } from "../support/markdown.ts";

const documents = readdirSync("docs", { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".md"))
  .map((file) => join("docs", file));

describe("what a document names is there", () => {
  test.each(documents)("%s: its links, from where it lies", (path) => {
    const links = linksOf(readFileSync(path, "utf8"));
    expect(links.filter((link) => !existsSync(join(dirname(path), link)))).toEqual([]);
  });

  test.each(documents)("%s: its paths, from the root of the repository", (path) => {
    const named = pathsNamed(readFileSync(path, "utf8"));
    expect(named.filter((one) => !existsSync(one))).toEqual([]);
  });
});

describe("docs/glossary.md", () => {
  const glossary = readFileSync("docs/glossary.md", "utf8");
  /** `` | **send** | ... | `models/send.ts` | ``: a noun, what it is, where it lives. */
  const lines = [...glossary.matchAll(/^\| \*\*(.+?)\*\* \| (.+) \| (.*) \|$/gm)];

  test("has a line for every model", () => {
    const models = readdirSync("models").filter((file) => /tenantModel|globalModel/.test(readFileSync(join("models", file), "utf8")));
    expect(models.length).toBeGreaterThan(30);
    const places = lines.map(([, , , place = ""]) => place);
    expect(models.filter((file) => !places.some((place) => place.includes(`\`models/${file}\``)))).toEqual([]);
  });

  test("has each noun once, in the order of the alphabet", () => {
    const nouns = lines.map(([, noun = ""]) => noun);
    expect(nouns).toEqual([...new Set(nouns)].sort((one, other) => one.localeCompare(other, "en")));
  });
});
