import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { NO_PROVIDERS } from "../../domain/mailboxes/provider.ts";
import { type FakeGmail, startGmail } from "../fakes/gmail/server.ts";
import { refuse } from "../fakes/graph/faults.ts";
import { type FakeGraph, startGraph } from "../fakes/graph/server.ts";
import { type FakeOAuth, startOAuth } from "../fakes/oauth.ts";
import { browse } from "../mailboxes/consent-world.ts";
import { realWorker } from "../support/real-worker.ts";
import { startWorld, type World } from "../support/world.ts";

const EMAIL = "ann@a.test";
let world: World;
let oauth: FakeOAuth;
let gmail: FakeGmail;
let graph: FakeGraph;

beforeAll(async () => {
  oauth = await startOAuth();
  const ownerOf = (token: string) => (oauth.knows(EMAIL, token) ? EMAIL : null);
  gmail = await startGmail({ knows: ownerOf });
  graph = await startGraph({
    mailboxes: [{ address: EMAIL }],
    knows: (token) => (ownerOf(token) === null ? null : { address: EMAIL }),
  });
  const { clientId, clientSecret, url } = oauth;
  const addresses = { authUrl: `${url}/authorize`, tokenUrl: `${url}/token`, userinfoUrl: `${url}/userinfo` };
  const client = { clientId, clientSecret, ...addresses, revocationUrl: null, scope: "openid https://mail.test/" };
  // Nothing listens there: only the API is asked
  const closed = { host: "localhost", port: 9, security: "SSL_TLS" as const };
  const both = { oauth: client, servers: { smtp: closed, imap: closed } };
  const providers = {
    A: { ...NO_PROVIDERS.A, ...both, api: { transport: "GMAIL_API" as const, url: gmail.url } },
    B: { ...NO_PROVIDERS.B, ...both, api: { transport: "GRAPH" as const, url: `${graph.url}/v1.0` } },
  };
  const egressAllow = "localhost:*,127.0.0.1:*";
  world = await startWorld({ worker: realWorker(), settings: { providers, egressAllow } });
  world.services.settings.publicUrl = world.baseUrl;
}, 120_000);
afterAll(async () => {
  await world.close();
  await Promise.all([gmail.close(), graph.close(), oauth.close()]);
});

/** Signs in at the provider, and returns the page that the browser shows at the end. */
async function consented(provider: "A" | "B") {
  const { rest, workspaceId } = await world.workspace();
  const { body } = await rest.post("/mailboxes/connect", { action: `provider${provider}OAuthStart` });
  const page = await browse(oauth.consent(body.authUrl, EMAIL));
  return { rest, workspaceId, page };
}

test.each([
  ["A", "GMAIL_API"],
  ["B", "GRAPH"],
] as const)(
  "a user of provider %s connects a mailbox that uses %s, although no mail server answers",
  async (provider, transport) => {
    const { rest, page } = await consented(provider);
    expect(page).toMatchObject({ status: 200, text: expect.stringContaining(EMAIL) });
    const [mailbox] = (await rest.get("/mailboxes")).body;
    expect(mailbox).toMatchObject({ email: EMAIL, transport, provider: `PROVIDER${provider}`, status: "CONNECTED" });
  },
);

test.each(["A", "B"] as const)(
  "a user whose mailbox the API of provider %s refuses connects nothing",
  async (provider) => {
    gmail.mailbox(EMAIL).scopes.length = 0;
    graph.fault({ on: "folders", answer: refuse("MailboxNotEnabledForRESTAPI") });
    const { rest, page } = await consented(provider);
    gmail.mailbox(EMAIL).scopes.push("https://www.googleapis.com/auth/gmail.modify");
    graph.clearFaults();
    expect(page.status).toBe(422);
    expect((await rest.get("/mailboxes")).body).toEqual([]);
  },
);

test("a Google account that may not send as its own address connects nothing, and the page says where to add it", async () => {
  const { sendAs } = gmail.mailbox(EMAIL);
  gmail.mailbox(EMAIL).sendAs = sendAs.map((alias) => ({ ...alias, sendAsEmail: "ann.new@a.test" }));
  const { rest, page } = await consented("A");
  gmail.mailbox(EMAIL).sendAs = sendAs;
  expect(page).toMatchObject({ status: 422, text: expect.stringContaining(`as ${EMAIL}: in Gmail, open Settings`) });
  expect((await rest.get("/mailboxes")).body).toEqual([]);
});

test("an admin who has approved the app at Microsoft sees that it is approved", async () => {
  const answer = await fetch(`${world.baseUrl}/connect/providerB/callback?admin_consent=True&tenant=a.test`);
  expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining("The app is approved")]);
});

test("warmup starts for a mailbox that uses its provider's API, with a warning about the provider's terms", async () => {
  const { rest } = await consented("A");
  const [{ id: mailboxId }] = (await rest.get("/mailboxes")).body;
  const { status, body } = await rest.post("/warmup/manage", { action: "start", mailboxId });
  expect([status, body.status]).toEqual([200, "ACTIVE"]);
  expect(JSON.stringify(body.warnings)).toContain("PROVIDER_TERMS");
});
