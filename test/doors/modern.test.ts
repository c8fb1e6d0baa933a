import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { MOST_CHARACTERS } from "../../mcp/fit.ts";
import { tools } from "../../mcp/tools.ts";
import { scoped } from "../../models/scoped.ts";
import { flushCalls } from "../../operations/access/call-log.ts";
import manifest from "../../package.json" with { type: "json" };
import { until } from "../fakes/wait.ts";
import { type Authorization, connect, startAuthorization } from "../support/authorization.ts";
import { agentOf, post, rpc } from "../support/mcp.ts";
import { modernAgentOf, postModern, REVISION } from "../support/modern.ts";

let oauth: Authorization;
/** The address where both API keys and connectors call. */
let world: { baseUrl: string };
beforeAll(async () => {
  oauth = await startAuthorization();
  world = { baseUrl: oauth.issuer };
});
afterAll(() => oauth.close());

// biome-ignore lint/suspicious/noExplicitAny: a test reads answers field by field
const answerOf = (response: Response): Promise<any> => response.json();

test("a client of revision 2026-07-28 discovers the server, lists all tools and calls one", async () => {
  const { key, rest } = await oauth.world.workspace();
  await rest.post("/leads", { email: "ada@people.test" });
  const agent = await modernAgentOf(world, key);
  expect(agent.client.getNegotiatedProtocolVersion()).toBe(REVISION);
  expect(agent.client.getServerVersion()).toMatchObject({ name: "outreach", version: manifest.version });
  expect(agent.client.getInstructions()?.split("\n").length).toBeLessThanOrEqual(8);
  const list = await agent.client.listTools();
  expect(list.tools.map(({ name }) => name)).toEqual(tools.map(({ name }) => name));
  const { body, isError } = await agent.call("leads_search", { search: "ada" });
  expect(isError).toBe(false);
  expect(body).toMatchObject({ total: 1, untrusted: true, items: [{ email: "ada@people.test" }] });
  await agent.close();
});

test("clients of both revisions use one address at once and get the same definitions and the same results", async () => {
  const { key, rest } = await oauth.world.workspace();
  await rest.post("/leads", { email: "ada@people.test" });
  const [older, newer] = await Promise.all([agentOf(world, key), modernAgentOf(world, key)]);
  const [before, now] = await Promise.all([older.client.listTools(), newer.client.listTools()]);
  expect(now.tools).toEqual(before.tools);
  const search = { search: "ada" };
  const calls = await Promise.all(
    Array.from({ length: 10 }, (_, at) => (at % 2 === 0 ? older : newer).call("leads_search", search)),
  );
  expect(new Set(calls.map(({ text }) => text)).size).toBe(1);
  const refusals = await Promise.all([older, newer].map((agent) => agent.call("leads_get", { leadId: "led_1" })));
  const [first, second] = refusals.map(({ body: { traceId: _, ...rest }, isError }) => ({ ...rest, isError }));
  expect(second).toEqual(first);
  expect(first).toMatchObject({ isError: true, code: "LEAD_NOT_FOUND" });
  await Promise.all([older.close(), newer.close()]);
});

test("a request of the revision stands alone: no session, one JSON response, how long it may be kept, and what is left of the rate", async () => {
  const { key } = await oauth.world.workspace();
  const response = await postModern(world, key, "tools/list");
  expect([response.status, response.headers.get("content-type"), response.headers.get("mcp-session-id")]).toEqual([
    200,
    "application/json",
    null,
  ]);
  expect(response.headers.get("ratelimit-limit")).toBe("240");
  expect(response.headers.get("cache-control")).toBe("no-store");
  const { result } = await answerOf(response);
  expect(result).toMatchObject({ resultType: "complete", ttlMs: 300_000, cacheScope: "private" });
  const { result: found } = await answerOf(await postModern(world, key, "server/discover"));
  expect(found).toMatchObject({
    supportedVersions: [REVISION],
    capabilities: { tools: { listChanged: false } },
    cacheScope: "private",
  });
});

test.each<[string, () => Promise<Response>, number, number]>([
  ["a revision that there is not", () => asked("tools/list", {}, { revision: "2027-01-01" }), 400, -32_022],
  [
    "a method that the header names otherwise",
    () => asked("tools/list", {}, { headers: { "Mcp-Method": "tools/call" } }),
    400,
    -32_020,
  ],
  [
    "a tool that the header names otherwise",
    () => asked("tools/call", { name: "leads_search" }, { headers: { "Mcp-Name": "campaigns_list" } }),
    400,
    -32_020,
  ],
  ["an unknown method", () => asked("sampling/createMessage"), 404, -32_601],
  ["the handshake of the earlier revisions", () => asked("initialize"), 404, -32_601],
  ["a ping of the earlier revisions", () => asked("ping"), 404, -32_601],
  ["an unknown tool", () => asked("tools/call", { name: "nothing", arguments: {} }), 200, -32_602],
  ["a call without a name", () => asked("tools/call"), 400, -32_602],
  [
    "a message without its `_meta`",
    async () => post(world, await someKey(), rpc("tools/list"), { "MCP-Protocol-Version": REVISION }),
    400,
    -32_602,
  ],
])("%s is refused with a JSON-RPC error", async (_, send, status, code) => {
  const response = await send();
  const { error } = await answerOf(response);
  expect([response.status, error.code]).toEqual([status, code]);
});

const someKey = async () => (await oauth.world.workspace()).key;
const asked = async (...[method, params, said]: [string, object?, object?]) =>
  postModern(world, await someKey(), method, { ...params }, said);

test("no credential, a wrong one, a foreign origin, another type of response and a batch are refused as in the earlier revisions", async () => {
  const { key } = await oauth.world.workspace();
  for (const credential of [null, "ocp_live_nothing", "nothing"]) {
    const response = await postModern(world, credential, "tools/list");
    expect([response.status, (await answerOf(response)).error.data.code]).toEqual([401, "UNAUTHENTICATED"]);
    expect(response.headers.get("www-authenticate")).toContain("resource_metadata=");
  }
  const foreign = await postModern(world, key, "tools/list", {}, { headers: { Origin: "https://evil.test" } });
  expect(foreign.status).toBe(403);
  const html = await postModern(world, key, "tools/list", {}, { headers: { Accept: "text/html" } });
  expect([html.status, (await answerOf(html)).error.code]).toEqual([406, -32_000]);
  const batch = await post(world, key, [rpc("tools/list")], { "MCP-Protocol-Version": REVISION });
  expect([batch.status, (await answerOf(batch)).error.code]).toEqual([400, -32_600]);
});

test("a subscription ends at once, because nothing is ever announced", async () => {
  const { key } = await oauth.world.workspace();
  const response = await postModern(world, key, "subscriptions/listen", { notifications: { toolsListChanged: true } });
  expect(response.status).toBe(200);
  // The text is complete only when the response has ended
  const events = (await response.text()).split("\n").filter((line) => line.startsWith("data: "));
  expect(events.map((line) => JSON.parse(line.slice(6)))).toMatchObject([
    { method: "notifications/subscriptions/acknowledged", params: { notifications: {} } },
    { result: { resultType: "complete" } },
  ]);
});

test("a key sees and calls only the tools of its scopes and of the filters in the address", async () => {
  const { keyWithPolicy, workspaceId } = await oauth.world.workspace();
  const key = await keyWithPolicy({}, "lead_lists:read");
  const agent = await modernAgentOf(world, key);
  const { tools: listed } = await agent.client.listTools();
  expect(listed.map(({ name }) => name)).toEqual(["lead_lists"]);
  const refused = await agent.call("lead_lists", { action: "create", name: "Fair" });
  expect(refused).toMatchObject({
    isError: true,
    body: { code: "INSUFFICIENT_SCOPE", details: { requiredScope: "lead_lists:write" } },
  });
  await expect(agent.call("campaigns_list")).rejects.toMatchObject({ code: -32_602 });
  expect(await scoped(workspaceId).LeadList.count({})).toBe(0);
  await agent.close();
  const narrow = await modernAgentOf(world, await someKey(), { query: "?toolsets=leads&readonly=1" });
  const { tools: few } = await narrow.client.listTools();
  expect(few.length).toBeGreaterThan(0);
  expect(few.every(({ annotations }) => annotations?.readOnlyHint === true)).toBe(true);
  await expect(narrow.call("leads_create", { email: "ada@people.test" })).rejects.toMatchObject({ code: -32_602 });
  await narrow.close();
  const unknown = await postModern(world, await someKey(), "tools/list", {}, { query: "?toolsets=nothing" });
  expect(unknown.status).toBe(400);
});

test("a connector that lacks the scope of an action learns from the challenge what to ask for", async () => {
  const { browser } = await oauth.person();
  const config = await oauth.register();
  const { tokens } = await connect(config, browser, { form: { "scope.lead_lists:write": null } });
  const call = { name: "lead_lists", arguments: { action: "create", name: "Fair" } };
  const response = await postModern(world, tokens.access_token, "tools/call", call);
  expect([response.status, (await answerOf(response)).error.data.code]).toEqual([403, "INSUFFICIENT_SCOPE"]);
  const challenge = response.headers.get("www-authenticate") ?? "";
  expect(challenge).toContain('error="insufficient_scope"');
  expect(challenge).toContain("lead_lists:write");
});

test("a message may have five megabytes, results hold at most 25,000 characters, and following `next` reads on", async () => {
  const { key, rest } = await oauth.world.workspace();
  const long = { name: "leads_search", arguments: { search: Array(100).fill("x".repeat(50_000)) } };
  const { result } = await answerOf(await postModern(world, key, "tools/call", long));
  expect(JSON.parse(result.content[0].text).code).toBe("VALIDATION_FAILED");
  const rows = Array.from({ length: 120 }, (_, at) => ({ email: `lead${at}@people.test`, company: "c".repeat(250) }));
  await rest.post("/leads/import", { action: "commit", rows });
  const agent = await modernAgentOf(world, key);
  const emails = new Set<string>();
  let next: object | undefined = { page: 1, pageSize: 100 };
  while (next !== undefined) {
    const { text, body } = await agent.call("leads_search", { ...next });
    expect(text.length).toBeLessThanOrEqual(MOST_CHARACTERS);
    for (const { email } of body.items) emails.add(email);
    next = body.next;
  }
  expect(emails.size).toBe(120);
  await agent.close();
});

test("each request of the revision leaves one row in the log of calls, and a sensitive one leaves one audit entry", async () => {
  const { key, workspaceId } = await oauth.world.workspace();
  const agent = await modernAgentOf(world, key);
  await agent.call("block_list", { action: "add", value: "foe.test" });
  await agent.call("leads_search", { page: 0 });
  await postModern(world, key, "tools/call", { name: "nothing" });
  await postModern(world, key, "sampling/createMessage");
  await agent.close();
  const { ToolCall } = scoped(workspaceId);
  const isWritten = () => flushCalls().then(async () => (await ToolCall.count({})) >= 5);
  await until(isWritten, { deadlineMs: 20_000, what: "the rows of the calls" });
  const rows = await ToolCall.find({}, { sort: { at: 1 } });
  expect(rows.map(({ method, tool, action, outcome, code }) => [method, tool, action, outcome, code])).toEqual([
    ["server/discover", null, null, "OK", null],
    ["tools/call", "block_list", "add", "OK", null],
    ["tools/call", "leads_search", null, "TOOL_ERROR", "VALIDATION_FAILED"],
    ["tools/call", null, null, "UNKNOWN", null],
    ["sampling/createMessage", null, null, "TOOL_ERROR", null],
  ]);
  expect(rows.map(({ client }) => client)).toEqual([
    ...Array(3).fill("modern agent 2.0.1"),
    ...Array(2).fill("by hand 3"),
  ]);
  const entries = await scoped(workspaceId).AuditEntry.find({ action: "blockList.add" });
  expect(entries).toHaveLength(1);
});

test("prompts, resources and structured content are the same in both revisions, and a prompt's refusal names its argument", async () => {
  const { key, rest } = await oauth.world.workspace();
  const { body: campaign } = await rest.post("/campaigns", { name: "Spring" });
  const [older, newer] = await Promise.all([agentOf(world, key), modernAgentOf(world, key)]);
  const uri = `outreach://campaigns/${campaign.id}`;
  const seenBy = async ({ client }: typeof newer | typeof older) => {
    const { prompts } = await client.listPrompts();
    const { resources } = await client.listResources();
    const guide = resources[0]?.uri ?? "";
    const call = { name: "campaigns_list", arguments: {} };
    return {
      prompts,
      resources,
      templates: (await client.listResourceTemplates()).resourceTemplates,
      prompt: (await client.getPrompt({ name: "weekly_report", arguments: {} })).messages,
      guide: (await client.readResource({ uri: guide })).contents,
      campaign: (await client.readResource({ uri })).contents,
      structured: (await client.callTool(call)).structuredContent,
    };
  };
  const [before, now] = [await seenBy(older), await seenBy(newer)];
  expect(now).toEqual(before);
  expect(now.prompts).toHaveLength(10);
  expect(now.structured).toMatchObject({ items: [{ id: campaign.id }] });
  for (const ask of [
    () => newer.client.getPrompt({ name: "weekly_report", arguments: { nothing: "x" } }),
    () => newer.client.getPrompt({ name: "nothing" }),
    () => newer.client.readResource({ uri: "outreach://campaigns/cmp_1" }),
    () => newer.client.readResource({ uri: "outreach://guides/nothing" }),
  ])
    await expect(ask()).rejects.toMatchObject({ code: -32_602 });
  const { result } = await answerOf(await postModern(world, key, "prompts/list"));
  expect(result).toMatchObject({ ttlMs: 300_000, cacheScope: "private" });
  await Promise.all([older.close(), newer.close()]);
});

test("requests of both revisions count towards one rate", async () => {
  const { key } = await oauth.world.workspace();
  const send = (at: number) => (at % 2 === 0 ? post(world, key, rpc("ping")) : postModern(world, key, "tools/call"));
  const statuses: number[] = [];
  // A busy server refuses a request before it counts it
  for (let times = 0; times < 400 && !statuses.includes(429); times += 20)
    statuses.push(...(await Promise.all(Array.from({ length: 20 }, (_, at) => send(at).then(({ status }) => status)))));
  expect(statuses.filter((status) => status !== 429).length).toBeGreaterThanOrEqual(240);
  const refused = await Promise.all([send(0), send(1)]);
  expect(refused.map(({ status }) => status)).toEqual([429, 429]);
});
