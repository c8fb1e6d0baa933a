import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "@jest/globals";
import { pino } from "pino";
import { createLogins } from "../../activities/mailboxes/logins.ts";
import { createEgress } from "../../connectors/net/connect.ts";
import { parseAllow } from "../../domain/access/allowed-hosts.ts";
import { ACCESS_FAULTS, type AccessFault } from "../../domain/mailboxes/connection-error.ts";
import { DAY_MS } from "../../domain/time/durations.ts";
import { MailboxGrant } from "../../models/mailboxes/mailbox-grant.ts";
import { scoped } from "../../models/scoped.ts";
import { wakeMailboxes } from "../../store/mailboxes/faults.ts";
import { mailboxSyncWorkflowId } from "../../temporal/run.ts";
import { answerWith } from "../fakes/gmail/faults.ts";
import { domainPolicy } from "../fakes/gmail/refusals.ts";
import { refuse } from "../fakes/graph/faults.ts";
import { until } from "../fakes/wait.ts";
import { APIS, type Api, type ApiWorld, startApiWorld } from "./api-world.ts";

let here: ApiWorld;
const egress = createEgress({ allow: parseAllow("localhost:*"), ownAddresses: [] });
beforeAll(async () => {
  here = await startApiWorld();
}, 120_000);
afterAll(async () => {
  await here.close();
  await egress.close();
});

const mailbox = async (api: Api) => {
  const stored = await scoped(here.workspaceId).Mailbox.get(here.mailboxes[api]);
  if (stored === null) throw new Error("The mailbox is gone");
  return stored;
};
const expireTokens = () =>
  MailboxGrant.updateMany({}, { $set: { accessExpiresAt: new Date(0) } }).setOptions({ acrossWorkspaces: true });

/** The logins of a separate worker. */
function logins() {
  const { keyRing, settings } = here.world.services;
  return createLogins({ egress, keyRing, providers: settings.providers, log: pino({ level: "silent" }) });
}

const isRefusing = () => {
  const { refusal, down, secret } = here.oauth.settings;
  return refusal !== null || down || secret !== here.oauth.clientSecret;
};

/** Gets the login of a mailbox whose access token has expired, so that the token endpoint is asked. */
async function logIn(api: Api): Promise<unknown> {
  const look = async () => {
    await expireTokens();
    const login = await logins()
      .of(await mailbox(api))
      .catch((error: unknown) => error);
    // The service's own worker may have got a token just before the refusal
    return isRefusing() && !(login instanceof Error) ? null : login;
  };
  return until(look, { deadlineMs: 60_000, what: "the token endpoint to be asked" });
}

const fresh = {
  status: "CONNECTED",
  statusReason: null,
  lastError: null,
  retryAt: null,
  authFailures: 0,
  hostFailures: 0,
} as const;

async function reset(): Promise<void> {
  Object.assign(here.oauth.settings, { refusal: null, down: false, secret: here.oauth.clientSecret });
  await scoped(here.workspaceId).MailboxGrant.updateMany({}, [
    { $set: { revokedAt: null, createdAt: "$$NOW", leaseUntil: null } },
  ]);
  await scoped(here.workspaceId).Mailbox.updateMany({}, { $set: fresh });
}
beforeEach(reset);
afterEach(async () => {
  await reset();
  // A watch that ended waits longer after each failure, and the next case needs one
  const { engine } = here.world.services;
  for (const id of Object.values(here.mailboxes)) await engine.signal(mailboxSyncWorkflowId(id), "syncNow");
});

const microsoft = (code: number, error = "invalid_grant", text = "The grant is not usable.") => ({
  status: error === "invalid_client" ? 401 : 400,
  body: { error, error_description: `AADSTS${code}: ${text} Trace ID: 1`, error_codes: [code] },
});
const google = (error_description: string, more: object = {}) => ({
  status: 400,
  body: { error: "invalid_grant", error_description, ...more },
});

test.each<[string, { status: number; body: object }]>([
  ["is rate limited", { status: 429, body: { error: "invalid_grant", error_description: "Rate limit exceeded" } }],
  ["is down", { status: 503, body: {} }],
  ["is down and calls the grant invalid", { status: 500, body: { error: "invalid_grant" } }],
  ["stops a request loop", microsoft(50_196)],
  ["is temporarily unavailable", { status: 400, body: { error: "temporarily_unavailable" } }],
])(
  "a mailbox stays CONNECTED, without a refused login, while the token endpoint %s for twelve logins",
  async (_what, refusal) => {
    for (const api of APIS) {
      here.oauth.settings.refusal = refusal;
      for (let n = 0; n < 12; n++) expect(await logIn(api)).toMatchObject({ kind: "unavailable", access: null });
      expect(await mailbox(api)).toMatchObject({ status: "CONNECTED", authFailures: 0, hostFailures: 0 });
      here.oauth.settings.refusal = null;
      expect(await logIn(api)).toMatchObject({ accessToken: expect.any(String) });
    }
  },
  60_000,
);

test.each<[AccessFault, { status: number; body: object }]>([
  ["TOKEN_REVOKED", google("Token has been expired or revoked.")],
  ["TOKEN_REVOKED", google("Bad Request")],
  ["TOKEN_REVOKED", microsoft(700_082, "invalid_grant", "The refresh token has expired due to inactivity.")],
  ["PASSWORD_CHANGED", microsoft(50_173, "invalid_grant", "The user might have changed or reset their password.")],
  ["ADMIN_POLICY", google("reauth related error (invalid_rapt)", { error_subtype: "invalid_rapt" })],
  ["ADMIN_POLICY", { status: 400, body: { error: "admin_policy_enforced" } }],
  ["ADMIN_POLICY", microsoft(53_003)],
  ["ADMIN_POLICY", microsoft(50_076, "interaction_required")],
  ["ADMIN_APPROVAL", microsoft(65_001)],
])(
  "a refresh token that is refused for %s parks the mailbox with that cause and its next step: %j",
  async (fault, refusal) => {
    for (const api of APIS) {
      here.oauth.settings.refusal = refusal;
      expect(await logIn(api)).toMatchObject({ kind: "revoked" });
      const { body } = await here.rest.get(`/mailboxes/${here.mailboxes[api]}`);
      const { text } = ACCESS_FAULTS[fault];
      expect(body).toMatchObject({ status: "RECONNECT_REQUIRED", statusReason: fault, lastError: { message: text } });
      expect(text).toMatch(/onnect the mailbox again/);
      here.oauth.settings.refusal = null;
    }
  },
);

test("an organisation that does not know the app, or a wrong client id, keeps the consent, and the mailbox continues by itself", async () => {
  here.oauth.settings.refusal = microsoft(700_016, "unauthorized_client");
  expect(await logIn("GRAPH")).toMatchObject({ kind: "unavailable", access: "ACCESS_DENIED" });
  expect(await mailbox("GRAPH")).toMatchObject({ status: "SENDING_ERROR", statusReason: "ACCESS_DENIED" });
  here.oauth.settings.refusal = null;
  expect(await logIn("GRAPH")).toMatchObject({ accessToken: expect.any(String) });
});

test.each([
  [6.9, "TOKEN_REVOKED"],
  [7.1, "APP_IN_TESTING"],
  [9, "TOKEN_REVOKED"],
] as const)("a consent that Google ends after %d days without a reason has the cause %s", async (days, cause) => {
  await scoped(here.workspaceId).MailboxGrant.updateMany({}, [
    { $set: { createdAt: { $literal: new Date(Date.now() - days * DAY_MS) } } },
  ]);
  here.oauth.settings.refusal = google("Token has been expired or revoked.");
  await logIn("GMAIL_API");
  expect(await mailbox("GMAIL_API")).toMatchObject({ status: "RECONNECT_REQUIRED", statusReason: cause });
});

test("a wrong client secret parks the mailboxes of that provider without a refused login, and they continue by themselves with the next token", async () => {
  for (const refusal of [microsoft(7_000_222, "invalid_client"), microsoft(7_000_215, "unauthorized_client")]) {
    here.oauth.settings.refusal = refusal;
    await logIn("GRAPH");
    expect(await mailbox("GRAPH")).toMatchObject({
      status: "SENDING_ERROR",
      statusReason: "CLIENT_REFUSED",
      authFailures: 0,
      retryAt: expect.any(Date),
    });
    expect(ACCESS_FAULTS.CLIENT_REFUSED.text).not.toMatch(/connect the mailbox again/i);
    await reset();
  }
  here.oauth.settings.secret = "new";
  await logIn("GMAIL_API");
  await logIn("GRAPH");
  here.oauth.settings.secret = here.oauth.clientSecret;
  // A token for one mailbox of the provider is enough
  const { _id, ...copy } = await mailbox("GRAPH");
  const other = await scoped(here.workspaceId).Mailbox.insert({
    ...copy,
    email: "other@a.test",
    grantId: null,
    _id: `${_id}2`,
  });
  await logIn("GRAPH");
  await wakeMailboxes();
  expect(await scoped(here.workspaceId).Mailbox.get(other._id)).toMatchObject({
    status: "CONNECTED",
    statusReason: null,
  });
  expect(await mailbox("GRAPH")).toMatchObject({ status: "CONNECTED", statusReason: null });
  await scoped(here.workspaceId).Mailbox.deleteOne({ _id: other._id });
});

test.each([
  ["GMAIL_API", "API_BLOCKED"],
  ["GRAPH", "ACCESS_DENIED"],
] as const)(
  "a mailbox whose %s denies access is parked at the first refusal, with the admin as the one who can act",
  async (api, fault) => {
    const lift = here.gmail.fault("history.list", answerWith(domainPolicy), { times: 1 });
    here.graph.fault({ on: "delta", answer: refuse("ErrorAccessDenied") });
    const isParked = async () => (await mailbox(api)).status === "SENDING_ERROR";
    await until(isParked, { deadlineMs: 90_000, what: "the mailbox to be parked" });
    expect(await mailbox(api)).toMatchObject({ statusReason: fault, authFailures: 0, hostFailures: 0 });
    expect(ACCESS_FAULTS[fault].text).toMatch(/organisation's admin/);
    lift();
    here.graph.clearFaults();
  },
  120_000,
);
