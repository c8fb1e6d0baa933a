import type { RequestListener } from "node:http";
import express from "express";
import helmet from "helmet";
import type { ServiceSettings } from "../operations/context.ts";
import { answerError } from "./answer-error.ts";
import { type ConsoleFiles, consolePagesOf } from "./console/pages.ts";
import { databaseAway } from "./errors.ts";
import { healthz, type Ready, readyz } from "./health.ts";
import { frontOf } from "./public/front.ts";
import { svcScript } from "./public/svc-script.ts";
import { limitTrackingHosts } from "./public/tracking-hosts.ts";

/**
 * Serves requests while the process is alive but not ready: it builds indexes, or has not loaded the signing keys from
 * the database yet.
 */
export function createWaitingApp(
  ready: Ready,
  settings: ServiceSettings,
  console: ConsoleFiles | undefined,
): RequestListener {
  const app = express();
  app.disable("x-powered-by");
  app.use(helmet());
  app.use(limitTrackingHosts(settings));
  app.get("/healthz", healthz);
  app.get("/readyz", readyz(ready, false));
  app.get("/svc.js", svcScript);
  if (console !== undefined) app.use(consolePagesOf(settings.publicUrl, console));
  app.use(frontOf(ready, settings.publicUrl, false));
  app.use(() => {
    throw databaseAway();
  });
  app.use(answerError);
  return app;
}
