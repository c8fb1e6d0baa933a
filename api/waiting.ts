import type { RequestListener } from "node:http";
import express from "express";
import { AppError } from "../domain/errors.ts";
import { answerError } from "./errors.ts";
import { healthz, type Ready, readyz } from "./health.ts";
import { frontOf } from "./public/front.ts";

/** Serves while the process is alive but not ready: indexes are being built, and signing keys have not been loaded from the database. */
export function createWaitingApp(ready: Ready, publicUrl: string): RequestListener {
  const app = express();
  app.disable("x-powered-by");
  app.get("/healthz", healthz);
  app.get("/readyz", readyz(ready, false));
  app.use(frontOf(ready, publicUrl, false));
  app.use(() => {
    throw new AppError("SERVICE_UNAVAILABLE", "The database did not answer: try again", { retryAfterSeconds: 2 });
  });
  app.use(answerError);
  return app;
}
