import { mkdtemp, rm } from "node:fs/promises";
import { request } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { simpleParser } from "mailparser";
import { ALL_SCOPES } from "../../domain/scopes.ts";
import { freePort } from "../../embedded/ports.ts";
import { Workspace } from "../../models/access/workspace.ts";
import { scoped } from "../../models/scoped.ts";
import { TrackingName } from "../../models/tracking/tracking-name.ts";
import { newId } from "../../mongo/ids.ts";
import { createKey } from "../../operations/access/api-keys.ts";
import { type Certificate, makeCertificate } from "../fakes/certificate.ts";
import { type FakeDns, startDns } from "../fakes/dns.ts";
import { MAIL_DEADLINE, until } from "../fakes/wait.ts";
import { type SendingWorld, startSendingWorld } from "../sending/sending-world.ts";
import { agentOf } from "../support/mcp.ts";
import type { World } from "../support/world.ts";
import { type Caddy, startCaddy } from "./caddy.ts";

const DOMAIN = "track.a.test";
const PORTAL = "clients.agency.test";
const TARGET = "https://www.shop.test/a%20b?x=1#top";

let folder: string;
let root: Certificate;
let dns: FakeDns;
let sending: SendingWorld;
let world: World;
let caddy: Caddy;
let ports: { httpsPort: number; httpPort: number };

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "outreach-tls-"));
  root = await makeCertificate();
  dns = await startDns();
  ports = { httpsPort: await freePort(), httpPort: await freePort() };
  const own = `https://localhost:${ports.httpsPort}`;
  const settings = { publicUrl: own, trackUrl: own, trustProxy: 1, proxyNetworks: ["127.0.0.1"] };
  sending = await startSendingWorld({ certificate: root, dnsServers: [dns.server], settings });
  world = sending.world;
  caddy = await proxyIn("first");
}, 120_000);

afterAll(async () => {
  await caddy.stop();
  await sending.close();
  await dns.close();
  await rm(folder, { recursive: true, force: true });
}, 60_000);

/** A proxy with no certificate yet. */
function proxyIn(name: string): Promise<Caddy> {
  return startCaddy({ folder: join(folder, name), service: new URL(world.baseUrl).host, root, ...ports });
}

async function restartEmpty(name: string): Promise<void> {
  await caddy.stop();
  caddy = await proxyIn(name);
}

interface Answer {
  status: number;
  headers: Record<string, unknown>;
  body: string;
}

/**
 * GET over https under a name that leads to the proxy, as a browser does it; rejects where the proxy has no certificate
 * for the name.
 */
function get(host: string, path: string, headers: Record<string, string> = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const options = { host: "127.0.0.1", port: ports.httpsPort, servername: host, ca: root.cert, agent: false, path };
    request({ ...options, headers: { Host: `${host}:${ports.httpsPort}`, ...headers } }, (answer) => {
      text(answer).then((body) => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body }), reject);
    })
      .on("error", reject)
      .end();
  });
}

test("a domain set by REST is verified by DNS and a certificate made on demand, and a click in an email reaches its target over https", async () => {
  const { rest, workspaceId } = sending;
  const { Mailbox, Hit } = scoped(workspaceId);
  const mailboxId = (await Mailbox.findOne({ email: "ann@a.test" }))?._id ?? "";
  const act = async (action: string, more: object = {}) =>
    (await rest.post("/mailboxes/tracking-domain", { action, mailboxId, ...more })).body.trackingDomain;

  await expect(get(DOMAIN, "/u/x")).rejects.toThrow(/alert/);
  expect(await act("set", { domain: DOMAIN })).toMatchObject({ status: "PENDING", expectedCname: "localhost" });
  expect(await act("verify")).toMatchObject({ status: "FAILED", error: expect.stringMatching(/CNAME/) });
  dns.zone[DOMAIN] = { CNAME: ["localhost"] };
  await act("detach");
  await act("set", { domain: DOMAIN });
  expect(await act("verify")).toMatchObject({ status: "VERIFIED", error: null });

  // An email of the mailbox leads through the domain, by https, to what its author linked to
  const steps = [
    { subject: "Hello", body: `<p><a href="${TARGET}">shop</a></p>`, delay: { value: 0, unit: "MINUTES" } },
  ];
  const tracked = { mailboxIds: [mailboxId], trackOpens: true, trackClicks: true };
  await sending.launch(await sending.campaign(["reader@people.test"], steps, { settings: tracked }));
  await until(() => sending.mailsTo("reader@people.test").length > 0, { ...MAIL_DEADLINE, what: "the mail" });
  const { html = "" } = await simpleParser(sending.mailsTo("reader@people.test")[0]?.raw ?? "");
  const [link = "", pixel = ""] = [...(html || "").matchAll(/(?:href|src)="([^"]*)"/g)]
    .map(([, url = ""]) => url)
    .filter((url) => /\/t\//.test(url));
  expect(new URL(link).origin).toBe(`https://${DOMAIN}:${ports.httpsPort}`);
  const click = new URL(link).pathname;
  const visitor = { "User-Agent": "Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0" };
  expect(await get(DOMAIN, click, visitor)).toMatchObject({ status: 302, headers: { location: TARGET } });
  expect(await get(DOMAIN, new URL(pixel).pathname, visitor)).toMatchObject({
    status: 200,
    headers: { "content-type": "image/gif" },
  });
  await until(async () => (await Hit.find({})).length === 2, { ...MAIL_DEADLINE, what: "both hits" });

  // Nothing else is answered there, and only the proxy gets an answer to its own question
  const key = (await createKey({ workspaceId, name: "test", scopes: ALL_SCOPES, createdBy: "usr_test" })).key;
  const authorised = { Authorization: `Bearer ${key}` };
  for (const path of [
    "/",
    "/api/v1/whoami",
    "/login",
    "/readyz",
    "/internal/tls?domain=localhost",
    "/internal%2ftls?domain=localhost",
  ])
    expect([path, (await get(DOMAIN, path, authorised)).status]).toEqual([path, 404]);
  // The tool server refuses such names itself, as its clients expect
  expect((await get(DOMAIN, "/mcp", authorised)).status).toBe(403);
  expect((await get("localhost", "/api/v1/whoami", authorised)).status).toBe(200);
  for (const path of [
    "/internal/tls?domain=localhost",
    "/INTERNAL/tls?domain=localhost",
    "//internal/tls?domain=localhost",
    "/x/../internal/tls?domain=localhost",
  ])
    expect([path, (await get("localhost", path, authorised)).status]).toEqual([path, 404]);

  // Links already sent keep working while the name leads here, even through a proxy that lost its certificates
  await act("detach");
  await restartEmpty("second");
  expect(await get(DOMAIN, click, visitor)).toMatchObject({ status: 302, headers: { location: TARGET } });
  delete dns.zone[DOMAIN];
  await TrackingName.updateMany({}, { $set: { checkedAt: new Date(0) } });
  await world.temporal?.client.workflow.execute("dailyDnsChecks", {
    taskQueue: "engine",
    workflowId: newId("tst"),
    args: [],
  });
  await restartEmpty("third");
  await expect(get(DOMAIN, click, visitor)).rejects.toThrow(/alert/);
}, 240_000);

test("a name that a stranger pointed here gets no certificate", async () => {
  dns.zone["stranger.test"] = { CNAME: ["localhost"] };
  for (const name of ["stranger.test", `deep.${DOMAIN}`, "sender.test"])
    await expect(get(name, "/u/x")).rejects.toThrow(/alert/);
  expect(caddy.log()).not.toMatch(/certificate obtained successfully.*stranger/);
});

test("a portal gets its certificate on demand, and people sign in there over https by cookies of that host alone", async () => {
  const { workspaceId } = sending;
  const owner = (await Workspace.findOne({ _id: workspaceId }).lean<Workspace>())?.ownerId ?? "";
  const { key } = await createKey({ workspaceId, name: "portal", scopes: ALL_SCOPES, createdBy: owner });
  const agent = await agentOf(world, key);
  const act = async (args: Record<string, unknown>) => (await agent.call("workspace_portal_domain", args)).body;
  await expect(get(PORTAL, "/login")).rejects.toThrow(/alert/);
  dns.zone[PORTAL] = { CNAME: ["localhost"] };
  expect(await act({ action: "set", domain: PORTAL })).toMatchObject({ status: "PENDING", expectedCname: "localhost" });
  expect(await act({ action: "verify" })).toMatchObject({ status: "VERIFIED", error: null });
  const page = await get(PORTAL, "/login");
  expect([page.status, page.body]).toEqual([200, expect.stringContaining("Sign in")]);
  expect(String(page.headers["set-cookie"])).toMatch(
    /^__Host-outreach-form=.*; Path=\/;.* HttpOnly; Secure; SameSite=Lax/,
  );
  expect(await get(PORTAL, "/")).toMatchObject({ status: 303, headers: { location: "/login" } });
  for (const path of ["/api/v1/whoami", "/signup", "/oauth/authorize", "/internal/tls?domain=localhost"])
    expect([path, (await get(PORTAL, path, { Authorization: `Bearer ${key}` })).status]).toEqual([path, 404]);
  // The tool server refuses such names itself
  expect((await get(PORTAL, "/mcp", { Authorization: `Bearer ${key}` })).status).toBe(403);
  await agent.close();
}, 120_000);
