import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { examples } from "../../api/examples.ts";
import { openapiOf } from "../../api/openapi.ts";
import { routes } from "../../api/routes.ts";
import { expectNone } from "../support/expect-none.ts";
import { isAway, startExamples } from "./example-world.ts";

let started: Awaited<ReturnType<typeof startExamples>>;
beforeAll(async () => {
  started = await startExamples();
});
afterAll(() => started.world.close());

test("the documented examples, sent in order, build, run and end a campaign", async () => {
  for (const example of examples) {
    const { at, title } = example;
    const answer = await started.send(example, started.workspace.rest);
    const expected = isAway(example) ? expect.anything() : null;
    expect([title, answer.status, answer.status >= 400 ? answer.body : null]).toEqual([
      title,
      expect.any(Number),
      expected,
    ]);
    if (isAway(example)) expect([title, answer.status]).toEqual([title, 503]);
    await started.learn(at, answer);
  }
}, 120_000);

test("every writing endpoint and every action has an example in the reference, except those of providers", () => {
  const document = JSON.parse(JSON.stringify(openapiOf(routes, "https://a.test")));
  const missing: string[] = [];
  for (const [method, path, operation] of routes) {
    const { requestBody } = document.paths[path.replaceAll(/:([A-Za-z]+)/g, "{$1}")][method];
    if (requestBody === undefined) continue;
    const given = examples.filter(({ at }) => at === `${method} ${path}`).map(({ body }) => body["action"]);
    if (given.length === 0) missing.push(`${method} ${path}`);
    else if ("actions" in operation && given.length < Object.keys(operation.actions).length / 2)
      missing.push(`${method} ${path}: too few`);
  }
  expectNone(
    missing,
    "Add an example of the body to `examples` of the declaration that has the endpoint, in operations/",
  );
});
