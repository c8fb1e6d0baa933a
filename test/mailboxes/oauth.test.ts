import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "@jest/globals";
import { pino } from "pino";
import { createLogins } from "../../activities/mailboxes/logins.ts";
import { STYLE_SOURCE } from "../../api/public/page-style.ts";
import { createEgress } from "../../connectors/net/connect.ts";
import { parseAllow } from "../../domain/access/allowed-hosts.ts";
import { type MailProviders, NO_PROVIDERS } from "../../domain/mailboxes/provider.ts";
import { ApiKey } from "../../models/access/api-key.ts";
import { Mailbox } from "../../models/mailboxes/mailbox.ts";
import { scoped } from "../../models/scoped.ts";
import { newId } from "../../mongo/ids.ts";
import { revokeKey } from "../../operations/access/api-keys.ts";
import { storeGrant } from "../../store/mailboxes/grant.ts";
import type { FakeImap } from "../fakes/imap.ts";
import type { FakeOAuth } from "../fakes/oauth.ts";
import type { FakeSmtp } from "../fakes/smtp.ts";
import { until } from "../fakes/wait.ts";
import { newBrowser } from "../support/person.ts";
import type { Rest } from "../support/rest.ts";
import { type SignedIn, signedIn } from "../support/signed-in.ts";
import type { World } from "../support/world.ts";
import { browse, type ConsentWorld, EMAIL, startConsentWorld } from "./consent-world.ts";

const log = pino({ level: "silent" });

let consents: ConsentWorld;
let world: World;
let oauth: FakeOAuth;
let smtp: FakeSmtp;
let imap: FakeImap;
let providers: MailProviders;
let ca: string;

beforeAll(async () => {
  consents = await startConsentWorld();
  ({ world, oauth, smtp, imap, providers, ca } = consents);
}, 90_000);

afterAll(() => consents.close(), 30_000);

beforeEach(() => {
  Object.assign(oauth.settings, {
    lifeSeconds: 3_600,
    rotate: false,
    withRefreshToken: true,
    scope: null,
    secret: oauth.clientSecret,
    delayMs: 0,
    down: false,
    refusal: null,
    userinfo: (email: string) => ({ sub: "1", email, email_verified: true }),
    idToken: (email: string) => ({ aud: oauth.clientId, preferred_username: email }),
  });
});

const started = (rest: Rest, provider?: "A" | "B") => consents.started(rest, provider);

afterEach(async () => {
  await Mailbox.deleteMany({}, { acrossWorkspaces: true });
});

async function connected(provider: "A" | "B" = "A") {
  const { rest, workspaceId } = await world.workspace();
  const page = await browse(oauth.consent(await started(rest, provider), EMAIL));
  expect(page).toMatchObject({ status: 200, text: expect.stringContaining(EMAIL) });
  const [mailbox] = (await rest.get("/mailboxes")).body;
  return { rest, workspaceId, mailbox };
}

async function remove(rest: Rest, id: string) {
  expect((await rest.post(`/mailboxes/${id}/disconnect`, { action: "delete" })).status).toBe(200);
}

test("a user's consent connects the mailbox; its tokens are stored sealed, and no response contains any part of them", async () => {
  const { rest, workspaceId, mailbox } = await connected();
  expect(mailbox).toMatchObject({
    email: EMAIL,
    provider: "PROVIDERA",
    status: "CONNECTED",
    smtp: { host: "localhost", port: smtp.port },
  });
  expect(JSON.stringify(mailbox)).not.toMatch(/token|grant|sealed/i);
  const stored = await scoped(workspaceId).Mailbox.get(mailbox.id);
  expect(stored).toMatchObject({ sealedPassword: null, grantId: expect.any(String) });
  const grants = await scoped(workspaceId).MailboxGrant.find();
  expect(grants).toMatchObject([{ _id: stored?.grantId, sealedRefreshToken: { v: 1 }, sealedAccessToken: { v: 1 } }]);
  const states = await scoped(workspaceId).OAuthState.find();
  expect(states).toMatchObject([{ sealedVerifier: null, sealedCode: null, usedAt: expect.any(Date) }]);
  expect(JSON.stringify([grants, states])).not.toMatch(/access-|refresh-|code-/);
  const entries = await scoped(workspaceId).AuditEntry.find({}, { sort: { seq: -1 }, limit: 1 });
  const actor = { kind: "API_KEY", id: states[0]?.credentialId };
  expect(entries).toMatchObject([{ action: "mailboxes.connect", outcome: "DONE", actor }]);
  await remove(rest, mailbox.id);
  expect(await scoped(workspaceId).MailboxGrant.count()).toBe(0);
});

test("a consent succeeds when the provider writes the granted permissions in another order or letter case than we requested", async () => {
  oauth.settings.scope = "email MAIL.Provider.test";
  expect((await connected()).mailbox).toMatchObject({ email: EMAIL, status: "CONNECTED" });
});

test("the result page cannot be framed, contains no script, and is not cached", async () => {
  const page = await browse(`${world.baseUrl}/connect/providerA/callback?state=<script>x</script>&code=c`);
  expect(page.status).toBe(400);
  expect(page.headers.get("content-security-policy")).toBe(
    `default-src 'none'; form-action 'none'; frame-ancestors 'none'; base-uri 'none'; style-src ${STYLE_SOURCE}`,
  );
  expect(page.headers.get("cache-control")).toBe("no-store");
  expect(page.headers.get("content-type")).toMatch(/^text\/html/);
  expect(page.text).not.toContain("<script");
});

test("the state of a consent works once, at its own provider, within ten minutes, and only while the credential may still connect mailboxes", async () => {
  const { rest, workspaceId } = await world.workspace();
  const back = oauth.consent(await started(rest), EMAIL);
  const other = new URL(back.href.replace("providerA", "providerB"));
  expect(await browse(other)).toMatchObject({ status: 400, text: expect.stringContaining("is unknown") });
  expect(await browse(back)).toMatchObject({ status: 200 });
  expect(await browse(back)).toMatchObject({ status: 400, text: expect.stringContaining("already used") });
  const [{ id }] = (await rest.get("/mailboxes")).body;
  await remove(rest, id);

  const late = oauth.consent(await started(rest), EMAIL);
  await scoped(workspaceId).OAuthState.updateMany({ usedAt: null }, { $set: { expiresAt: new Date(Date.now() - 1) } });
  expect(await browse(late)).toMatchObject({ status: 400, text: expect.stringContaining("ten minutes") });

  const revoked = oauth.consent(await started(rest), EMAIL);
  const key = await ApiKey.findOne({ workspaceId }).lean<ApiKey>();
  await revokeKey(workspaceId, key?._id ?? "", new Date());
  expect(await browse(revoked)).toMatchObject({ status: 403 });
  expect(await scoped(workspaceId).Mailbox.count()).toBe(0);
});

test("a consent that was started in a console session connects the mailbox only in that session's browser", async () => {
  const [owner, stranger] = [await signedIn(world), await signedIn(world)];
  const inBrowser = async ({ browser }: SignedIn) => {
    const back = new URL(oauth.consent(await started(owner.rest), EMAIL));
    return browser.fetch(`${back.pathname}${back.search}`);
  };
  for (const wrong of [stranger, { browser: newBrowser(world.baseUrl) } as SignedIn]) {
    expect((await inBrowser(wrong)).status).toBe(403);
    expect(await scoped(owner.workspaceId).Mailbox.count()).toBe(0);
  }
  expect((await inBrowser(owner)).status).toBe(200);
  expect(await scoped(owner.workspaceId).Mailbox.count()).toBe(1);
  const entries = await scoped(owner.workspaceId).AuditEntry.find(
    { action: "mailboxes.connect" },
    { sort: { seq: -1 }, limit: 1 },
  );
  expect(entries).toMatchObject([{ outcome: "DONE", actor: { kind: "CONSOLE", id: owner.userId } }]);
  const [{ id }] = (await owner.rest.get("/mailboxes")).body;
  await remove(owner.rest, id);
});

test("when four browsers return with one consent state at once, one mailbox is connected and the others get 400", async () => {
  const { rest } = await world.workspace();
  const back = oauth.consent(await started(rest), EMAIL);
  const pages = await Promise.all([1, 2, 3, 4].map(() => browse(back)));
  expect(pages.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400]);
  const mailboxes = (await rest.get("/mailboxes")).body;
  expect(mailboxes).toHaveLength(1);
  await remove(rest, mailboxes[0].id);
});

test.each<[string, () => void, number, RegExp]>([
  ["no lasting token", () => Object.assign(oauth.settings, { withRefreshToken: false }), 422, /lasting permission/],
  ["no address", () => Object.assign(oauth.settings, { userinfo: () => ({ sub: "1" }) }), 422, /address/],
  [
    "an address not confirmed",
    () => Object.assign(oauth.settings, { userinfo: () => ({ email: EMAIL, email_verified: false }) }),
    422,
    /address/,
  ],
  [
    "another mailbox than the servers know",
    () => Object.assign(oauth.settings, { userinfo: () => ({ email: "bob@provider.test" }) }),
    422,
    /servers/,
  ],
  ["only some permissions", () => Object.assign(oauth.settings, { scope: "openid email" }), 422, /all of them/],
  [
    "no answer to a client whose secret expired",
    () => Object.assign(oauth.settings, { secret: "new" }),
    422,
    /operator/,
  ],
  ["no answer", () => Object.assign(oauth.settings, { down: true }), 422, /did not answer/],
])("a provider that returns %s connects no mailbox, and the result page says why", async (_what, set, status, text) => {
  const { rest } = await world.workspace();
  const back = oauth.consent(await started(rest), EMAIL);
  set();
  expect(await browse(back)).toMatchObject({ status, text: expect.stringMatching(text) });
  expect((await rest.get("/mailboxes")).body).toEqual([]);
});

test.each<[string, object, RegExp]>([
  ["without an address", { aud: "client", sub: "1" }, /address/],
  ["for another client", { aud: "other", email: EMAIL }, /address/],
  ["whose address is not confirmed", { aud: "client", email: EMAIL, email_verified: false }, /address/],
  ["of another mailbox", { aud: ["client"], email: "bob@provider.test" }, /servers/],
])("an ID token %s connects no mailbox", async (_what, claims, text) => {
  const { rest } = await world.workspace();
  const back = oauth.consent(await started(rest, "B"), EMAIL);
  oauth.settings.idToken = () => claims;
  expect(await browse(back)).toMatchObject({ status: 422, text: expect.stringMatching(text) });
  expect((await rest.get("/mailboxes")).body).toEqual([]);
});

test("a denied consent, and an authorization code that the provider never issued, connect no mailbox", async () => {
  const { rest } = await world.workspace();
  const denied = oauth.consent(await started(rest), EMAIL);
  denied.searchParams.delete("code");
  denied.searchParams.set("error", "access_denied");
  expect(await browse(denied)).toMatchObject({ status: 422, text: expect.stringContaining("not granted") });
  const forged = oauth.consent(await started(rest), EMAIL);
  forged.searchParams.set("code", "made-up");
  expect(await browse(forged)).toMatchObject({ status: 422, text: expect.stringContaining("did not accept") });
  expect((await rest.get("/mailboxes")).body).toEqual([]);
});

test.each([
  ["consent_required", "AADSTS65001: The user or administrator has not consented to use the application."],
  ["access_denied", "AADSTS90094: The grant requires admin permission."],
  ["access_denied", "Need admin approval: this app needs permission that only an admin can grant."],
])(
  "a consent that an admin must approve (%s) ends with a text for the admin and the admin's link: %s",
  async (error, description) => {
    const { rest } = await world.workspace();
    const { settings } = world.services;
    const authUrl = "https://login.microsoftonline.com/common/oauth2/v2.0/authorize";
    const back = oauth.consent(await started(rest), EMAIL);
    back.searchParams.delete("code");
    back.searchParams.set("error", error);
    back.searchParams.set("error_description", description);
    const { A } = providers;
    if (A.oauth === null) throw new Error("Not configured");
    settings.providers = { ...providers, A: { ...A, name: "Microsoft", oauth: { ...A.oauth, authUrl } } };
    const link = `https://login.microsoftonline.com/organizations/adminconsent?client_id=${oauth.clientId}`;
    expect((await rest.get("/mailboxes/providers")).body).toMatchObject([
      { adminConsentUrl: link },
      { adminConsentUrl: null },
    ]);
    const page = await browse(back);
    settings.providers = providers;
    expect(page.status).toBe(422);
    expect(page.text).toContain("Microsoft lets only an admin of your organisation allow this app");
    expect(page.text).toContain(link);
    expect(page.text).not.toMatch(/AADSTS/);
    expect((await rest.get("/mailboxes")).body).toEqual([]);
  },
);

test("a new consent for a connected mailbox keeps the mailbox id and replaces the tokens; another workspace gets a mailbox of its own", async () => {
  const { rest, workspaceId, mailbox } = await connected();
  await scoped(workspaceId).Mailbox.updateOne(
    { _id: mailbox.id },
    { $set: { status: "RECONNECT_REQUIRED", statusReason: "TOKEN_REVOKED" } },
  );
  await browse(oauth.consent(await started(rest, "B"), EMAIL));
  expect((await rest.get("/mailboxes")).body).toMatchObject([
    { id: mailbox.id, status: "CONNECTED", statusReason: null, provider: "PROVIDERB" },
  ]);
  expect(await scoped(workspaceId).MailboxGrant.count()).toBe(1);
  const other = await world.workspace();
  expect(await browse(oauth.consent(await started(other.rest), EMAIL))).toMatchObject({ status: 200 });
  expect((await other.rest.get("/mailboxes")).body).toMatchObject([
    { id: expect.not.stringMatching(mailbox.id), email: EMAIL },
  ]);
  expect(await scoped(other.workspaceId).MailboxGrant.count()).toBe(1);
  await remove(rest, mailbox.id);
});

/** Waits until the mailbox is watched: from then on the real worker logs in no more, and every login is the test's. */
async function watched() {
  const { rest, workspaceId, mailbox } = await connected();
  const synced = async () => (await rest.get(`/mailboxes/${mailbox.id}`)).body.lastSyncAt;
  await until(synced, { deadlineMs: 30_000, what: "the first sync" });
  const stored = await scoped(workspaceId).Mailbox.get(mailbox.id);
  if (stored === null) throw new Error("The mailbox is gone");
  return { rest, workspaceId, mailbox, stored };
}

/** The logins of a separate worker. */
function worker() {
  const egress = createEgress({ allow: parseAllow("localhost:*"), ownAddresses: [], extraCa: ca });
  return { logins: createLogins({ egress, keyRing: world.services.keyRing, providers, log }), egress };
}

async function expireTokens(workspaceId: string) {
  oauth.expire(EMAIL);
  await scoped(workspaceId).MailboxGrant.updateMany({}, { $set: { accessExpiresAt: new Date(0) } });
}

test("when ten logins in two workers find the access token expired, one of them refreshes the token and all use the new one", async () => {
  const { rest, workspaceId, mailbox, stored } = await watched();
  Object.assign(oauth.settings, { rotate: true, delayMs: 200 });
  await rest.post("/mailboxes/manage", { action: "pause", mailboxId: mailbox.id });
  await expireTokens(workspaceId);
  const before = oauth.asked.length;
  const workers = [worker(), worker()];
  const logins = await Promise.all(Array.from({ length: 10 }, (_, index) => workers[index % 2]?.logins.of(stored)));
  expect(oauth.asked.slice(before)).toEqual(["refresh_token"]);
  expect(new Set(logins.map((login) => JSON.stringify(login))).size).toBe(1);
  await expireTokens(workspaceId);
  const [login] = await Promise.all(workers.map(({ logins }) => logins.of(stored)));
  expect(login !== undefined && "accessToken" in login && oauth.knows(EMAIL, login.accessToken)).toBe(true);
  await Promise.all(workers.map(({ egress }) => egress.close()));
  await remove(rest, mailbox.id);
});

test("a login that finds its access token invalid before the token expires refreshes the token and succeeds", async () => {
  const { rest, mailbox, stored } = await watched();
  oauth.expire(EMAIL);
  const { logins, egress } = worker();
  const tried: string[] = [];
  const used = await logins.with(
    stored,
    async (login) => {
      const token = "accessToken" in login ? login.accessToken : "";
      tried.push(token);
      if (!oauth.knows(EMAIL, token)) throw new Error("refused");
      return token;
    },
    () => true,
  );
  expect(tried).toHaveLength(2);
  expect(oauth.knows(EMAIL, used)).toBe(true);
  await egress.close();
  await remove(rest, mailbox.id);
});

test("a revoked consent makes the mailbox RECONNECT_REQUIRED; an unreachable provider leaves the mailbox CONNECTED", async () => {
  const { rest, workspaceId, mailbox, stored } = await watched();
  const { logins, egress } = worker();
  await expireTokens(workspaceId);
  oauth.settings.down = true;
  await expect(logins.of(stored)).rejects.toMatchObject({ kind: "unavailable" });
  expect((await rest.get(`/mailboxes/${mailbox.id}`)).body.status).toBe("CONNECTED");
  oauth.settings.down = false;
  oauth.revoke(EMAIL);
  await scoped(workspaceId).MailboxGrant.updateMany({}, { $set: { accessExpiresAt: new Date(0) } });
  await expect(logins.of(stored)).rejects.toMatchObject({ kind: "revoked" });
  expect((await rest.get(`/mailboxes/${mailbox.id}`)).body).toMatchObject({
    status: "RECONNECT_REQUIRED",
    statusReason: "TOKEN_REVOKED",
  });
  await egress.close();
  await remove(rest, mailbox.id);
});

/** Waits until nothing is stored of any consent. */
async function erased(workspaceId: string) {
  const none = async () => (await scoped(workspaceId).MailboxGrant.count()) === 0;
  await until(none, { deadlineMs: 20_000, what: "the consent to be erased" });
}

test.each(["disconnect", "delete"])(
  "after %s the refresh token is revoked at the provider and no token stays stored",
  async (action) => {
    const { rest, workspaceId, mailbox } = await connected("B");
    const before = oauth.takenBack.length;
    const stored = await scoped(workspaceId).Mailbox.get(mailbox.id);
    if (stored === null) throw new Error("The mailbox is gone");
    expect((await rest.post(`/mailboxes/${mailbox.id}/disconnect`, { action })).status).toBe(200);
    const { logins, egress } = worker();
    await expect(logins.of(stored)).rejects.toMatchObject({ kind: "revoked" });
    await egress.close();
    await erased(workspaceId);
    expect(oauth.takenBack.slice(before)).toEqual([
      { token: expect.stringMatching(/^refresh-/), hint: "refresh_token" },
    ]);
    expect(oauth.refreshes(oauth.takenBack[before]?.token ?? "")).toBe(false);
  },
);

test("after a reconnect the old token is not revoked at the provider, since that would revoke the new consent too", async () => {
  const { rest, workspaceId, mailbox } = await connected("B");
  const stored = await scoped(workspaceId).Mailbox.get(mailbox.id);
  const { keyRing } = world.services;
  const before = oauth.takenBack.length;
  const ending = { provider: "B", refreshToken: "refresh-earlier", accessToken: "a", expiresAt: new Date() } as const;
  const grantId = await storeGrant(keyRing, workspaceId, mailbox.id, ending);
  await scoped(workspaceId).MailboxGrant.updateOne(
    { _id: grantId },
    { $set: { revokedAt: new Date(), endsAt: new Date(Date.now() + 60_000) } },
  );
  await scoped(workspaceId).OutboxRow.insert({
    _id: newId("out"),
    kind: "MAILBOX",
    payload: { mailboxId: mailbox.id, signal: "stop" },
  });
  const grants = () => scoped(workspaceId).MailboxGrant.find();
  await until(async () => (await grants()).length === 1, {
    deadlineMs: 20_000,
    what: "the earlier consent to be erased",
  });
  expect(await grants()).toMatchObject([{ _id: stored?.grantId, revokedAt: null }]);
  expect(oauth.takenBack).toHaveLength(before);
  await remove(rest, mailbox.id);
});

test.each(["disconnect", "delete"])(
  "the action %s revokes no token at the provider while another workspace has connected the same mailbox",
  async (action) => {
    const [first, second] = [await connected("B"), await connected("B")];
    const before = oauth.takenBack.length;
    expect((await first.rest.post(`/mailboxes/${first.mailbox.id}/disconnect`, { action })).status).toBe(200);
    await erased(first.workspaceId);
    expect(oauth.takenBack).toHaveLength(before);
    expect(await scoped(second.workspaceId).MailboxGrant.find()).toMatchObject([{ revokedAt: null, endsAt: null }]);
    await remove(second.rest, second.mailbox.id);
    await erased(second.workspaceId);
    expect(oauth.takenBack).toHaveLength(before + 1);
  },
);

test("a disconnect erases the tokens also when the provider refuses to revoke them or has no revocation endpoint", async () => {
  const refusing = await connected("B");
  oauth.settings.down = true;
  const before = oauth.takenBack.length;
  await remove(refusing.rest, refusing.mailbox.id);
  await erased(refusing.workspaceId);
  expect(oauth.takenBack).toHaveLength(before + 1);
  oauth.settings.down = false;
  const silent = await connected("A");
  await remove(silent.rest, silent.mailbox.id);
  expect(await scoped(silent.workspaceId).MailboxGrant.count()).toBe(0);
  expect(oauth.takenBack).toHaveLength(before + 1);
});

test("a mailbox that was connected by consent sends with XOAUTH2, and its inbox is synced", async () => {
  const { rest, mailbox } = await connected();
  await rest.post(`/mailboxes/${mailbox.id}/verify-dns`, { action: "resend" });
  await until(() => smtp.ledger.some(({ user }) => user === EMAIL), { deadlineMs: 20_000, what: "a mail by XOAUTH2" });
  const synced = async () => (await rest.get(`/mailboxes/${mailbox.id}`)).body.lastSyncAt;
  await until(synced, { deadlineMs: 20_000, what: "the first sync" });
  await remove(rest, mailbox.id);
});

test("an app password and a password connect a mailbox at the servers of its provider", async () => {
  const { rest, workspaceId } = await world.workspace();
  const appPassword = { email: EMAIL, appPassword: "app-password", name: "Ann" };
  const first = await rest.post("/mailboxes/connect", { action: "providerAAppPassword", providerA: appPassword });
  expect(first).toMatchObject({
    status: 200,
    body: { email: EMAIL, name: "Ann", provider: "PROVIDERA", imap: { port: imap.port } },
  });
  const basic = { email: EMAIL, password: "app-password" };
  const second = await rest.post("/mailboxes/connect", { action: "providerBSmtp", providerB: basic });
  expect(second).toMatchObject({ status: 200, body: { id: first.body.id, provider: "PROVIDERB", name: "Ann" } });
  const [, made, changed] = await scoped(workspaceId).AuditEntry.find({}, { sort: { seq: 1 } });
  expect(made).toMatchObject({ action: "mailboxes.connect", before: null, after: expect.any(String), changed: [] });
  expect(changed).toMatchObject({
    before: expect.any(String),
    changed: expect.arrayContaining(["provider", "sealedPassword"]),
  });
  const wrong = {
    ...basic,
    password: "wrong",
    smtpHost: "localhost",
    smtpPort: smtp.port,
    imapHost: "localhost",
    imapPort: imap.port,
  };
  const refused = await rest.post("/mailboxes/connect", { action: "providerBSmtp", providerB: wrong });
  expect(refused).toMatchObject({
    status: 422,
    body: { details: { smtp: { error: { code: "AUTH_FAILED" } }, imap: { error: { code: "AUTH_FAILED" } } } },
  });
  await remove(rest, first.body.id);
});

test.each([
  ["providerAOAuthStart", "PROVIDERA_CLIENT_ID", {}],
  ["providerBOAuthStart", "PROVIDERB_CLIENT_ID", {}],
  ["providerAAppPassword", "PROVIDERA_SMTP", { providerA: { email: EMAIL, appPassword: "x" } }],
  ["providerBSmtp", "PROVIDERB_SMTP", { providerB: { email: EMAIL, password: "x" } }],
])(
  "the action %s gets 503 with the name of the missing setting, %s, while the provider is not configured",
  async (action, setting, fields) => {
    const { rest } = await world.workspace();
    const { settings } = world.services;
    settings.providers = NO_PROVIDERS;
    const answer = await rest.post("/mailboxes/connect", { action, ...fields });
    settings.providers = providers;
    expect(answer).toMatchObject({ status: 503, body: { code: "PROVIDER_NOT_CONFIGURED", details: { setting } } });
  },
);

test("a consent from the console returns to the page where it began; a consent from an API key links to that page beside the disconnect button", async () => {
  const owner = await signedIn(world);
  const returnTo = `/w/${owner.workspaceId}/mailboxes?status=CONNECTED`;
  const begin = async (rest: Rest) =>
    (await rest.post("/mailboxes/connect", { action: "providerAOAuthStart", returnTo })).body.authUrl;
  const end = (url: URL) => owner.browser.fetch(`${url.pathname}${url.search}`);
  const back = await end(oauth.consent(await begin(owner.rest), EMAIL));
  expect([back.status, back.headers.get("location")]).toEqual([303, returnTo]);

  const { rest } = await world.workspace();
  const page = await browse(oauth.consent(await begin(rest), EMAIL));
  expect(page).toMatchObject({ status: 200, text: expect.stringContaining(`<a href="${returnTo}">Go back</a>`) });
  expect(page.text).toContain(`Disconnect ${EMAIL}`);

  const refused = new URL(oauth.consent(await begin(owner.rest), EMAIL));
  refused.searchParams.delete("code");
  refused.searchParams.set("error", "access_denied");
  const told = await end(refused);
  expect(told.status).toBe(422);
  expect(await told.text()).toContain(`<a href="${returnTo}">Go back</a>`);
});

test.each(["https://evil.test", "//evil.test", "/\\\\evil.test", "/.//evil.test", "mailboxes"])(
  "a returnTo address outside the console is refused: %s",
  async (returnTo) => {
    const { rest } = await world.workspace();
    const answer = await rest.post("/mailboxes/connect", { action: "providerAOAuthStart", returnTo });
    expect(answer).toMatchObject({
      status: 400,
      body: { code: "VALIDATION_FAILED", details: { issues: [{ path: "returnTo" }] } },
    });
  },
);

test("the list of providers names, for each provider, the setting that is missing before users can consent", async () => {
  const { rest } = await world.workspace();
  const [configured] = (await rest.get("/mailboxes/providers")).body;
  const of = { provider: "A", canConsent: true, missingSetting: null, smtp: { host: "localhost", port: smtp.port } };
  expect(configured).toMatchObject(of);
  expect(JSON.stringify(configured)).not.toMatch(/client|secret/i);
  const { settings } = world.services;
  settings.providers = { ...NO_PROVIDERS, A: { ...NO_PROVIDERS.A, name: "Google" } };
  expect((await rest.get("/mailboxes/providers")).body).toMatchObject([
    { name: "Google" },
    { name: "Provider B", logo: null },
  ]);
  expect(await rest.post("/mailboxes/connect", { action: "providerAOAuthStart" })).toMatchObject({
    body: { code: "PROVIDER_NOT_CONFIGURED", message: expect.stringMatching(/^Google /) },
  });
  settings.providers = { ...NO_PROVIDERS, B: { ...providers.B, servers: null } };
  const missing = (await rest.get("/mailboxes/providers")).body;
  settings.providers = providers;
  expect(missing).toMatchObject([
    { provider: "A", smtp: null, imap: null, canConsent: false, missingSetting: "PROVIDERA_CLIENT_ID" },
    { provider: "B", smtp: null, imap: null, canConsent: false, missingSetting: "PROVIDERB_SMTP" },
  ]);
});

test("while Temporal is unreachable the result page of a consent gets 503, and the consent can be completed later", async () => {
  const { rest } = await world.workspace();
  const back = oauth.consent(await started(rest), EMAIL);
  const { engine } = world.services;
  world.services.engine = { ...engine, isReachable: async () => false };
  expect(await browse(back)).toMatchObject({ status: 503 });
  world.services.engine = engine;
  expect(await browse(back)).toMatchObject({ status: 200 });
  const [{ id }] = (await rest.get("/mailboxes")).body;
  await remove(rest, id);
});
