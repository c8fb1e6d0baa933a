import { type DestinationStream, type Logger, pino } from "pino";
import type { Config } from "../config.ts";
import { CONNECTION_ERRORS } from "../domain/mailboxes/connection-error.ts";
import { createRepetition, withoutRepetition } from "./repeated.ts";

export type Log = Logger;

/**
 * Writes JSON lines to standard output. Errors are logged as `{ err }`, of which only the safe parts are written. It uses Node's own
 * stream: when a terminal is gone, pino's stream retries its last line for ever, and the process would never end. A problem that repeats
 * within `windowMs` is one line with a count.
 */
export function createLog(level: Config["LOG_LEVEL"], destination: DestinationStream = process.stdout, windowMs?: number): Log {
  const hooks = { logMethod: withoutRepetition(createRepetition(windowMs)) };
  return pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime, serializers: { err: safely }, hooks }, destination);
}

/** Errors whose text was written by us or by the language. The text of a library's error may contain an address, a document or a secret. */
const OURS = new Set(["AppError", "TypeError", "ReferenceError", "RangeError", "ZodError", "NoReplicaSet", "UnfitDatabase"]);

/** Kinds of failures of activities whose text was written by us. Temporal gives any other error the same class, with the error's own text. */
const OUR_FAILURES = new Set(["TransientRefusal", "DeliveryFailed", "WebhookRefused", ...Object.keys(CONNECTION_ERRORS)]);

function isOurs(err: Error, [thrownAt = ""]: string[]): boolean {
  const failure = failureOf(err);
  if (failure !== undefined) return OUR_FAILURES.has(failure);
  return OURS.has(err.name) || (err.name === "Error" && !/node_modules|node:/.test(thrownAt));
}

interface SafeError {
  type: string;
  /** Of a failed activity: what failed, as the code that failed named it. */
  failure?: string | undefined;
  code?: string | number;
  message?: string;
  at?: string[];
  cause?: SafeError;
}

function safely(err: unknown): SafeError {
  if (!(err instanceof Error)) return { type: typeof err };
  const code = "code" in err && (typeof err.code === "string" || typeof err.code === "number") ? err.code : undefined;
  const frames = (err.stack ?? "").split("\n").filter((line) => /^\s+at /.test(line));
  return {
    type: err.name,
    failure: failureOf(err),
    ...(code !== undefined && { code }),
    ...(isOurs(err, frames) && { message: err.message }),
    at: frames.slice(0, 12).map((line) => line.trim()),
    ...(err.cause !== undefined && { cause: safely(err.cause) }),
  };
}

function failureOf(err: Error): string | undefined {
  return err.name === "ApplicationFailure" && "type" in err && typeof err.type === "string" ? err.type : undefined;
}
