import { STATUS_CODES } from "node:http";
import type { Request } from "express";
import { z } from "zod";
import { AppError, isCut } from "../domain/errors.ts";

/** The body of every error response (rules/states 1.8). */
export const ApiError = z.object({
  code: z.string().describe("The error code; the guide on errors lists them"),
  message: z.string().describe("The error as a sentence"),
  traceId: z.string().describe("The id of this request in the service's log"),
  details: z.unknown().optional().describe("Details of the error; `issues` names each invalid field"),
});

/** Converts any error to an AppError. The message of a library is never sent to a caller. */
export function asAppError(err: unknown): AppError {
  if (err instanceof AppError) return err;
  if (isStorageAway(err)) {
    return databaseAway(err);
  }
  // Express refuses a path parameter that is not UTF-8 in percent-encoding
  if (err instanceof URIError)
    return new AppError("VALIDATION_FAILED", "The address is not valid", { issues: [] }, { cause: err });
  return new AppError(
    "INTERNAL_ERROR",
    "Something went wrong in the service; its log has details under the trace id",
    undefined,
    {
      cause: err,
    },
  );
}

/** The error while the database does not respond. `details.away` lets pages show what they are waiting for. */
export function databaseAway(cause?: unknown): AppError {
  const details = { retryAfterSeconds: 2, away: "DATABASE" };
  return new AppError("SERVICE_UNAVAILABLE", "The database did not answer: try again", details, { cause });
}

export function isDatabaseAway({ code, details }: AppError): boolean {
  return code === "SERVICE_UNAVAILABLE" && details?.["away"] === "DATABASE";
}

export function routeNotFound(_req: Request): never {
  throw new AppError("ROUTE_NOT_FOUND", "There is no such endpoint");
}

/** The response to a request that could not even be parsed, as it is written to a bare socket. */
export function bareRefusal(status: number, code: string, message: string): string {
  const body = JSON.stringify({ code, message });
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}`,
    "Content-Type: application/json; charset=utf-8",
    "Connection: close",
  ];
  return `${head.join("\r\n")}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}

const AWAY = new Set([
  "MongoServerSelectionError",
  "MongooseServerSelectionError",
  "MongoNetworkError",
  "MongoNetworkTimeoutError",
  "MongoNotConnectedError",
  "MongoPoolClearedError",
  "MongoPoolClosedError",
  "MongoTopologyClosedError",
  "MongoWaitQueueTimeoutError",
  "MongoOperationTimeoutError",
  "MongoExpiredSessionError",
]);

/**
 * MongoDB server codes of temporary faults: not primary, shutting down, stepping down, time limit exceeded (50, 262),
 * disk full (14031), no majority (64).
 */
const PASSING = new Set([50, 64, 91, 189, 262, 10058, 10107, 11600, 11602, 13435, 13436, 14031]);

/**
 * Returns true when the database is unreachable or overloaded. It compares error names and codes, because `api/` must
 * not import the driver.
 */
function isStorageAway(err: unknown): boolean {
  if (isCut(err)) return true;
  if (!(err instanceof Error)) return false;
  if (AWAY.has(err.name)) return true;
  if (err.name.startsWith("Mongo") && "code" in err && typeof err.code === "number" && PASSING.has(err.code))
    return true;
  if (err.name.startsWith("Mongo") && (labelsOf(err).some((label) => CAUGHT_OUT.has(label)) || isUnanswered(err)))
    return true;
  if (err.name === "MongooseError" && /initial connection|not connected/i.test(err.message)) return true;
  if ("errorResponse" in err && isStorageAway(err.errorResponse)) return true; // the error inside a bulk write error
  return isStorageAway(err.cause);
}

/** Error labels of the driver for a command that a dying server left unfinished. */
const CAUGHT_OUT = new Set([
  "TransientTransactionError",
  "UnknownTransactionCommitResult",
  "RetryableWriteError",
  "ResetPool",
]);

function labelsOf(err: Error): string[] {
  return "errorLabels" in err && Array.isArray(err.errorLabels) ? err.errorLabels.map(String) : [];
}

/** Returns true for a driver error without a server code, unless it reports a wrong call by our own code. */
function isUnanswered(err: Error): boolean {
  const hasCode = "code" in err && typeof err.code === "number";
  return (
    err.name.startsWith("Mongo") &&
    !err.name.startsWith("Mongoose") &&
    !hasCode &&
    !/Argument|API|Compatibility|Parse/.test(err.name)
  );
}
