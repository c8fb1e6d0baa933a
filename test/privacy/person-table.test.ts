import { readdirSync } from "node:fs";
import { expect, test } from "@jest/globals";
import mongoose, { type Model, type SchemaType } from "mongoose";
import * as workspaced from "../../models/workspaced.ts";
import { SHARED } from "../../store/privacy/installation.ts";
import { HOLDINGS, KEPT, PERSON_TABLE, SHARED_HOLDINGS } from "../../store/privacy/table.ts";
import { expectNone } from "../support/expect-none.ts";

for (const file of readdirSync("models", { recursive: true, encoding: "utf8" }))
  if (file.endsWith(".ts")) await import(`../../models/${file}`);

/** The name in `models/workspaced.ts`, or the name of the model for a collection that all workspaces share. */
const named = new Map<string, Model<unknown>>();
const owned = new Set<unknown>(Object.values(workspaced));
for (const [name, model] of Object.entries(workspaced)) named.set(name, model as unknown as Model<unknown>);
for (const name of mongoose.modelNames()) {
  const model = mongoose.model<unknown>(name);
  if (!owned.has(model)) named.set(name, model);
}

interface Line {
  personal?: readonly string[];
  plain: readonly string[];
}
const table: Readonly<Record<string, Line>> = { ...(PERSON_TABLE as Readonly<Record<string, Line>>), ...SHARED };

const OF_EVERY_DOCUMENT = /^(?:_id|workspaceId|createdAt|updatedAt|touches)$/;
/** Ids name no one, and their names say what they are. */
const ID = /(?:^id|Ids?)$/;

function canHoldText(path: string, type: SchemaType): boolean {
  if (OF_EVERY_DOCUMENT.test(path) || ID.test(path) || Reflect.get(type.options, "isSecret") === true) return false;
  if (["Number", "Boolean", "Date"].includes(type.instance)) return false;
  if (type.instance === "String") return Reflect.get(type.options, "enum") === undefined;
  const inner: unknown = Reflect.get(Reflect.get(type, "embeddedSchemaType") ?? {}, "instance");
  return !(type.instance === "Array" && (inner === "Number" || inner === "Date"));
}

function textsIn({ schema }: Model<unknown>): string[] {
  const found = Object.entries(schema.paths).flatMap(([path, type]) => (canHoldText(path, type) ? [path] : []));
  return [...new Set(found.map((path) => path.split(".")[0] ?? path))];
}

test("every collection has a line in the table of personal data", () => {
  expect(named.size).toBeGreaterThan(100);
  expectNone(
    [...named.keys()].filter((name) => table[name] === undefined),
    "Add the model to a file of store/privacy that table.ts gathers: how a person is found and erased in it, or why it holds none",
  );
  expectNone(
    Object.keys(table).filter((name) => !named.has(name)),
    "Take the line out of store/privacy: there is no such model",
  );
});

test("every field that can hold text has a place in the table of personal data", () => {
  const fields = [...named].flatMap(([name, model]) => {
    const { personal = [], plain } = table[name] ?? { plain: [] };
    return textsIn(model)
      .filter((field) => ![...personal, ...plain].includes(field))
      .map((field) => `${name}.${field}`);
  });
  expectNone(
    fields,
    "Name the field in store/privacy: under `personal` if it can name a person, and then erase it in `change`; else under `plain`",
  );
});

test("every field that the table of personal data names exists", () => {
  const lost = [...named].flatMap(([name, { schema }]) => {
    const { personal = [], plain } = table[name] ?? { plain: [] };
    return [...personal, ...plain]
      .filter((field) => !Object.keys(schema.paths).some((path) => path === field || path.startsWith(`${field}.`)))
      .map((field) => `${name}.${field}`);
  });
  expectNone(lost, "Take the field out of store/privacy");
});

test("every line of personal data says what is erased and where it comes from, and everything kept has a reason", () => {
  const kinds = [...HOLDINGS, ...SHARED_HOLDINGS].map(({ holding }) => holding);
  expect(kinds.length).toBeGreaterThan(30);
  expect(new Set(kinds.map(({ what }) => what)).size).toBe(kinds.length);
  expectNone(
    kinds.filter(({ what, source }) => what === "" || source === "").map(({ what }) => what),
    "Say where the data comes from",
  );
  expectNone(
    KEPT.filter(({ why }) => why.length < 10).map(({ what }) => what),
    "Say why the data is kept",
  );
});
