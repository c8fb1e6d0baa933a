import { type DestinationStream, type Logger, pino } from "pino";
import type { Config } from "../config.ts";
import { CONNECTION_ERRORS } from "../domain/mailboxes/connection-error.ts";

export type Log = Logger;

/**
 * Writes JSON lines to standard output. Errors are logged as `{ err }`, of which only the safe parts are written. It
 * uses Node's own stream: when a terminal is gone, pino's stream would retry its last line forever, and the process
 * would never end. A problem that repeats within `windowMs` is one line with a count.
 */
export function createLog(
  level: Config["LOG_LEVEL"],
  destination: DestinationStream = process.stdout,
  windowMs?: number,
): Log {
  const hooks = { logMethod: withoutRepetition(createRepetition(windowMs)) };
  return pino(
    { level, base: null, timestamp: pino.stdTimeFunctions.isoTime, serializers: { err: safeErrorOf }, hooks },
    destination,
  );
}

/**
 * Errors whose text was written by us or by the language. The text of a library's error may contain an address, a
 * document or a secret.
 */
const OURS = new Set([
  "AppError",
  "TypeError",
  "ReferenceError",
  "RangeError",
  "ZodError",
  "NoReplicaSet",
  "UnfitDatabase",
]);

/**
 * Kinds of failures of activities whose text was written by us. Temporal gives any other error the same class, with the
 * error's own text.
 */
const OUR_FAILURES = new Set([
  "TransientRefusal",
  "DeliveryFailed",
  "WebhookRefused",
  ...Object.keys(CONNECTION_ERRORS),
]);

function isOurs(err: Error, [thrownAt = ""]: string[]): boolean {
  const failure = failureTypeOf(err);
  if (failure !== undefined) return OUR_FAILURES.has(failure);
  return OURS.has(err.name) || (err.name === "Error" && !/node_modules|node:/.test(thrownAt));
}

interface SafeError {
  type: string;
  /** For a failed activity: what failed, in the words of the code that failed. */
  failure?: string | undefined;
  code?: string | number;
  message?: string;
  at?: string[];
  cause?: SafeError;
}

function safeErrorOf(err: unknown): SafeError {
  if (!(err instanceof Error)) return { type: typeof err };
  const code = "code" in err && (typeof err.code === "string" || typeof err.code === "number") ? err.code : undefined;
  const frames = (err.stack ?? "").split("\n").filter((line) => /^\s+at /.test(line));
  return {
    type: err.name,
    failure: failureTypeOf(err),
    ...(code !== undefined && { code }),
    ...(isOurs(err, frames) && { message: err.message }),
    at: frames.slice(0, 12).map((line) => line.trim()),
    ...(err.cause !== undefined && { cause: safeErrorOf(err.cause) }),
  };
}

function failureTypeOf(err: Error): string | undefined {
  return err.name === "ApplicationFailure" && "type" in err && typeof err.type === "string" ? err.type : undefined;
}

/**
 * Milliseconds. A problem is written immediately; repetitions within this time are counted and written as one line at
 * its end.
 */
const WINDOW_MS = 60_000;
/** The most problems that are tracked together. Beyond that, each line is written as it comes. */
const MOST_KNOWN = 500;
/** Records named in the line of a count. */
const MOST_NAMED = 10;
const WARN = 40;
/** The subjects of a problem, in the order of preference. */
const SUBJECTS = ["mailboxId", "campaignId", "deliveryId", "workflowId", "id", "workspaceId"] as const;

interface Known {
  times: number;
  subjects: Set<string>;
  /** The newest line. */
  fields: Record<string, unknown>;
}

type Write = (fields: Record<string, unknown>) => void;

/**
 * Decides for each line whether it is written now. Lines of the same problem differ only in their subject; a problem is
 * a warning or an error that carries `err`. Requests are exempt, since each has its own trace.
 */
function createRepetition(windowMs = WINDOW_MS) {
  const problems = new Map<string, Known>();

  /** Returns true when the line is to be written; otherwise it is counted, and `write` gets it once the window ends. */
  function admits(level: number, message: string, fields: Record<string, unknown>, write: Write): boolean {
    if (level < WARN || fields["err"] === undefined || fields["traceId"] !== undefined) return true;
    const key = repeatKeyOf(level, message, fields);
    const before = problems.get(key);
    if (before === undefined) {
      if (problems.size < MOST_KNOWN) {
        problems.set(key, { times: 0, subjects: new Set(), fields });
        setTimeout(() => writeRepeats(key, write), windowMs).unref();
      }
      return true;
    }
    before.times++;
    before.fields = fields;
    const subject = SUBJECTS.map((name) => fields[name]).find((value) => typeof value === "string");
    if (typeof subject === "string" && before.subjects.size < MOST_NAMED) before.subjects.add(subject);
    return false;
  }

  function writeRepeats(key: string, write: Write): void {
    const { times, subjects, fields } = problems.get(key) ?? { times: 0, subjects: new Set(), fields: {} };
    problems.delete(key);
    if (times > 0) write({ ...fields, repeated: times, withinSeconds: windowMs / 1_000, about: [...subjects] });
  }

  return admits;
}

/** pino's hook: every line of a logger and its children goes through `admits`. */
function withoutRepetition(admits: ReturnType<typeof createRepetition>) {
  return function logMethod(
    this: Logger,
    args: Parameters<Logger["warn"]>,
    method: Logger["warn"],
    level: number,
  ): void {
    const [fields, message]: unknown[] = args;
    const isProblem = typeof fields === "object" && fields !== null && typeof message === "string";
    const write: Write = (counted) => method.call(this, counted, String(message));
    if (!isProblem || admits(level, message, { ...fields }, write)) method.apply(this, args);
  };
}

function repeatKeyOf(level: number, message: string, { err, activity, queue, kind }: Record<string, unknown>): string {
  return JSON.stringify([level, message, activity, queue, kind, faultOf(err)]);
}

function faultOf(err: unknown): unknown {
  if (!(err instanceof Error)) return typeof err;
  const [code, type] = [Reflect.get(err, "code"), Reflect.get(err, "type")];
  // A text may contain a different number or id each time, but the place where it was thrown stays the same
  const [, at = ""] = (err.stack ?? "").split(/\n\s+at /);
  return [err.name, String(code), String(type), at, err.cause === undefined ? null : faultOf(err.cause)];
}
