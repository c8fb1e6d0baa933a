import mongoose from "mongoose";
import { until } from "../fakes/wait.ts";

/** The address of a database, marked so that the connections of one program can be recognized. */
export function namedUri(mongodbUri: string, appName: string): string {
  return `${mongodbUri}&appName=${appName}`;
}

/**
 * Ends the transactions that a killed program has left open, before it is started again. Otherwise what it wrote in
 * them stays locked until the database's limit of ten seconds is over.
 */
export async function endTransactionsOf(appName: string): Promise<void> {
  const admin = mongoose.connection.getClient().db("admin");
  const isOver = async () => {
    const left = await admin
      .aggregate<{ lsid: { id: unknown } }>([
        { $currentOp: { idleSessions: true, allUsers: true, localOps: true } },
        { $match: { appName, transaction: { $exists: true } } },
        { $project: { lsid: 1 } },
      ])
      .toArray();
    if (left.length > 0) await admin.command({ killSessions: left.map(({ lsid: { id } }) => ({ id })) });
    return left.length === 0;
  };
  // Its last commands may only begin now
  await until(isOver, { deadlineMs: 20_000, what: `the last transaction of ${appName} to end` });
}
