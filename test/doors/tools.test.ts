import { request } from "node:http";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { NO_PROVIDERS } from "../../domain/mailboxes/provider.ts";
import { ALL_SCOPES, type Scope } from "../../domain/scopes.ts";
import { MOST_CHARACTERS } from "../../mcp/fit.ts";
import { actionsOf } from "../../mcp/tool.ts";
import { tools } from "../../mcp/tools.ts";
import { scoped } from "../../models/scoped.ts";
import { flushCalls } from "../../operations/access/call-log.ts";
import manifest from "../../package.json" with { type: "json" };
import { agentOf, post, rpc } from "../support/mcp.ts";
import { startWorld, type World } from "../support/world.ts";

/** What a client says first. */
const BEGIN = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "test", version: "1" } };

let world: World;
const lines: string[] = [];
beforeAll(async () => {
  world = await startWorld({ onLog: (line) => lines.push(line) });
});
afterAll(() => world.close());

test("an agent with an API key lists all tools and calls one", async () => {
  const { key, rest } = await world.workspace();
  await rest.post("/leads", { email: "ada@people.test" });
  const agent = await agentOf(world, key);
  expect(await agent.list()).toEqual(tools.map(({ name }) => name));
  const { body, isError } = await agent.call("leads_search", { search: "ada" });
  expect(isError).toBe(false);
  expect(body).toMatchObject({ total: 1, untrusted: true, items: [{ email: "ada@people.test" }] });
  expect(agent.client.getServerVersion()).toMatchObject({ name: "outreach", version: manifest.version });
  expect(agent.client.getInstructions()?.split("\n").length).toBeLessThanOrEqual(8);
  await agent.close();
});

test("a key with a single scope lists exactly the tools that require the scope or have an action that requires it", async () => {
  const { withKey } = await keysOf();
  for (const scope of ALL_SCOPES) {
    const isOfScope = (one: Scope | null) => one === null || one === scope;
    const carries = ({ tool }: (typeof tools)[number]) =>
      isOfScope(tool.operation.scope) ||
      actionsOf(tool).some(
        ([, verb]) => (isOfScope(verb.scope) || verb.orScope === scope) && verb.alsoScopes === undefined,
      );
    const expected = tools.filter(carries).map(({ name }) => name);
    const answer = await answerOf(await post(world, await withKey(scope), rpc("tools/list")));
    expect([scope, answer.result.tools.map(({ name }: { name: string }) => name)]).toEqual([scope, expected]);
  }
});

test("the list of tools answers the id of its request, whatever characters it has", async () => {
  const { withKey } = await keysOf();
  for (const id of ['"tools":[]', '$&,"tools":[]'])
    expect(await answerOf(await post(world, await withKey("leads:read"), { ...rpc("tools/list"), id }))).toMatchObject({
      id,
      result: { tools: expect.arrayContaining([expect.objectContaining({ name: "leads_search" })]) },
    });
});

test("tool descriptions use the provider names that the operator has set", async () => {
  const { settings } = world.services;
  const before = settings.providers;
  settings.providers = { ...NO_PROVIDERS, A: { ...NO_PROVIDERS.A, name: 'Goo"gle' } };
  const { withKey } = await keysOf();
  const { result } = await answerOf(await post(world, await withKey("mailboxes:connect"), rpc("tools/list")));
  settings.providers = before;
  const told = result.tools.find(({ name }: { name: string }) => name === "mailboxes_connect").inputSchema.properties
    .action.description;
  expect(told).toContain('of Goo"gle with an app password');
  expect(told).not.toMatch(/provider A\b/);
});

test("every tool that is called without arguments returns a valid result within the size limit, and no internal error", async () => {
  const { key } = await world.workspace();
  const agent = await agentOf(world, key);
  for (const { name } of tools) {
    const { text, body, isError } = await agent.call(name);
    expect(text.length).toBeLessThanOrEqual(MOST_CHARACTERS);
    if (isError)
      expect([name, body]).toEqual([
        name,
        expect.objectContaining({ code: expect.any(String), message: expect.any(String) }),
      ]);
    expect([name, body.code]).not.toEqual([name, "INTERNAL_ERROR"]);
  }
  await agent.close();
});

test("a call of a tool that the key may not see is refused with the same text as a call of an unknown tool", async () => {
  const { withKey } = await keysOf();
  const key = await withKey("leads:read");
  for (const name of ["campaigns_list", "nothing", "__proto__", "constructor"]) {
    const { error } = await answerOf(await post(world, key, rpc("tools/call", { name, arguments: {} })));
    expect(error).toMatchObject({ code: -32602, message: expect.stringContaining(`Unknown tool: ${name}`) });
  }
});

test("a tool with several actions lists only the actions that the key may call, and a call of another action is refused", async () => {
  const { withKey, workspaceId } = await keysOf();
  const key = await withKey("lead_lists:read");
  const { result } = await answerOf(await post(world, key, rpc("tools/list")));
  const [tool] = result.tools;
  expect(tool).toMatchObject({ name: "lead_lists", annotations: { readOnlyHint: true, openWorldHint: false } });
  expect(tool.inputSchema.properties.action.enum).toEqual(["list", "preview"]);
  const agent = await agentOf(world, key);
  const refused = await agent.call("lead_lists", { action: "create", name: "Fair" });
  expect(refused).toMatchObject({
    isError: true,
    body: { code: "INSUFFICIENT_SCOPE", details: { requiredScope: "lead_lists:write" } },
  });
  expect(await scoped(workspaceId).LeadList.count({})).toBe(0);
  await agent.close();
});

test.each<[string, object, number, string]>([
  ["initialize without parameters", { ...rpc("initialize"), params: undefined }, -32_602, "params"],
  [
    "initialize without a client",
    rpc("initialize", { protocolVersion: "2025-06-18", capabilities: {} }),
    -32_602,
    "params.clientInfo",
  ],
  [
    "initialize with a wrong version",
    rpc("initialize", { ...BEGIN, protocolVersion: 1 }),
    -32_602,
    "params.protocolVersion",
  ],
  ["a call without a name", rpc("tools/call", {}), -32_602, "params.name"],
  [
    "a call whose arguments are a list",
    rpc("tools/call", { name: "campaigns_list", arguments: [] }),
    -32_602,
    "params.arguments",
  ],
  ["a list from a number", rpc("tools/list", { cursor: 5 }), -32_602, "params.cursor"],
  ["a prompt without a name", rpc("prompts/get", {}), -32_602, "params.name"],
  [
    "a prompt whose argument is a number",
    rpc("prompts/get", { name: "fix_dns", arguments: { domain: 5 } }),
    -32_602,
    "params.arguments.domain",
  ],
  ["a resource without an address", rpc("resources/read", {}), -32_602, "params.uri"],
  ["parameters that are a text", { ...rpc("tools/list"), params: "x" }, -32_600, "params"],
  ["another version of JSON-RPC", { ...rpc("ping"), jsonrpc: "1.0" }, -32_600, "jsonrpc"],
  ["an id that is an object", { ...rpc("ping"), id: {} }, -32_600, "id"],
])("%s is refused with our own error message and the path of the fault", async (_name, message, code, path) => {
  const { key } = await world.workspace();
  const answer = await post(world, key, message);
  const { error, ...rest } = JSON.parse(await answer.text());
  expect([answer.status, error.code, error.data.code]).toEqual([400, code, "VALIDATION_FAILED"]);
  expect(error.data.details.issues.map((issue: { path: string }) => issue.path)).toContain(path);
  expect(error.message).toMatch(/^The message is not valid: [a-zA-Z.]+ (must|is) /);
  expect(rest).toEqual({ jsonrpc: "2.0", id: code === -32_602 ? Reflect.get(message, "id") : null });
});

test.each<[string, (key: string) => Promise<Response>, number, number, string | undefined]>([
  ["no credential", () => post(world, null, rpc("ping")), 401, -32_000, "UNAUTHENTICATED"],
  ["a wrong key", () => post(world, "ocp_live_nothing", rpc("ping")), 401, -32_000, "UNAUTHENTICATED"],
  ["a wrong token", () => post(world, "nothing", rpc("ping")), 401, -32_000, "UNAUTHENTICATED"],
  ["another origin", (key) => post(world, key, rpc("ping"), { Origin: "https://evil.test" }), 403, -32_000, undefined],
  ["the origin of a sandbox", (key) => post(world, key, rpc("ping"), { Origin: "null" }), 403, -32_000, undefined],
  ["no JSON", (key) => post(world, key, "{"), 400, -32_700, "MALFORMED_JSON"],
  ["an empty batch", (key) => post(world, key, []), 400, -32_600, undefined],
  ["a batch", (key) => post(world, key, [rpc("ping")]), 400, -32_600, undefined],
  ["a text", (key) => post(world, key, '"x"'), 400, -32_600, undefined],
  ["a name that reaches a prototype", (key) => post(world, key, '{"__proto__":{}}'), 400, -32_600, "VALIDATION_FAILED"],
  [
    "eleven megabytes",
    (key) => post(world, key, JSON.stringify("x".repeat(11_000_000))),
    413,
    -32_000,
    "PAYLOAD_TOO_LARGE",
  ],
  [
    "a type of answer that there is not",
    (key) => post(world, key, rpc("ping"), { Accept: "text/html" }),
    406,
    -32_000,
    undefined,
  ],
  [
    "a revision that there is not",
    (key) => post(world, key, rpc("ping"), { "MCP-Protocol-Version": "2025-01-01" }),
    400,
    -32_000,
    undefined,
  ],
])("%s is refused with a JSON-RPC error", async (_, send, status, code, name) => {
  const { key } = await world.workspace();
  const response = await send(key);
  expect(response.status).toBe(status);
  const body = await answerOf(response);
  expect(body).toMatchObject({ jsonrpc: "2.0", error: { code } });
  expect(body.error.data?.code).toBe(name);
  if (status === 401) {
    const challenge = response.headers.get("www-authenticate") ?? "";
    expect(challenge).toContain('resource_metadata="http://localhost:3000/.well-known/oauth-protected-resource"');
    expect(challenge).toContain(`scope="${ALL_SCOPES.join(" ")}"`);
    expect(challenge.includes('error="invalid_token"')).toBe(_ !== "no credential");
  }
});

test("a wrong HTTP method is 405, an unknown JSON-RPC method is an error, a notification is accepted, and a foreign host is refused", async () => {
  const { key } = await world.workspace();
  for (const method of ["GET", "DELETE", "PUT"]) {
    const response = await fetch(`${world.baseUrl}/mcp`, { method, headers: { Authorization: `Bearer ${key}` } });
    expect([response.status, response.headers.get("allow")]).toEqual([405, "POST"]);
    expect((await answerOf(response)).error.data.code).toBe("METHOD_NOT_ALLOWED");
  }
  expect((await answerOf(await post(world, key, rpc("resources/subscribe")))).error.code).toBe(-32601);
  const notified = await post(world, key, { jsonrpc: "2.0", method: "notifications/initialized" });
  expect([notified.status, await notified.text()]).toEqual([202, ""]);
  expect((await answerOf(await post(world, key, rpc("ping")))).result).toEqual({});
  const wildcard = await post(world, key, rpc("ping"), { Accept: "*/*" });
  expect(wildcard.status).toBe(200);
});

test("the 241st call within a minute is refused, while another credential can still call", async () => {
  const { key, withKey, workspaceId } = await keysOf();
  const statuses: number[] = [];
  let last: Response | null = null;
  for (let times = 0; times < 241; times += 20) {
    const many = await Promise.all(
      Array.from({ length: Math.min(20, 241 - times) }, () => post(world, key, rpc("ping"))),
    );
    statuses.push(...many.map(({ status }) => status));
    last = many.at(-1) ?? null;
  }
  expect(statuses.filter((status) => status === 200)).toHaveLength(240);
  expect(statuses.filter((status) => status === 429)).toHaveLength(1);
  expect(last?.headers.get("ratelimit-limit")).toBe("240");
  const refused = await post(world, key, rpc("ping"));
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
  expect((await answerOf(refused)).error.data.code).toBe("RATE_LIMITED");
  expect((await post(world, await withKey("leads:read"), rpc("ping"))).status).toBe(200);
  await flushCalls();
  const rows = await scoped(workspaceId).ToolCall.find({ outcome: "RATE_LIMITED" });
  expect(rows.map(({ method, code }) => [method, code])).toEqual(Array(2).fill(["", "RATE_LIMITED"]));
});

test("arguments of a wrong shape are refused with the reason, and change nothing", async () => {
  const { key, workspaceId } = await world.workspace();
  const shapes = [
    [],
    null,
    7,
    "x",
    { email: [] },
    { email: null },
    { email: 1e308 },
    { email: { $ne: 1 } },
    { email: "a@b.test", tags: "x" },
  ];
  for (const shape of shapes) {
    const { result, error } = await answerOf(
      await post(world, key, rpc("tools/call", { name: "leads_create", arguments: shape })),
    );
    if (error !== undefined) expect(error.code).toBeLessThan(-32_000);
    else
      expect([shape, result.isError, JSON.parse(result.content[0].text).code]).toEqual([
        shape,
        true,
        "VALIDATION_FAILED",
      ]);
  }
  expect(await scoped(workspaceId).Lead.count({})).toBe(0);
});

test("paging by `next` through three hundred long leads returns each lead once", async () => {
  const { key, rest } = await world.workspace();
  const rows = Array.from({ length: 300 }, (_, index) => ({
    email: `lead${index}@people.test`,
    company: `${"c".repeat(150)}${index}`,
  }));
  await rest.post("/leads/import", { action: "commit", rows });
  const agent = await agentOf(world, key);
  const met: string[] = [];
  let ask: Record<string, unknown> | undefined = { pageSize: 200 };
  while (ask !== undefined) {
    const { body, text } = await agent.call("leads_search", ask);
    expect(text.length).toBeLessThanOrEqual(MOST_CHARACTERS);
    met.push(...body.items.map(({ email }: { email: string }) => email));
    const isLast = body.page * body.pageSize >= body.total;
    ask = body.next ?? (isLast ? undefined : { page: body.page + 1, pageSize: body.pageSize });
  }
  expect(met).toHaveLength(300);
  expect(new Set(met).size).toBe(300);
  await agent.close();
});

test("a tool pages a list that the REST API returns whole", async () => {
  const { key, rest } = await world.workspace();
  for (const label of ["One", "Two", "Three"]) await rest.post("/custom-fields", { label, type: "TEXT" });
  const agent = await agentOf(world, key);
  const { body } = await agent.call("custom_fields", { page: 2, pageSize: 2 });
  expect(body).toMatchObject({ total: 3, page: 2, pageSize: 2, items: [{ label: "Three" }] });
  expect((await agent.call("custom_fields", { pageSize: 500 })).body.code).toBe("VALIDATION_FAILED");
  await agent.close();
});

test("the query of the server's address limits the listed tools to groups or to tools that only read", async () => {
  const { key } = await world.workspace();
  const some = await agentOf(world, key, "?toolsets=leads,lists");
  expect(await some.list()).toEqual(
    tools.filter(({ group }) => ["leads", "lists"].includes(group)).map(({ name }) => name),
  );
  const reading = await agentOf(world, key, "?readonly=1");
  const names = await reading.list();
  expect(names).toContain("leads_search");
  expect(names).not.toContain("leads_create");
  await some.close();
  await reading.close();
});

test("a tool that the address hides cannot be called, and an unknown group or value in the address is refused", async () => {
  const { key, rest } = await world.workspace();
  const create = rpc("tools/call", { name: "leads_create", arguments: { email: "outside@people.test" } });
  for (const query of ["?readonly=1", "?readonly=true", "?toolsets=campaigns", "?toolsets=campaigns&toolsets=lists"])
    expect(await (await post(world, key, create, {}, query)).json()).toMatchObject({
      error: { message: expect.stringContaining("Unknown tool: leads_create") },
    });
  expect((await rest.get("/leads")).body).toMatchObject({ total: 0 });
  for (const query of [
    "?readonly=yes",
    "?readonly=1&readonly=0",
    "?toolsets=leads,everything",
    "?toolsets=",
    "?toolsets=,",
  ]) {
    const refused = await post(world, key, create, {}, query);
    expect([refused.status, await refused.json()]).toMatchObject([
      400,
      { error: { data: { code: "VALIDATION_FAILED" } } },
    ]);
  }
  expect((await post(world, key, rpc("tools/list"), {}, "?toolsets=everything")).status).toBe(400);
  expect(await (await post(world, key, create, {}, "?toolsets=leads&readonly=0")).json()).toMatchObject({
    result: { content: [{ type: "text" }] },
  });
  expect((await rest.get("/leads")).body).toMatchObject({ total: 1 });
});

test("each call leaves one log row without texts, each sensitive call an audit entry, and a secret in the arguments is stored nowhere", async () => {
  const { key, workspaceId } = await world.workspace();
  const secret = "PLANTEDsecret7731";
  const agent = await agentOf(world, key);
  await agent.call("leads_create", { email: "ada@people.test", firstName: secret });
  await agent.call("block_list", { action: "add", value: `${secret.toLowerCase()}.test`, reason: secret });
  await agent.call("leads_suppress", { action: "suppress", ids: [secret] });
  await agent.call("leads_search", { search: secret, tags: [secret] });
  await post(world, key, rpc("tools/call", { name: secret, arguments: { [secret]: secret } }));
  await post(world, `${secret}${secret}`, rpc("ping"));
  await agent.close();
  await flushCalls();
  const rows = await scoped(workspaceId).ToolCall.find({}, { sort: { at: 1 } });
  const told = rows.map(({ method, tool, action, outcome, code }) => [method, tool, action, outcome, code]);
  expect(told).toEqual([
    ["initialize", null, null, "OK", null],
    ["notifications/initialized", null, null, "OK", null],
    ["tools/call", "leads_create", null, "OK", null],
    ["tools/call", "block_list", "add", "OK", null],
    ["tools/call", "leads_suppress", "suppress", "OK", null],
    ["tools/call", "leads_search", null, "OK", null],
    ["tools/call", null, null, "UNKNOWN", null],
  ]);
  expect(rows[0]?.client).toBe("test agent 1.2.3");
  const entries = await scoped(workspaceId).AuditEntry.find({}, { sort: { seq: 1 } });
  expect(entries.map(({ action }) => action)).toEqual(["keys.create", "blockList.add", "leads.suppress"]);
  for (const place of [JSON.stringify(rows), JSON.stringify(entries), lines.join("\n")])
    expect(place).not.toContain(secret);
});

// biome-ignore lint/suspicious/noExplicitAny: a test reads answers field by field
function answerOf(response: Response): Promise<any> {
  return response.json();
}

test("a request for a foreign host name, as in DNS rebinding, is refused", async () => {
  const { key } = await world.workspace();
  const { port } = new URL(world.baseUrl);
  const status = (host: string) =>
    new Promise<number>((resolve, reject) => {
      const headers = { Host: host, Authorization: `Bearer ${key}`, "Content-Type": "application/json" };
      const sent = request({ port, method: "POST", path: "/mcp", headers }, (response) =>
        resolve(response.resume().statusCode ?? 0),
      );
      sent.on("error", reject).end(JSON.stringify(rpc("ping")));
    });
  for (const [host, expected] of [
    ["evil.test", 403],
    [`evil.test:${port}`, 403],
    ["localhost", 200],
    [`[::1]:${port}`, 200],
  ] as const) {
    expect([host, await status(host)]).toEqual([host, expected]);
  }
});

async function keysOf() {
  const workspace = await world.workspace();
  const { createKey } = await import("../../operations/access/api-keys.ts");
  const { workspaceId, ownerId } = workspace;
  return {
    ...workspace,
    withKey: async (scope: (typeof ALL_SCOPES)[number]) =>
      (await createKey({ workspaceId, name: "one", scopes: [scope], createdBy: ownerId })).key,
  };
}
