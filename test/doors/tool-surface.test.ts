import { expect, test } from "@jest/globals";
import { ALL_SCOPES } from "../../domain/scopes.ts";
import { listOf } from "../../mcp/server.ts";
import { actionsOf } from "../../mcp/tool.ts";
import { tools } from "../../mcp/tools.ts";
import { CATALOGUE, SENSITIVE } from "../support/catalogue.ts";
import { expectSame } from "../support/expect-none.ts";

const scopeOf = new Map(CATALOGUE.flatMap(([scope, names]) => names.split(" ").map((name) => [name, scope] as const)));
const whole = listOf(new Set(ALL_SCOPES), { toolsets: null, readOnly: false });
const KB = 1_000;

test("the product has exactly the 105 tools of the catalogue", () => {
  expectSame(
    tools.map(({ name }) => name),
    [...scopeOf.keys()],
    {
      missing:
        "Add the tool to `tools` of a declaration in operations/: CATALOGUE in test/support/catalogue.ts names it",
      extra:
        "Add the tool to CATALOGUE in test/support/catalogue.ts, in the order of its group, and count it in this test",
    },
  );
  expect(scopeOf.size).toBe(105);
});

test("tools are listed in the order of the catalogue, each with its minimum scope", () => {
  expect(tools.map(({ name, tool }) => [name, tool.operation.scope])).toEqual([...scopeOf]);
});

test("every changing action of a sensitive tool is audited", () => {
  const unaudited = tools
    .filter(({ name }) => SENSITIVE.includes(name))
    .flatMap(({ name, tool }) =>
      actionsOf(tool)
        .filter(([, { scope, audits }]) => audits === undefined && scope !== null && !scope.endsWith(":read"))
        .map(([action]) => `${name} ${action}`),
    );
  // They only try or show, and change nothing; a consent's connection is audited when the person returns
  const harmless = [
    "mailboxes_connect providerAOAuthStart",
    "mailboxes_connect providerBOAuthStart",
    "mailboxes_connect smtpTest",
  ];
  expect(unaudited.sort()).toEqual([...harmless, "mailboxes_import poll", "mailboxes_import test"]);
});

test("a tool's input is a plain object without unions, its hints are those that differ from the protocol's defaults, and its words are short", () => {
  for (const { name, title, description, inputSchema, annotations } of whole) {
    for (const word of ["oneOf", "anyOf", "allOf", "$ref", "$schema"])
      expect([name, inputSchema[word]]).toEqual([name, undefined]);
    expect([name, inputSchema.type]).toEqual([name, "object"]);
    const { readOnlyHint, destructiveHint, idempotentHint, openWorldHint } = annotations;
    expect([name, readOnlyHint ?? true, destructiveHint ?? false]).toEqual([name, true, false]);
    expect([name, idempotentHint ?? true, openWorldHint ?? false]).toEqual([name, true, false]);
    expect([name, readOnlyHint === true && (destructiveHint ?? idempotentHint) !== undefined]).toEqual([name, false]);
    expect([name, title === undefined || title.length > 0]).toEqual([name, true]);
    expect([name, description.length >= 60 && description.length <= 250 ? "" : description.length]).toEqual([name, ""]);
  }
});

test("a field keeps its description where its name cannot say the notation of its value", () => {
  const wordsOf = (tool: string, ...path: string[]) =>
    path.reduce<unknown>(
      (schema, step) =>
        Reflect.get(Object(Reflect.get(Object(schema), "properties") ?? Reflect.get(Object(schema), "items")), step),
      whole.find(({ name }) => name === tool)?.inputSchema,
    );
  expect(wordsOf("campaign_settings_update", "settings", "holidayCountry")).toMatchObject({
    description: expect.stringContaining("ISO 3166"),
  });
  expect(wordsOf("mailboxes_manage", "patch", "workday")).toMatchObject({
    anyOf: [{ properties: { from: { description: expect.stringContaining("HH:mm") } } }, { type: "null" }],
  });
  expect(wordsOf("recipients_manage", "revenueCurrency")).toMatchObject({
    type: "string",
    description: expect.stringContaining("ISO 4217"),
  });
  expect(wordsOf("lead_lists", "action")).toMatchObject({
    description: expect.stringContaining("addMembers(listId, leadIds|filter)"),
  });
});

/** The objects whose fields no schema can name. */
const FREE = ["leads_create customFields", "leads_import rows[]", "leads_manage patch.customFields"];
/** The deepest group of filters, whose rules are spelled out in the groups around it. */
const DEEPEST = "filterRules.rules[].rules[]";

test("a field that null empties allows null in the schema of a change, so that applications which validate a call send it", () => {
  const fieldOf = (tool: string, within: string, field: string) => {
    const change = Object(whole.find(({ name }) => name === tool)?.inputSchema.properties[within]);
    return change.properties[field];
  };
  for (const [tool, within, field] of [
    ["leads_manage", "patch", "firstName"],
    ["mailboxes_manage", "patch", "replyTo"],
    ["campaign_settings_update", "settings", "endAt"],
    ["lead_lists", "input", "description"],
    ["workspace_manage", "patch", "postalAddress"],
  ] as const)
    expect([tool, fieldOf(tool, within, field).anyOf]).toEqual([
      tool,
      expect.arrayContaining([{ type: "null" }, expect.objectContaining({ type: "string" })]),
    ]);
});

test("every nested input is spelled out, except custom fields and rows of a file, and no schema has a list of types", () => {
  const bare: string[] = [];
  const listed: string[] = [];
  const walk = (schema: unknown, path: string): void => {
    if (typeof schema !== "object" || schema === null) return;
    const { type, properties, items, anyOf, additionalProperties } = Object(schema);
    if (Array.isArray(type) || Object.keys(schema).length === 0) listed.push(path);
    if (type === "object" && properties === undefined && additionalProperties === undefined) bare.push(path);
    for (const [name, inner] of Object.entries(properties ?? {}))
      walk(inner, `${path}${path.endsWith(" ") ? "" : "."}${name}`);
    walk(items, `${path}[]`);
    walk(additionalProperties, `${path}.*`);
    for (const form of anyOf ?? []) walk(form, path);
  };
  for (const { name, inputSchema } of whole) walk(inputSchema, `${name} `);
  expect(listed).toEqual([]);
  expect(bare.filter((path) => !path.endsWith(DEEPEST)).sort()).toEqual(FREE);
});

test("the list of all tools has at most 90 kB, and the default toolset 25 kB", () => {
  const sizeOf = (toolsets: string[] | null) =>
    Buffer.byteLength(JSON.stringify(listOf(new Set(ALL_SCOPES), { toolsets, readOnly: false })));
  expect(sizeOf(null)).toBeLessThanOrEqual(90 * KB);
  expect(sizeOf(["default"])).toBeLessThanOrEqual(25 * KB);
});
