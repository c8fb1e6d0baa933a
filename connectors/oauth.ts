import { decodeJwt } from "jose";
import * as oauth from "oauth4webapi";
import { normalizeAddress } from "../domain/mail/message.ts";
import type { AccessFault } from "../domain/mailboxes/connection-error.ts";
import type { OAuthClient } from "../domain/mailboxes/provider.ts";
import type { Egress } from "./net/egress.ts";
import { isGoogleEnd, readDelegationRefusal, readTokenRefusal, type TokenAnswer } from "./token-refusal.ts";

export interface Tokens {
  accessToken: string;
  /** Null when the provider returned no new one, so the current refresh token stays valid. */
  refreshToken: string | null;
  expiresAt: Date;
  /**
   * The base URL of the API that accepts the tokens, from providers that return it (`instance_url`, `api_domain`); null
   * otherwise.
   */
  base: string | null;
  /**
   * The scopes that the user granted, separated by spaces; null when the provider omits them because it granted all.
   */
  scope: string | null;
  /** The claims of the ID token; null when there is no ID token or it is not read. */
  claims: Record<string, unknown> | null;
}

/** `revoked` means that the provider no longer knows the consent or the code. Every other failure may be temporary. */
export class OAuthTrouble extends Error {
  readonly kind: "revoked" | "unavailable";
  /** Why the provider gives no token, in our words; null when it does not say, or is busy or away. */
  readonly access: AccessFault | null;
  constructor(
    kind: "revoked" | "unavailable",
    { access = null, ...options }: ErrorOptions & { access?: AccessFault | null } = {},
  ) {
    super(`The provider: ${kind}`, options);
    this.kind = kind;
    this.access = access;
  }

  /** Whether the provider refused the request itself, so that a retry with the same credentials changes nothing. */
  get isRefusal(): boolean {
    const { cause } = this;
    return cause instanceof oauth.ResponseBodyError && cause.status >= 400 && cause.status < 404;
  }

  /** Whether the provider refused the client id or secret of this deployment. */
  get isClientRefused(): boolean {
    return this.access === "CLIENT_REFUSED";
  }

  /** Whether Google ended the consent without saying why, as it does after seven days while an app is in testing. */
  get isGoogleEnd(): boolean {
    const { cause } = this;
    return cause instanceof oauth.ResponseBodyError && isGoogleEnd(answerOf(cause).description);
  }
}

/**
 * Whether the user granted every requested scope; Google lets users deselect single ones. Only scopes written as URLs
 * are compared, by their last part, because providers shorten or omit the others.
 */
export function isGrantedWhole({ scope: asked }: OAuthClient, { scope: granted }: Pick<Tokens, "scope">): boolean {
  if (granted === null) return true;
  const lastPart = (scope: string) => scope.replace(/\/$/, "").split("/").at(-1)?.toLowerCase();
  const has = new Set(granted.split(" ").map(lastPart));
  return asked
    .split(" ")
    .filter((scope) => scope.includes("://"))
    .every((scope) => has.has(lastPart(scope)));
}

const CALL_MS = 10_000;
const MOST_BYTES = 64 * 1024;
/** The lifetime of a token in seconds if the provider does not state it. */
const DEFAULT_LIFE_S = 300;

/** Exchanges a code for tokens (RFC 6749 4.1.3, RFC 7636). @throws OAuthTrouble */
export async function redeem(
  egress: Egress,
  client: OAuthClient,
  { code, verifier, redirectUri }: { code: string; verifier: string | null; redirectUri: string },
): Promise<Tokens> {
  return asOAuthTrouble(async () => {
    const [as, id] = oauthParties(client);
    // The caller has already compared `state`. `iss` is not needed, because each provider has its own callback URL (RFC
    // 9700 4.4.2)
    const callback = oauth.validateAuthResponse(as, id, new URLSearchParams({ code }), oauth.expectNoState);
    const proof = verifier ?? oauth.nopkce;
    const response = await oauth.authorizationCodeGrantRequest(
      as,
      id,
      secretOf(client),
      callback,
      redirectUri,
      proof,
      fetchThrough(egress),
    );
    return tokensOf(await oauth.processAuthorizationCodeResponse(as, id, response), client);
  });
}

/** Gets a new access token for a refresh token (RFC 6749 6). @throws OAuthTrouble */
export async function refresh(egress: Egress, client: OAuthClient, refreshToken: string): Promise<Tokens> {
  return asOAuthTrouble(async () => {
    const [as, id] = oauthParties(client);
    const response = await oauth.refreshTokenGrantRequest(as, id, secretOf(client), refreshToken, fetchThrough(egress));
    return tokensOf(await oauth.processRefreshTokenResponse(as, id, response), client);
  });
}

const JWT_BEARER = "urn:ietf:params:oauth:grant-type:jwt-bearer";

/**
 * Gets an access token for a signed assertion, which also authenticates the caller (RFC 7523 2.1). @throws OAuthTrouble
 */
export async function exchangeAssertion(egress: Egress, tokenUrl: string, assertion: string): Promise<Tokens> {
  return asOAuthTrouble(async () => {
    const as = { issuer: new URL(tokenUrl).origin, token_endpoint: tokenUrl };
    const nobody = { client_id: "unused" };
    const without: oauth.ClientAuth = () => {};
    const response = await oauth.genericTokenEndpointRequest(
      as,
      nobody,
      without,
      JWT_BEARER,
      { assertion },
      fetchThrough(egress),
    );
    return tokensOf(await oauth.processGenericTokenEndpointResponse(as, nobody, response));
  });
}

/** Gets an access token for the client itself, without a user (RFC 6749 4.4). @throws OAuthTrouble */
export async function requestForClient(egress: Egress, client: OAuthClient, scope: string): Promise<Tokens> {
  return asOAuthTrouble(async () => {
    const [as, id] = oauthParties(client);
    const through = fetchThrough(egress);
    const response = await oauth.clientCredentialsGrantRequest(as, id, secretOf(client), { scope }, through);
    return tokensOf(await oauth.processClientCredentialsResponse(as, id, response), client);
  });
}

/**
 * Asks the provider to revoke a refresh token and the access tokens issued for it (RFC 7009 2.1). @throws OAuthTrouble
 */
export async function revoke(egress: Egress, client: OAuthClient, refreshToken: string): Promise<void> {
  await asOAuthTrouble(async () => {
    const [as, id] = oauthParties(client);
    const hint = { additionalParameters: { token_type_hint: "refresh_token" } };
    const response = await oauth.revocationRequest(as, id, secretOf(client), refreshToken, {
      ...fetchThrough(egress),
      ...hint,
    });
    await oauth.processRevocationResponse(response);
  });
}

/**
 * The mailbox's address, from the provider's userinfo URL or else from the ID token; null when there is none or the
 * provider has not verified it. @throws OAuthTrouble
 */
export async function fetchMailboxAddress(
  egress: Egress,
  { userinfoUrl }: OAuthClient,
  { accessToken, claims }: Pick<Tokens, "accessToken" | "claims">,
): Promise<string | null> {
  return addressIn(userinfoUrl === null ? claims : await fetchProfile(egress, userinfoUrl, accessToken));
}

function fetchProfile(egress: Egress, userinfoUrl: string, accessToken: string): Promise<unknown> {
  return asOAuthTrouble(async () => {
    const url = new URL(userinfoUrl);
    const response = await oauth.protectedResourceRequest(
      accessToken,
      "GET",
      url,
      undefined,
      undefined,
      fetchThrough(egress),
    );
    return response.ok ? response.json() : null;
  });
}

function addressIn(profile: unknown): string | null {
  const { email, mail, preferred_username, userPrincipalName, email_verified }: Record<string, unknown> =
    typeof profile === "object" && profile !== null ? { ...profile } : {};
  if (email_verified === false || email_verified === "false") return null;
  const given = [email, mail, preferred_username, userPrincipalName].find((each) => typeof each === "string");
  return typeof given === "string" ? (normalizeAddress(given)?.address ?? null) : null;
}

function oauthParties({
  clientId,
  authUrl,
  tokenUrl,
  revocationUrl,
}: OAuthClient): [oauth.AuthorizationServer, oauth.Client] {
  const as = { issuer: new URL(authUrl).origin, token_endpoint: tokenUrl };
  return [revocationUrl === null ? as : { ...as, revocation_endpoint: revocationUrl }, { client_id: clientId }];
}

/** Sends every request through the egress connector, which decides which addresses may be reached. */
function fetchThrough(egress: Egress) {
  const customFetch = async (
    url: string,
    { method, headers, body }: { method: string; headers: Record<string, string>; body?: unknown },
  ) => {
    const text = body instanceof URLSearchParams ? { body: body.toString() } : {};
    const answer = await egress.request(url, {
      method: method === "POST" ? "POST" : "GET",
      headers: {
        ...headers,
        ...("body" in text && { "content-type": "application/x-www-form-urlencoded;charset=UTF-8" }),
      },
      ...text,
      timeoutMs: CALL_MS,
      maxBodyBytes: MOST_BYTES,
    });
    const type = answer.headers["content-type"];
    return new Response(withoutIdToken(answer.bodyExcerpt.toString("utf8")), {
      status: answer.statusCode,
      headers: { "content-type": typeof type === "string" ? type : "" },
    });
  };
  return { [oauth.customFetch]: customFetch, [oauth.allowInsecureRequests]: true } as const;
}

/** The field to which the ID token is moved, which the library does not read. */
const HIDDEN = "hidden_id_token";

/** HubSpot's codes for `invalid_grant`. */
const BAD_GRANT = ["BAD_REFRESH_TOKEN", "BAD_AUTH_CODE"];

/**
 * Hides the ID token from the library, which would compare its issuer with a configured one: Microsoft's issuer differs
 * for each tenant. The token comes directly from the token endpoint, so verifying its signature would prove nothing
 * more (OpenID Connect Core 3.1.3.7). The address in the token is verified by logging in to both mail servers.
 */
function withoutIdToken(body: string): string {
  try {
    const { id_token, ...others } = JSON.parse(body);
    const rest = { ...others, ...(id_token !== undefined && { [HIDDEN]: id_token }) };
    return JSON.stringify(BAD_GRANT.includes(rest.status) ? { ...rest, error: "invalid_grant" } : rest);
  } catch {
    return body;
  }
}

/**
 * For Basic authentication, id and secret are sent without form encoding: RFC 6749 2.3.1 demands it, but vendors that
 * use Basic do not decode it.
 */
function secretOf({ clientId, clientSecret, isBasic }: OAuthClient): oauth.ClientAuth {
  if (!isBasic) return oauth.ClientSecretPost(clientSecret);
  const both = Buffer.from(`${clientId}:${clientSecret}`).toString("base64");
  return (_as, _client, _body, headers) => headers.set("authorization", `Basic ${both}`);
}

function tokensOf(
  answer: oauth.TokenEndpointResponse,
  { lifeSeconds = DEFAULT_LIFE_S, clientId, userinfoUrl }: Partial<OAuthClient> = {},
): Tokens {
  const { access_token, refresh_token, expires_in, instance_url, api_domain } = answer;
  const lifeS = expires_in ?? lifeSeconds;
  const base = [instance_url, api_domain].find((url) => typeof url === "string");
  return {
    accessToken: access_token,
    refreshToken: refresh_token ?? null,
    expiresAt: new Date(Date.now() + lifeS * 1_000),
    base: typeof base === "string" ? base : null,
    scope: answer.scope ?? null,
    claims: userinfoUrl === null ? claimsOf(answer[HIDDEN], clientId) : null,
  };
}

/** The claims of an ID token; null for a token that was issued to another client or cannot be decoded. */
function claimsOf(idToken: unknown, clientId: string | undefined): Tokens["claims"] {
  try {
    const claims = typeof idToken === "string" ? decodeJwt(idToken) : null;
    return claims !== null && [claims.aud].flat().includes(clientId) ? claims : null;
  } catch {
    return null;
  }
}

async function asOAuthTrouble<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (cause) {
    if (!(cause instanceof oauth.ResponseBodyError)) throw new OAuthTrouble("unavailable", { cause });
    const { kind, access } = readTokenRefusal(answerOf(cause));
    throw new OAuthTrouble(kind, { access, cause });
  }
}

/** The same trouble of a service account or an application, which has no consent of a user. */
export function asDelegation(trouble: OAuthTrouble): OAuthTrouble {
  const { cause } = trouble;
  if (!(cause instanceof oauth.ResponseBodyError)) return trouble;
  return new OAuthTrouble("unavailable", { access: readDelegationRefusal(answerOf(cause)), cause });
}

function answerOf({ status, error, error_description, cause }: oauth.ResponseBodyError): TokenAnswer {
  const subtype = cause["error_subtype"];
  return { status, error, description: error_description ?? "", subtype: typeof subtype === "string" ? subtype : "" };
}
