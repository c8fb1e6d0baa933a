import { sign } from "node:crypto";
import type { GoogleCredentials } from "../domain/access/google-credentials.ts";
import type { Egress } from "./net/egress.ts";
import { exchangeAssertion, refresh, type Tokens } from "./oauth.ts";

export interface GoogleTokens {
  /**
   * Returns an access token that does not expire within a minute: the current one or a new one. Concurrent callers
   * share one request. @throws OAuthTrouble
   */
  get(): Promise<string>;
  /** Forgets a token that was refused, so that the next call gets a new one. */
  drop(token: string): void;
}

/** Milliseconds: a token that expires within this time is no longer used. */
const EARLY_MS = 60_000;
/** Seconds for which an assertion is valid: Google accepts at most an hour. */
const ASSERTION_S = 3_600;

/** Gets access tokens for configured credentials, and keeps the last token in memory only. */
export function googleTokens(egress: Egress, credentials: GoogleCredentials, scopes: readonly string[]): GoogleTokens {
  let currentTokens: Tokens | null = null;
  let asking: Promise<string> | null = null;
  let refreshToken = credentials.type === "authorized_user" ? credentials.refresh_token : "";

  async function requestToken(): Promise<string> {
    const tokens = await (credentials.type === "service_account"
      ? exchangeAssertion(egress, credentials.token_uri, assertionOf(credentials, scopes, Date.now()))
      : refresh(egress, clientOf(credentials, scopes), refreshToken));
    // The provider may return a new refresh token, and the old one may then be invalid
    refreshToken = tokens.refreshToken ?? refreshToken;
    currentTokens = tokens;
    return tokens.accessToken;
  }

  return {
    async get() {
      if (currentTokens !== null && currentTokens.expiresAt.getTime() - EARLY_MS > Date.now())
        return currentTokens.accessToken;
      asking ??= requestToken().finally(() => {
        asking = null;
      });
      return asking;
    },
    drop(token) {
      if (currentTokens?.accessToken === token) currentTokens = null;
    },
  };
}

/**
 * A JWT assertion with caller, scope, audience and validity (RFC 7523 3), signed with the service account's key.
 * `subject` is the user for whom the account acts (domain-wide delegation).
 */
export function assertionOf(
  { client_email, private_key, private_key_id, token_uri }: Extract<GoogleCredentials, { type: "service_account" }>,
  scopes: readonly string[],
  now: number,
  subject?: string,
): string {
  const iat = Math.floor(now / 1_000);
  const header = { alg: "RS256", typ: "JWT", ...(private_key_id !== undefined && { kid: private_key_id }) };
  const times = { iat, exp: iat + ASSERTION_S };
  const claims = {
    iss: client_email,
    ...(subject && { sub: subject }),
    scope: scopes.join(" "),
    aud: token_uri,
    ...times,
  };
  const signed = [header, claims].map((part) => Buffer.from(JSON.stringify(part)).toString("base64url")).join(".");
  return `${signed}.${sign("RSA-SHA256", Buffer.from(signed), private_key).toString("base64url")}`;
}

function clientOf(
  { client_id, client_secret, token_uri }: Extract<GoogleCredentials, { type: "authorized_user" }>,
  scopes: readonly string[],
) {
  const urls = { authUrl: token_uri, tokenUrl: token_uri, userinfoUrl: token_uri, revocationUrl: null };
  return { clientId: client_id, clientSecret: client_secret, ...urls, scope: scopes.join(" ") };
}
