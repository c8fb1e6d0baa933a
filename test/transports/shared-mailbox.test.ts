import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { NO_PROVIDERS } from "../../domain/mailboxes/provider.ts";
import { ALWAYS } from "../campaigns/campaign-parts.ts";
import { refuse } from "../fakes/graph/faults.ts";
import { type FakeGraph, startGraph } from "../fakes/graph/server.ts";
import { type FakeOAuth, startOAuth } from "../fakes/oauth.ts";
import { MAIL_DEADLINE, until } from "../fakes/wait.ts";
import { browse } from "../mailboxes/consent-world.ts";
import { realWorker } from "../support/real-worker.ts";
import type { Rest } from "../support/rest.ts";
import { startWorld, type World } from "../support/world.ts";
import { replyTo } from "./api-world.ts";

const [ANN, TEAM, CLOSED] = ["ann@a.test", "team@a.test", "closed@a.test"];
const OWN_SCOPES = ["Mail.Send", "Mail.ReadWrite"];
const SCOPES = OWN_SCOPES.map((scope) => `https://graph.microsoft.com/${scope}`);
let world: World;
let oauth: FakeOAuth;
let graph: FakeGraph;
/** What the last consent asked for; the tokens have these permissions and no others. */
let granted: string[] = [];

beforeAll(async () => {
  oauth = await startOAuth();
  graph = await startGraph({
    mailboxes: [{ address: ANN }, { address: TEAM, sharedWith: [ANN] }, { address: CLOSED }],
    knows: (token) => (oauth.knows(ANN, token) ? { address: ANN, scopes: granted } : null),
    deliver: (raw, from, [to = ""]) => {
      if (to.startsWith("reply")) setTimeout(() => void graph.arrive(from, replyTo(raw, from, to)), 300);
    },
  });
  const { clientId, clientSecret, url } = oauth;
  const addresses = { authUrl: `${url}/authorize`, tokenUrl: `${url}/token`, userinfoUrl: `${url}/userinfo` };
  const client = { clientId, clientSecret, ...addresses, revocationUrl: null, scope: `openid ${SCOPES.join(" ")}` };
  const closed = { host: "localhost", port: 9, security: "SSL_TLS" as const };
  const notices = { by: "HTTP" as const, postTo: `${graph.url}/nowhere` };
  const api = { transport: "GRAPH" as const, url: `${graph.url}/v1.0`, notices };
  const B = { ...NO_PROVIDERS.B, oauth: client, servers: { smtp: closed, imap: closed }, api };
  const watching = { apiPollMs: 300, lookMs: 1_000, watchMs: 60_000 };
  world = await startWorld({
    worker: realWorker({ watching }),
    settings: { providers: { ...NO_PROVIDERS, B }, egressAllow: "localhost:*,127.0.0.1:*" },
  });
  world.services.settings.publicUrl = world.baseUrl;
}, 120_000);
afterAll(async () => {
  await world.close();
  await Promise.all([graph.close(), oauth.close()]);
});

/** Ann signs in and allows all that is asked; returns the page that the browser shows at the end. */
async function consented(rest: Rest, sharedMailbox?: string) {
  const { body } = await rest.post("/mailboxes/connect", {
    action: "providerBOAuthStart",
    ...(sharedMailbox !== undefined && { sharedMailbox }),
  });
  const asked = new URL(body.authUrl).searchParams.get("scope") ?? "";
  granted = asked.split(" ").map((scope) => scope.split("/").at(-1) ?? "");
  return browse(oauth.consent(body.authUrl, ANN));
}

const sentTo = (to: string) => graph.sent.filter((mail) => mail.to.includes(to));

async function launched(rest: Rest, mailboxId: string, email: string): Promise<string> {
  const { body } = await rest.post("/campaigns", { name: "Shared" });
  const path = `/campaigns/${body.id}`;
  const quick = { windows: ALWAYS, minGapSeconds: 0, maxGapSeconds: 0, perMailboxDailyLimit: 0 };
  await rest.patch(`${path}/settings`, { ...quick, mailboxIds: [mailboxId] });
  const steps = [{ subject: "A talk", body: "<p>Hello</p>", delay: 0 }];
  await rest.put(`${path}/sequence`, { action: "replaceSteps", steps });
  await rest.post(`${path}/recipients`, { action: "addManual", emails: [email] });
  await rest.post(`${path}/control`, { action: "launch" });
  return path;
}

test("a shared mailbox connects by the consent of a user who may open it, sends as its own address and stops at a reply", async () => {
  const { rest } = await world.workspace();
  const page = await consented(rest, "Team@A.test");
  expect(page).toMatchObject({ status: 200, text: expect.stringContaining(TEAM) });
  expect(granted).toEqual(expect.arrayContaining(["Mail.Send.Shared", "Mail.ReadWrite.Shared"]));
  const [mailbox] = (await rest.get("/mailboxes")).body;
  expect(mailbox).toMatchObject({ email: TEAM, username: ANN, transport: "GRAPH", status: "CONNECTED" });

  const survival = async () => (await rest.get(`/mailboxes/${mailbox.id}`)).body.headerSurvival;
  await until(async () => (await survival()) !== null, { ...MAIL_DEADLINE, what: "the probe of the new mailbox" });
  expect(await survival()).toMatchObject({ from: true, messageId: true, listUnsubscribePost: true });
  const before = graph.asked.length;
  const path = await launched(rest, mailbox.id, "reply-team@people.test");
  const isReplied = async () => (await rest.get(`${path}/recipients`)).body.items[0]?.status === "REPLIED";
  await until(isReplied, { ...MAIL_DEADLINE, what: "the reply to be read" });
  expect(sentTo("reply-team@people.test").map(({ from }) => from)).toEqual([TEAM]);
  expect(graph.asked.slice(before).filter(({ path }) => path.startsWith("/v1.0/me"))).toEqual([]);
  // Microsoft gives no notices about the mailbox of someone else
  expect(graph.asked.filter(({ route }) => route === "subscriptions")).toEqual([]);
}, 120_000);

test("the permissions for shared mailboxes are asked for only when one is connected", async () => {
  const { rest } = await world.workspace();
  await consented(rest);
  expect(granted).toEqual(["openid", ...OWN_SCOPES]);
  expect((await rest.get("/mailboxes")).body).toMatchObject([{ email: ANN, username: null }]);
});

test.each([CLOSED, "nobody@a.test"])(
  "a user who may not open %s connects nothing, and the page names the missing permission",
  async (address) => {
    const { rest } = await world.workspace();
    const page = await consented(rest, address);
    expect(page).toMatchObject({
      status: 422,
      text: expect.stringMatching(new RegExp(`open ${address}.*Full Access`)),
    });
    expect((await rest.get("/mailboxes")).body).toEqual([]);
  },
);

test.each([
  ["create", "ErrorAccessDenied", "MAILBOX_ACCESS_DENIED", /open this shared mailbox.*Full Access/],
  ["send", "ErrorSendAsDenied", "SEND_AS_DENIED", /send as this address.*"Send as"/],
] as const)(
  "when Microsoft answers a %s with %s, the mailbox names the missing permission, and sends once it is given",
  async (on, code, reason, words) => {
    const { rest } = await world.workspace();
    await consented(rest, TEAM);
    const [{ id: mailboxId }] = (await rest.get("/mailboxes")).body;
    const shown = async () => (await rest.get(`/mailboxes/${mailboxId}`)).body;
    const to = `denied-${on}@people.test`;
    const isProbed = async () => (await shown()).headerSurvival !== null;
    await until(isProbed, { ...MAIL_DEADLINE, what: "the probe of the new mailbox" });
    graph.fault({ on, answer: refuse(code) });
    await launched(rest, mailboxId, to);
    await until(async () => (await shown()).status === "SENDING_ERROR", {
      ...MAIL_DEADLINE,
      what: "the mailbox to wait",
    });
    graph.clearFaults();
    expect(await shown()).toMatchObject({ statusReason: reason, lastError: { message: expect.stringMatching(words) } });
    expect(sentTo(to)).toEqual([]);
    await rest.post("/mailboxes/manage", { action: "resume", mailboxId });
    await until(() => sentTo(to).length === 1, { ...MAIL_DEADLINE, what: "the email of the resumed mailbox" });
  },
  120_000,
);

test("a shared mailbox is refused where the mailboxes do not use Microsoft Graph", async () => {
  const { rest } = await world.workspace();
  const { B } = world.services.settings.providers;
  world.services.settings.providers.B = { ...B, api: null };
  const refused = await rest.post("/mailboxes/connect", { action: "providerBOAuthStart", sharedMailbox: TEAM });
  world.services.settings.providers.B = B;
  expect(refused).toMatchObject({ status: 400, body: { code: "VALIDATION_FAILED" } });
});
