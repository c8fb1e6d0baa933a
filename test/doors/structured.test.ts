import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { Ajv } from "ajv";
import { ALL_SCOPES } from "../../domain/scopes.ts";
import { MOST_CHARACTERS } from "../../mcp/fit.ts";
import { type OutputSchema, outputSchemaOf, STRUCTURED } from "../../mcp/output-schema.ts";
import { shownTools } from "../../mcp/server.ts";
import { tools } from "../../mcp/tools.ts";
import { scoped } from "../../models/scoped.ts";
import { answerOf, newMailbox, startInbox } from "../inbox/inbox-parts.ts";
import { importRows, peopleOf } from "../lead-search/data.ts";
import { agentOf, post, rpc } from "../support/mcp.ts";
import { startWorld, type World } from "../support/world.ts";

/** The size of the list of all tools for applications that know output schemas; without them it has at most 90 kB. */
const MOST_BYTES_WITH_SCHEMAS = 165_000;
const LATEST = { "MCP-Protocol-Version": "2025-11-25" };

let world: World;
beforeAll(async () => {
  world = await startWorld({ apart: true });
});
afterAll(() => world.close());

const ajv = new Ajv({ strict: false, validateFormats: false, allErrors: true });
const schemaOf = (name: string): OutputSchema => {
  const schema = outputSchemaOf(name);
  if (schema === null) throw new Error(`${name} has no output schema`);
  return schema;
};
/** What is wrong with a result by the schema of its tool. */
const faultsOf = (name: string, value: unknown) => {
  ajv.validate(schemaOf(name), value);
  return ajv.errors?.map(({ instancePath, message }) => `${name}${instancePath} ${message}`) ?? [];
};

test("the twenty tools with an output schema only read, and their schemas have no root unions, no descriptions and no closed objects", () => {
  expect(STRUCTURED.size).toBe(20);
  const readOnly = tools.filter(({ tool }) => tool.readOnly === true).map(({ name }) => name);
  expect(readOnly).toEqual(expect.arrayContaining([...STRUCTURED]));
  for (const name of STRUCTURED) {
    const schema = schemaOf(name);
    expect([name, schema.type, Object.keys(schema.properties).length > 3]).toEqual([name, "object", true]);
    expect([name, Object.keys(schema).filter((key) => key !== "type" && key !== "properties")]).toEqual([name, []]);
    for (const word of ["description", "pattern", "maxLength", "minLength", "$ref", "oneOf"])
      expect([name, word, JSON.stringify(schema).includes(`"${word}":"`)]).toEqual([name, word, false]);
    expect([name, JSON.stringify(schema).includes('"additionalProperties":false')]).toEqual([name, false]);
    expect([name, faultsOf(name, { truncated: true, message: "Too long", preview: "{" })]).toEqual([name, []]);
    expect(faultsOf(name, { truncated: 1, cut: {} }).length).toBeGreaterThan(1);
  }
});

test("output schemas are listed for applications that know them, and the list stays small without them", async () => {
  const { key } = await world.workspace();
  const listed = async (headers: Record<string, string>) => {
    const answer = await post(world, key, rpc("tools/list"), headers);
    const { result } = JSON.parse(await answer.text());
    const withSchema = result.tools
      .filter((tool: object) => "outputSchema" in tool)
      .map((tool: { name: string }) => tool.name);
    return { names: withSchema.sort(), bytes: Buffer.byteLength(JSON.stringify(result.tools)) };
  };
  const [latest, first, older, none] = [
    await listed(LATEST),
    await listed({ "MCP-Protocol-Version": "2025-06-18" }),
    await listed({ "MCP-Protocol-Version": "2025-03-26" }),
    await listed({}),
  ];
  expect(latest.names).toEqual([...STRUCTURED].sort());
  expect(first).toEqual(latest);
  expect([older.names, none.names]).toEqual([[], []]);
  expect(none.bytes).toBeLessThanOrEqual(90_000);
  expect(latest.bytes).toBeLessThanOrEqual(MOST_BYTES_WITH_SCHEMAS);
});

test("each of the twenty tools returns structured content that fits its schema and equals its text", async () => {
  const { key, calls } = await startCalls();
  expect(new Set(calls.map(([name]) => name))).toEqual(STRUCTURED);
  const { client, close } = await agentOf(world, key);
  await client.listTools(); // the SDK's client then checks each result by the schema of its tool
  for (const [name, args] of calls) {
    const { isError, content, structuredContent } = await client.callTool({ name, arguments: args });
    const [{ text }] = content as [{ text: string }];
    expect([name, args, isError === true ? text : ""]).toEqual([name, args, ""]);
    expect(structuredContent).toEqual(JSON.parse(text));
    expect([name, args, faultsOf(name, structuredContent)]).toEqual([name, args, []]);
    const known = Object.keys(schemaOf(name).properties);
    expect([name, Object.keys(structuredContent ?? {}).filter((field) => !known.includes(field))]).toEqual([name, []]);
  }
  await close();
}, 60_000);

test("an older application gets the text alone, and a refused call has no structured content", async () => {
  const { key } = await world.workspace();
  const call = async (headers: Record<string, string>, args: object = {}) => {
    const answer = await post(world, key, rpc("tools/call", { name: "leads_search", arguments: args }), headers);
    return JSON.parse(await answer.text());
  };
  expect((await call({})).result.structuredContent).toBeUndefined();
  expect((await call({ "MCP-Protocol-Version": "2025-03-26" })).result.structuredContent).toBeUndefined();
  expect((await call(LATEST)).result.structuredContent).toMatchObject({ items: [], total: 0 });
  const refused = (await call(LATEST, { pageSize: 900 })).result;
  expect([refused.isError, "structuredContent" in refused]).toEqual([true, false]);
});

test("results that are cut fit their schemas: pages of long leads, a lead and a conversation with long texts", async () => {
  const { key, rest, workspaceId } = await world.workspace();
  const note = 'She said "no",\n'.repeat(400);
  const rows = Array.from({ length: 30 }, (_, at) => ({ email: `lead${at}@people.test`, note }));
  await rest.post("/leads/import", { action: "commit", rows, keepUnmapped: true });
  const { Lead } = scoped(workspaceId);
  const lead = await Lead.findOne({ email: "lead1@people.test" });
  await Lead.updateOne({ _id: lead?._id ?? "" }, { $set: { "customFields.note": note.repeat(9) } });
  const own = { workspaceId, rest, mailbox: await newMailbox(workspaceId, "ann@a.test") };
  const inbox = await startInbox(world, { own });
  const { threadId } = await inbox.arrive(answerOf(await inbox.contacted("pat@b.test"), "Long. ".repeat(10_000)));
  const { client, close } = await agentOf(world, key);
  await client.listTools();
  const shown = async (name: string, args: Record<string, unknown>) => {
    const { structuredContent = {}, content } = await client.callTool({ name, arguments: args });
    expect(String(Reflect.get(Object(Object(content)[0]), "text")).length).toBeLessThanOrEqual(MOST_CHARACTERS);
    expect([name, faultsOf(name, structuredContent)]).toEqual([name, []]);
    return structuredContent as Record<string, unknown>;
  };
  expect(await shown("leads_search", { pageSize: 200 })).toMatchObject({ truncated: true, next: { page: 2 } });
  expect(await shown("leads_search", { search: "lead1@people.test", pageSize: 1 })).toMatchObject({
    cut: expect.any(Array),
  });
  expect(await shown("leads_get", { leadId: lead?._id })).toMatchObject({ nextOffset: expect.any(Number) });
  expect(await shown("inbox_thread_get", { threadId })).toMatchObject({ nextOffset: expect.any(Number) });
  await close();
}, 60_000);

test("the list for applications with output schemas is that of other applications with the schemas beside it", () => {
  const ctx = { scopes: new Set(ALL_SCOPES), services: world.services };
  const shown = { toolsets: null, readOnly: false };
  const without = shownTools(ctx, shown, true).map(({ outputSchema: _, ...tool }) => tool);
  expect(without).toEqual(shownTools(ctx, shown, false));
});

/** A workspace with records of every kind, and calls of the twenty tools with each of their actions. */
async function startCalls(): Promise<{ key: string; calls: [name: string, args: Record<string, unknown>][] }> {
  const { key, rest, workspaceId } = await world.workspace();
  await importRows(peopleOf(3));
  const mailbox = await newMailbox(workspaceId, "ann@acme.test");
  const inbox = await startInbox(world, { own: { workspaceId, rest, mailbox } });
  const person = await inbox.contacted("pat@people.test");
  const { threadId } = await inbox.arrive(answerOf(person, "Tell me more."));
  const { _id: recipientId, campaignId, leadId } = person.recipient;
  await rest.post("/leads/manage", { action: "createNote", leadId, body: "Wants a call" });
  await rest.post("/warmup/manage", { action: "start", mailboxId: mailbox._id });
  const mailboxId = mailbox._id;
  const { body: campaign } = await rest.post("/campaigns", { name: "Spring" });
  const steps = [{ subject: "Hi", bodyText: "Hello", delay: { value: 0, unit: "MINUTES" } }];
  await rest.put(`/campaigns/${campaign.id}/sequence`, { action: "replaceSteps", steps });
  return {
    key,
    calls: [
      ["account_get", {}],
      ["analytics_report", { groupBy: "CAMPAIGN" }],
      ["analytics_report", { groupBy: "DAY", format: "csv" }],
      ["campaign_sequence_get", { campaignId: campaign.id }],
      ["campaign_sequence_get", { campaignId: campaign.id, view: "versions" }],
      ["campaign_sequence_get", { campaignId: campaign.id, view: "version", version: 1 }],
      ["campaign_sequence_preview", { campaignId: campaign.id }],
      ["campaign_settings_get", { campaignId }],
      ["campaign_validate", { campaignId: campaign.id }],
      ["campaigns_get", { campaignId }],
      ["campaigns_list", { include: ["metrics", "sendingStatus"] }],
      ["campaigns_list", { detail: "low" }],
      ["deliverability_domains", {}],
      ["deliverability_recommendations", {}],
      ["inbox_summary", {}],
      ["inbox_thread_get", { threadId }],
      ["inbox_threads_list", {}],
      ["inbox_threads_list", { detail: "low" }],
      ["lead_search_browse", { filters: { titles: ["Engineer"] } }],
      ["leads_activity", { leadId }],
      ["leads_activity", { leadId, view: "notes" }],
      ["leads_get", { leadId }],
      ["leads_search", {}],
      ["leads_search", { detail: "low" }],
      ["mailboxes_list", {}],
      ["mailboxes_list", { mailboxId }],
      ["recipients_list", { campaignId }],
      ["recipients_list", { campaignId, view: "stats" }],
      ["recipients_list", { campaignId, view: "explain", recipientId }],
      ["warmup_list", {}],
      ["warmup_list", { view: "get", mailboxId }],
      ["warmup_list", { view: "heatmap", mailboxId }],
      ["warmup_list", { view: "reputation", mailboxId }],
      ["warmup_list", { view: "bounces", mailboxId }],
    ],
  };
}
