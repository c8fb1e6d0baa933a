import type { IncomingMessage, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { type Configuration, errors, type KoaContextWithOIDC, Provider } from "oidc-provider";
import { ALL_SCOPES } from "../../domain/scopes.ts";
import { findGrantOf, toolServerUrl } from "../../operations/access/connectors.ts";
import { LIFE_SECONDS } from "../../operations/access/oauth-records.ts";
import { asAppError } from "../errors.ts";
import { adapterOf } from "./adapter.ts";
import { DOCUMENT_BYTES, type documentFetch } from "./client-document.ts";
import type { OAuthKeys } from "./keys.ts";

export interface ProviderOptions {
  publicUrl: string;
  keys: OAuthKeys;
  fetchDocument: ReturnType<typeof documentFetch>;
  /** Sends the page that shows why an authorization request failed. */
  refuse(ctx: KoaContextWithOIDC, error: string, text: string): void;
  /** Called for each failure of our own server. */
  failed(res: ServerResponse, err: unknown): void;
  /** The page to send in place of a refusal while the database does not respond; null for every other error. */
  awayPage(res: ServerResponse, err: unknown): string | null;
  /** The body of a request that was already read. */
  bodyOf(req: IncomingMessage): Buffer | undefined;
}

/**
 * Creates the authorization server, and configures its clients, tokens and lifetimes. `mount.ts` decides which requests
 * reach it.
 */
export function createProvider(options: ProviderOptions): Provider {
  const provider = new Provider(options.publicUrl, configurationOf(options));
  // The mount writes PUBLIC_URL into the proxy headers, so the library's URLs do not depend on the request
  provider.proxy = true;
  provider.use(async (ctx, next) => {
    const body = options.bodyOf(ctx.req);
    if (body !== undefined) {
      ctx.req.headers["content-length"] = String(body.length);
      ctx.req = Readable.from([body]) as IncomingMessage; // the library uses only the stream
    }
    await next();
    if (ctx["oidc"]?.route === "discovery") Object.assign(ctx.body as object, DISCOVERED); // the library types every body as unknown
  });
  const failures = new WeakMap<object, unknown>();
  provider.on("server_error", (ctx, err) => {
    failures.set(ctx, err);
    options.failed(ctx.res, err);
  });
  provider.use(async (ctx, next) => {
    await next();
    if (!failures.has(ctx) || ctx.status < 500 || asAppError(failures.get(ctx)).status !== 503) return;
    const isPage = typeof ctx.body === "string";
    ctx.status = 503;
    ctx.set("Retry-After", "5");
    if (isPage) ctx.body = options.awayPage(ctx.res, failures.get(ctx)) ?? ctx.body;
    else ctx.body = { error: "temporarily_unavailable", error_description: "The database did not answer: try again" };
  });
  return provider;
}

/**
 * Overrides for the discovery document: the library would list our scopes as OpenID scopes, and response modes for
 * which there is no page.
 */
const DISCOVERED = { scopes_supported: ALL_SCOPES, response_modes_supported: ["query"] };

function configurationOf({ publicUrl, keys, fetchDocument, refuse }: ProviderOptions): Configuration {
  const resource = toolServerUrl(publicUrl);
  return {
    adapter: adapterOf,
    scopes: [],
    claims: {},
    responseTypes: ["code"],
    clientAuthMethods: ["none"],
    clientDefaults: {
      token_endpoint_auth_method: "none",
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
      id_token_signed_response_alg: "ES256",
    },
    jwks: { keys: keys.jwks },
    cookies: { keys: keys.cookies, short: COOKIE, long: COOKIE },
    pkce: { required: () => true },
    rotateRefreshToken: true,
    issueRefreshToken: async (_ctx, client) => client.grantTypeAllowed("refresh_token"),
    expiresWithSession: async () => false,
    revokeGrantPolicy: () => true,
    // The consent page is shown each time, so that a scope that was denied once can be granted later
    loadExistingGrant: async (ctx) => {
      const id = ctx.oidc.result?.consent?.grantId;
      return id === undefined ? undefined : ctx.oidc.provider.Grant.find(id);
    },
    extraTokenClaims: async (_ctx, token) => {
      const grant = "grantId" in token && typeof token.grantId === "string" ? await findGrantOf(token.grantId) : null;
      if (grant === null) throw new errors.InvalidGrant("grant not found");
      return { workspaceId: grant.workspaceId, clientName: grant.clientName };
    },
    findAccount: async (_ctx, accountId) => ({ accountId, claims: async () => ({ sub: accountId }) }),
    // Browsers may be clients too: these endpoints accept no cookies
    clientBasedCORS: () => true,
    ttl: {
      AuthorizationCode: LIFE_SECONDS.code,
      AccessToken: LIFE_SECONDS.accessToken,
      RefreshToken: () => LIFE_SECONDS.refreshToken, // a function restarts the lifetime with each rotation
      Grant: LIFE_SECONDS.grant,
      Interaction: LIFE_SECONDS.page,
      Session: LIFE_SECONDS.page,
    },
    routes: {
      authorization: "/oauth/authorize",
      token: "/oauth/token",
      registration: "/oauth/register",
      revocation: "/oauth/revoke",
      jwks: "/oauth/jwks",
    },
    interactions: { url: (_ctx, { uid }) => `/oauth/consent/${uid}` },
    features: {
      devInteractions: { enabled: false },
      userinfo: { enabled: false },
      rpInitiatedLogout: { enabled: false },
      pushedAuthorizationRequests: { enabled: false },
      dPoP: { enabled: false },
      registration: { enabled: true, issueRegistrationAccessToken: false },
      revocation: { enabled: true, allowedPolicy: async (_ctx, client, token) => token.clientId === client.clientId },
      clientIdMetadataDocument: { enabled: true, ack: "draft-02", cacheDuration: LIFE_SECONDS.document },
      resourceIndicators: {
        enabled: true,
        defaultResource: async () => resource,
        useGrantedResource: async () => true,
        getResourceServerInfo: async (_ctx, indicator) => {
          if (indicator !== resource) throw new errors.InvalidTarget();
          return {
            scope: ALL_SCOPES.join(" "),
            audience: resource,
            accessTokenFormat: "opaque",
            accessTokenTTL: LIFE_SECONDS.accessToken,
          };
        },
      },
    },
    fetch: (url, request) => fetchDocument(String(url), request ?? {}),
    fetchResponseBodyLimits: { "client_id metadata document": DOCUMENT_BYTES },
    renderError: async (ctx, { error, error_description }) => refuse(ctx, error, error_description ?? ""),
  };
}

const COOKIE = { signed: true, httpOnly: true, sameSite: "lax" } as const;
