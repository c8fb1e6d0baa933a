import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { openapiOf, publishedScopes } from "../../api/openapi.ts";
import { consoleRoutes, routes } from "../../api/routes.ts";
import { KEY_POLICY } from "../../domain/access/policy.ts";
import { AppError } from "../../domain/errors.ts";
import { ALL_SCOPES, type Scope } from "../../domain/scopes.ts";
import { definitionOf } from "../../mcp/describe.ts";
import { tools } from "../../mcp/tools.ts";
import { call } from "../../operations/call.ts";
import type { Choice } from "../../operations/choice.ts";
import type { Context } from "../../operations/context.ts";
import type { Route } from "../../operations/declaration.ts";
import { verbs } from "../../operations/declarations.ts";
import type { AnyOperation } from "../../operations/operation.ts";
import { expectNone } from "../support/expect-none.ts";
import { startWorld, type World } from "../support/world.ts";

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

type Door = AnyOperation | Choice;
const catalogue: [string, Door][] = Object.entries(verbs);

/** Each verb as it is called: by itself, or as an action of each choice that bundles it. */
const calls = catalogue.flatMap(([name, door]): { name: string; door: Door; verb: AnyOperation; fields: object }[] => {
  if (!("actions" in door)) return [{ name, door, verb: door, fields: {} }];
  const { by } = door;
  const fieldsOf = (action: string) =>
    typeof by === "string" ? { [by]: action } : action === by.action ? { [by.given]: "x" } : {};
  return Object.entries(door.actions).map(([action, verb]) => ({
    name: `${name} ${action}`,
    door,
    verb,
    fields: fieldsOf(action),
  }));
});

class Passed extends Error {}

/**
 * The scope that a call is refused for; null when it comes as far as its idempotency key, where every scope has been
 * looked at.
 */
async function refusedFor(
  ctx: Context,
  held: Iterable<Scope>,
  { door, fields }: (typeof calls)[number],
): Promise<unknown> {
  const idempotencyKey = () => {
    throw new Passed();
  };
  const error = await call({ ...ctx, scopes: new Set(held) }, door, { fields: () => fields, idempotencyKey }).catch(
    (err) => err,
  );
  if (error instanceof Passed) return null;
  if (error instanceof AppError && error.code === "INSUFFICIENT_SCOPE") return error.details?.["requiredScope"];
  throw error;
}

const without = (...scopes: readonly (Scope | null)[]) => ALL_SCOPES.filter((scope) => !scopes.includes(scope));

test("every verb is refused when a published scope is missing, and passes with exactly the published scopes", async () => {
  const { workspaceId, ownerId } = await world.workspace();
  const policy = KEY_POLICY;
  const of = { credentialId: "key_test", kind: "API_KEY" as const, workspaceId, userId: ownerId, name: "test", policy };
  const ctx: Context = { ...of, scopes: new Set(), services: world.services, ip: null, traceId: "trace" };
  const wrong: string[] = [];
  for (const one of calls) {
    const { scope, orScope, alsoScopes = [] } = one.verb;
    const first = orScope ?? scope;
    if (scope !== null && (await refusedFor(ctx, without(scope, orScope ?? null), one)) !== scope)
      wrong.push(`${one.name}: passes without ${scope}`);
    for (const also of alsoScopes)
      if ((await refusedFor(ctx, without(also), one)) !== also) wrong.push(`${one.name}: passes without ${also}`);
    for (const enough of new Set([scope, first])) {
      const refused = await refusedFor(ctx, [...(enough === null ? [] : [enough]), ...alsoScopes], one);
      if (refused !== null) wrong.push(`${one.name}: asks for ${refused} besides`);
    }
  }
  expectNone(wrong, "Declare what the verb needs by scope, orScope and alsoScopes, which operations/call.ts checks");
}, 120_000);

test("the OpenAPI document publishes, for every endpoint and action, the scopes that the call path checks", () => {
  const document = JSON.parse(JSON.stringify(openapiOf(routes, "https://a.test")));
  for (const [method, path, door] of routes) {
    const published = document.paths[path.replaceAll(/:([A-Za-z]+)/g, "{$1}")][method]["x-scopes"];
    const expected =
      "actions" in door
        ? Object.fromEntries(Object.entries(door.actions).map(([action, verb]) => [action, publishedScopes(verb)]))
        : publishedScopes(door);
    expect([path, published]).toEqual([path, expected]);
  }
  const scopesOf = (path: string, method: string) => document.paths[path][method]["x-scopes"];
  expect(scopesOf("/workspace/export", "post")).toEqual({
    all: ["workspace:write", ...ALL_SCOPES.filter((one) => one.endsWith(":read"))],
  });
  expect(scopesOf("/files", "post")).toEqual({ anyOf: ["campaigns:write", "inbox:send"] });
  const [promises, settings] = [endpointOf(verbs["promises.manage"]), endpointOf(verbs["agent.updateSettings"])];
  expect(scopesOf(...promises)).toEqual({ cancel: "inbox:write", accept: { all: ["inbox:write", "leads:write"] } });
  expect(scopesOf(...settings)).toEqual({ all: ["inbox:write"], sometimes: ["inbox:send"] });
});

/** The template and method of the endpoint that serves a verb. */
function endpointOf(door: Door): [path: string, method: string] {
  const all: readonly Route[] = [...routes, ...consoleRoutes];
  const [method, path] = all.find(([, , one]) => one === door) ?? ["", ""];
  return [path.replaceAll(/:([A-Za-z]+)/g, "{$1}"), method];
}

test("a verb whose own code refuses for a missing scope declares that scope", () => {
  const files = readdirSync("operations", { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".ts"));
  const silent = files.filter((file) => {
    const text = readFileSync(join("operations", file), "utf8");
    return /throw lacks\(/.test(text) && file !== "call.ts" && !/sometimesScopes|orScope/.test(text);
  });
  expectNone(silent, "Declare the scope as alsoScopes, so that the call path checks it, or as sometimesScopes");
});

test("a key with only a write scope is shown the tool with the actions that it may call, and without the others", () => {
  const row = tools.find(({ name }) => name === "block_list");
  if (row === undefined) throw new Error("There is no tool block_list");
  const { inputSchema, annotations } = definitionOf(row.name, row.tool, new Set<Scope>(["block_list:write"]));
  expect(inputSchema).toMatchObject({ properties: { action: { enum: ["add", "remove"] } }, required: ["action"] });
  expect(JSON.stringify(inputSchema)).not.toContain("Default: list");
  // The protocol's default, false, is left out
  expect(annotations.readOnlyHint).toBeUndefined();
});
