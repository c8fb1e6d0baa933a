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
  /** Writes the page that says why a browser got no further. */
  refuse(ctx: KoaContextWithOIDC, error: string, text: string): void;
  /** Told of each failure that is ours. */
  failed(res: ServerResponse, err: unknown): void;
  /** The page in place of a refusal while the database does not respond; null where something else is wrong. */
  awayPage(res: ServerResponse, err: unknown): string | null;
  /** The body of a request that was read before. */
  bodyOf(req: IncomingMessage): Buffer | undefined;
}

/**
 * The authorization server: who may be a client, what tokens are, how long they live. `mount.ts` decides which requests
 * it sees.
 */
export function createProvider(options: ProviderOptions): Provider {
  const provider = new Provider(options.publicUrl, configurationOf(options));
  // Addresses come from PUBLIC_URL: the mount writes it into the headers of a proxy, whatever the request says
  provider.proxy = true;
  provider.use(async (ctx, next) => {
    const body = options.bodyOf(ctx.req);
    if (body !== undefined) {
      ctx.req.headers["content-length"] = String(body.length);
      ctx.req = Readable.from([body]) as IncomingMessage; // the library reads nothing of it but the stream
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

/** What the library's own list of scopes would make OpenID scopes of, and what there is no page for. */
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
    // The page is shown each time, so that a scope that was refused once can be given later
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
    // Browsers may be clients too: no cookie opens these addresses
    clientBasedCORS: () => true,
    ttl: {
      AuthorizationCode: LIFE_SECONDS.code,
      AccessToken: LIFE_SECONDS.accessToken,
      RefreshToken: () => LIFE_SECONDS.refreshToken, // as a function, it begins anew with each rotation
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
