import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { z } from "zod";
import { NOTATIONS } from "../../domain/issue-words.ts";
import type { Choice } from "../../operations/choice.ts";
import { verbs } from "../../operations/declarations.ts";
import type { AnyOperation } from "../../operations/operation.ts";
import { shownFor } from "../../operations/shown-as.ts";
import { expectNone } from "../support/expect-none.ts";

interface Found {
  format: string;
  words: boolean;
}

/** The texts in a notation that a schema holds, at any depth, and whether each says its rule in words. */
function formatsIn(schema: z.core.$ZodType, seen = new Set<unknown>()): Found[] {
  if (seen.has(schema)) return [];
  seen.add(schema);
  const shown = shownFor(schema);
  const own = [schema, ...checksOf(schema)].flatMap(({ _zod: { def } }) => formatOf(def));
  return [
    ...own,
    ...[...insideOf(schema), ...(shown === undefined ? [] : [shown])].flatMap((inner) => formatsIn(inner, seen)),
  ];
}

function checksOf({ _zod: { def } }: z.core.$ZodType): readonly z.core.$ZodCheck[] {
  return def.checks ?? [];
}

function formatOf(def: object): Found[] {
  if (!("format" in def) || typeof def.format !== "string" || ("type" in def && def.type === "number")) return [];
  if ("check" in def && def.check === "number_format") return [];
  return [{ format: def.format, words: "error" in def && typeof def.error === "function" }];
}

/** The schemas that another one is made of, wherever its definition holds them. */
function insideOf({ _zod: { def } }: z.core.$ZodType): z.core.$ZodType[] {
  return Object.values(def).flatMap((value: unknown): z.core.$ZodType[] => {
    if (value instanceof z.core.$ZodType) return [value];
    const parts = typeof value === "object" && value !== null ? Object.values(value) : [];
    return parts.filter((part) => part instanceof z.core.$ZodType);
  });
}

const catalogue: [string, AnyOperation | Choice][] = Object.entries(verbs);
const found = catalogue.flatMap(([name, verb]) =>
  ("actions" in verb ? Object.values(verb.actions) : [verb]).flatMap(({ input }) =>
    formatsIn(input).map((format) => ({ name, ...format })),
  ),
);

test("every pattern and every other format of a verb's input describes its rule in words", () => {
  const patterns = found.filter(({ format }) => format === "regex");
  expect(patterns.length).toBeGreaterThan(10);
  expectNone(
    patterns.filter(({ words }) => !words),
    "Give the pattern its rule in words: `.regex(pattern, { error: ... })`",
  );
  const others = found.filter(({ format, words }) => format !== "regex" && !words);
  expect(others.length).toBeGreaterThan(10);
  expectNone(
    others.filter(({ format }) => !Object.hasOwn(NOTATIONS, format)),
    "Add words for the notation to NOTATIONS in domain/issue-words.ts",
  );
});

test("every regular expression in a schema has an error text", () => {
  const rooms = ["domain", "operations", "api"].flatMap((room) =>
    readdirSync(room, { recursive: true, encoding: "utf8" }).map((file) => join(room, file)),
  );
  const wordless = rooms
    .filter((file) => file.endsWith(".ts"))
    .filter((file) =>
      /\.regex\(\s*(?:\/(?:\\.|\[(?:\\.|[^\]\\])*\]|[^/\\[\n])+\/[a-z]*|[\w.]+)\s*,?\s*\)/.test(
        readFileSync(file, "utf8"),
      ),
    );
  expectNone(wordless, "Give the pattern its rule in words as the second argument of .regex()");
});

test("operations leave the check of schemas to one place, so that all refusals have the same form", () => {
  const files = readdirSync("operations", { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".ts"));
  const others = files.filter((file) => readFileSync(join("operations", file), "utf8").includes(".safeParse("));
  expect(others).toEqual(["leads/content.ts"]); // it asks only which names are refused, and says so itself
});
