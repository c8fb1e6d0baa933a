import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { z } from "zod";
import { openapiOf } from "../../api/openapi.ts";
import { routes } from "../../api/routes.ts";
import { verbs } from "../../operations/declarations.ts";
import type { AnyOperation } from "../../operations/operation.ts";
import { expectNone } from "../support/expect-none.ts";
import type { Rest } from "../support/rest.ts";
import { startWorld, type World } from "../support/world.ts";

let world: World;
let rest: Rest;
beforeAll(async () => {
  world = await startWorld();
  ({ rest } = await world.workspace());
});
afterAll(() => world.close());

const document = JSON.parse(JSON.stringify(openapiOf(routes, "https://a.test")));
/** Every whole number that a query may have, by its endpoint. */
const numbers = routes.flatMap(([method, path]) => {
  const { parameters = [] } = document.paths[path.replaceAll(/:([A-Za-z]+)/g, "{$1}")][method];
  return parameters.flatMap(({ in: place, name, schema }: { in: string; name: string; schema: { type?: string } }) =>
    place === "query" && schema.type === "integer" && method === "get" ? [{ path, name }] : [],
  );
});

const NO_DIGITS = [
  "1e1",
  "0x10",
  " 5",
  "5 ",
  "+5",
  "-5",
  "5.0",
  "5.",
  "5,0",
  "٥",
  "５",
  "1_0",
  "",
  "Infinity",
  "true",
  "99999999999999999999",
];

test("a whole number in a query is written in digits alone: every endpoint refuses anything else with the name of the parameter", async () => {
  expect(numbers.length).toBeGreaterThan(40);
  for (const value of NO_DIGITS) {
    const answers = await Promise.all(
      numbers.map(async ({ path, name }) => {
        const { status, body } = await rest.get(
          `${path.replaceAll(/:[A-Za-z]+/g, "x")}?${name}=${encodeURIComponent(value)}`,
        );
        const isRefused =
          status === 400 && body.details?.issues?.some((issue: { path: string }) => issue.path === name);
        return isRefused ? "" : `${path} ${name}=${value} answers ${status} ${body.code ?? ""}`;
      }),
    );
    expectNone(answers.filter(Boolean), "Make the field a wholeNumber() of operations/fields.ts");
  }
  expect((await rest.get("/leads?page=1&page=2")).status).toBe(400);
});

test("a number in a query may have leading zeros", async () => {
  expect((await rest.get("/leads?page=007&pageSize=10")).body).toMatchObject({ page: 7, pageSize: 10 });
});

const UNCHANGED: [string, "post" | "patch", string, object, string][] = [
  ["a lead", "post", "/leads/manage", { action: "update", leadId: "x", patch: {} }, "patch"],
  [
    "a lead by fields that only the service writes",
    "post",
    "/leads/manage",
    { action: "update", leadId: "x", patch: { id: "y" } },
    "patch",
  ],
  [
    "a lead by no custom field",
    "post",
    "/leads/manage",
    { action: "update", leadId: "x", patch: { customFields: {} } },
    "patch",
  ],
  ["a list", "post", "/lead-lists/manage", { action: "update", listId: "x", input: {} }, "input"],
  ["a custom field", "post", "/custom-fields/manage", { action: "update", fieldId: "x", input: {} }, "input"],
  ["an outcome", "post", "/campaigns/x/recipients", { action: "updateOutcome", recipientId: "x" }, ""],
  ["a mailbox", "post", "/mailboxes/manage", { action: "updateSettings", mailboxId: "x", patch: {} }, "patch"],
  [
    "several mailboxes",
    "post",
    "/mailboxes/manage",
    { action: "bulkUpdateSettings", mailboxIds: ["x"], patch: {} },
    "patch",
  ],
  ["tags", "post", "/mailboxes/manage", { action: "updateTags", mailboxId: "x" }, ""],
  [
    "tags of several",
    "post",
    "/mailboxes/manage",
    { action: "bulkUpdateTags", mailboxIds: ["x"], add: [], remove: [] },
    "",
  ],
  ["a warmup", "post", "/warmup/manage", { action: "configure", mailboxId: "x", config: {} }, "config"],
  [
    "warmups",
    "post",
    "/warmup/manage",
    { action: "bulkAction", bulkAction: "apply-config", mailboxIds: ["x"] },
    "config",
  ],
  [
    "warmups by nothing",
    "post",
    "/warmup/manage",
    { action: "bulkAction", bulkAction: "apply-config", mailboxIds: ["x"], config: {} },
    "config",
  ],
  ["a ramp", "post", "/warmup/manage", { action: "applyPreset", mailboxId: "x", preset: "CUSTOM" }, "customConfig"],
  ["a subscription", "patch", "/webhooks/x", {}, ""],
  ["settings of verification", "patch", "/verification/settings", {}, ""],
  ["settings of the agent", "patch", "/agent/settings", { settings: {} }, "settings"],
  ["a workspace", "post", "/workspace", { action: "update", patch: {} }, "patch"],
  ["a group of a workspace", "post", "/workspace", { action: "update", patch: { defaults: {} } }, "patch.defaults"],
  ["settings of a calendar", "post", "/calendar", { action: "update", settings: {} }, "settings"],
  ["a CRM connection", "post", "/crm/connect", { action: "update", connectionId: "x", writeBack: {} }, "writeBack"],
];

test.each(UNCHANGED)(
  "an update of %s that names no change is refused with the path of the empty object",
  async (_what, method, path, body, at) => {
    const answer = await rest[method](path, body);
    expect([answer.status, answer.body.code, answer.body.details?.issues]).toEqual([
      400,
      "VALIDATION_FAILED",
      [{ path: at, code: "NOTHING_TO_CHANGE", message: "names nothing to change" }],
    ]);
  },
);

/** Fields that are an object of changes. */
const CHANGES = ["patch", "input", "settings", "config", "policy", "writeBack"];
/** The API says that its settings are partial and merged. */
const MAY_NAME_NOTHING = ["campaigns.updateSettings settings"];

test("every verb that takes an object of changes refuses an empty one", () => {
  const all = Object.entries(verbs).flatMap(([name, verb]): [string, AnyOperation][] =>
    "actions" in verb
      ? Object.entries(verb.actions).map(([action, one]) => [`${name} ${action}`, one])
      : [[name, verb]],
  );
  const takingNone = all.flatMap(([name, { input }]) =>
    Object.entries(input.shape).flatMap(([field, schema]) => {
      const isChange = CHANGES.includes(field) && !z.safeParse(schema, undefined).success;
      return isChange && z.safeParse(schema, {}).success ? [`${name} ${field}`] : [];
    }),
  );
  expectNone(
    takingNone.filter((one) => !MAY_NAME_NOTHING.includes(one)),
    "Wrap the object by changing() of operations/fields.ts",
  );
  expect(takingNone).toEqual(MAY_NAME_NOTHING);
});
