import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { consoleRoutes, routes } from "../../api/routes.ts";
import type { Choice } from "../../operations/choice.ts";
import type { Route } from "../../operations/declaration.ts";
import { declarations, type VerbName, verbs } from "../../operations/declarations.ts";
import type { AnyOperation } from "../../operations/operation.ts";
import { verbNamed } from "../../operations/sending/named-verbs.ts";
import { expectNone, expectSame } from "../support/expect-none.ts";

/** Verbs that no endpoint serves, each with the door that it is for. */
const WITHOUT_ENDPOINT: Partial<Record<VerbName, string>> = {
  "workspaces.listClients": "a tool",
  "workspace.manageTrackingDomain": "a tool",
  "workspace.managePortalDomain": "a tool",
  "leads.exportPage": "a tool, whose answers fit; an endpoint answers the whole file",
  "analytics.exportReportPage": "a tool, whose answers fit; an endpoint answers the whole file",
  "leadLists.moveMembers": "a tool",
  "blockList.manage": "a tool, which bundles what has three endpoints",
  "webhooks.manage": "a tool, which bundles what has four endpoints",
  "webhookDeliveries.manageDeadLetters": "a tool, which bundles what has two endpoints",
};

const operationFiles = readdirSync("operations", { recursive: true, encoding: "utf8" }).filter((file) =>
  file.endsWith(".ts"),
);

type Verb = AnyOperation | Choice;
const catalogue: [string, Verb][] = Object.entries(verbs);
const table: readonly Route[] = [...routes, ...consoleRoutes];

/** Everything that has the verb's name: the verb itself, and the actions that it bundles. */
function inside(verb: Verb): AnyOperation[] {
  return "actions" in verb ? Object.values(verb.actions) : [verb];
}

/** The items that occur more than once. */
function repeated<T>(all: readonly T[]): T[] {
  return all.filter((one, index) => all.indexOf(one) !== index);
}

test("every name in the catalogue is a noun and a verb, and is unique", () => {
  const names = declarations.flatMap(({ verbs }) => Object.keys(verbs));
  expectNone(
    names.filter((name) => !/^[a-z][A-Za-z]*\.[a-z][A-Za-z]*$/.test(name)),
    "Name the verb `noun.verb` in the declaration of its noun in operations/",
  );
  expectNone(repeated(names), "Two declarations in operations/ name a verb so: call one of them something else");
});

test("operations/declarations.ts imports every declaration of operations/", () => {
  const list = readFileSync("operations/declarations.ts", "utf8");
  const declared = operationFiles.flatMap((file) => {
    const text = readFileSync(join("operations", file), "utf8");
    return [...text.matchAll(/export const (\w+) = \{\n {2}verbs: /g)].map(([, name = ""]) => ({ file, name }));
  });
  expectNone(
    declared
      .filter(({ file, name }) => !list.includes(`"./${file}"`) || !list.includes(`\n  ${name},\n`))
      .map(({ file, name }) => `${name} of operations/${file}`),
    "Import it in operations/declarations.ts, and add it to the list there",
  );
  expect(declared).toHaveLength(declarations.length);
});

test("no verb is in the catalogue twice", () => {
  const twice = repeated(catalogue.map(([, verb]) => verb));
  expectNone(
    catalogue.filter(([, verb]) => twice.includes(verb)).map(([name]) => name),
    "Remove one of the two lines from the declarations in operations/",
  );
});

test("every verb has one endpoint or is listed as having none, and every endpoint serves a verb of the catalogue", () => {
  const served = table.map(([, , verb]) => verb);
  const unserved = catalogue.filter(([, verb]) => !served.includes(verb));
  expectSame(
    unserved.map(([name]) => name),
    Object.keys(WITHOUT_ENDPOINT),
    {
      missing: "Take the verb from WITHOUT_ENDPOINT in test/rules/verbs.test.ts: an endpoint serves it",
      extra:
        "Add an endpoint for the verb to `routes` of its declaration in operations/, or its reason to WITHOUT_ENDPOINT in test/rules/verbs.test.ts",
    },
  );
  const twice = repeated(served);
  expectNone(
    catalogue.filter(([, verb]) => twice.includes(verb)).map(([name]) => name),
    "Remove one of the endpoints from the declarations in operations/",
  );
  const known = catalogue.map(([, verb]) => verb);
  expectNone(
    table.filter(([, , verb]) => !known.includes(verb)).map(([method, path]) => `${method} ${path}`),
    "Add the verb of the endpoint to `verbs` of its declaration in operations/",
  );
});

test("no endpoint is listed twice, and each path parameter is a field of each action", () => {
  const endpoints = table.map(([method, path]) => `${method} ${path.replaceAll(/:\w+/g, ":")}`);
  expectNone(repeated(endpoints), "Remove one of the two endpoints from the declarations in operations/");
  const unknown = table.flatMap(([method, path, verb]) => {
    const names = [...path.matchAll(/:(\w+)/g)].map(([, name = ""]) => name);
    return names
      .filter((name) => inside(verb).some(({ input }) => !Object.hasOwn(input.shape, name)))
      .map((name) => `${method} ${path} ${name}`);
  });
  expectNone(unknown, "Add the path's parameter to the input schema of the verb");
});

test("every operation exported in operations/ is in the list of operations, alone or as an action of another operation", async () => {
  const known = new Set<unknown>(catalogue.flatMap(([, verb]) => [verb, ...inside(verb)]));
  const exported = await Promise.all(
    operationFiles.map(async (file) => {
      const module: Record<string, unknown> = await import(join(process.cwd(), "operations", file));
      return Object.entries(module).flatMap(([name, value]) =>
        isVerb(value) ? [{ name: `${file} ${name}`, value }] : [],
      );
    }),
  );
  const found = exported.flat();
  expect(found.length).toBeGreaterThan(100);
  expectNone(
    found.filter(({ value }) => !known.has(value)).map(({ name }) => name),
    "Add the verb to a declaration in operations/, or do not export it",
  );
});

/** Verbs that run apart as a sending verb does but need no permit, each with its reason. */
const WITHOUT_PERMIT = [
  "workspace.delete", // ends
  "workspace.pauseSending", // stops
];

test("every verb that may send email requires a permit and can be approved, or requires a credential that sends directly", () => {
  const sending = catalogue.flatMap(([, verb]) => inside(verb)).filter(({ sends }) => sends);
  const asking = sending.filter(({ asksPermit }) => asksPermit);
  const others = sending.filter(({ asksPermit, effects }) => !asksPermit && effects?.SENDS === undefined);
  expectSame(
    others.map(({ audits = "" }) => audits),
    WITHOUT_PERMIT,
    {
      missing: "Take the verb from WITHOUT_PERMIT in test/rules/verbs.test.ts: it asks a permit now, or is gone",
      extra:
        "Give the verb `asksPermit` or the effect SENDS, or add its reason to WITHOUT_PERMIT in test/rules/verbs.test.ts",
    },
  );
  expect(asking.map(({ audits = "" }) => verbNamed(audits))).toEqual(asking);
  expect(asking.length).toBeGreaterThanOrEqual(5);
});

function isVerb(value: unknown): boolean {
  if (typeof value !== "object" || value === null || !("summary" in value)) return false;
  return "actions" in value || ("input" in value && "run" in value);
}

test("the audit log uses the names of the catalogue: the verb's own name, or its noun and action", () => {
  const wrong = catalogue.flatMap(([name, verb]) => {
    const [noun] = name.split(".");
    if (!("actions" in verb))
      return verb.audits === undefined || verb.audits === name ? [] : [`${name} audits ${verb.audits}`];
    const strangers = Object.entries(verb.actions).filter(
      ([action, { audits }]) => audits !== undefined && audits !== `${noun}.${action}` && audits !== name,
    );
    return strangers.map(([action, { audits }]) => `${name} ${action} audits ${audits}`);
  });
  expectNone(wrong, "Name the verb in `audits` as its declaration does");
});

test("only operations/call.ts runs verbs, so that every call passes all checks", () => {
  const rooms = ["api", "mcp", "operations"].filter((room) => existsSync(room));
  const files = rooms.flatMap((room) =>
    readdirSync(room, { recursive: true, encoding: "utf8" }).map((file) => join(room, file)),
  );
  const running = files.filter((file) => file.endsWith(".ts") && /\.run\(/.test(readFileSync(file, "utf8")));
  expect(running).toEqual(["operations/call.ts"]);
});
