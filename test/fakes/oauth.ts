import { createHash, createVerify, generateKeyPairSync, randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as delay } from "node:timers/promises";

/** An authorization server on loopback (RFC 6749, 7636) whose users do as they are told. */
export interface FakeOAuth {
  url: string;
  clientId: string;
  clientSecret: string;
  /** Opens a consent address as a browser whose user is `email`, and returns the address it is redirected to. */
  consent(authUrl: string, email: string): URL;
  /** Revokes everything that a user allowed, access tokens included. */
  revoke(email: string): void;
  /** Ends the access tokens of a user early, and leaves the consent in force. */
  expire(email: string): void;
  /** Allows a user without a browser, and returns the refresh token. */
  allow(email: string): string;
  /** Whose access token it is; null for one that is not valid. */
  ownerOf(accessToken: string): string | null;
  /** Whether a mail server should let this user in with this token. */
  knows(email: string, accessToken: string): boolean;
  /** The service account that acts for users without their consent, as Google's JSON. */
  account: { type: "service_account"; client_email: string; private_key: string; token_uri: string };
  /** The addresses for which an admin has allowed that. */
  delegated: Set<string>;
  /** Whether the application itself, without a user, got this token. */
  knowsClient(accessToken: string): boolean;
  /** Whether a refresh token is still valid. */
  refreshes(refreshToken: string): boolean;
  /** Every grant type requested so far, in order. */
  asked: string[];
  /** Every token that a revocation was requested for so far, with its hint (RFC 7009). */
  takenBack: { token: string; hint: string | null }[];
  /** What the next responses look like. */
  settings: {
    lifeSeconds: number;
    rotate: boolean;
    withRefreshToken: boolean;
    /** The permissions that it says were given; null leaves them out. */
    scope: string | null;
    /** The secret that it accepts. */
    secret: string;
    delayMs: number;
    down: boolean;
    /** The answer to every refresh token; null answers by what is valid. */
    refusal: { status: number; body: object } | null;
    userinfo: (email: string) => object;
    /** The claims of the ID token, which nobody has signed. */
    idToken: (email: string) => object;
  };
  close(): Promise<void>;
}

const JWT_BEARER = "urn:ietf:params:oauth:grant-type:jwt-bearer";
/** In the place of the address, for a token of the application itself. */
const NO_USER = "";

interface Code {
  email: string;
  challenge: string;
  redirectUri: string;
}

export async function startOAuth(): Promise<FakeOAuth> {
  const [clientId, clientSecret] = ["client", "client-secret"];
  const codes = new Map<string, Code>();
  const refreshTokens = new Map<string, string>();
  const accessTokens = new Map<string, string>();
  const asked: string[] = [];
  const delegated = new Set<string>();
  const keys = generateKeyPairSync("rsa", { modulusLength: 2_048 });
  const takenBack: FakeOAuth["takenBack"] = [];
  const settings: FakeOAuth["settings"] = {
    lifeSeconds: 3_600,
    rotate: false,
    withRefreshToken: true,
    scope: null,
    secret: clientSecret,
    delayMs: 0,
    down: false,
    refusal: null,
    userinfo: (email) => ({ sub: `sub-${email}`, email, email_verified: true }),
    idToken: (email) => ({ iss: "https://tenant.test/v2.0", aud: clientId, preferred_username: email }),
  };
  const server = createServer((req, res) => {
    answer(req, res).catch(() => res.destroy());
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo; // the address of a TCP server is never text
  const account: FakeOAuth["account"] = {
    type: "service_account",
    client_email: "outreach@project.test",
    private_key: String(keys.privateKey.export({ type: "pkcs8", format: "pem" })),
    token_uri: `http://localhost:${port}/token`,
  };
  const token = (kind: string) => `${kind}-${randomBytes(12).toString("hex")}`;

  function issue(email: string, refreshToken: string | null) {
    const accessToken = token("access");
    accessTokens.set(accessToken, email);
    const withRefresh = refreshToken === null || settings.rotate;
    const fresh = token("refresh");
    if (withRefresh) refreshTokens.set(fresh, email);
    if (refreshToken !== null && settings.rotate) refreshTokens.delete(refreshToken);
    return {
      access_token: accessToken,
      token_type: "Bearer",
      expires_in: settings.lifeSeconds,
      // as real servers do, for any client
      id_token: idTokenOf(settings.idToken(email)),
      ...(settings.scope !== null && { scope: settings.scope }),
      ...(withRefresh && settings.withRefreshToken && { refresh_token: fresh }),
    };
  }

  function issueAccess(email: string) {
    const accessToken = token("access");
    accessTokens.set(accessToken, email);
    return { access_token: accessToken, token_type: "Bearer", expires_in: settings.lifeSeconds };
  }

  /** The user for whom the service account asks, when its signature is good and an admin has allowed it. */
  function subjectOf(assertion: string): string | null {
    const [header = "", claims = "", signature = ""] = assertion.split(".");
    const signed = createVerify("RSA-SHA256").update(`${header}.${claims}`);
    if (!signed.verify(keys.publicKey, signature, "base64url")) return null;
    const { sub, scope, iss } = JSON.parse(Buffer.from(claims, "base64url").toString());
    const isOurs = iss === account.client_email && scope === "https://www.googleapis.com/auth/gmail.modify";
    return isOurs && delegated.has(sub) ? sub : null;
  }

  async function answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const path = new URL(req.url ?? "/", "http://localhost").pathname;
    if (path === "/userinfo") return userinfo(req, res);
    if (path === "/revoke" && req.method === "POST") return takeBack(new URLSearchParams(await bodyOf(req)), res);
    if (path !== "/token" || req.method !== "POST") return json(res, 404, {});
    const fields = new URLSearchParams(await bodyOf(req));
    asked.push(fields.get("grant_type") ?? "");
    await delay(settings.delayMs);
    if (settings.down) return json(res, 503, {});
    if (fields.get("grant_type") === JWT_BEARER) {
      const email = subjectOf(fields.get("assertion") ?? "");
      return email === null
        ? json(res, 401, { error: "unauthorized_client", error_description: "Client is unauthorized" })
        : json(res, 200, issueAccess(email));
    }
    if (fields.get("client_id") !== clientId || fields.get("client_secret") !== settings.secret)
      return json(res, 401, { error: "invalid_client" });
    if (fields.get("grant_type") === "client_credentials") return json(res, 200, issueAccess(NO_USER));
    if (fields.get("grant_type") === "refresh_token") {
      if (settings.refusal !== null) return json(res, settings.refusal.status, settings.refusal.body);
      const refreshToken = fields.get("refresh_token") ?? "";
      const email = refreshTokens.get(refreshToken);
      return email === undefined
        ? json(res, 400, { error: "invalid_grant" })
        : json(res, 200, issue(email, refreshToken));
    }
    const code = codes.get(fields.get("code") ?? "");
    codes.delete(fields.get("code") ?? "");
    const challenge = createHash("sha256")
      .update(fields.get("code_verifier") ?? "")
      .digest("base64url");
    const isGood = code?.challenge === challenge && code.redirectUri === fields.get("redirect_uri");
    return code !== undefined && isGood
      ? json(res, 200, issue(code.email, null))
      : json(res, 400, { error: "invalid_grant" });
  }

  function takeBack(fields: URLSearchParams, res: ServerResponse): void {
    const refreshToken = fields.get("token") ?? "";
    takenBack.push({ token: refreshToken, hint: fields.get("token_type_hint") });
    const isClient = fields.get("client_id") === clientId && fields.get("client_secret") === clientSecret;
    const status = settings.down ? 503 : isClient ? 200 : 401;
    if (status === 200) refreshTokens.delete(refreshToken);
    json(res, status, {});
  }

  function userinfo(req: IncomingMessage, res: ServerResponse): void {
    const email = accessTokens.get((req.headers.authorization ?? "").replace(/^Bearer /, ""));
    if (email === undefined) json(res, 401, {});
    else json(res, 200, settings.userinfo(email));
  }

  function drop(tokens: Map<string, string>, email: string): void {
    for (const [key, owner] of tokens) if (owner === email) tokens.delete(key);
  }

  return {
    url: `http://localhost:${port}`,
    clientId,
    clientSecret,
    asked,
    takenBack,
    settings,
    account,
    delegated,
    knowsClient: (accessToken) => accessTokens.get(accessToken) === NO_USER,
    consent(authUrl, email) {
      const { searchParams: asked } = new URL(authUrl);
      const of = (name: string) => asked.get(name) ?? "";
      if (of("code_challenge_method") !== "S256" || of("response_type") !== "code" || of("client_id") !== clientId) {
        throw new Error(`Not a consent address: ${authUrl}`);
      }
      const code = token("code");
      codes.set(code, { email, challenge: of("code_challenge"), redirectUri: of("redirect_uri") });
      const back = new URL(of("redirect_uri"));
      back.searchParams.set("state", of("state"));
      back.searchParams.set("code", code);
      return back;
    },
    revoke(email) {
      drop(refreshTokens, email);
      drop(accessTokens, email);
    },
    allow(email) {
      const refreshToken = token("refresh");
      refreshTokens.set(refreshToken, email);
      return refreshToken;
    },
    ownerOf: (accessToken) => accessTokens.get(accessToken) ?? null,
    refreshes: (refreshToken) => refreshTokens.has(refreshToken),
    expire: (email) => drop(accessTokens, email),
    knows: (email, accessToken) => accessTokens.get(accessToken) === email,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

function idTokenOf(claims: object): string {
  return [{ alg: "RS256" }, claims, "signature"]
    .map((part) => Buffer.from(JSON.stringify(part)).toString("base64url"))
    .join(".");
}

function json(res: ServerResponse, status: number, body: object): void {
  res.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}

async function bodyOf(req: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of req) chunks.push(chunk);
  return Buffer.concat(chunks).toString("utf8");
}
