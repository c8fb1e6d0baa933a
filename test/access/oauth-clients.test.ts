import { afterAll, beforeAll, expect, test } from "@jest/globals";
import * as client from "openid-client";
import { createApp } from "../../api/app.ts";
import { oauthOf } from "../../api/oauth/mount.ts";
import { createEgress } from "../../connectors/net/connect.ts";
import type { Egress } from "../../connectors/net/egress.ts";
import { OAuthRecord } from "../../models/access/oauth-record.ts";
import { verifyConnectorToken } from "../../operations/access/connectors.ts";
import { listen } from "../../runtime/listen.ts";
import { createLog } from "../../runtime/log.ts";
import { readinessOf } from "../../runtime/readiness.ts";
import { makeCertificate } from "../fakes/certificate.ts";
import { type Answer, type FakeSubscriber, startSubscriber } from "../fakes/subscriber.ts";
import {
  type Authorization,
  begin,
  CALLBACK,
  connect,
  OAUTH_LIMITS,
  startAuthorization,
} from "../support/authorization.ts";

let oauth: Authorization;
let site: FakeSubscriber;
let egress: Egress;
/** What the site answers at each path. */
const pages = new Map<string, () => Answer>();
beforeAll(async () => {
  const certificate = await makeCertificate();
  site = await startSubscriber({ certificate, answer: ({ path }) => pages.get(path)?.() ?? { status: 404 } });
  egress = createEgress({
    allow: [{ host: "localhost", port: site.port }],
    ownAddresses: [],
    extraCa: certificate.cert,
  });
  oauth = await startAuthorization({ egress });
});
afterAll(async () => {
  await oauth.close();
  await egress.close();
  await site.close();
});

let drawn = 0;
/** An application whose id is the address of its metadata document. */
function documentAt(answer: (id: string) => Answer): { id: string; config: client.Configuration } {
  const path = `/agent-${++drawn}.json`;
  const id = `${site.url.slice(0, -1)}${path}`;
  pages.set(path, () => answer(id));
  return { id, config: configOf(id) };
}

function configOf(id: string): client.Configuration {
  const server = {
    issuer: oauth.issuer,
    authorization_endpoint: `${oauth.issuer}/oauth/authorize`,
    token_endpoint: `${oauth.issuer}/oauth/token`,
  };
  const config = new client.Configuration(server, id, {}, client.None());
  client.allowInsecureRequests(config);
  return config;
}

const json = (document: object): Answer => ({
  headers: { "content-type": "application/json" },
  body: JSON.stringify(document),
});
const whole = (id: string) => ({ client_id: id, client_name: "A hosted agent", redirect_uris: [CALLBACK] });
const asked = (id: string) => site.received.filter(({ path }) => id.endsWith(path)).length;

test("an application is known by its metadata document, which is fetched once and reduced to the known fields", async () => {
  const { browser } = await oauth.person();
  const extra = {
    token_endpoint_auth_method: "private_key_jwt",
    scope: "openid",
    jwks_uri: "https://agent.example/jwks",
    logo_uri: "x",
  };
  const { id, config } = documentAt((own) => json({ ...whole(own), ...extra }));
  const page = await browser.open(begin(config, { scope: "leads:read" }).url);
  expect(page.html).toContain("A hosted agent");
  expect(page.html).toContain(`<strong>${new URL(id).host}</strong>`);
  const { tokens } = await connect(config, browser, { more: { scope: "leads:read" } });
  expect(await verifyConnectorToken(tokens.access_token, oauth.issuer, new Date())).toMatchObject({
    name: "A hosted agent",
  });
  expect(asked(id)).toBe(1);
  expect(await OAuthRecord.countDocuments({ _id: `Client:${id}` })).toBe(0);
});

// Cut short, or read despite its status, each of the first four would be whole
const FAULTS: Record<string, (id: string) => Answer> = {
  redirects: (id) => ({ ...json(whole(id)), status: 302, headers: { location: `${site.url}elsewhere` } }),
  "is not there": (id) => ({ ...json(whole(id)), status: 500 }),
  "is 10 MB": (id) => ({ body: JSON.stringify(whole(id)).padEnd(10_000_000) }),
  "is a byte over 5 KB": (id) => ({ body: JSON.stringify(whole(id)).padEnd(5_121) }),
  "is no JSON": () => ({ body: "<html>" }),
  "is a list": () => json([]),
  "is null": () => ({ body: "null" }),
  "names another id": (id) => json(whole(`${id}x`)),
  "has a secret": (id) => json({ ...whole(id), client_secret: "s" }),
  "wants to be called back at a scheme of its own": (id) => json({ ...whole(id), redirect_uris: ["agent://back"] }),
  "never comes": () => ({ hang: true }),
};

test.each(Object.entries(FAULTS))(
  "a metadata document that %s is refused with a page, and is not fetched again immediately",
  async (_name, answer) => {
    const { browser } = await oauth.person();
    pages.set("/elsewhere", () => json(whole(`${site.url}elsewhere`)));
    const { id, config } = documentAt(answer);
    for (let tries = 0; tries < 2; tries++) {
      const page = await browser.open(begin(config).url);
      expect(page).toMatchObject({ status: 400, html: expect.stringContaining("not known here") });
    }
    expect(asked(id)).toBe(1);
    expect(asked("/elsewhere")).toBe(0);
  },
);

test("a metadata document just under 5 KB is accepted", async () => {
  const { browser } = await oauth.person();
  const { config } = documentAt((id) => ({ body: JSON.stringify(whole(id)).padEnd(5_120) }));
  expect((await browser.open(begin(config).url)).html).toContain("A hosted agent");
});

test.each([
  "https://127.0.0.1/a.json",
  "https://[::1]/a.json",
  "https://10.0.0.1/a.json",
  "https://169.254.169.254/a.json",
])("a metadata document at the private address %s is not fetched", async (id) => {
  const { browser } = await oauth.person();
  expect(await browser.open(begin(configOf(id)).url)).toMatchObject({ status: 400 });
});

test("a metadata document at an address that the operator has not allowed is refused without a connection", async () => {
  const { browser } = await oauth.person();
  const closed = await startSubscriber({ certificate: await makeCertificate() });
  const page = await browser.open(begin(configOf(`${closed.url}agent.json`)).url);
  expect(page.status).toBe(400);
  expect(closed.received).toEqual([]);
  await closed.close();
});

async function register(metadata: unknown, headers: Record<string, string> = { "content-type": "application/json" }) {
  const response = await fetch(`${oauth.issuer}/oauth/register`, {
    method: "POST",
    headers,
    body: typeof metadata === "string" ? metadata : JSON.stringify(metadata),
  });
  const body: Record<string, unknown> = JSON.parse(await response.text());
  return { status: response.status, body };
}

test("a registration returns the stored application: a public client with codes and refresh tokens", async () => {
  const more = {
    grant_types: ["implicit", "password"],
    response_types: ["token"],
    scope: "openid",
    client_secret: "mine",
    jwks: { keys: [] },
    __proto__: null,
  };
  const { status, body } = await register({ redirect_uris: [CALLBACK], client_name: `  ${"n".repeat(100)}`, ...more });
  expect(status).toBe(201);
  expect(body).toMatchObject({
    client_name: "n".repeat(80),
    redirect_uris: [CALLBACK],
    application_type: "native",
    token_endpoint_auth_method: "none",
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
    client_id: expect.any(String),
  });
  expect(JSON.stringify(body)).not.toMatch(/secret|registration_access_token|openid/);
});

const REDIRECTS: Record<string, unknown> = {
  none: [],
  "no list": "https://a.example/",
  eleven: Array.from({ length: 11 }, (_, index) => `https://a.example/${index}`),
  "http elsewhere": ["http://a.example/"],
  "a scheme of its own": ["agent://back"],
  "a script": ["javascript:alert(1)"],
  "a fragment": ["https://a.example/#x"],
  credentials: ["https://a:b@a.example/"],
  "a number": [1],
  "a loopback look-alike": ["http://127.0.0.1.a.example/"],
  "a very long one": [`https://a.example/${"x".repeat(2_000)}`],
};

test.each(Object.entries(REDIRECTS))(
  "a registration with %s as its redirect URIs is refused",
  async (_name, redirect_uris) => {
    expect(await register({ redirect_uris })).toMatchObject({ status: 400, body: { error: "invalid_redirect_uri" } });
  },
);

test("a registration that is broken, not an object, not JSON or too large is refused", async () => {
  expect(await register("{")).toMatchObject({ status: 400, body: { error: "invalid_client_metadata" } });
  expect(await register([])).toMatchObject({ status: 400, body: { error: "invalid_client_metadata" } });
  expect(await register(null)).toMatchObject({ status: 400, body: { error: "invalid_client_metadata" } });
  expect(await register({ redirect_uris: [CALLBACK], padding: "x".repeat(16_384) })).toMatchObject({ status: 413 });
  expect(await register("a=b", { "content-type": "text/plain" })).toMatchObject({
    status: 400,
    body: { error: "invalid_request" },
  });
});

test("unknown addresses of the authorization server get 404, and wrong methods are refused", async () => {
  const at = async (method: string, path: string) => {
    const response = await fetch(oauth.issuer + path, { method });
    const { code }: { code?: string } = JSON.parse(await response.text());
    return { status: response.status, code };
  };
  for (const path of [
    "/oauth",
    "/oauth/",
    "/oauth/session/end",
    "/session/end",
    "/.well-known/other",
    "/oauth/token/x",
    "/interaction/x",
  ]) {
    expect({ path, ...(await at("GET", path)) }).toEqual({ path, status: 404, code: "ROUTE_NOT_FOUND" });
  }
  for (const [method = "", path = ""] of [
    ["GET", "/oauth/token"],
    ["POST", "/oauth/authorize"],
    ["PUT", "/oauth/register"],
    ["DELETE", "/oauth/jwks"],
  ]) {
    expect({ path, ...(await at(method, path)) }).toEqual({ path, status: 405, code: "METHOD_NOT_ALLOWED" });
  }
});

test("behind TLS all addresses use the public URL, and the cookies are sent over TLS only", async () => {
  const { services } = oauth.world;
  const publicUrl = "https://outreach.example";
  const secured = { ...services, settings: { ...services.settings, publicUrl } };
  const options = { log: createLog("silent"), ready: readinessOf(services.engine, { missing: [] }) };
  const also = [oauthOf(secured, { egress: async () => egress })];
  const listener = await listen(createApp(secured, { ...options, also }), 0, { host: "127.0.0.1" });
  const here = `http://127.0.0.1:${listener.port}`;
  const metadata = await (await fetch(`${here}/.well-known/oauth-authorization-server`)).json();
  expect(metadata).toMatchObject({ issuer: publicUrl, token_endpoint: `${publicUrl}/oauth/token` });
  const { body } = await register({ redirect_uris: [CALLBACK] });
  const { search } = begin(configOf(String(body["client_id"]))).url;
  const answer = await fetch(`${here}/oauth/authorize${search}`, { redirect: "manual" });
  expect(answer.headers.get("location")).toMatch(/^\/oauth\/consent\/[\w-]+$/);
  const cookies = answer.headers.getSetCookie();
  expect(cookies.map((cookie) => cookie.split("=")[0])).toEqual([
    "_interaction",
    "_interaction.sig",
    "_interaction_resume",
    "_interaction_resume.sig",
  ]);
  for (const cookie of cookies) expect(cookie).toMatch(/; path=\/oauth\/(consent|authorize)\/.*; secure; httponly/i);
  await listener.close();
});

test("a page of another site may read discovery and get tokens, because no cookie is involved", async () => {
  const headers = { origin: "https://inspector.example", "access-control-request-method": "POST" };
  const preflight = await fetch(`${oauth.issuer}/oauth/token`, { method: "OPTIONS", headers });
  expect(preflight.headers.get("access-control-allow-origin")).toBe("https://inspector.example");
  const { body } = await register({ redirect_uris: [CALLBACK] });
  const asked = new URLSearchParams({
    client_id: String(body["client_id"]),
    grant_type: "refresh_token",
    refresh_token: "x",
  });
  const answer = await fetch(`${oauth.issuer}/oauth/token`, {
    method: "POST",
    headers: { origin: "https://inspector.example" },
    body: asked,
  });
  expect(answer.headers.get("access-control-allow-origin")).toBe("https://inspector.example");
  expect(await answer.json()).toMatchObject({ error: "invalid_grant" });
});

test("registrations, authorization requests and refreshes each have their own rate limit", async () => {
  const limited = await startAuthorization({ limits: OAUTH_LIMITS });
  const statusesOf = async (count: number, one: () => Promise<Response>) => {
    const found = new Map<number, number>();
    let last: Response | undefined;
    for (let tries = 0; tries < count; tries++) {
      last = await one();
      found.set(last.status, (found.get(last.status) ?? 0) + 1);
    }
    return { found: Object.fromEntries(found), retryAfter: Number(last?.headers.get("retry-after")) };
  };
  const to = (path: string, init: RequestInit = {}) => fetch(limited.issuer + path, { redirect: "manual", ...init });
  const metadata = {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ redirect_uris: [CALLBACK] }),
  };
  const registered = await statusesOf(30, () => to("/oauth/register", metadata));
  expect(registered.found).toEqual({ 201: 20, 429: 10 });
  expect(registered.retryAfter).toBeGreaterThan(0);
  expect((await statusesOf(62, () => to("/oauth/authorize?client_id=x"))).found).toEqual({ 400: 60, 429: 2 });
  const refresh = (clientId: string) =>
    to("/oauth/token", {
      method: "POST",
      body: new URLSearchParams({ client_id: clientId, grant_type: "refresh_token", refresh_token: "x" }),
    });
  expect((await statusesOf(122, () => refresh("busy"))).found).toEqual({ 401: 120, 429: 2 });
  expect((await refresh("other")).status).toBe(401);
  await limited.close();
});
