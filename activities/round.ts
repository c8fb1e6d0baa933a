import { Context } from "@temporalio/activity";

/** Logs the error of a single list or campaign. */
export interface RoundLog {
  warn(fields: object, message: string): void;
}

interface Named {
  _id: string;
  workspaceId: string;
}

/**
 * Runs `work` for every document in the order of ids. One that fails is left to the next round, unless `MOST_FAILURES`
 * fail in a row.
 */
export async function throughAll<T extends Named>(
  pageAfter: (last: string) => Promise<T[]>,
  work: (one: T, beat: () => void) => Promise<number>,
  log: RoundLog,
  failed: string,
): Promise<number> {
  const context = Context.current();
  const details: unknown = context.info.heartbeatDetails;
  let last = typeof details === "string" ? details : "";
  let sum = 0;
  let failures = 0;
  for (;;) {
    const page = await pageAfter(last);
    if (page.length === 0) return sum;
    for (const one of page) {
      context.cancellationSignal.throwIfAborted();
      try {
        sum += await work(one, () => context.heartbeat(last));
        failures = 0;
      } catch (error) {
        failures++;
        log.warn({ err: error, id: one._id, workspaceId: one.workspaceId }, failed);
        if (failures >= MOST_FAILURES) throw error;
      }
      last = one._id;
      context.heartbeat(last);
    }
  }
}

/** After this many failures in a row, the cause is probably the database, so the round fails. */
const MOST_FAILURES = 10;
