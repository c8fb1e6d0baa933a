import { type DestinationStream, type Logger, pino } from "pino";
import type { Config } from "../config.ts";

export type Log = Logger;

/**
 * Writes JSON lines to standard output. Errors are logged as `{ err }`, of which only the safe parts are written. It uses Node's own
 * stream: when a terminal is gone, pino's stream retries its last line for ever, and the process would never end.
 */
export function createLog(level: Config["LOG_LEVEL"], destination: DestinationStream = process.stdout): Log {
  return pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime, serializers: { err: safely } }, destination);
}

/** Errors whose text was written by us or by the language. The text of a library's error may contain an address, a document or a secret. */
const OURS = new Set(["AppError", "TypeError", "ReferenceError", "RangeError", "ZodError", "NoReplicaSet", "UnfitDatabase"]);

function isOurs(err: Error, [thrownAt = ""]: string[]): boolean {
  return OURS.has(err.name) || (err.name === "Error" && !/node_modules|node:/.test(thrownAt));
}

interface SafeError {
  type: string;
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
    ...(code !== undefined && { code }),
    ...(isOurs(err, frames) && { message: err.message }),
    at: frames.slice(0, 12).map((line) => line.trim()),
    ...(err.cause !== undefined && { cause: safely(err.cause) }),
  };
}
