import { readdirSync, readFileSync } from "node:fs";
import { basename } from "node:path";
import { test } from "@jest/globals";
import type { NounFacts } from "../../domain/nouns/noun.ts";
import { nouns } from "../../domain/nouns.ts";
import { expectNone } from "../support/expect-none.ts";

const all: readonly NounFacts[] = nouns;

/** The values that occur more than once. */
function repeated(values: readonly (string | undefined)[]): string[] {
  const named = values.filter((value) => value !== undefined);
  return named.filter((value, index) => named.indexOf(value) !== index);
}

test("no two kinds of object in domain/nouns/ share a name, an id prefix, an error code, an id field or a limit", () => {
  expectNone(repeated(all.map(({ noun }) => noun)), "Call the noun something else in domain/nouns/");
  expectNone(repeated(all.map(({ prefix }) => prefix)), "Take a prefix that no other noun of domain/nouns/ has");
  expectNone(repeated(all.map(({ missing }) => missing?.code)), "Take a code that no other noun of domain/nouns/ has");
  expectNone(
    repeated(all.flatMap(({ id }) => id?.fields ?? [])),
    "Call the field of the id something else in domain/nouns/",
  );
  expectNone(repeated(all.map(({ limit }) => limit?.name)), "Call the limit something else in domain/nouns/");
});

test("every kind of object in domain/nouns/ whose id is described has an id prefix", () => {
  expectNone(
    all.filter(({ id, prefix }) => id !== undefined && prefix === undefined).map(({ noun }) => noun),
    "Give the noun a prefix in domain/nouns/",
  );
});

test("domain/nouns.ts imports every file in domain/nouns/ except noun.ts", () => {
  const list = readFileSync("domain/nouns.ts", "utf8");
  const files = readdirSync("domain/nouns").filter((file) => file !== "noun.ts");
  expectNone(
    files.filter((file) => !list.includes(`./nouns/${basename(file)}"`)),
    "Import the nouns of this file in domain/nouns.ts",
  );
});
