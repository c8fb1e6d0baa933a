import compression from "compression";
import { type NextFunction, type Request, type Response, Router } from "express";
import { AppError, invalid } from "../../domain/errors.ts";
import { requestCount } from "../../operations/access/call-rate.ts";
import { principalIn, principalOfPerson } from "../../operations/access/console-principal.ts";
import type { Services } from "../../operations/context.ts";
import type { Route } from "../../operations/declaration.ts";
import { credential } from "../../operations/sign-in/attempts.ts";
import { addressOf, limitRate, type RateLimits } from "../limits.ts";
import { isFromElsewhere } from "../pages/csrf.ts";
import { doorOf } from "../pages/door.ts";
import { findSessionAt } from "../pages/visitor.ts";
import { routerOf } from "../router.ts";
import { consoleRoutes } from "../routes.ts";
import { sessionOf } from "../session-cookie.ts";

/** Paths that concern the user or the whole deployment, so they need no workspace. */
const PERSONAL = /^\/(?:session|sessions|password|second-factor|system)(?:\/|$)/;
/** Smaller responses cost more to compress than compression saves. */
const COMPRESSED_BYTES = 1_024;

/** `/console/api/v1`: the same routes as the API, but only the session cookie authenticates (rules/access 3.2). */
export function consoleOf(services: Services, routes: readonly Route[], limits: RateLimits): Router {
  const door = Router();
  const { publicUrl } = services.settings;
  door.use(compression({ threshold: COMPRESSED_BYTES }));
  door.use((_req, res, next) => {
    res.set("Cache-Control", "no-store");
    next();
  });
  door.use((req, res, next) => {
    refuseOtherSites(req, doorOf(res, publicUrl).url);
    next();
  });
  door.use(signIn(publicUrl));
  door.use(limitRate(requestCount("session", limits.perSession), limits.perSession));
  door.use(routerOf([...consoleRoutes, ...routes], services));
  return door;
}

/**
 * Refuses requests from other sites. They cannot set the `X-Console` header without a CORS preflight, which the service
 * does not allow, and browsers report the origin of a request in `Sec-Fetch-Site` or `Origin`.
 * @throws AppError CROSS_SITE_REFUSED
 */
function refuseOtherSites(req: Request, url: string): void {
  const { origin } = req.headers;
  const says = req.headers["sec-fetch-site"] !== undefined;
  const isForeign = says ? isFromElsewhere(req) : origin !== undefined && origin !== new URL(url).origin;
  if (isForeign || req.headers["x-console"] !== "1") {
    throw new AppError(
      "CROSS_SITE_REFUSED",
      "Only pages of this service can make this call, from its own address and with the header X-Console: 1",
    );
  }
}

function signIn(publicUrl: string) {
  return async (req: Request, res: Response, next: NextFunction): Promise<void> => {
    const find = () => findSessionAt(publicUrl, req, res);
    const session = sessionOf(req, publicUrl) === null ? null : await credential(addressOf(req), find);
    if (session === null) throw new AppError("UNAUTHENTICATED", "Sign in first");
    res.locals["session"] = session;
    res.locals["principal"] = PERSONAL.test(req.path)
      ? principalOfPerson(session)
      : await principalIn(workspaceOf(req), session);
    next();
  };
}

/**
 * The workspace of the `X-Workspace` header. There is no default, because a tab of one workspace must not act in
 * another. @throws AppError VALIDATION_FAILED
 */
function workspaceOf(req: Request): string {
  const named = req.headers["x-workspace"];
  if (typeof named !== "string" || named === "")
    throw invalid("X-Workspace", "is required: the id of one of your workspaces", "REQUIRED");
  return named;
}
