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

test("a tool's input is a plain object without unions, and has every hint and a description of every field", () => {
  for (const { name, title, description, inputSchema, annotations } of whole) {
    expect([name, Object.keys(inputSchema).sort()]).toEqual([
      name,
      expect.arrayContaining(["additionalProperties", "properties", "type"]),
    ]);
    for (const word of ["oneOf", "anyOf", "allOf", "$ref", "$schema"])
      expect([name, inputSchema[word]]).toEqual([name, undefined]);
    expect([name, inputSchema["additionalProperties"]]).toEqual([name, name === "leads_create"]);
    expect([name, Object.keys(annotations).sort()]).toEqual([
      name,
      ["destructiveHint", "idempotentHint", "openWorldHint", "readOnlyHint", "title"],
    ]);
    expect(title).toBe(annotations.title);
    expect([name, description.length >= 100 && description.length <= 450 ? "" : description.length]).toEqual([
      name,
      "",
    ]);
    for (const [field, schema] of Object.entries(inputSchema.properties)) {
      expect([name, field, typeof Reflect.get(schema, "description")]).toEqual([name, field, "string"]);
    }
  }
});

test("the list of tools stays below its size limit", () => {
  const sizeOf = (list: unknown) => JSON.stringify(list).length;
  expect(sizeOf(whole)).toBeLessThan(120 * KB);
  const daily = new Set(ALL_SCOPES.filter((scope) => /^(campaigns|recipients|leads|inbox):/.test(scope)));
  expect(sizeOf(listOf(daily, { toolsets: null, readOnly: false }))).toBeLessThan(47 * KB);
});
