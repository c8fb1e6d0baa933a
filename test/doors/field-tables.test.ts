import { readFileSync } from "node:fs";
import { expect, test } from "@jest/globals";
import { z } from "zod";
import type { Json } from "../../api/openapi/json.ts";
import { type Components, resolveRef, schemaOf } from "../../api/openapi/schemas.ts";
import { verbs } from "../../operations/declarations.ts";
import type { AnyOperation } from "../../operations/operation.ts";
import { expectNone } from "../support/expect-none.ts";

type Fields = string | Fields[] | { [name: string]: Fields };
const Fields: z.ZodType<Fields> = z.lazy(() =>
  z.union([z.string(), z.array(Fields).length(1), z.record(z.string(), Fields)]),
);

/** A table of the design: a noun, its fields, and the answers that show it. */
const Table = z.strictObject({
  document: z.enum(["records", "answers", "shapes"]),
  noun: z.string(),
  /** A verb, its action behind `#`, and the path to the noun in its answer. */
  at: z.array(z.string()).min(1),
  /** Whether it has the four fields of every record. */
  isRecord: z.boolean().default(false),
  /** Types in words, a record of fields, or a list of one of these; or another noun, whose table holds here too. */
  fields: Fields,
  /** Fields that are null where they are unset or do not apply. */
  nullable: z.array(z.string()).default([]),
  /** Fields that are built beside those of the table. */
  beyond: z.array(z.string()).default([]),
  /** Fields in which the table and the code differ, and why the code stays as it is. */
  kept: z.record(z.string(), z.string()).default({}),
});
const FILE = "test/doors/field-tables.json";
const OF_EVERY_RECORD = { id: "text", workspaceId: "text", createdAt: "time", updatedAt: "time" };
const tables = z
  .array(Table)
  .parse(JSON.parse(readFileSync(FILE, "utf8")))
  .map(({ isRecord, fields, ...table }) => ({
    ...table,
    fields: isRecord && isNamed(fields) ? { ...OF_EVERY_RECORD, ...fields } : fields,
  }));
type Table = (typeof tables)[number];
const nouns = new Map(tables.map((table) => [table.noun, table]));

const all = new Map<string, AnyOperation>(
  Object.entries(verbs).flatMap(([name, verb]): [string, AnyOperation][] =>
    "actions" in verb
      ? Object.entries(verb.actions).map(([action, one]) => [`${name}#${action}`, one])
      : [[name, verb]],
  ),
);
const components: Components = {};

test("every documented table of fields names a distinct noun, and only verbs that exist", () => {
  expect(nouns.size).toBe(tables.length);
  expectNone(
    tables.flatMap(({ at }) => at.map((place) => place.split(" ")[0] ?? "")).filter((name) => !all.has(name)),
    `Correct the name of the verb in ${FILE}`,
  );
  expect(tables.length).toBeGreaterThanOrEqual(81);
  expect(tables.reduce((sum, { fields }) => sum + countOf(fields), 0)).toBeGreaterThanOrEqual(638);
});

test.each(tables.flatMap((table) => table.at.map((place) => [table.noun, place, table] as const)))(
  "%s has exactly the fields of its table in %s, each of its type",
  (_noun, place, table) => {
    const { beyond, kept } = tableOf(table);
    const isBeyond = (one: Difference) => one.is === "extra" && [...table.beyond, ...beyond].includes(one.field);
    const isKept = (one: Difference) => one.is !== "extra" && { ...table.kept, ...kept }[one.field] !== undefined;
    const left = found(table, place).filter((one) => !isBeyond(one) && !isKept(one));
    expectNone(
      left.map(({ field, says }) => `${field} ${says}`),
      `Correct the output of ${place}; a field beyond the table is named in "beyond" of ${FILE}, a decision to keep what is built in "kept"`,
    );
  },
);

test('every field that a table lists under "kept" or "beyond" is in an answer', () => {
  const idle = tables.flatMap((table) => {
    const names = new Set(table.at.flatMap((place) => found(table, place).map(({ field }) => field)));
    return [...table.beyond, ...Object.keys(table.kept)]
      .filter((field) => !names.has(field))
      .map((field) => `${table.noun}: ${field}`);
  });
  expectNone(idle, `Take the field from "beyond" or "kept" of ${FILE}`);
});

/** How the answer at a place differs from its table. */
function found(table: Table, place: string): Difference[] {
  const [name = "", ...way] = place.split(" ");
  const { fields, nullable } = tableOf(table);
  const shown = shownAt(schemaOf(all.get(name)?.output ?? z.never(), "output", components), way.join(" "), fields);
  const neverNull = nullable.filter((field) => !isNullable(schemaAt(shown, field)));
  return [
    ...differences(fields, shown, ""),
    ...neverNull.map((field): Difference => ({ field, is: "type", says: "is never null, and the table lets it be" })),
  ];
}

/** The table itself, or the one of the noun that it names. */
function tableOf(table: Table): Table {
  const named = typeof table.fields === "string" ? nouns.get(table.fields) : undefined;
  return named === undefined ? table : tableOf(named);
}

function isNamed(fields: Fields): fields is { [name: string]: Fields } {
  return typeof fields === "object" && !Array.isArray(fields);
}

interface Difference {
  field: string;
  is: "missing" | "extra" | "type";
  says: string;
}

/** How a schema differs from the fields that it is to have. */
function differences(fields: Fields, schema: Json, path: string): Difference[] {
  if (typeof fields === "string") {
    const says = typeDifference(fields, schema);
    return says === null ? [] : [{ field: path, is: "type", says }];
  }
  const [one] = Array.isArray(fields) ? fields : [];
  if (one !== undefined) {
    const list = formsOf(schema).find(({ type }) => type === "array");
    if (list === undefined) return [{ field: path, is: "type", says: "is no list" }];
    return differences(one, bestOf(list["items"], one), `${path}[]`);
  }
  const properties = propertiesOf(bestOf(schema, fields));
  if (properties === null) return [{ field: path, is: "type", says: "has no fields of its own" }];
  const at = (name: string) => (path === "" ? name : `${path}.${name}`);
  const known = Object.entries(fields).flatMap(([name, type]): Difference[] =>
    name in properties
      ? differences(type, resolveRef(properties[name], components), at(name))
      : [{ field: at(name), is: "missing", says: "is missing" }],
  );
  const extra = Object.keys(properties).filter((name) => !(name in fields));
  return [...known, ...extra.map((name): Difference => ({ field: at(name), is: "extra", says: "is in no table" }))];
}

const TYPES: Readonly<Record<string, (form: Json) => boolean>> = {
  text: ({ type, format }) => type === "string" && format !== "date-time" && format !== "date",
  time: ({ type, format }) => type === "string" && format === "date-time",
  date: ({ type, format }) => type === "string" && (format === "date" || format === undefined),
  "whole number": ({ type }) => type === "integer",
  number: ({ type }) => type === "number" || type === "integer",
  "yes or no": ({ type, const: value }) => type === "boolean" || typeof value === "boolean",
  object: ({ type }) => type === "object",
  list: ({ type }) => type === "array",
  any: () => true,
};

/**
 * What is wrong with a schema that should be of a type; null: nothing. Values in capitals with `/` between them must
 * all be possible.
 */
function typeDifference(wanted: string, schema: Json): string | null {
  const forms = formsOf(schema);
  const is = TYPES[wanted];
  if (is !== undefined) return forms.every(is) ? null : `is not a ${wanted}: ${JSON.stringify(forms).slice(0, 200)}`;
  const values = forms.flatMap(({ enum: some, const: one }) =>
    Array.isArray(some) ? some : one === undefined ? [] : [one],
  );
  const lacking = wanted.split("/").filter((value) => !values.includes(value));
  return lacking.length === 0 ? null : `is never ${lacking.join(", ")}`;
}

/** The forms of a value, null apart. */
function formsOf(schema: Json): Json[] {
  const { anyOf, oneOf, type, ...rest } = resolveRef(schema, components);
  const several = Array.isArray(anyOf) ? anyOf : Array.isArray(oneOf) ? oneOf : null;
  if (several !== null) return several.flatMap((one) => formsOf(resolveRef(one, components)));
  if (Array.isArray(type)) return type.filter((one) => one !== "null").map((one) => ({ type: one, ...rest }));
  return type === "null" ? [] : [{ type, ...rest }];
}

/** The schema of a field that is named by its path. */
function schemaAt(schema: Json, path: string): Json {
  return path.split(".").reduce((whole: Json, part) => {
    const name = part.replace("[]", "");
    const field = resolveRef(propertiesOf(bestOf(whole, { [name]: "any" }))?.[name], components);
    return part === name
      ? field
      : resolveRef(formsOf(field).find(({ type }) => type === "array")?.["items"], components);
  }, schema);
}

function isNullable(schema: Json): boolean {
  const { anyOf, type } = resolveRef(schema, components);
  const forms = Array.isArray(anyOf) ? anyOf : [{ type }];
  return forms.some((form) => [form.type].flat().includes("null"));
}

/** Among several forms of an answer, the one with most of these fields. */
function bestOf(schema: unknown, fields: Fields): Json {
  const names = isNamed(fields) ? Object.keys(fields) : [];
  const forms = formsOf(resolveRef(schema, components));
  const has = (form: Json) => names.filter((name) => name in (propertiesOf(form) ?? {})).length;
  const best = forms.toSorted((one, other) => has(other) - has(one))[0];
  return names.length === 0 || best === undefined ? resolveRef(schema, components) : best;
}

function propertiesOf(schema: Json): Json | null {
  const { properties } = schema;
  return typeof properties === "object" && properties !== null ? { ...properties } : null;
}

/** The part of an answer that a way such as `items[]` leads to. */
function shownAt(schema: Json, way: string, fields: Fields): Json {
  const [, name = "", isList, rest = ""] = /^(\w*)(\[\])?(.*)$/.exec(way) ?? [];
  if (way === "") return bestOf(schema, fields);
  const whole = name === "" ? schema : resolveRef(propertiesOf(bestOf(schema, { [name]: "any" }))?.[name], components);
  if (isList === undefined) return shownAt(whole, rest, fields);
  const list = formsOf(whole).find(({ type }) => type === "array");
  return shownAt(resolveRef(list?.["items"], components), rest, fields);
}

function countOf(fields: Fields): number {
  if (typeof fields === "string") return 0;
  if (Array.isArray(fields)) return fields.reduce((sum: number, one) => sum + countOf(one), 0);
  return Object.values(fields).reduce((sum: number, one) => sum + 1 + countOf(one), 0);
}
