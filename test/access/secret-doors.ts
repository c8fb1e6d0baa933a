import { randomBytes } from "node:crypto";
import { DAY_MS } from "../../domain/time/durations.ts";
import { SignUpRequest } from "../../models/sign-in/sign-up-request.ts";
import { User } from "../../models/sign-in/user.ts";
import { hashOf } from "../../operations/access/secrets.ts";
import { CALENDAR_CALLBACKS } from "../../operations/agent/calendar-consent-start.ts";
import { CRM_CALLBACKS } from "../../operations/crm/consent-start.ts";
import { MAILBOX_CALLBACKS } from "../../operations/mailboxes/oauth-start.ts";
import { createPersonLink } from "../../operations/sign-in/links.ts";
import { newAuthenticator } from "../fakes/authenticator.ts";
import { newBrowser, type PersonBrowser } from "../support/person.ts";
import { codeNow, withTotp } from "../support/second-factor.ts";
import { PASSWORD, QUICK_HASH, quicklySignedIn } from "../support/signed-in.ts";
import type { World } from "../support/world.ts";

/** What a wrong try runs into. */
interface Knocked {
  status: number;
  headers: Headers;
}

/** One wrong try; `from` is the header by which a proxy names the visitor's address. */
export type Knock = (from: Record<string, string>) => Promise<Knocked>;

export interface SecretDoor {
  door: string;
  /** Where a door of this kind reaches a comparison, as `secretComparisons` finds it. */
  at: readonly string[];
  /** Wrong tries that are answered before 429. */
  most: number;
  /** How a wrong try is answered before that. */
  refusal: number;
  /** Whether each try comes from another address: then it counts against an account, a person or a client. */
  fromAnywhere?: true;
  /**
   * The name that the first of many tries is counted by, for doors where so many would take long: the test sets that
   * count near its end. Unset: every try is made.
   */
  counted?: (address: string) => string;
  /**
   * Makes ready what the tries need. `mailing` is the address of an app of the service that confirms addresses by mail.
   */
  prepare(world: World, mailing: string): Promise<Knock>;
}

const SECRETS = 10;
const CREDENTIALS = 300;
const WRONG = "wrong horse battery";
const byAddress = (address: string) => `credentials:${address}`;

const at = (world: World, path: string, init: RequestInit = {}): Knock => atAddress(world.baseUrl, path, init);

function atAddress(base: string, path: string, init: RequestInit = {}): Knock {
  return (from) => fetch(base + path, { redirect: "manual", ...init, headers: { ...init.headers, ...from } });
}

/** Fills the form of a page again and again. The browser's address is that of its first request. */
function atForm(
  browserOf: (from: Record<string, string>) => Promise<PersonBrowser>,
  fields: () => Record<string, string>,
): Knock {
  let browser: PersonBrowser | null = null;
  return async (from) => {
    browser ??= await browserOf(from);
    await browser.submit(fields());
    return browser.page;
  };
}

const opened = (base: string, path: string) => async (from: Record<string, string>) => {
  const browser = newBrowser(base, from);
  await browser.open(path);
  return browser;
};

const wrongToken = () => randomBytes(32).toString("base64url");
const SESSION = "operations/sign-in/session-verbs.ts";
const FACTOR = "operations/sign-in/second-factor-verbs.ts";

/** Every door at which a secret proves who a person is, or opens something. */
export const SECRET_DOORS: readonly SecretDoor[] = [
  {
    door: "a password at /login, from one address",
    at: ["api/pages/login.ts signIn"],
    most: SECRETS,
    refusal: 422,
    prepare: async (world) => {
      const people = Array.from({ length: SECRETS + 1 }, (_, place) => ({
        _id: `usr_${place}`,
        email: `p${place}@people.test`,
      }));
      await User.insertMany(people.map((person) => ({ ...person, passwordHash: QUICK_HASH })));
      return atForm(opened(world.baseUrl, "/login"), () => ({ email: people.pop()?.email ?? "", password: WRONG }));
    },
  },
  {
    door: "a password at /login, of one account",
    at: ["api/pages/login.ts signIn"],
    most: SECRETS,
    refusal: 422,
    fromAnywhere: true,
    prepare: async (world) => {
      const { email } = await quicklySignedIn(world);
      return async (from) => {
        const browser = await opened(world.baseUrl, "/login")(from);
        await browser.submit({ email, password: WRONG });
        return browser.page;
      };
    },
  },
  {
    door: "a password at /signup",
    at: ["api/pages/sign-up.ts signUpOrIn"],
    most: SECRETS,
    refusal: 422,
    prepare: async (world) => {
      const { email } = await quicklySignedIn(world);
      return atForm(opened(world.baseUrl, "/signup"), () => ({ email, password: WRONG, workspace: "Mine" }));
    },
  },
  {
    door: "the link of a sign-up, tried again and again",
    at: ["api/pages/sign-up.ts followSignUp"],
    most: SECRETS,
    refusal: 400,
    fromAnywhere: true,
    prepare: async (_world, mailing) => {
      const token = wrongToken();
      const expiresAt = new Date(Date.now() + DAY_MS);
      await SignUpRequest.insertMany([
        { _id: hashOf(token), email: "new@people.test", workspaceName: "Mine", expiresAt },
      ]);
      return atForm(opened(mailing, `/signup/${token}`), () => ({ password: "short" }));
    },
  },
  {
    door: "a sign-in link, tried again and again",
    at: ["api/pages/sign-in.ts followLink"],
    most: SECRETS,
    refusal: 400,
    fromAnywhere: true,
    prepare: async (world) => {
      const { ownerId } = await world.workspace();
      const token = await createPersonLink(ownerId, new Date());
      return atForm(opened(world.baseUrl, `/sign-in/${token}`), () => ({ password: "short" }));
    },
  },
  {
    door: "the password of an account, behind ever new invites",
    at: ["api/pages/sign-in.ts followLink"],
    most: SECRETS,
    refusal: 422,
    fromAnywhere: true,
    prepare: async (world) => {
      const [owner, person] = [await quicklySignedIn(world), await quicklySignedIn(world)];
      const { body: invite } = await owner.rest.post("/invites/manage", {
        action: "create",
        email: person.email,
        role: "MEMBER",
      });
      return async (from) => {
        const { body } = await owner.rest.post("/invites/manage", { action: "resend", inviteId: invite.id });
        const browser = await opened(world.baseUrl, new URL(body.inviteUrl).pathname)(from);
        await browser.submit({ password: WRONG });
        return browser.page;
      };
    },
  },
  {
    door: "a code at /login/second-factor",
    at: ["api/pages/second-factor.ts passSecondFactor"],
    most: SECRETS,
    refusal: 422,
    fromAnywhere: true,
    prepare: async (world) => {
      const { email } = await withTotp(world);
      const waiting = await opened(world.baseUrl, "/login")({});
      await waiting.submit({ email, password: PASSWORD });
      return atForm(
        async () => waiting,
        () => ({ code: "000000" }),
      );
    },
  },
  {
    door: "a passkey at /login/passkey",
    at: ["api/pages/second-factor.ts passSecondFactor"],
    most: SECRETS,
    refusal: 422,
    fromAnywhere: true,
    prepare: async (world) => {
      const person = await quicklySignedIn(world);
      const { body } = await person.rest.post("/second-factor", { action: "offerPasskey" });
      const passkey = newAuthenticator("localhost").create(body.options, "http://localhost:3000");
      await person.rest.post("/second-factor", { action: "addPasskey", name: "Key", passkey });
      const waiting = await opened(world.baseUrl, "/login")({});
      await waiting.submit({ email: person.email, password: PASSWORD });
      await waiting.open("/login/passkey");
      return atForm(
        async () => waiting,
        () => ({ proof: "{}" }),
      );
    },
  },
  {
    door: "session.confirm, a password",
    at: [`${SESSION} confirm`],
    most: SECRETS,
    refusal: 422,
    fromAnywhere: true,
    prepare: async (world) => {
      const { rest } = await quicklySignedIn(world);
      return (from) => rest.post("/session/confirm", { password: WRONG }, from);
    },
  },
  {
    door: "session.confirm, a code",
    at: [`${SESSION} confirm`],
    most: SECRETS,
    refusal: 422,
    fromAnywhere: true,
    prepare: async (world) => {
      const { rest } = await withTotp(world);
      return (from) => rest.post("/session/confirm", { password: PASSWORD, code: "000000" }, from);
    },
  },
  {
    door: "session.changePassword",
    at: [`${SESSION} password`],
    most: SECRETS,
    refusal: 422,
    fromAnywhere: true,
    prepare: async (world) => {
      const { rest } = await quicklySignedIn(world);
      return (from) => rest.post("/password", { currentPassword: WRONG, password: "another long password" }, from);
    },
  },
  {
    door: "secondFactor.manage confirmTotp",
    at: [`${FACTOR} confirm`],
    most: SECRETS,
    refusal: 422,
    fromAnywhere: true,
    prepare: async (world) => {
      const { rest } = await quicklySignedIn(world);
      const { secret } = (await rest.post("/second-factor", { action: "offerTotp" })).body;
      const code = codeNow(secret) === "000000" ? "000001" : "000000";
      return (from) => rest.post("/second-factor", { action: "confirmTotp", code }, from);
    },
  },
  {
    door: "secondFactor.manage addPasskey",
    at: [`${FACTOR} add`],
    most: SECRETS,
    refusal: 422,
    fromAnywhere: true,
    prepare: async (world) => {
      const { rest } = await quicklySignedIn(world);
      return (from) => rest.post("/second-factor", { action: "addPasskey", name: "Key", passkey: {} }, from);
    },
  },
  {
    door: "an API key at /api/v1",
    at: ["api/authenticate.ts verifyApiKey"],
    most: CREDENTIALS,
    refusal: 401,
    counted: byAddress,
    prepare: async (world) => at(world, "/api/v1/whoami", { headers: { Authorization: "Bearer ocp_live_wrong" } }),
  },
  {
    door: "an API key at /mcp",
    at: ["mcp/http.ts verifyApiKey"],
    most: CREDENTIALS,
    refusal: 401,
    counted: byAddress,
    prepare: async (world) =>
      at(world, "/mcp", { method: "POST", body: "{}", headers: { Authorization: "Bearer ocp_live_wrong" } }),
  },
  {
    door: "a connector's token at /mcp",
    at: ["mcp/http.ts verifyConnectorToken"],
    most: CREDENTIALS,
    refusal: 401,
    counted: byAddress,
    prepare: async (world) =>
      at(world, "/mcp", { method: "POST", body: "{}", headers: { Authorization: "Bearer wrong" } }),
  },
  {
    door: "a session's cookie at the console's interface",
    at: ["api/pages/visitor.ts findSession"],
    most: CREDENTIALS,
    refusal: 401,
    counted: byAddress,
    prepare: async (world) =>
      at(world, "/console/api/v1/session", { headers: { Cookie: "outreach=wrong", "X-Console": "1" } }),
  },
  {
    door: "the cookie of a browser that owes its second factor",
    at: ["api/pages/second-factor.ts loadWaiting"],
    most: CREDENTIALS,
    refusal: 401,
    counted: byAddress,
    prepare: async (world) => at(world, "/login/second-factor", { headers: { Cookie: "outreach-waiting=wrong" } }),
  },
  {
    door: "the token of a sign-in link",
    at: ["api/pages/sign-in.ts readLink"],
    most: CREDENTIALS,
    refusal: 404,
    counted: byAddress,
    prepare: async (world) => at(world, `/sign-in/${wrongToken()}`),
  },
  {
    door: "the token of a sign-up",
    at: ["api/pages/sign-up.ts readSignUp", "api/pages/sign-up.ts confirmAddress"],
    most: CREDENTIALS,
    refusal: 404,
    counted: byAddress,
    prepare: async (_world, mailing) => atAddress(mailing, `/signup/${wrongToken()}`),
  },
  {
    door: "the link that undoes a connection, opened",
    at: ["api/public/connect-undo.ts findUndoable"],
    most: CREDENTIALS,
    refusal: 404,
    counted: byAddress,
    prepare: async (world) => at(world, "/connect/undo/wrong"),
  },
  {
    door: "the link that undoes a connection, pressed",
    at: ["api/public/connect-undo.ts undoConsent"],
    most: CREDENTIALS,
    refusal: 404,
    counted: byAddress,
    prepare: async (world) => at(world, "/connect/undo/wrong", { method: "POST" }),
  },
  {
    door: "the address of an export",
    at: ["api/public/exports.ts exportAt"],
    most: CREDENTIALS,
    refusal: 404,
    counted: byAddress,
    prepare: async (world) => at(world, "/exports/wrong"),
  },
  {
    door: "the address of an attachment",
    at: ["api/public/files.ts fileAt"],
    most: CREDENTIALS,
    refusal: 404,
    counted: byAddress,
    prepare: async (world) => at(world, "/files/wrong"),
  },
  {
    door: "the state of a mailbox's consent",
    most: CREDENTIALS,
    refusal: 400,
    counted: byAddress,
    at: ["api/public/connect-callback.ts completeConsent", "api/public/connect-callback.ts findWayBack"],
    prepare: async (_world, mailing) => atAddress(mailing, `${MAILBOX_CALLBACKS.A}?state=wrong&code=x`),
  },
  {
    door: "the state of a calendar's consent",
    at: ["api/public/calendar-callback.ts completeCalendarConsent"],
    most: CREDENTIALS,
    refusal: 400,
    counted: byAddress,
    prepare: async (_world, mailing) => atAddress(mailing, `${CALENDAR_CALLBACKS.A}?state=wrong&code=x`),
  },
  {
    door: "the state of a CRM's consent",
    at: ["api/public/crm-callback.ts completeCrmConsent"],
    most: CREDENTIALS,
    refusal: 400,
    counted: byAddress,
    prepare: async (_world, mailing) => atAddress(mailing, `${CRM_CALLBACKS.HUBSPOT}?state=wrong&code=x`),
  },
  {
    door: "Stripe's signature",
    at: ["api/public/hooks.ts takeStripeEvent"],
    most: CREDENTIALS,
    refusal: 401,
    counted: byAddress,
    prepare: async (world) =>
      at(world, "/hooks/stripe", { method: "POST", body: "{}", headers: { "Stripe-Signature": "t=1,v1=00" } }),
  },
  {
    door: "a refresh token at /oauth/token",
    at: ["api/oauth/adapter.ts findRecord"],
    most: 120,
    refusal: 401,
    fromAnywhere: true,
    counted: () => "oauth-token:client:guessing",
    prepare: async (_world, mailing) =>
      atAddress(mailing, "/oauth/token", tokenRequest({ grant_type: "refresh_token", refresh_token: "x" })),
  },
  {
    door: "a token at /oauth/revoke",
    at: ["api/oauth/adapter.ts findRecord"],
    most: 120,
    refusal: 401,
    fromAnywhere: true,
    counted: () => "oauth-token:client:revoking",
    prepare: async (_world, mailing) =>
      atAddress(mailing, "/oauth/revoke", tokenRequest({ token: "x", client_id: "revoking" })),
  },
  {
    door: "an application at /oauth/authorize",
    at: ["api/oauth/adapter.ts findRecord"],
    most: 60,
    refusal: 400,
    counted: (address) => `oauth-authorize:${address}`,
    prepare: async (_world, mailing) => atAddress(mailing, "/oauth/authorize?client_id=x"),
  },
];

function tokenRequest(fields: Record<string, string>): RequestInit {
  return { method: "POST", body: new URLSearchParams({ client_id: "guessing", ...fields }) };
}

/** Comparisons at doors where wrong tries are not counted, with the reason. */
export const UNCOUNTED: Readonly<Record<string, string>> = {
  "api/oauth/adapter.ts findRecordByUid":
    "found by a signed cookie of the same browser, and limited with /oauth/authorize",
  "api/oauth/pages.ts isFormToken": "shows that a form is ours; who is signed in is known already",
  "api/pages/csrf.ts refuseForged": "shows that a form is ours, by a cookie that opens nothing",
  "api/public/unsubscribe.ts addressOfToken":
    "a limit would keep people who share an address from unsubscribing; a signature of 128 bits",
  "api/public/unsubscribe.ts unsubscribeByToken": "the same",
  "api/pages/sign-up.ts signUpCounts": "counts sign-ups, and compares no secret",
  "api/router.ts call":
    "runs verbs, which say themselves that they check a secret; the token of a plan is signed for its credential alone",
  "mcp/call-tool.ts call": "the same",
  "operations/sending/decide.ts approve": "the token of a plan is signed, and bound to the credential that asked",
  "operations/sending/decide.ts edit": "the same",
};
