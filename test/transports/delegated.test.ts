import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { NO_PROVIDERS } from "../../domain/mailboxes/provider.ts";
import { scoped } from "../../models/scoped.ts";
import { connectDelegated, findOutcomes } from "../../operations/mailboxes/connect-delegated.ts";
import { type FakeGmail, startGmail } from "../fakes/gmail/server.ts";
import { type FakeGraph, startGraph } from "../fakes/graph/server.ts";
import { type FakeOAuth, startOAuth } from "../fakes/oauth.ts";
import { MAIL_DEADLINE, until } from "../fakes/wait.ts";
import { realWorker } from "../support/real-worker.ts";
import { startWorld, type World } from "../support/world.ts";

const [ANN, BOB, EVE] = ["ann@a.test", "bob@a.test", "eve@a.test"];
let world: World;
let oauth: FakeOAuth;
let gmail: FakeGmail;
let graph: FakeGraph;

beforeAll(async () => {
  oauth = await startOAuth();
  const { clientId, clientSecret, url, account } = oauth;
  gmail = await startGmail({ knows: (token) => [ANN, BOB, EVE].find((email) => oauth.knows(email, token)) ?? null });
  graph = await startGraph({
    mailboxes: [{ address: ANN }, { address: BOB }],
    knows: (token) => (oauth.knowsClient(token) ? { address: null } : null),
  });
  const addresses = { authUrl: `${url}/authorize`, tokenUrl: `${url}/token`, userinfoUrl: null, revocationUrl: null };
  const client = { clientId, clientSecret, ...addresses, scope: "openid" };
  const closed = { host: "localhost", port: 9, security: "SSL_TLS" as const };
  const servers = { smtp: closed, imap: closed };
  const scope = "https://www.googleapis.com/auth/gmail.modify";
  const providers = {
    A: {
      ...NO_PROVIDERS.A,
      servers,
      api: { transport: "GMAIL_API" as const, url: gmail.url },
      delegation: { kind: "GOOGLE" as const, account, scope },
    },
    B: {
      ...NO_PROVIDERS.B,
      servers,
      oauth: client,
      api: { transport: "GRAPH" as const, url: `${graph.url}/v1.0` },
      delegation: { kind: "MICROSOFT" as const, scope: "https://graph.test/.default" },
    },
  };
  const egressAllow = "localhost:*,127.0.0.1:*";
  world = await startWorld({
    worker: realWorker({ watching: { apiPollMs: 300 } }),
    settings: { providers, egressAllow },
  });
}, 120_000);
afterAll(async () => {
  await world.close();
  await Promise.all([gmail.close(), graph.close(), oauth.close()]);
});

/** Connects mailboxes as the operator's command does, and waits until a worker has tried each of them. */
async function connected(provider: "A" | "B", addresses: string[]) {
  const { rest, workspaceId } = await world.workspace();
  const { keyRing, settings } = world.services;
  const asked = { workspaceId, provider, addresses };
  const mailboxes = await connectDelegated(keyRing, settings.providers, asked);
  let outcomes = await findOutcomes(workspaceId, mailboxes);
  await until(
    async () => {
      outcomes = await findOutcomes(workspaceId, mailboxes);
      return outcomes.every(({ kind }) => kind !== "WAITING");
    },
    { ...MAIL_DEADLINE, what: "a worker to open each mailbox" },
  );
  return { rest, workspaceId, mailboxes, outcomes };
}

test.each([
  ["A", "GMAIL_API"],
  ["B", "GRAPH"],
] as const)(
  "mailboxes of provider %s that an admin has allowed are read and send over %s without their users",
  async (provider, transport) => {
    oauth.delegated.add(ANN).add(BOB);
    const { rest, workspaceId, outcomes } = await connected(provider, [ANN, BOB.toUpperCase(), ANN]);
    expect(outcomes.map(({ email, kind }) => [email, kind])).toEqual([
      [ANN, "OPEN"],
      [BOB, "OPEN"],
    ]);
    const shown = (await rest.get("/mailboxes")).body as { id: string; email: string }[];
    expect(shown).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ email: ANN, transport, provider: `PROVIDER${provider}`, status: "CONNECTED" }),
        expect.objectContaining({ email: BOB, transport, status: "CONNECTED" }),
      ]),
    );
    const mailboxIds = shown.filter(({ email }) => email === BOB).map(({ id }) => id);
    const { body: campaign } = await rest.post("/campaigns", { name: "By the organisation" });
    await rest.put(`/campaigns/${campaign.id}/sequence`, {
      action: "replaceSteps",
      steps: [{ subject: "Hello", body: "<p>Hello</p>", delay: 0 }],
    });
    await rest.patch(`/campaigns/${campaign.id}/settings`, { mailboxIds });
    const sent = provider === "A" ? gmail.sent : graph.sent;
    const to = `someone-${provider.toLowerCase()}@people.test`;
    const { status } = await rest.post(`/campaigns/${campaign.id}/test-send`, { toEmail: to });
    expect(status).toBeLessThan(300);
    await until(() => sent.some((mail) => mail.to.includes(to)), { ...MAIL_DEADLINE, what: "the test email" });
    expect(sent.filter((mail) => mail.to.includes(to)).map(({ from }) => from)).toEqual([BOB]);
    const entries = await scoped(workspaceId).AuditEntry.find({ action: "mailboxes.connect" });
    expect(entries).toHaveLength(1);
    expect(JSON.stringify(entries)).not.toContain(ANN);
  },
  120_000,
);

test("a mailbox that no admin has allowed is refused by the provider, and waits for an admin", async () => {
  const { outcomes, rest } = await connected("A", [EVE]);
  const message = expect.stringMatching(/^The provider denies this app access to the mailbox/);
  expect(outcomes).toEqual([expect.objectContaining({ email: EVE, kind: "REFUSED", message })]);
  expect((await rest.get("/mailboxes")).body).toEqual([
    expect.objectContaining({ email: EVE, lastError: expect.objectContaining({ code: "ACCESS_DENIED" }) }),
  ]);
});

test("a text that is no address or a provider without the setting connects nothing", async () => {
  const { workspaceId } = await world.workspace();
  const { keyRing, settings } = world.services;
  const connect = (addresses: string[], providers = settings.providers) =>
    connectDelegated(keyRing, providers, { workspaceId, provider: "A", addresses });
  await expect(connect([ANN, "not an address"])).rejects.toThrow("not an address is not an e-mail address");
  await expect(connect([ANN], NO_PROVIDERS)).rejects.toThrow("GOOGLE_SERVICE_ACCOUNT is not set");
  expect(await scoped(workspaceId).Mailbox.count()).toBe(0);
});
