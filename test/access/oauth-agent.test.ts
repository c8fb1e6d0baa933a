import { afterAll, beforeAll, expect, test } from "@jest/globals";
import type { OAuthClientProvider } from "@modelcontextprotocol/sdk/client/auth.js";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { type Authorization, CALLBACK, connect, type Person, startAuthorization } from "../support/authorization.ts";
import { post, rpc } from "../support/mcp.ts";
import { newBrowser } from "../support/person.ts";

let oauth: Authorization;
beforeAll(async () => {
  oauth = await startAuthorization();
});
afterAll(() => oauth.close());

type Kept = Awaited<ReturnType<OAuthClientProvider["tokens"]>>;
type Registered = Awaited<ReturnType<OAuthClientProvider["clientInformation"]>>;

/** An agent that knows nothing but the address of the tool server; the SDK does everything else. */
function agentFor({ browser }: Person) {
  let [registered, kept, verifier]: [Registered, Kept, string] = [undefined, undefined, ""];
  let sentTo = new URL("http://nowhere.invalid");
  const provider: OAuthClientProvider = {
    redirectUrl: CALLBACK,
    clientMetadata: {
      redirect_uris: [CALLBACK],
      client_name: "SDK agent",
      grant_types: ["authorization_code", "refresh_token"],
    },
    clientInformation: () => registered,
    saveClientInformation: (information) => {
      registered = information;
    },
    tokens: () => kept,
    saveTokens: (tokens) => {
      kept = tokens;
    },
    invalidateCredentials: () => {
      kept = undefined;
    },
    redirectToAuthorization: (url) => {
      sentTo = url;
    },
    saveCodeVerifier: (value) => {
      verifier = value;
    },
    codeVerifier: () => verifier,
  };
  const open = async (transport: StreamableHTTPClientTransport): Promise<Client> => {
    const client = new Client({ name: "SDK agent", version: "1" });
    await client.connect(transport as unknown as Parameters<typeof client.connect>[0]); // typed for an SDK without exactOptionalPropertyTypes
    return client;
  };
  const transport = () => new StreamableHTTPClientTransport(new URL(`${oauth.issuer}/mcp`), { authProvider: provider });
  return {
    /** The request with which it was sent to a browser. */
    asked: () => sentTo.searchParams.get("scope")?.split(" ") ?? [],
    /** Connects and is refused, lets the person in the browser allow what is ticked, and connects once more. */
    async connect(): Promise<Client> {
      const refused = transport();
      await expect(open(refused)).rejects.toThrow("Unauthorized");
      const { url } = await browser.submit(await browser.open(sentTo), { decision: "allow" });
      await refused.finishAuth(url.searchParams.get("code") ?? "");
      return open(transport());
    },
  };
}

test("the SDK's own client is refused, registers, gets a person's consent, and then sees exactly the allowed tools", async () => {
  const agent = agentFor(await oauth.person());
  const client = await agent.connect();
  expect(agent.asked()).toHaveLength(41);
  const names = (await client.listTools()).tools.map(({ name }) => name);
  expect(names).toContain("campaigns_list");
  expect(names).not.toContain("leads_suppress");
  expect((await client.callTool({ name: "leads_search", arguments: {} })).isError ?? false).toBe(false);
  await client.close();
});

test("an action beyond the consent is refused with the granted and required scopes, and works after a consent to these", async () => {
  const { browser } = await oauth.person();
  const config = await oauth.register();
  const first = await connect(config, browser, { more: { scope: "block_list:read leads:read" } });
  const add = rpc("tools/call", {
    name: "block_list",
    arguments: { action: "add", type: "DOMAIN", value: "spam.example" },
  });
  const at = { baseUrl: oauth.issuer };
  const refused = await post(at, first.tokens.access_token, add);
  expect(refused.status).toBe(403);
  const [, scope = ""] = /scope="([^"]*)"/.exec(refused.headers.get("www-authenticate") ?? "") ?? [];
  expect(scope.split(" ")).toEqual(["leads:read", "block_list:read", "block_list:write"]);
  const wider = await connect(config, browser, { more: { scope }, form: { "scope.block_list:write": "on" } });
  const answer = await (await post(at, wider.tokens.access_token, add)).text();
  expect(JSON.parse(answer).result.isError ?? false).toBe(false);
});

test("a connector that a person revokes in the console is refused by the tool server", async () => {
  const person = await oauth.person();
  const agent = agentFor(person);
  const client = await agent.connect();
  const [workspaceId = ""] = person.workspaceIds;
  const window = newBrowser(oauth.issuer);
  window.cookies.set("outreach", person.session);
  const { body: connections } = await window.console(workspaceId).get("/connections");
  expect(connections).toMatchObject([{ clientName: "SDK agent" }]);
  expect((await window.console(workspaceId).post(`/connections/${connections[0].id}/revoke`, {})).status).toBe(200);
  await expect(client.listTools()).rejects.toThrow("Unauthorized");
  await client.close();
});
