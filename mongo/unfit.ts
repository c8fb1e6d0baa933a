import mongoose from "mongoose";

const { MongoError, MongoNetworkError, MongoNotConnectedError, MongoServerSelectionError, MongoTopologyClosedError } =
  mongoose.mongo;

/** The database answers, but its contents do not fit this program, so retrying would not help. */
export class UnfitDatabase extends Error {
  override readonly name = "UnfitDatabase";
}

/**
 * The server does not support transactions. It may support them later, because a replica set is initiated after its
 * servers have started.
 */
export class NoReplicaSet extends Error {
  override readonly name = "NoReplicaSet";
}

/** Error codes of a server that is starting, stopping, or stepping down. */
const PASSING = new Set<unknown>([6, 7, 89, 91, 189, 262, 9001, 10107, 11600, 11602, 13435, 13436]);

/** Whether an error says that no server answered, or none that accepts writes. Such an error is temporary. */
export function isUnanswered(error: unknown): boolean {
  if (error instanceof mongoose.Error.MongooseServerSelectionError) return true;
  if (!(error instanceof MongoError)) return false;
  const isCut = [MongoNetworkError, MongoNotConnectedError, MongoServerSelectionError, MongoTopologyClosedError].some(
    (kind) => error instanceof kind,
  );
  return isCut || PASSING.has(error.code) || error.hasErrorLabel("RetryableWriteError");
}

/** Turns a library's error into an UnfitDatabase. A temporary error is returned unchanged. */
export function unfit(message: string, cause: unknown): unknown {
  const code = cause instanceof mongoose.mongo.MongoServerError ? ` (${cause.codeName ?? "code"} ${cause.code})` : "";
  return isUnanswered(cause) ? cause : new UnfitDatabase(`${message}${code}`, { cause });
}

/** The server's error code for an exceeded time limit. */
const OVER_TIME = 50;

/** Whether the database stopped a query because it exceeded its time limit. */
export function isOverTime(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === OVER_TIME;
}

/** The result of a read; null if the database stopped it because it exceeded its time limit. */
export async function whenInTime<T>(read: Promise<T>): Promise<T | null> {
  try {
    return await read;
  } catch (error) {
    if (!isOverTime(error)) throw error;
    return null;
  }
}
