import { afterAll, beforeAll, expect, test } from "@jest/globals";
import fc from "fast-check";
import { openapiOf } from "../../api/openapi.ts";
import { routes } from "../../api/routes.ts";
import { fitting } from "../support/requests.ts";
import type { Rest } from "../support/rest.ts";
import { startWorld, type World } from "../support/world.ts";

const RUNS = 4;
/**
 * What is wrong with the shape of a request. Other codes are about what a value says: a zone that does not exist, hours
 * that cross.
 */
const OF_SHAPE = [
  "REQUIRED",
  "INVALID_TYPE",
  "UNKNOWN_FIELD",
  "TOO_SMALL",
  "TOO_BIG",
  "INVALID_VALUE",
  "INVALID_FORMAT",
  "INVALID_UNION",
];
/** Rules for one field that depend on another field. No schema of a field can state them: its description does. */
const BY_OTHER_FIELDS = [
  /^steps\.\d+(\.config.*)?$/, // what a type of step needs
  /^fieldMapping/, // some column is the address
  /^value$/, // an address or a domain, as `type` says
  /^(filterRules|options|revenueCurrency|mailboxId)$/,
  /^(ids|leadIds|filter)$/, // one of the two
  /^to$/, // it lies behind `from`
];

let world: World;
let rest: Rest;
beforeAll(async () => {
  world = await startWorld();
  ({ rest } = await world.workspace());
}, 60_000);
afterAll(() => world.close());

const document = JSON.parse(JSON.stringify(openapiOf(routes, "https://a.test")));
const { schemas } = document.components;
const endpoints = routes.map(([method, path]) => [method, path.replaceAll(/:([A-Za-z]+)/g, "{$1}")] as const);

test.each(endpoints)(
  "%s %s accepts the shape of every request that the OpenAPI document allows",
  async (method, template) => {
    const { parameters = [], requestBody } = document.paths[template][method];
    const schema = requestBody?.content["application/json"]?.schema;
    const inQuery = parameters.filter((one: { in: string }) => one.in === "query");
    const named: [string, fc.Arbitrary<unknown>][] = inQuery.map((one: { name: string; schema: unknown }) => [
      one.name,
      fitting(one.schema, schemas),
    ]);
    const requiredKeys = inQuery
      .filter((one: { required: boolean }) => one.required)
      .map((one: { name: string }) => one.name);
    const asked = fc.record({
      query: fc.record(Object.fromEntries(named), { requiredKeys }),
      body: schema === undefined ? fc.constant({}) : fitting(schema, schemas),
    });
    await fc.assert(
      fc.asyncProperty(asked, async ({ query, body }) => {
        const { status, body: answer } = await send(method, template, query, body);
        const issues: { code: string; path: string }[] =
          answer.code === "VALIDATION_FAILED" ? answer.details.issues : [];
        expect([
          status,
          issues.filter(
            ({ code, path }) => OF_SHAPE.includes(code) && !BY_OTHER_FIELDS.some((known) => known.test(path)),
          ),
        ]).toEqual([status, []]);
      }),
      { numRuns: RUNS, seed: 20_261_123, endOnFailure: true },
    );
  },
  60_000,
);

function send(method: string, template: string, query: Record<string, unknown>, body: unknown) {
  const search = new URLSearchParams(
    Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]),
  ).toString();
  const path = `${template.replace("{version}", "1").replaceAll(/\{\w+\}/g, "cmp_none")}${search === "" ? "" : `?${search}`}`;
  if (method === "get") return rest.get(path);
  if (method === "delete") return rest.delete(path);
  if (method === "put") return rest.put(path, body);
  return method === "patch" ? rest.patch(path, body) : rest.post(path, body);
}
