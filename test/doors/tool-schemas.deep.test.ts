import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { ALL_SCOPES } from "../../domain/scopes.ts";
import type { ToolDefinition } from "../../mcp/describe.ts";
import { isJson } from "../../mcp/field-words.ts";
import { listOf } from "../../mcp/server.ts";
import { actionsOf } from "../../mcp/tool.ts";
import { tools } from "../../mcp/tools.ts";
import { createKey } from "../../operations/access/api-keys.ts";
import { makeWhatExamplesName } from "../access/flood-world.ts";
import { post, rpc } from "../support/mcp.ts";
import { startExamples } from "./example-world.ts";
import { alternativesOf, fieldsWith, type KnownIds, neededBy, valuesOf } from "./schema-calls.ts";

let started: Awaited<ReturnType<typeof startExamples>>;
let ids: KnownIds;
beforeAll(async () => {
  started = await startExamples();
  await makeWhatExamplesName(started);
  ids = started.knownIds();
}, 120_000);
afterAll(() => started.world.close());

/** Calls of one key within a minute. */
const CALLS_PER_KEY = 220;

/** Fields that need another one beside them, as their descriptions say. */
const BESIDE: Readonly<Record<string, Record<string, unknown>>> = {
  revenueAmount: { revenueCurrency: "EUR" },
  options: { type: "SELECT" },
};
/** Refusals for what a record or another field has, which no schema of one field can say; each code with its reason. */
const DEPENDS: Readonly<Record<string, string>> = {
  UNKNOWN_STEP: "a step of this sequence",
  UNKNOWN_VARIANT: "a variant of this step",
  SAME_CAMPAIGN: "another campaign than this one",
  FILE_NOT_FOUND: "a file that was uploaded",
  NO_PERMUTATION: "all steps of the sequence",
  NOT_A_PERMUTATION: "all fields of the workspace",
  TYPE_MISMATCH: "the type of the list, field or value",
  EMPTY_FILE: "a text that is CSV",
  UNKNOWN_COLUMN: "the columns of the rows",
  NO_TOKENS: "what the CRM offers",
  GAPS_CROSSED: "the other gap of the campaign",
  RANGE_TOO_LONG: "the other end of the range",
  NOT_A_DOMAIN: "a domain that you own",
  ROW_REQUIRED: "the long row that is read on",
};
/** Fields that pick the operation of a tool without `action`; the description says so: "Needs toListId or leadListId". */
const NAMED_IN_WORDS = ["toListId", "leadListId", "filters", "savedSearchId"];
/** A call that would end every credential of this test. */
const ENDS = "workspace_manage delete";

/** Alternatives of which a call may have several. */
const SEVERAL = ["url", "events", "enabled", "add", "remove", "meetingBooked", "meetingBookedAt", "outcomeNotes"];

const listed = new Map(listOf(new Set(ALL_SCOPES), { toolsets: null, readOnly: false }).map((one) => [one.name, one]));

/** The calls of one tool: for each action the required fields, and these with each value of each other field. */
function callsOf({ name, inputSchema }: ToolDefinition): Record<string, unknown>[] {
  const { properties, required = [] } = inputSchema;
  const row = tools.find((one) => one.name === name);
  if (row === undefined) throw new Error(name);
  const actions = actionsOf(row.tool).filter(([action]) => `${name} ${action}` !== ENDS);
  return actions.flatMap(([action, verb]) => {
    const by = ["action", "view"].find((picker) => isJson(properties[picker]) && action !== "");
    const picker = by === undefined ? {} : properties[by];
    const words = isJson(picker) ? String(picker["description"]) : "";
    const given = Object.keys(verb.input.shape).filter((field) => by === undefined && NAMED_IN_WORDS.includes(field));
    const wanted = [...required.filter((field) => field !== by), ...neededBy(action, words), ...given];
    const values = (field: string) => valuesOf(field, properties[field], ids);
    const base = Object.fromEntries(wanted.map((field) => [field, values(field)[0]]));
    const own = Object.keys(properties).filter(
      (field) => field in verb.input.shape && !/^plan(Only|Token)$/.test(field),
    );
    const groups = alternativesOf(action, words);
    /** The base without the alternatives of a field, because a call has one of them. */
    const besides = (field: string) => {
      const instead = groups.find((group) => group.includes(field) && !SEVERAL.includes(field)) ?? [];
      return Object.fromEntries(Object.entries(base).filter(([name]) => !instead.includes(name)));
    };
    const others = own.flatMap((field) =>
      values(field).map((value) => ({
        ...besides(field),
        ...BESIDE[field],
        ...(typeof value === "string" && fieldsWith(value, properties, ids)),
        [field]: value,
      })),
    );
    return [base, ...others].map((args) => ({ ...(by !== undefined && { [by]: action }), ...args }));
  });
}

test("a caller that chooses every argument from the schemas alone meets no VALIDATION_FAILED", async () => {
  const refused: unknown[] = [];
  let [count, key] = [CALLS_PER_KEY, ""];
  const { workspaceId, ownerId } = started.workspace;
  for (const definition of listed.values()) {
    for (const [at, args] of callsOf(definition).entries()) {
      if (count++ >= CALLS_PER_KEY) {
        key = (await createKey({ workspaceId, name: "schemas", scopes: ALL_SCOPES, createdBy: ownerId })).key;
        count = 1;
      }
      const keyed = {
        ...args,
        ...("idempotencyKey" in args && { idempotencyKey: `schemas-${definition.name}-${at}` }),
      };
      const message = rpc("tools/call", { name: definition.name, arguments: keyed });
      const answer = JSON.parse(await (await post(started.world, key, message)).text());
      if (answer.error !== undefined) {
        refused.push([definition.name, args, answer.error.message]);
        continue;
      }
      const body = JSON.parse(answer.result.content[0].text);
      const [issue] = body.details?.issues ?? [];
      const isForeseen = body.code === "VALIDATION_FAILED" && issue?.code in DEPENDS;
      if ((body.code === "VALIDATION_FAILED" && !isForeseen) || body.code === "INTERNAL_ERROR")
        refused.push([definition.name, args, body.message, issue]);
    }
  }
  expect(refused).toEqual([]);
}, 300_000);
