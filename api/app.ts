import { randomUUID } from "node:crypto";
import express, { type Express, type Request, type RequestHandler, type Response, Router } from "express";
import helmet from "helmet";
import { AppError } from "../domain/errors.ts";
import { requestCount } from "../operations/access/call-rate.ts";
import type { Services } from "../operations/context.ts";
import type { Route } from "../operations/declaration.ts";
import { countSignUp } from "../operations/tracking/count-sign-up.ts";
import type { Log } from "../runtime/log.ts";
import { answerError } from "./answer-error.ts";
import { authenticate } from "./authenticate.ts";
import { consoleOf } from "./console/door.ts";
import { type ConsoleFiles, consolePagesOf } from "./console/pages.ts";
import { routeNotFound } from "./errors.ts";
import { healthz, type Ready, readyz } from "./health.ts";
import { LIMITS, LONGEST_URL, limitRate, type RateLimits } from "./limits.ts";
import { loginOf } from "./pages/login.ts";
import { secondFactorOf } from "./pages/second-factor.ts";
import { signInLinksOf } from "./pages/sign-in.ts";
import { signUpOf } from "./pages/sign-up.ts";
import { calendarCallbackOf } from "./public/calendar-callback.ts";
import { certificateQuestionOf } from "./public/certificate-question.ts";
import { connectCallbackOf } from "./public/connect-callback.ts";
import { connectUndoOf } from "./public/connect-undo.ts";
import { conversionsOf } from "./public/conversions.ts";
import { crmCallbackOf } from "./public/crm-callback.ts";
import { evidenceKeysAt } from "./public/evidence-keys.ts";
import { exportsOf } from "./public/exports.ts";
import { filesOf } from "./public/files.ts";
import { frontOf } from "./public/front.ts";
import { hooksOf } from "./public/hooks.ts";

import { svcScript } from "./public/svc-script.ts";
import { limitTrackingHosts } from "./public/tracking-hosts.ts";
import { unsubscribeOf } from "./public/unsubscribe.ts";
import { referenceOf } from "./reference.ts";
import { routerOf } from "./router.ts";
import { routes as table } from "./routes.ts";

export interface Answered {
  method: string;
  /** The matched route pattern; null when no route matched. */
  route: string | null;
  status: number;
  ms: number;
}

export interface AppOptions {
  log: Log;
  ready: Ready;
  /** Called for each request when its response has ended. It gets the route pattern, never the request's address. */
  onAnswered?: (request: Answered) => void;
  /** The handlers that see each request before any route. */
  before?: readonly RequestHandler[];
  routes?: readonly Route[];
  limits?: RateLimits;
  /** The built console. Without it, only the sign-in pages are served. */
  console?: ConsoleFiles;
  /** Further routers beside the API: the tool server, OAuth, tracking. */
  also?: readonly Router[];
}

/** Creates the HTTP application of the service; it does not listen yet. */
export function createApp(
  services: Services,
  { log, ready, onAnswered, before = [], routes = table, limits = LIMITS, console, also = [] }: AppOptions,
): Express {
  const app = express();
  app.disable("x-powered-by");
  app.set("query parser", "simple");
  app.set("trust proxy", services.settings.trustProxy);
  app.use(helmet());
  app.use(trace(log, onAnswered));
  for (const handler of before) app.use(handler);
  app.use(certificateQuestionOf(services.settings));
  app.use(limitTrackingHosts(services.settings));
  app.get("/healthz", healthz);
  app.get("/readyz", readyz(ready));
  app.get("/svc.js", svcScript);
  if (console !== undefined) app.use(consolePagesOf(services.settings.publicUrl, console));
  app.use(frontOf(ready, services.settings.publicUrl));
  app.use(unsubscribeOf(services));
  app.use(conversionsOf());
  app.use(exportsOf(services));
  app.use(evidenceKeysAt(services));
  app.use(filesOf(services));
  app.use(connectCallbackOf(services));
  app.use(connectUndoOf(services));
  app.use(crmCallbackOf(services));
  app.use(calendarCallbackOf(services));
  app.use(hooksOf(services));
  app.use(referenceOf(routes, services.settings.publicUrl));
  app.use(loginOf(services));
  app.use(secondFactorOf(services));
  app.use(signInLinksOf(services));
  app.use(signUpOf(services, countSignUp));
  for (const router of also) app.use(router);
  app.use("/console/api/v1", consoleOf(services, routes, limits));
  app.use("/api/v1", apiOf(services, routes, limits));
  app.use(routeNotFound);
  app.use(answerError);
  return app;
}

function apiOf(services: Services, routes: readonly Route[], limits: RateLimits): Router {
  const api = Router();
  api.use(authenticate);
  api.use(limitRate(requestCount("rest", limits.perCredential), limits.perCredential));
  api.use((_req, res, next) => {
    res.set("Cache-Control", "no-store");
    next();
  });
  api.use(routerOf(routes, services));
  return api;
}

/** The status that proxies log when the client closed the connection before the response, and our word for it. */
const CLIENT_CLOSED = 499;
const ABANDONED = "ABANDONED";

/** Returns true for a 5xx error that reports missing operator setup and not a fault of the service. */
function isExpected(error: unknown): boolean {
  return error instanceof AppError && error.code === "PROVIDER_NOT_CONFIGURED" && error.cause === undefined;
}

/**
 * Gives the request a trace id, and logs one line when its response ends. The line never contains headers, bodies,
 * addresses or path parameters.
 */
function trace(log: Log, onAnswered: AppOptions["onAnswered"]) {
  return (req: Request, res: Response, next: () => void): void => {
    const traceId = randomUUID();
    const started = performance.now();
    res.locals["traceId"] = traceId;
    res.set("X-Trace-Id", traceId);
    res.once("close", () => {
      const { error, principal, route } = res.locals;
      // A client that disconnected before the response was sent received no answer, whatever status was set
      const status = res.writableFinished ? res.statusCode : CLIENT_CLOSED;
      const answered = { method: req.method, route: route ?? null, status, ms: performance.now() - started };
      onAnswered?.(answered);
      // The tool server answers 200 for a fault of a call, too
      const isFault = status >= 500 || (status === 200 && error?.code === "INTERNAL_ERROR");
      const line = {
        traceId,
        ...answered,
        ms: Math.round(answered.ms),
        ...(principal && { workspaceId: principal.workspaceId, credentialId: principal.credentialId }),
        ...(status === CLIENT_CLOSED && { outcome: ABANDONED }),
        ...(error instanceof AppError && { code: error.code }),
        ...(isFault && error?.cause !== undefined && { err: error.cause }),
      };
      log[isFault && !isExpected(error) ? "error" : "info"](line, "request");
    });
    if (req.url.length > LONGEST_URL)
      throw new AppError("URI_TOO_LONG", `The address must have at most ${LONGEST_URL} characters`);
    next();
  };
}
