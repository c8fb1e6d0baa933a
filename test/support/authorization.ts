import { createHash, randomBytes } from "node:crypto";
import * as client from "openid-client";
import { createApp } from "../../api/app.ts";
import { oauthOf } from "../../api/oauth/mount.ts";
import type { Egress } from "../../connectors/net/egress.ts";
import type { Role } from "../../domain/access/roles.ts";
import { freePort } from "../../embedded/ports.ts";
import { toolServerOf } from "../../mcp/http.ts";
import { Membership } from "../../models/access/membership.ts";
import { newId } from "../../mongo/ids.ts";
import { OAUTH_LIMITS, type OAuthLimits } from "../../operations/access/call-rate.ts";
import { startSession } from "../../operations/access/sessions.ts";
import { loadPerson } from "../../operations/sign-in/people.ts";
import { listen } from "../../runtime/listen.ts";
import { createLog } from "../../runtime/log.ts";
import { readinessOf } from "../../runtime/readiness.ts";
import { type Browser, browserAt, type Landing } from "./browser.ts";
import type { Rest } from "./rest.ts";
import { startWorld, type World } from "./world.ts";

export interface Authorization {
  world: World;
  issuer: string;
  /** Every line of the log. */
  logged: string[];
  /** A person with these roles in workspaces of their own, at a browser in which they are signed in. */
  person(...roles: Role[]): Promise<Person>;
  /** Registers an application by an independent library. */
  register(metadata?: Partial<client.ClientMetadata>): Promise<client.Configuration>;
  close(): Promise<void>;
}

export interface Person {
  userId: string;
  email: string;
  workspaceIds: string[];
  /** A key of all scopes for each workspace. */
  rests: Rest[];
  browser: Browser;
  /** The value of its session cookie. */
  session: string;
}

export const CALLBACK = "http://127.0.0.1:33999/callback";

/** The authorization server beside the API, on a free port that is its public address. */
export async function startAuthorization({
  limits = UNLIMITED,
  egress,
}: {
  limits?: OAuthLimits;
  egress?: Egress;
} = {}): Promise<Authorization> {
  const port = await freePort();
  const world = await startWorld({ settings: { publicUrl: `http://127.0.0.1:${port}` } });
  return authorizationAt(port, world, { limits, ...(egress && { egress }) });
}

/** The same in a world whose public address has this port. */
export async function authorizationAt(
  port: number,
  world: World,
  { limits = UNLIMITED, egress }: { limits?: OAuthLimits; egress?: Egress } = {},
): Promise<Authorization> {
  const issuer = `http://127.0.0.1:${port}`;
  const logged: string[] = [];
  const log = createLog("trace", { write: (line) => void logged.push(line) });
  const ready = readinessOf(world.services.engine, { missing: [] });
  const also = [
    toolServerOf(world.services),
    oauthOf(world.services, { limits, egress: async () => egress ?? Promise.reject(new Error("No way outside")) }),
  ];
  const listener = await listen(createApp(world.services, { log, ready, also }), port, { host: "127.0.0.1" });
  return {
    world,
    issuer,
    logged,
    async person(...given) {
      const [first = "OWNER", ...others] = given;
      const { workspaceId, ownerId: userId, rest } = await world.workspace();
      await Membership.updateOne({ workspaceId, userId }, { $set: { role: first } });
      const [workspaceIds, rests] = [[workspaceId], [rest]];
      for (const role of others) {
        const other = await world.workspace();
        await Membership.create({
          _id: newId("mbr"),
          workspaceId: other.workspaceId,
          userId,
          role,
          joinedAt: new Date(),
        });
        workspaceIds.push(other.workspaceId);
        rests.push(other.rest);
      }
      const browser = browserAt(issuer);
      const session = await signIn(browser, userId);
      const { email } = await loadPerson(userId);
      return { userId, email, workspaceIds, rests, browser, session };
    },
    register: (metadata = {}) =>
      client.dynamicClientRegistration(
        new URL(issuer),
        { redirect_uris: [CALLBACK], client_name: "An agent", ...metadata },
        client.None(),
        { algorithm: "oauth2", execute: [client.allowInsecureRequests] },
      ),
    async close() {
      await listener.close();
      await world.close();
    },
  };
}

const UNLIMITED: OAuthLimits = { registerPerAddress: 100_000, authorizePerAddress: 100_000, tokenPerClient: 100_000 };

export { OAUTH_LIMITS };

/** The cookie that a sign-in leaves in a browser; the sign-in of another account replaces it. */
export async function signIn(browser: Browser, userId: string): Promise<string> {
  const session = await startSession(userId, "OPEN", { ip: null, userAgent: null, portalId: null }, new Date());
  browser.setCookie("outreach", session);
  return session;
}

/** An authorization request with its secrets. */
export interface Begun {
  url: URL;
  verifier: string;
  state: string;
}

export function begin(config: client.Configuration, more: Record<string, string> = {}): Begun {
  const [verifier, state] = [randomBytes(32).toString("base64url"), client.randomState()];
  const challenge = createHash("sha256").update(verifier).digest("base64url");
  const params = { redirect_uri: CALLBACK, code_challenge: challenge, code_challenge_method: "S256", state, ...more };
  return { url: client.buildAuthorizationUrl(config, params), verifier, state };
}

/** The code of an answer is changed into tokens by the independent library, which checks state and issuer. */
export function exchange(config: client.Configuration, begun: Begun, { url }: Landing) {
  return client.authorizationCodeGrant(config, url, { pkceCodeVerifier: begun.verifier, expectedState: begun.state });
}

/** Consents in the browser with these changes to the form, and changes the code into tokens. */
export async function connect(
  config: client.Configuration,
  browser: Browser,
  { more = {}, form = {} }: { more?: Record<string, string>; form?: Record<string, string | null> } = {},
) {
  const begun = begin(config, more);
  const landing = await browser.submit(await browser.open(begun.url), { decision: "allow", ...form });
  return { begun, landing, tokens: await exchange(config, begun, landing) };
}
