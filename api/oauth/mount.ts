import type { IncomingMessage, ServerResponse } from "node:http";
import { type Request, type RequestHandler, type Response, Router } from "express";
import type { Egress } from "../../connectors/net/egress.ts";
import { AppError } from "../../domain/errors.ts";
import { OAUTH_LIMITS, type OAuthLimits, oauthCounts } from "../../operations/access/call-rate.ts";
import { toolServerUrl } from "../../operations/access/connectors.ts";
import type { Services } from "../../operations/context.ts";
import { asAppError } from "../errors.ts";
import { addressOf, limitTogether } from "../limits.ts";
import { awayPage, OPENER, sealPage, sendPage } from "../public/page.ts";
import { type Bodies, readRegistration, readTokenRequest } from "./bodies.ts";
import { documentFetch } from "./client-document.ts";
import { consentOf } from "./consent.ts";
import { oauthKeysOf } from "./keys.ts";
import { refusalPage } from "./pages.ts";
import { createProvider } from "./provider.ts";
import { regularQuery } from "./regular.ts";
import { resourceDocument } from "./resource.ts";

export interface OAuthOptions {
  egress: () => Promise<Egress>;
  limits?: OAuthLimits;
}

/** The authorization server, mounted at its own paths only. */
export function oauthOf(services: Services, { egress, limits = OAUTH_LIMITS }: OAuthOptions): Router {
  const { publicUrl } = services.settings;
  const resource = toolServerUrl(publicUrl);
  const keys = oauthKeysOf(services.signing.oauth);
  const bodies: Bodies = new WeakMap<IncomingMessage, Buffer>();
  const provider = createProvider({
    publicUrl,
    keys,
    fetchDocument: documentFetch(egress),
    bodyOf: (req) => bodies.get(req),
    refuse(ctx, error, text) {
      if (isAnswer(ctx.res)) sealPage(ctx.res, { hasForm: false });
      ctx.type = "html";
      ctx.body = refusalPage(error, text);
    },
    awayPage: (res, err) => (isAnswer(res) ? awayPage(res, asAppError(err)) : null),
    failed(res, err) {
      if (isAnswer(res)) res.locals["error"] = asAppError(err);
    },
  });
  const pass = passTo(provider.callback(), publicUrl);
  const consent = consentOf({ services, provider, keys });
  const count = oauthCounts(limits);

  const router = Router();
  for (const path of ["/.well-known/oauth-authorization-server", "/.well-known/openid-configuration", "/oauth/jwks"]) {
    takes(router, path, { get: [pass], options: [pass] });
  }
  for (const path of ["/.well-known/oauth-protected-resource", "/.well-known/oauth-protected-resource/mcp"]) {
    takes(router, path, { get: [resourceDocument(publicUrl)] });
  }
  const begin = [
    asPage(limitTogether(count.authorize, addressOf)),
    withoutLibrarySession,
    regularAuthorize(publicUrl, resource),
    pass,
  ];
  takes(router, "/oauth/authorize", { get: begin });
  takes(router, "/oauth/authorize/:uid", { get: [withoutLibrarySession, pass] });
  takes(router, "/oauth/consent/:uid", consent);
  const register = [limitTogether(count.register, addressOf), readRegistration(bodies), pass];
  takes(router, "/oauth/register", { post: register, options: [pass] });
  const token = [readTokenRequest(bodies, resource), limitTogether(count.token, clientOf), pass];
  for (const path of ["/oauth/token", "/oauth/revoke"]) takes(router, path, { post: token, options: [pass] });
  return router;
}

type Methods = Partial<Record<"get" | "post" | "options", RequestHandler[]>>;

/** Registers a path with its methods. Other methods are refused like everywhere in the API. */
function takes(router: Router, path: string, methods: Methods): void {
  const route = router.route(path);
  route.all((_req, res, next) => {
    res.locals["route"] = path;
    next();
  });
  if (methods.get) route.get(methods.get);
  if (methods.post) route.post(methods.post);
  if (methods.options) route.options(methods.options);
  const allowed = Object.keys(methods).flatMap((name) => (name === "get" ? ["GET", "HEAD"] : [name.toUpperCase()]));
  route.all((_req, res) => {
    res.set("Allow", allowed.join(", "));
    throw new AppError("METHOD_NOT_ALLOWED", `This URL accepts only ${allowed.join(", ")}`);
  });
}

/** Every URL that the library writes starts with PUBLIC_URL, whatever host and protocol the request has. */
function passTo(
  answer: (req: IncomingMessage, res: ServerResponse) => Promise<void>,
  publicUrl: string,
): RequestHandler {
  const { protocol, host } = new URL(publicUrl);
  return async (req, res) => {
    res.set(OPENER);
    Object.assign(req.headers, { "x-forwarded-proto": protocol.slice(0, -1), "x-forwarded-host": host });
    await answer(req, res);
  };
}

/**
 * Removes the library's own session cookie, which would bind a browser to the first account that consents there. Our
 * login decides who is signed in.
 */
const withoutLibrarySession: RequestHandler = (req, _res, next) => {
  const cookies = (req.headers.cookie ?? "").split(/; */).filter((cookie) => !cookie.startsWith("_session"));
  req.headers.cookie = cookies.join("; ");
  next();
};

function regularAuthorize(publicUrl: string, resource: string): RequestHandler {
  return (req, _res, next) => {
    const { pathname, searchParams } = new URL(req.url, publicUrl);
    req.url = `${pathname}?${regularQuery(searchParams, resource)}`;
    next();
  };
}

/** Responds with an HTML page when a request exceeds the limit. */
function asPage(limit: RequestHandler): RequestHandler {
  return (req, res, next) =>
    limit(req, res, (err?: unknown) => {
      if (err === undefined) return next();
      sealPage(res, { hasForm: false });
      void sendPage(res, "Too many requests", () => Promise.reject(err));
    });
}

const LONGEST_CLIENT = 200;

function clientOf(req: Request, res: Response): string {
  const clientId: unknown = res.locals["clientId"];
  return typeof clientId === "string" ? `client:${clientId.slice(0, LONGEST_CLIENT)}` : addressOf(req);
}

function isAnswer(res: ServerResponse): res is Response {
  return "locals" in res;
}
