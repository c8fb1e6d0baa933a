import { expect, test } from "@jest/globals";
import { z } from "zod";
import { openapiOf } from "../../api/openapi.ts";
import { routes } from "../../api/routes.ts";
import type { Route } from "../../operations/declaration.ts";
import type { AnyOperation } from "../../operations/operation.ts";
import { expectNone } from "../support/expect-none.ts";
import { ADDED, LATER, LINES, type Line } from "../support/interface.ts";

const nameOf = (method: string, path: string) => `${method} ${path.replaceAll(/:[A-Za-z]+|\{\w*\}/g, "{}")}`;
const served = new Map(routes.map((route) => [nameOf(route[0], route[1]), route]));
const now = LINES.filter(({ path }) => !LATER.some((part) => part.test(path)));
const cases = now.map((line): [string, Line] => [nameOf(line.method, line.path), line]);

test("every endpoint of the catalogue is served, and every other served endpoint is a listed addition", () => {
  expectNone(
    cases.map(([name]) => name).filter((name) => !served.has(name)),
    "Add the endpoint of the interface to `routes` of a declaration in operations/",
  );
  const known = new Set([...LINES.map(({ method, path }) => nameOf(method, path)), ...ADDED]);
  expectNone(
    [...served.keys()].filter((name) => !known.has(name)),
    "Add the endpoint to ADDED in test/support/interface.ts if it goes beyond the interface",
  );
});

test("no endpoint that is planned for later is served", () => {
  const later = LINES.filter(({ path }) => LATER.some((part) => part.test(path)));
  expectNone(
    later.map(({ method, path }) => nameOf(method, path)).filter((name) => served.has(name)),
    "Take the line from LATER in test/support/interface.ts",
  );
});

test.each(cases)("%s accepts the scopes, actions, fields and values of the catalogue", (name, line) => {
  const [, path, operation, status = 200, { whole } = {}] = routeOf(name);
  expect(status).toBe(line.status);
  const verbs: Record<string, AnyOperation> = "actions" in operation ? operation.actions : { "": operation };
  if (line.actions !== undefined) expect(Object.keys(verbs)).toEqual(expect.arrayContaining(line.actions));
  const isOwnChoice = "actions" in operation && line.actions === undefined;
  // Where the API knows no action, a call that names none is the one it means
  if (isOwnChoice) expect(operation.otherwise).not.toBeNull();
  else expect("actions" in operation ? operation.otherwise : null).toBe(line.otherwise ?? null);
  for (const [action, { scope }] of Object.entries(verbs))
    expect([action, scope]).toEqual([action, scopeOf(line, action)]);
  if (line.isFree) {
    expect(whole).toBeDefined();
    return;
  }
  const inPath = [...path.matchAll(/:([A-Za-z]+)/g)].map(([, parameter]) => parameter);
  const schemas = Object.values(verbs).map(({ input }) =>
    z.toJSONSchema(input, { io: "input", unrepresentable: "any" }),
  );
  const fields = new Map(schemas.flatMap(({ properties = {} }) => Object.entries(properties)));
  for (const parameter of inPath) fields.delete(parameter ?? "");
  expect([...fields.keys()]).toEqual(expect.arrayContaining(line.fields));
  for (const [field, values] of Object.entries(line.enums ?? {}))
    expect([field, valuesOf(fields.get(field))]).toEqual([field, values]);
  if (line.required !== undefined) {
    const always = (field: string) => schemas.every(({ required = [] }) => required.includes(field));
    expect(line.fields.filter(always).sort()).toEqual([...line.required].sort());
  }
});

const document = JSON.parse(JSON.stringify(openapiOf(routes, "https://a.test")));

test.each(cases)("the OpenAPI document lists the statuses of %s", (name, line) => {
  const [method, path] = routeOf(name);
  const { responses } = document.paths[path.replaceAll(/:([A-Za-z]+)/g, "{$1}")][method];
  expect(Object.keys(responses)).toEqual(
    expect.arrayContaining([line.status, 401, ...(line.scope === null ? [] : [403]), ...(line.also ?? [])].map(String)),
  );
});

function routeOf(name: string): Route {
  const route = served.get(name);
  if (route === undefined) throw new Error(`${name} is not served`);
  return route;
}

function scopeOf({ scope }: Line, action: string): string | null {
  return scope === null || typeof scope === "string" ? scope : (scope[action] ?? null);
}

/**
 * The values of an enum, wherever the schema has them: beside null, under a default, or as a boolean written as text.
 */
function valuesOf(schema: unknown): unknown {
  if (typeof schema !== "object" || schema === null) return undefined;
  if ("enum" in schema && Array.isArray(schema.enum)) return schema.enum.filter((value) => value !== null);
  const forms = "anyOf" in schema && Array.isArray(schema.anyOf) ? schema.anyOf : [];
  return forms.map(valuesOf).find((values) => values !== undefined);
}
