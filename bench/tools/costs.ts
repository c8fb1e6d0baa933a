import { ALL_SCOPES } from "../../domain/scopes.ts";
import { DEFAULT_TOOLS } from "../../mcp/default-tools.ts";
import type { ToolDefinition } from "../../mcp/describe.ts";
import { listOf } from "../../mcp/server.ts";
import { tools } from "../../mcp/tools.ts";
import type { Measured, Row } from "../table.ts";

/** Characters of JSON that are about one token of a model. */
export const CHARACTERS_A_TOKEN = 4;

/** The scopes of a typical sales agent; below, these with every scope that concerns leads. */
const SALES = /^(?:campaigns|recipients|leads|lead_lists|inbox):/;
const ALL_OF_LEADS = /^(?:campaigns|recipients|leads|block_list|lead_lists|custom_fields|deals|inbox):/;

/** Shows what a model reads before its first call: the bytes of the list of tools, by set, group and tool. */
export async function run(): Promise<Row> {
  const all = listed();
  const groups = Map.groupBy(tools, ({ group }) => group);
  const lines = [...groups].flatMap(([group, rows]) =>
    rows.flatMap(({ name }) => {
      const definition = all.find((one) => one.name === name);
      return definition === undefined ? [] : [lineOf(group, definition)];
    }),
  );
  const groupLines = [...groups.keys()].map((group) => {
    const own = listed({ toolsets: [group] });
    return sizeLine(`the group ${group}`, own, null);
  });
  return {
    title: "The size of the tools",
    how: `The list of tools as JSON for a key with every scope, about ${CHARACTERS_A_TOKEN} characters a token; schemas of results are counted apart.`,
    measured: [
      sizeLine("every tool", all, 90_000),
      sizeLine("?toolsets=default", listed({ toolsets: ["default"] }), 25_000),
      sizeLine("?readonly=1", listed({ readOnly: true }), null),
      sizeLine("campaigns, recipients, leads, lists and inbox", listed({ scopes: SALES }), 45_000),
      sizeLine("the same with block list, fields and deals", listed({ scopes: ALL_OF_LEADS }), null),
      { what: "schemas of results, every tool", goal: "", measured: kilobytes(resultBytesOf(all)), met: null },
      ...groupLines,
    ],
    runs: {
      title: "Tool by tool",
      head: ["group", "tool", "default", "bytes", "tokens", "of the description", "of the result"],
      lines,
    },
  };
}

function listed({ scopes = /^/, ...shown }: { scopes?: RegExp; toolsets?: string[]; readOnly?: boolean } = {}) {
  const held = new Set(ALL_SCOPES.filter((scope) => scopes.test(scope)));
  return listOf(held, { toolsets: null, readOnly: false, ...shown });
}

function sizeLine(what: string, list: readonly ToolDefinition[], most: number | null): Measured {
  const bytes = list.reduce((sum, definition) => sum + bytesOf(definition) + 1, 1);
  return {
    what: `${what} (${list.length} tools)`,
    goal: most === null ? "" : `at most ${kilobytes(most)}`,
    measured: `${kilobytes(bytes)}, ${tokens(bytes)} tokens`,
    met: most === null ? null : bytes <= most,
  };
}

function lineOf(group: string, definition: ToolDefinition): (string | number)[] {
  const { name, description } = definition;
  const bytes = bytesOf(definition);
  const isDefault = DEFAULT_TOOLS.has(name) ? "yes" : "";
  return [group, name, isDefault, bytes, tokens(bytes), Buffer.byteLength(description), resultBytesOf([definition])];
}

/** The bytes of a definition without the schema of its result. */
function bytesOf({ outputSchema: _, ...definition }: ToolDefinition): number {
  return Buffer.byteLength(JSON.stringify(definition));
}

function resultBytesOf(list: readonly ToolDefinition[]): number {
  const schemas = list.flatMap(({ outputSchema }) => (outputSchema === undefined ? [] : [outputSchema]));
  return schemas.reduce<number>((sum, schema) => sum + Buffer.byteLength(JSON.stringify(schema)), 0);
}

export function tokens(characters: number): number {
  return Math.round(characters / CHARACTERS_A_TOKEN);
}

function kilobytes(bytes: number): string {
  return `${(bytes / 1_000).toFixed(1)} kB`;
}
