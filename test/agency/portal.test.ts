import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { type Brand, darkPalette, lightPalette, whyNotReadable } from "../../domain/access/brand.ts";
import { signToken } from "../../domain/access/tokens.ts";
import { Workspace } from "../../models/access/workspace.ts";
import { scoped } from "../../models/scoped.ts";
import { User } from "../../models/sign-in/user.ts";
import { newId } from "../../mongo/ids.ts";
import { createPersonLink } from "../../operations/sign-in/links.ts";
import { loadGuardReasons } from "../../store/suppression/suppress.ts";
import { type FakeDns, startDns } from "../fakes/dns.ts";
import { until } from "../fakes/wait.ts";
import { agentOf } from "../support/mcp.ts";
import { newBrowser, type PersonBrowser } from "../support/person.ts";
import { realWorker } from "../support/real-worker.ts";
import { PASSWORD, type SignedIn, signedIn } from "../support/signed-in.ts";
import { startWorld, type World } from "../support/world.ts";

let world: World;
let dns: FakeDns;
const agents: Awaited<ReturnType<typeof agentOf>>[] = [];
beforeAll(async () => {
  dns = await startDns();
  world = await startWorld({
    worker: realWorker({ dnsServers: [dns.server] }),
    settings: { trustProxy: 1, proxyNetworks: ["127.0.0.1"], allowSignUp: true },
  });
}, 90_000);
afterAll(async () => {
  for (const agent of agents) await agent.close();
  await world.close();
  await dns.close();
}, 60_000);

const BRAND = { name: "Acme <&> Reach", accent: "#8a1c5b", background: "#fff4e0" };

/** A browser that reached us under this name, by the proxy in front. */
const browserAt = (host: string) => newBrowser(world.baseUrl, { "X-Forwarded-Host": host });
const signIn = async (browser: PersonBrowser, email: string, password = PASSWORD) => {
  await browser.open("/login");
  return browser.submit({ email, password });
};

interface Agency extends SignedIn {
  host: string;
  portal(args: Record<string, unknown>): Promise<{ status: string }>;
}

/** An agency whose portal is verified, or with `verifies: false` only set. */
async function agencyWithPortal({ verifies = true } = {}): Promise<Agency> {
  const agency = await signedIn(world);
  const host = `${newId("wsp").toLowerCase().replace("_", "-")}.agency.test`;
  const { key } = (
    await agency.rest.post("/api-keys", { name: "Portal", scopes: ["workspace:read", "workspace:write"] })
  ).body;
  const agent = await agentOf(world, key);
  agents.push(agent);
  const portal = async (args: Record<string, unknown>) => (await agent.call("workspace_portal_domain", args)).body;
  dns.zone[host] = { CNAME: ["localhost"] };
  expect(await portal({ action: "set", domain: host })).toMatchObject({
    status: "PENDING",
    expectedCname: "localhost",
  });
  if (verifies) expect(await portal({ action: "verify" })).toMatchObject({ status: "VERIFIED" });
  expect((await agency.rest.post("/workspace", { action: "update", patch: { portal: BRAND } })).body.portal).toEqual(
    BRAND,
  );
  return { ...agency, host, portal };
}

/** A client of an agency, and a person who is only in that workspace. */
async function clientOf(agency: SignedIn, name: string) {
  const { body: client } = await agency.rest.post("/workspaces", { name });
  const email = `${newId("tst").toLowerCase()}@client.test`;
  const asked = { action: "create", email, role: "MEMBER" };
  const { body: invite } = await agency.browser.console(client.id).post("/invites/manage", asked);
  return { id: client.id as string, email, invite: new URL(invite.inviteUrl) };
}

async function join(host: string, { invite }: { invite: URL }): Promise<PersonBrowser> {
  const browser = browserAt(host);
  await browser.open(invite.pathname);
  await browser.submit({ password: PASSWORD, name: "Cleo" });
  return browser;
}

const namesOf = async (browser: PersonBrowser) =>
  (await browser.console(null).get("/session")).body.workspaces?.map(({ name }: { name: string }) => name);

test("a client signs in at the agency's portal, sees the agency's name and colours, and gets only the client's own workspace", async () => {
  const agency = await agencyWithPortal();
  const [mine, other] = [await clientOf(agency, "Mine"), await clientOf(agency, "Other")];
  expect(mine.invite.hostname).toBe(agency.host);
  const browser = await join(agency.host, mine);
  expect(browser.page.html).toContain("Mine: member");
  expect(browser.page.html).toContain('<p class="brand">Acme &#60;&#38;&#62; Reach</p>');
  expect(browser.page.html).toContain("--act:#8a1c5b;--on-act:#ffffff;--link:#8a1c5b;--paper:#fff4e0");
  expect(await namesOf(browser)).toEqual(["Mine"]);
  expect((await browser.console(mine.id).get("/workspace")).body.name).toBe("Mine");
  for (const id of [other.id, agency.workspaceId])
    expect((await browser.console(id).get("/workspace")).status).toBe(404);
  expect((await browser.console(mine.id).get("/workspaces")).body.items).toMatchObject([{ name: "Mine" }]);
  expect(await browser.submit({})).toContain("Sign in");
  expect((await browser.console(mine.id).get("/workspace")).status).toBe(401);
  expect(await signIn(browser, mine.email)).toContain("Mine: member");
});

test("a portal signs no one into a foreign workspace, and answers a person without a workspace there as if the account did not exist", async () => {
  const agency = await agencyWithPortal();
  const mine = await clientOf(agency, "Mine");
  await join(agency.host, mine);
  const elsewhere = await signedIn(world);
  const stranger = browserAt(agency.host);
  const refused = await signIn(stranger, elsewhere.email);
  expect([stranger.page.status, refused]).toEqual([422, expect.stringContaining("or the password is wrong")]);
  expect(await signIn(browserAt(agency.host), elsewhere.email, "not the password")).toContain(
    "or the password is wrong",
  );
  expect(stranger.cookies.has("outreach")).toBe(false);

  // A person with workspaces in both places sees only the portal's here, and both at the service's own address
  const asked = { action: "create", email: mine.email, role: "ADMIN" };
  const { inviteUrl } = (await elsewhere.rest.post("/invites/manage", asked)).body;
  expect(new URL(inviteUrl).hostname).toBe("localhost");
  const direct = newBrowser(world.baseUrl);
  await direct.open(new URL(inviteUrl).pathname);
  await direct.submit({ password: PASSWORD });
  expect(await namesOf(direct)).toEqual(["Mine", "Acme"]);
  const here = browserAt(agency.host);
  await signIn(here, mine.email);
  expect(await namesOf(here)).toEqual(["Mine"]);
  expect((await here.console(elsewhere.workspaceId).get("/workspace")).status).toBe(404);
  const change = { currentPassword: PASSWORD, password: "another long password" };
  expect(await here.console(null).post("/password", change)).toMatchObject({
    status: 403,
    body: { code: "CROSS_SITE_REFUSED" },
  });
  expect(await here.console(null).post("/second-factor", { action: "renewRecoveryCodes" })).toMatchObject({
    status: 403,
  });
  // Not the one at the service's own address
  expect((await here.console(null).get("/sessions")).body).toHaveLength(2);
});

test("a portal's session is refused at the service's own address and at other portals, and sessions of these are refused at the portal", async () => {
  const [one, two] = [await agencyWithPortal(), await agencyWithPortal()];
  const mine = await clientOf(one, "Mine");
  const at = { one: await join(one.host, mine), two: browserAt(two.host), own: newBrowser(world.baseUrl) };
  const move = (from: PersonBrowser, to: PersonBrowser) =>
    to.cookies.set("outreach", from.cookies.get("outreach") ?? "");
  for (const other of [at.two, at.own]) {
    move(at.one, other);
    expect((await other.console(mine.id).get("/workspace")).status).toBe(401);
    expect((await other.console(null).get("/session")).status).toBe(401);
    expect(await other.open("/login")).not.toContain("Signed in");
  }
  const intruder = browserAt(one.host);
  move(one.browser, intruder);
  expect((await intruder.console(one.workspaceId).get("/workspace")).status).toBe(401);
  expect((await at.one.console(mine.id).get("/workspace")).status).toBe(200);
});

test("a sign-in that waits for a second factor at one address cannot be completed at another, and a portal offers no passkey", async () => {
  const agency = await agencyWithPortal();
  const mine = await clientOf(agency, "Mine");
  const browser = await join(agency.host, mine);
  const { userId } = (await browser.console(null).get("/session")).body;
  const passkey = { id: "pk", publicKey: "", counter: 0, transports: [], name: "phone", createdAt: new Date() };
  await User.collection.updateOne({ email: mine.email }, { $set: { passkeys: [passkey] } });
  const again = browserAt(agency.host);
  expect(await signIn(again, mine.email)).toContain("Second factor");
  expect(again.page.html).not.toContain("passkey instead");
  const own = newBrowser(world.baseUrl);
  own.cookies.set("outreach-waiting", again.cookies.get("outreach-waiting") ?? "");
  expect(await own.open("/login/second-factor")).toContain("Sign in again");
  expect((await again.fetch("/login/passkey")).status).toBe(404);
  expect(userId).toMatch(/^usr_/);
});

test("a portal serves the sign-in pages and the console API, and answers 404 for anything else and for unverified names", async () => {
  const agency = await agencyWithPortal();
  const browser = browserAt(agency.host);
  const first = await browser.fetch("/");
  expect([first.status, first.headers.get("location")]).toEqual([303, "/login"]);
  const open = ["/login", "/logout"];
  for (const path of open) expect([path, (await browser.fetch(path)).status]).toEqual([path, 200]);
  const key = (await world.workspace()).key;
  const shut = [
    "/api/v1/whoami",
    "/oauth/authorize",
    "/signup",
    "/healthz",
    "/readyz",
    "/files/x",
    "/internal/tls?domain=localhost",
  ];
  for (const path of [
    ...shut,
    "/login/passkey",
    "/T/../api/v1/whoami",
    `${world.baseUrl}//login`,
    "/console/api/v1",
    "/api/v1/reference/",
  ]) {
    const headers = { Authorization: `Bearer ${key}` };
    expect([path, (await browser.fetch(path, { headers })).status]).toEqual([path, 404]);
  }
  const pending = await agencyWithPortal({ verifies: false });
  expect((await browserAt(pending.host).fetch("/login")).status).toBe(404);
});

test("a portal whose name is removed or whose workspace is deleted refuses its sessions within a second", async () => {
  const agency = await agencyWithPortal();
  const mine = await clientOf(agency, "Mine");
  const browser = await join(agency.host, mine);
  expect((await browser.console(mine.id).get("/workspace")).status).toBe(200);
  await agency.portal({ action: "remove" });
  const isShut = async () => ((await browser.console(mine.id).get("/workspace")).status === 404 ? true : null);
  await until(isShut, { deadlineMs: 30_000, what: "the portal to be gone" });
  await agency.portal({ action: "set", domain: agency.host });
  await agency.portal({ action: "verify" });
  const isBack = async () => ((await browser.console(mine.id).get("/workspace")).status === 200 ? true : null);
  await until(isBack, { deadlineMs: 30_000, what: "the portal to be back" });
  await agency.rest.post("/workspace", { action: "delete", confirmName: "Acme" });
  await until(isShut, { deadlineMs: 30_000, what: "the portal to be gone" });
});

test("a portal accepts invites only to its own workspaces, and refuses another agency's invite and a sign-in link of the service", async () => {
  const [one, two] = [await agencyWithPortal(), await agencyWithPortal()];
  const theirs = await clientOf(two, "Theirs");
  const browser = browserAt(one.host);
  expect(await browser.open(theirs.invite.pathname)).toContain("not valid");
  const { ownerId } = await world.workspace();
  const dead = await browser.open(`/sign-in/${await createPersonLink(ownerId, new Date())}`);
  expect(dead).toContain("not valid");
  // A person at a portal does not run the service
  expect([dead.includes("Ask the person who invited you"), dead.includes("npm run")]).toEqual([true, false]);
  const known = await browser.open("/login");
  const token = /name="form" value="([^"]*)"/.exec(known)?.[1] ?? "";
  const forced = await browser.fetch(theirs.invite.pathname, {
    method: "POST",
    body: new URLSearchParams({ form: token, password: PASSWORD }),
  });
  expect([forced.status, browser.cookies.has("outreach")]).toEqual([404, false]);
  expect(await (await join(two.host, theirs)).open("/login")).toContain("Theirs: member");
});

test("two agencies cannot share a portal domain, and the proxy gets a certificate for a domain while its record exists", async () => {
  const certifies = async (name: string) =>
    (await fetch(`${world.baseUrl}/internal/tls?domain=${name}`)).status === 200;
  const agency = await agencyWithPortal({ verifies: false });
  expect(await certifies(agency.host)).toBe(true);
  await agency.portal({ action: "verify" });
  expect(await certifies(agency.host)).toBe(true);
  const rival = await agencyWithPortal();
  await rival.portal({ action: "set", domain: agency.host });
  expect(await rival.portal({ action: "verify" })).toMatchObject({ status: "FAILED", error: "The domain is in use" });
  const mine = await clientOf(agency, "Mine");
  expect((await join(agency.host, mine)).page.html).toContain("Mine: member");
  delete dns.zone[agency.host];
  expect(await agency.portal({ action: "verify" })).toMatchObject({
    status: "FAILED",
    error: "The domain has no CNAME record yet",
  });
  expect(await certifies(agency.host)).toBe(false);
});

test("the unsubscribe page works under every name, in the colours of the owner of that name", async () => {
  const agency = await agencyWithPortal();
  const { id } = await clientOf(agency, "Mine");
  const track = `track-${agency.host}`;
  const trackingDomain = {
    domain: track,
    status: "VERIFIED",
    expectedCname: "localhost",
    checkedAt: null,
    error: null,
    failedChecks: 0,
  };
  await Workspace.updateOne({ _id: id }, { $set: { trackingDomain } });
  for (const [host, brand] of [
    [agency.host, true],
    [track, true],
    ["strange.test", false],
    ["localhost", false],
  ] as const) {
    const to = `${newId("led").toLowerCase()}@customer.test`;
    const sendId = newId("snd");
    await scoped(id).Send.insert({ _id: sendId, to, state: "SENT" });
    const browser = browserAt(host);
    const html = await browser.open(`/u/${signToken(world.services.signing, "u", sendId)}`);
    expect([host, browser.page.status, html.includes("Acme &#60;&#38;&#62; Reach")]).toEqual([host, 200, brand]);
    // A browser takes no style but those that the policy names
    const styles = html.match(/<style>/g) ?? [];
    const named = browser.page.headers.get("content-security-policy")?.match(/'sha256-/g) ?? [];
    expect([styles.length, named.length]).toEqual(brand ? [2, 2] : [1, 1]);
    await browser.submit({});
    expect((await loadGuardReasons(id, [to])).get(to)).toContain("UNSUBSCRIBED");
  }
});

test.each([
  [{ name: "A", accent: "#ffff00" }, "patch.portal.accent"],
  [{ name: "A", background: "#333333" }, "patch.portal.background"],
  [{ name: "A", accent: "#8a1c5b", background: "#8a1c5c" }, "patch.portal.background"],
  [{ name: "A", accent: "red" }, "patch.portal.accent"],
  [{ name: "A", accent: "#fff}body{display:none" }, "patch.portal.accent"],
  [{ name: "A", accent: "#8a1c5b\n" }, "patch.portal.accent"],
  [{ name: "" }, "patch.portal.name"],
  [{ name: "A", css: "x" }, "patch.portal.css"],
])("a portal with %j is refused", async (portal, path) => {
  const { rest } = await world.workspace();
  const { status, body } = await rest.post("/workspace", { action: "update", patch: { portal } });
  expect([status, body.details?.issues?.[0]?.path]).toEqual([400, path]);
});

test("with any accepted colours every text of a page has a contrast of at least 4.5, in the light and the dark theme", () => {
  let taken = 0;
  for (const brand of brands(20_000)) {
    if (whyNotReadable(brand) !== null) continue;
    taken += 1;
    const [light, dark] = [lightPalette(brand), darkPalette(brand)];
    const pairs = [
      ...["#1d1d1b", "#5c5c57", light.link].flatMap((text) => [
        [text, "#ffffff"],
        [text, light.background],
      ]),
      ...["#ececea", "#aeaea8", dark.link].flatMap((text) => [
        [text, "#20201f"],
        [text, dark.background],
      ]),
      ...[light, dark].map(({ onAccent, accent }) => [onAccent, accent]),
    ];
    for (const [text = "", ground = ""] of pairs)
      if (ratio(text, ground) < 4.5) throw new Error(JSON.stringify({ brand, text, ground }));
  }
  expect(taken).toBeGreaterThan(100);
});

/** Colours by a fixed sequence, so that a failure can be seen again. */
function* brands(count: number): Generator<Brand> {
  let seed = 22;
  const next = () => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return seed / 2_147_483_648;
  };
  const color = () =>
    `#${Math.floor(next() * 0x1000000)
      .toString(16)
      .padStart(6, "0")}`;
  for (let n = 0; n < count; n++)
    yield { name: "A", accent: next() < 0.2 ? null : color(), background: next() < 0.5 ? null : color() };
}

/** The contrast ratio as WCAG 2.2 defines it, computed apart from the service's own code. */
function ratio(one: string, other: string): number {
  const [low = 0, high = 0] = [one, other]
    .map((color) => {
      const [r = 0, g = 0, b = 0] = (color.slice(1).match(/../g) ?? [])
        .map((pair) => Number(`0x${pair}`) / 255)
        .map((share) => (share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4));
      return r * 0.2126 + g * 0.7152 + b * 0.0722;
    })
    .sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}
