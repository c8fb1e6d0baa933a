import { type DestinationStream, type Logger, pino } from "pino";
import type { Config } from "../config.ts";

export type Log = Logger;

/**
 * JSON lines on standard output. Who logs an error writes `{ err }`: only what is safe of it is written. By Node's own stream:
 * pino's writes to a terminal that is gone again and again until it takes the last line, so the process never ends.
 */
export function createLog(level: Config["LOG_LEVEL"], destination: DestinationStream = process.stdout): Log {
  return pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime, serializers: { err: safely } }, destination);
}

/** Errors whose text is made by us or by the language: a library's may quote an address, a document or a secret. */
const OURS = new Set(["AppError", "TypeError", "ReferenceError", "RangeError", "ZodError"]);

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
