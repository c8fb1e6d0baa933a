import { afterAll, beforeAll, expect, test } from "@jest/globals";
import * as client from "openid-client";
import { GRANT_POLICY } from "../../domain/access/policy.ts";
import { ALL_SCOPES, isTickedFirst, type Scope } from "../../domain/scopes.ts";
import { DAY_MS, MINUTE_MS } from "../../domain/time/durations.ts";
import { ConnectorGrant } from "../../models/access/connector-grant.ts";
import { Membership } from "../../models/access/membership.ts";
import { OAuthRecord } from "../../models/access/oauth-record.ts";
import { Workspace } from "../../models/access/workspace.ts";
import { scoped } from "../../models/scoped.ts";
import { trusted } from "../../mongo/collection.ts";
import { listGrants, verifyConnectorToken } from "../../operations/access/connectors.ts";
import { giveConsent } from "../../operations/access/consent.ts";
import { recordId } from "../../operations/access/oauth-records.ts";
import { createPersonLink } from "../../operations/sign-in/links.ts";
import {
  type Authorization,
  begin,
  CALLBACK,
  connect,
  exchange,
  signIn,
  startAuthorization,
} from "../support/authorization.ts";
import { type Browser, browserAt, fieldsOf } from "../support/browser.ts";
import type { Rest } from "../support/rest.ts";

let oauth: Authorization;
beforeAll(async () => {
  oauth = await startAuthorization();
});
afterAll(() => oauth.close());

const refused = { code: "UNAUTHENTICATED" };
const verify = (token: string) => verifyConnectorToken(token, oauth.issuer, new Date());
const scopesOf = async (token: string) => [...(await verify(token)).scopes];
const idOf = (config: client.Configuration) => config.clientMetadata().client_id;

/** A request that no library would send. */
async function post(path: string, fields: Record<string, string>) {
  const response = await fetch(oauth.issuer + path, { method: "POST", body: new URLSearchParams(fields) });
  const text = await response.text();
  return { status: response.status, body: text.startsWith("{") ? JSON.parse(text) : text };
}
const refresh = (config: client.Configuration, token: string, more: Record<string, string> = {}) =>
  post("/oauth/token", { grant_type: "refresh_token", client_id: idOf(config), refresh_token: token, ...more });

async function connected(...scopes: Scope[]) {
  const person = await oauth.person();
  const config = await oauth.register();
  const { tokens, ...flow } = await connect(config, person.browser, {
    more: { scope: (scopes.length > 0 ? scopes : ["leads:read"]).join(" ") },
  });
  return { ...person, config, ...flow, access: tokens.access_token, refreshToken: tokens.refresh_token ?? "", tokens };
}

async function connectIn(config: client.Configuration, browser: Browser, workspaceId: string, scope: string) {
  const begun = begin(config, { scope });
  const { url } = await browser.open(begun.url);
  const page = await browser.open(`${url.pathname}?workspace=${workspaceId}`);
  const tokens = await exchange(config, begun, await browser.submit(page, { decision: "allow" }));
  return { access: tokens.access_token, refreshToken: tokens.refresh_token ?? "" };
}

const PASSWORD = "correct horse battery";

test("an application that knows only the address connects in under 12 requests, including sign-in and consent", async () => {
  const person = await oauth.person();
  const atHome = browserAt(oauth.issuer);
  await atHome.submit(await atHome.open(`/sign-in/${await createPersonLink(person.userId, new Date())}`), {
    password: PASSWORD,
  });
  const config = await oauth.register();
  const browser = browserAt(oauth.issuer);
  const begun = begin(config, { scope: "leads:read leads:write campaigns:launch" });
  const login = await browser.open(begun.url);
  expect(login.url.pathname).toBe("/login");
  const page = await browser.submit(login, { email: person.email, password: PASSWORD });
  expect(page.html).toContain(`You are signed in as ${person.email}`);
  const landing = await browser.submit(page, { decision: "allow" });
  const tokens = await exchange(config, begun, landing);
  expect(tokens).toMatchObject({ token_type: "bearer", expires_in: 3_600, scope: "leads:read leads:write" });
  const principal = await verify(tokens.access_token);
  const [workspaceId] = person.workspaceIds;
  expect(principal).toMatchObject({
    kind: "OAUTH",
    userId: person.userId,
    workspaceId,
    name: "An agent",
    policy: { SENDS: "PLAN", DISCLOSES: "APPROVAL" },
  });
  expect([...principal.scopes]).toEqual(["leads:read", "leads:write"]);
  // Beside the browser's: two documents of discovery, the registration and the token
  expect(browser.requests() + 4).toBeLessThan(12);
});

test("discovery is served at both addresses, and its content does not depend on the host that the request names", async () => {
  const read = async (name: string) =>
    (await fetch(`${oauth.issuer}/.well-known/${name}`, { headers: { "x-forwarded-host": "evil.example" } })).json();
  const metadata = await read("oauth-authorization-server");
  expect(metadata).toMatchObject({
    issuer: oauth.issuer,
    authorization_endpoint: `${oauth.issuer}/oauth/authorize`,
    token_endpoint: `${oauth.issuer}/oauth/token`,
    registration_endpoint: `${oauth.issuer}/oauth/register`,
    revocation_endpoint: `${oauth.issuer}/oauth/revoke`,
    code_challenge_methods_supported: ["S256"],
    token_endpoint_auth_methods_supported: ["none"],
    scopes_supported: ALL_SCOPES,
    response_types_supported: ["code"],
    grant_types_supported: ["authorization_code", "refresh_token"],
    client_id_metadata_document_supported: true,
    authorization_response_iss_parameter_supported: true,
  });
  expect(JSON.stringify(metadata)).not.toMatch(/evil|offline_access/);
  expect(await read("openid-configuration")).toEqual(metadata);
});

test("the tool server names its authorization server at both addresses, to pages of any site", async () => {
  const read = (path: string) =>
    fetch(`${oauth.issuer}/.well-known/oauth-protected-resource${path}`, { headers: { origin: "https://a.example" } });
  const [bare, own] = [await read(""), await read("/mcp")];
  expect(bare.headers.get("access-control-allow-origin")).toBe("*");
  const document = await bare.json();
  expect(document).toEqual({
    resource: `${oauth.issuer}/mcp`,
    authorization_servers: [oauth.issuer],
    scopes_supported: ALL_SCOPES,
    bearer_methods_supported: ["header"],
  });
  expect(await own.json()).toEqual(document);
});

test("a person may allow a part of the requested scopes and more of them later, and sees the consent page each time", async () => {
  const { browser } = await oauth.person();
  const config = await oauth.register();
  const asked = { scope: "leads:read leads:write inbox:send" };
  const first = await connect(config, browser, { more: asked, form: { "scope.leads:write": null } });
  expect(await scopesOf(first.tokens.access_token)).toEqual(["leads:read"]);
  const page = await browser.open(begin(config, asked).url);
  expect(fieldsOf(page.html)).toMatchObject({ "scope.leads:read": "on", "scope.leads:write": "on" });
  const wider = await connect(config, browser, { more: asked, form: { "scope.inbox:send": "on" } });
  expect(await scopesOf(wider.tokens.access_token)).toEqual(["leads:read", "leads:write", "inbox:send"]);
  // The scopes that it holds already are ticked, sensitive or not
  expect(fieldsOf((await browser.open(begin(config, asked).url)).html)).toHaveProperty(["scope.inbox:send"]);
});

test("an application that names no scope and no resource asks for all 41 scopes; sensitive ones are not ticked; the token is for the tool server", async () => {
  const { browser } = await oauth.person();
  const config = await oauth.register();
  const { tokens } = await connect(config, browser);
  expect(await scopesOf(tokens.access_token)).toEqual(ALL_SCOPES.filter(isTickedFirst));
  expect(ALL_SCOPES.filter(isTickedFirst)).toHaveLength(30);
  const row = await OAuthRecord.findOne({ _id: recordId("AccessToken", tokens.access_token) }).lean();
  expect(row?.payload["aud"]).toBe(`${oauth.issuer}/mcp`);
});

test("fields that only OpenID Connect defines are ignored: nonce, claims, max_age, unknown scopes and offline_access", async () => {
  const { browser } = await oauth.person();
  const config = await oauth.register({ scope: "openid everything", token_endpoint_auth_method: "client_secret_post" });
  expect(config.clientMetadata()).toMatchObject({ token_endpoint_auth_method: "none" });
  const extra = {
    nonce: "n",
    max_age: "0",
    acr_values: "a",
    claims: "{}",
    id_token_hint: "x",
    claims_locales: "de",
    response_mode: "form_post",
  };
  const more = {
    scope: "openid offline_access leads:read nothing:known",
    resource: `${oauth.issuer}/mcp/`,
    prompt: "consent",
    ...extra,
  };
  const { tokens, landing } = await connect(config, browser, { more });
  expect(tokens).toMatchObject({ scope: "leads:read", refresh_token: expect.any(String) });
  expect(landing.url.searchParams.get("iss")).toBe(oauth.issuer);
});

test("three simultaneous refreshes all succeed, and each of the new tokens works", async () => {
  const { config, refreshToken } = await connected();
  const answers = await Promise.all([1, 2, 3].map(() => refresh(config, refreshToken)));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(new Set([refreshToken, ...answers.map(({ body }) => body.refresh_token)]).size).toBe(4);
  for (const { body } of answers) {
    expect(await scopesOf(body.access_token)).toEqual(["leads:read"]);
    expect((await refresh(config, body.refresh_token, { resource: `${oauth.issuer}/mcp` })).status).toBe(200);
  }
});

test("a refresh token that is used again after a minute ends the grant with all its tokens", async () => {
  const { config, refreshToken, access, workspaceIds } = await connected();
  const { body } = await refresh(config, refreshToken);
  const consumedAt = new Date(Date.now() - MINUTE_MS - 1);
  await OAuthRecord.updateOne({ _id: recordId("RefreshToken", refreshToken) }, { $set: { consumedAt } });
  expect(await refresh(config, refreshToken)).toMatchObject({ status: 400, body: { error: "invalid_grant" } });
  for (const token of [access, body.access_token]) await expect(verify(token)).rejects.toMatchObject(refused);
  expect(await refresh(config, body.refresh_token)).toMatchObject({ status: 400, body: { error: "invalid_grant" } });
  const [workspaceId = ""] = workspaceIds;
  expect(await listGrants(workspaceId, null, new Date())).toEqual([]);
});

test("tokens work after the browser session in which they were allowed has ended", async () => {
  const { config, refreshToken, access } = await connected();
  await OAuthRecord.deleteMany({ uid: trusted({ $gt: "" }) });
  await verify(access);
  expect((await refresh(config, refreshToken)).status).toBe(200);
});

test("an authorization code that is used twice ends the grant and its access token", async () => {
  const { config, begun, landing, access } = await connected();
  await verify(access);
  await expect(exchange(config, begun, landing)).rejects.toMatchObject({ error: "invalid_grant" });
  await expect(verify(access)).rejects.toMatchObject(refused);
});

test("an authorization code that is used several times at once leaves no valid token", async () => {
  const { browser } = await oauth.person();
  const config = await oauth.register();
  const begun = begin(config, { scope: "leads:read" });
  const landing = await browser.submit(await browser.open(begun.url), { decision: "allow" });
  const done = await Promise.allSettled(Array.from({ length: 5 }, () => exchange(config, begun, landing)));
  const tokens = done.flatMap((one) => (one.status === "fulfilled" ? [one.value.access_token] : []));
  expect(tokens.length).toBeLessThan(2);
  for (const token of tokens) await expect(verify(token)).rejects.toMatchObject(refused);
});

test("an authorization code is refused with a wrong verifier, redirect address, application or resource", async () => {
  const { browser } = await oauth.person();
  const [config, other] = [await oauth.register(), await oauth.register()];
  const begun = begin(config, { scope: "leads:read" });
  const { url } = await browser.submit(await browser.open(begun.url), { decision: "allow" });
  const fields = {
    grant_type: "authorization_code",
    code: url.searchParams.get("code") ?? "",
    client_id: idOf(config),
  };
  const right = { ...fields, redirect_uri: CALLBACK, code_verifier: begun.verifier };
  for (const wrong of [
    { code_verifier: "x".repeat(43) },
    { redirect_uri: `${CALLBACK}/other` },
    { client_id: idOf(other) },
  ]) {
    expect(await post("/oauth/token", { ...right, ...wrong })).toMatchObject({
      status: 400,
      body: { error: "invalid_grant" },
    });
  }
  expect(await post("/oauth/token", { ...right, resource: "https://elsewhere.example/mcp" })).toMatchObject({
    status: 400,
    body: { error: "invalid_target" },
  });
});

test("another resource, another redirect URI, and a plain or missing challenge are refused before the consent page", async () => {
  const { browser } = await oauth.person();
  const config = await oauth.register();
  const errorAt = async (more: Record<string, string>) =>
    (await browser.open(begin(config, more).url)).url.searchParams.get("error");
  expect(await errorAt({ resource: "https://elsewhere.example/mcp" })).toBe("invalid_target");
  expect(await errorAt({ code_challenge_method: "plain" })).toBe("invalid_request");
  const bare = begin(config).url;
  for (const name of ["code_challenge", "code_challenge_method"]) bare.searchParams.delete(name);
  expect((await browser.open(bare)).url.searchParams.get("error")).toBe("invalid_request");
  const page = await browser.open(begin(config, { redirect_uri: "http://127.0.0.1:33999/elsewhere" }).url);
  expect(page).toMatchObject({ status: 400, html: expect.stringContaining("address that it did not register") });
});

test("an application on the same computer may use any port of its redirect URI", async () => {
  const { browser } = await oauth.person();
  const config = await oauth.register();
  const { landing, tokens } = await connect(config, browser, {
    more: { redirect_uri: "http://127.0.0.1:40123/callback" },
  });
  expect(landing.url.host).toBe("127.0.0.1:40123");
  await verify(tokens.access_token);
});

test("an application whose registration has expired has to register again", async () => {
  const { config, refreshToken } = await connected();
  await OAuthRecord.updateOne(
    { _id: recordId("Client", idOf(config)) },
    { $set: { expiresAt: new Date(Date.now() - DAY_MS) } },
  );
  expect(await refresh(config, refreshToken)).toMatchObject({ status: 401, body: { error: "invalid_client" } });
});

test.each([
  ["given a lower role", { action: "updateRole", role: "VIEWER" }],
  ["removed", { action: "remove" }],
] as const)(
  "a member who is %s loses the access and refresh tokens of the connectors that exceed the new role",
  async (_name, change) => {
    const { browser, userId, workspaceIds, rests } = await oauth.person("OWNER", "MEMBER");
    const [, workspace = ""] = workspaceIds;
    const config = await oauth.register();
    const { access, refreshToken } = await connectIn(config, browser, workspace, "leads:read leads:write");
    const narrow = await connectIn(config, browser, workspace, "leads:read");
    const own = await connectIn(config, browser, workspaceIds[0] ?? "", "leads:write");
    for (const { access } of [narrow, own]) await verify(access);
    const memberId = await memberIdOf(rests[1], userId);
    expect((await rests[1]?.post("/members/manage", { memberId, ...change }))?.status).toBe(200);
    await expect(verify(access)).rejects.toMatchObject(refused);
    expect(await refresh(config, refreshToken)).toMatchObject({ status: 400, body: { error: "invalid_grant" } });
    await verify(own.access);
    if (change.action === "updateRole") await verify(narrow.access);
    else await expect(verify(narrow.access)).rejects.toMatchObject(refused);
  },
);

test("a consent gives at most the role that the person has when they submit the page", async () => {
  const { browser, userId, workspaceIds } = await oauth.person("OWNER");
  const config = await oauth.register();
  const begun = begin(config, { scope: "leads:read leads:write" });
  const page = await browser.open(begun.url);
  await Membership.updateOne({ userId, workspaceId: workspaceIds[0] ?? "" }, { $set: { role: "VIEWER" } });
  const { access_token } = await exchange(config, begun, await browser.submit(page, { decision: "allow" }));
  expect(await scopesOf(access_token)).toEqual(["leads:read"]);
});

test("a consent and a simultaneous change to a lower role leave no grant above that role, whichever comes first", async () => {
  for (let round = 0; round < 5; round++) {
    const { userId, workspaceIds, rests } = await oauth.person("OWNER", "ADMIN");
    const [, workspaceId = ""] = workspaceIds;
    const memberId = await memberIdOf(rests[1], userId);
    const asked = { userId, workspaceId, clientId: "client", clientName: "An agent", scopes: ["leads:write"] as const };
    const [lowered] = await Promise.all([
      rests[1]?.post("/members/manage", { memberId, action: "updateRole", role: "VIEWER" }),
      giveConsent(
        {
          ...asked,
          ways: { SENDS: null, CHANGES_SENDING: null, DISCLOSES: null, DESTROYS: null },
          ip: null,
          traceId: null,
        },
        new Date(),
      ),
    ]);
    expect(lowered?.status).toBe(200);
    expect(await listGrants(workspaceId, null, new Date())).toEqual([]);
  }
});

async function memberIdOf(rest: Rest | undefined, userId: string): Promise<string> {
  const { items } = (await rest?.get("/members"))?.body ?? { items: [] };
  return items.find((member: { userId: string }) => member.userId === userId)?.id;
}

test("a person without a second factor cannot connect a workspace that demands one, and no one can connect a deleted workspace", async () => {
  const { browser, workspaceIds } = await oauth.person("OWNER", "OWNER", "OWNER");
  const [, locked = "", deleted = ""] = workspaceIds;
  await Workspace.updateOne({ _id: locked }, { $set: { needsSecondFactor: true, name: "Safe & Sound" } });
  await Workspace.updateOne({ _id: deleted }, { $set: { deletedAt: new Date() } });
  const begun = begin(await oauth.register());
  const page = await browser.open(begun.url);
  expect(page.html).toContain("“Safe &#38; Sound” requires a second factor");
  for (const workspace of [locked, deleted]) expect(page.html).not.toContain(workspace);
  const { url } = await browser.submit(page, { decision: "allow", workspace: locked });
  expect(url.searchParams.get("error")).toBe("access_denied");
});

test.each(["access", "refreshToken"] as const)(
  "revoking the %s ends the grant, and a revocation by another application has no effect",
  async (which) => {
    const { [which]: token, access, refreshToken, config, workspaceIds } = await connected();
    const other = await oauth.register();
    expect((await post("/oauth/revoke", { token, client_id: idOf(other) })).status).toBe(200);
    await verify(access);
    await client.tokenRevocation(config, token);
    await expect(verify(access)).rejects.toMatchObject(refused);
    expect(await refresh(config, refreshToken)).toMatchObject({ status: 400, body: { error: "invalid_grant" } });
    const [workspaceId = ""] = workspaceIds;
    const entries = await scoped(workspaceId).AuditEntry.find({ action: "connectors.revoke" });
    expect(entries.map(({ actor }) => actor.kind)).toEqual(["OAUTH"]);
  },
);

test("two accounts that sign in one after the other in one browser each give access to their own workspace", async () => {
  const [first, second] = [await oauth.person(), await oauth.person()];
  const config = await oauth.register();
  const one = await connect(config, first.browser);
  await signIn(first.browser, second.userId);
  const two = await connect(config, first.browser);
  expect(await verify(one.tokens.access_token)).toMatchObject({
    userId: first.userId,
    workspaceId: first.workspaceIds[0],
  });
  expect(await verify(two.tokens.access_token)).toMatchObject({
    userId: second.userId,
    workspaceId: second.workspaceIds[0],
  });
});

test("a consent page that was shown to one account cannot be submitted by another account", async () => {
  const [first, second] = [await oauth.person(), await oauth.person()];
  const page = await first.browser.open(begin(await oauth.register()).url);
  await signIn(first.browser, second.userId);
  const again = await first.browser.submit(page, { decision: "allow", workspace: second.workspaceIds[0] ?? "" });
  expect(again).toMatchObject({ status: 200, html: expect.stringContaining(second.email) });
  expect(await ConnectorGrant.countDocuments({ userId: second.userId }, { acrossWorkspaces: true })).toBe(0);
});

test("a consent request that began in another browser is refused", async () => {
  const [first, second] = [await oauth.person(), await oauth.person()];
  const page = await first.browser.open(begin(await oauth.register()).url);
  expect(await second.browser.open(page.url)).toMatchObject({
    status: 400,
    html: expect.stringContaining("began in another browser"),
  });
  expect((await second.browser.submit(page, { decision: "allow" })).status).toBe(400);
});

test("a person who is not signed in goes to the sign-in page, and from there back to the consent page", async () => {
  const { browser } = await oauth.person();
  browser.setCookie("outreach", "");
  const { url } = await browser.open(begin(await oauth.register()).url);
  expect(url.pathname).toBe("/login");
  expect(url.searchParams.get("returnTo")).toMatch(/^\/oauth\/consent\/[\w-]+$/);
});

test("Deny and a consent without any scope return an error to the application, and leave no grant", async () => {
  const { browser, userId } = await oauth.person();
  const config = await oauth.register();
  for (const form of [{ decision: "deny" }, { decision: "allow", "scope.leads:read": null }]) {
    const begun = begin(config, { scope: "leads:read" });
    const { url } = await browser.submit(await browser.open(begun.url), form);
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      error: "access_denied",
      state: begun.state,
      iss: oauth.issuer,
    });
  }
  expect(await ConnectorGrant.countDocuments({ userId }, { acrossWorkspaces: true })).toBe(0);
});

test("a consent gives no scope beyond the person's role, whatever the form contains, and the page names that role", async () => {
  const { browser, workspaceIds } = await oauth.person("OWNER", "VIEWER");
  const config = await oauth.register();
  const [, asViewer = ""] = workspaceIds;
  const begun = begin(config, { scope: "leads:read leads:write" });
  const page = await browser.open(`${(await browser.open(begun.url)).url.pathname}?workspace=${asViewer}`);
  expect(page.html).toMatch(/name="scope\.leads:write" disabled/);
  expect(page.html).toContain("not as viewer");
  const landing = await browser.submit(page, {
    decision: "allow",
    "scope.leads:write": "on",
    SENDS: "APPROVAL",
    DESTROYS: "SOMETIMES",
  });
  const { access_token } = await exchange(config, begun, landing);
  expect(await verify(access_token)).toMatchObject({
    workspaceId: asViewer,
    scopes: new Set(["leads:read"]),
    policy: { ...GRANT_POLICY, SENDS: "APPROVAL" },
  });
});

test("when the person's role has none of the requested scopes, the page says that nothing can be allowed, and the application gets an error", async () => {
  const { browser } = await oauth.person("VIEWER");
  const page = await browser.open(begin(await oauth.register(), { scope: "workspace:write" }).url);
  expect(page.html).toContain("Nothing to allow");
  const { url } = await browser.submit(page, { decision: "deny" });
  expect(url.searchParams.get("error")).toBe("access_denied");
});

test("the consent page has no script, is not cached or framed, and its form leads only to this server and to the application", async () => {
  const { browser } = await oauth.person();
  const name = `<script>alert(1)</script>\u202e"'& ${"x".repeat(100)}`;
  const config = await oauth.register({ client_name: name, redirect_uris: ["https://agent.example/back", CALLBACK] });
  const page = await browser.open(begin(config, { redirect_uri: "https://agent.example/back" }).url);
  const policy = page.headers.get("content-security-policy");
  expect(policy).toMatch(/default-src 'none'; form-action 'self' https:\/\/agent\.example; frame-ancestors 'none'/);
  expect(page.headers.get("cache-control")).toBe("no-store");
  // or a window that an application opened could not come back to it
  expect(page.headers.get("cross-origin-opener-policy")).toBe("unsafe-none");
  expect(page.html).not.toMatch(/<script|\u202e| on[a-z]+=| src=/);
  expect(page.html).toContain("The application chose this name");
  expect(page.html).toContain("<strong>agent.example</strong>");
  expect(page.html).not.toContain("on this computer");
  const local = await browser.open(begin(await oauth.register()).url);
  expect(local.html).toContain("<strong>127.0.0.1:33999</strong>");
  expect(local.html).toContain("any other program here could pretend to be it");
});

test("no token and no code is stored in clear in a collection, a log line or the audit log", async () => {
  const { config, access, refreshToken, landing } = await connected();
  const { body } = await refresh(config, refreshToken);
  const secrets = [
    access,
    refreshToken,
    body.access_token,
    body.refresh_token,
    landing.url.searchParams.get("code") ?? "",
  ];
  const collections = (await OAuthRecord.db.db?.collections()) ?? [];
  const rows = await Promise.all(
    collections.map(async (collection) => JSON.stringify(await collection.find({}).toArray())),
  );
  const all = [...rows, ...oauth.logged].join("\n");
  expect(collections.length).toBeGreaterThan(10);
  for (const secret of secrets)
    expect({ secret, isInClear: secret === "" || all.includes(secret) }).toEqual({ secret, isInClear: false });
});
