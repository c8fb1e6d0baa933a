import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "@jest/globals";
import { expectNone } from "../support/expect-none.ts";
import { sourcesIn } from "../support/imports.ts";
import { headingsOf, type Link, linksOf, pathsNamed } from "../support/markdown.ts";

const pages = readdirSync("docs", { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".md"));
const documents = ["README.md", "CONTRIBUTING.md", "SECURITY.md", ...pages.map((file) => join("docs", file))];

describe("links and paths in documents", () => {
  test.each(documents)("%s: every link leads to an existing file and heading", (document) => {
    const links = linksOf(readFileSync(document, "utf8"));
    expectNone(
      links.filter((link) => !leadsSomewhere(document, link)),
      "Correct the link: the file or the heading does not exist",
    );
  });

  test.each(documents)("%s: every path that the text names exists in the repository", (document) => {
    const named = pathsNamed(readFileSync(document, "utf8"));
    expectNone(
      named.filter((path) => !existsSync(path)),
      "Correct the path: no such file is in the repository",
    );
  });
});

test("docs/README.md links every document of docs/", () => {
  const linked = linksOf(readFileSync("docs/README.md", "utf8")).map(({ path }) => join("docs", path));
  const all = readdirSync("docs", { recursive: true, encoding: "utf8" }).map((file) => join("docs", file));
  const known = [...linked, "docs/README.md"];
  expectNone(
    all.filter((file) => statSync(file).isFile() && !file.endsWith(".png") && !known.includes(file)),
    "Add a line to docs/README.md with a link to the document and what it is about",
  );
});

function leadsSomewhere(document: string, { path, heading }: Link): boolean {
  const target = path === "" ? document : join(dirname(document), path);
  if (!existsSync(target) || heading === null) return existsSync(target);
  return statSync(target).isFile() && headingsOf(readFileSync(target, "utf8")).includes(heading);
}

describe("docs/glossary.md", () => {
  const glossary = readFileSync("docs/glossary.md", "utf8");
  /** `` | **send** | ... | `models/sending/send.ts` | ``: a noun, what it is, where it lives. */
  const lines = [...glossary.matchAll(/^\| \*\*(.+?)\*\* \| (.+) \| (.*) \|$/gm)];

  test("has a line for every database model", () => {
    const models = sourcesIn(["models"]).filter((path) => /tenantModel|globalModel/.test(readFileSync(path, "utf8")));
    expect(models.length).toBeGreaterThan(30);
    const places = lines.map(([, , , place = ""]) => place);
    expectNone(
      models.filter((path) => !places.some((place) => place.includes(`\`${path}\``))),
      "Add a line to docs/glossary.md for the noun, with its `models/` file in the last column",
    );
  });

  test("has each noun once, in alphabetical order", () => {
    const nouns = lines.map(([, noun = ""]) => noun);
    expect(nouns).toEqual([...new Set(nouns)].sort((one, other) => one.localeCompare(other, "en")));
  });
});
