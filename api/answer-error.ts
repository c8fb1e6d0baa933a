import type { ErrorRequestHandler, Response } from "express";
import { type AppError, STATUS_OF } from "../domain/errors.ts";
import { asAppError } from "./errors.ts";
import { noteWait, sendFault } from "./public/page.ts";

/**
 * Responds to every error with an ApiError, or with a page where a browser would otherwise show the JSON to a person.
 * The error itself stays in `res.locals` for the log.
 */
export const answerError: ErrorRequestHandler = (err: unknown, req, res, next) => {
  if (res.headersSent) {
    next(err);
    return;
  }
  const error = asAppError(err);
  res.locals["error"] = error;
  if (error.status < STATUS_OF.INTERNAL_ERROR || req.accepts(["json", "html"]) !== "html") send(res, error);
  else sendFault(res, error);
};

function send(res: Response, error: AppError): void {
  const { code, message, details, status } = error;
  noteWait(res, error);
  if (code === "UNAUTHENTICATED") res.set("WWW-Authenticate", "Bearer");
  res.set("Cache-Control", "no-store");
  res.status(status).json({ code, message, traceId: res.locals["traceId"], ...(details !== undefined && { details }) });
}
