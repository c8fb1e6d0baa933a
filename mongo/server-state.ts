import mongoose from "mongoose";

/** What an operator wants to know about the database server. */
export interface ServerState {
  version: string;
  /** Members of the replica set; null where the connection's user may not ask. */
  members: number | null;
  /** Milliseconds by which the slowest member that answers is behind; null for the same reason. */
  lagMs: number | null;
  /** The number of the newest migration that has been done; null before the first. */
  schema: number | null;
}

const ASK_MS = 1_000;
const PRIMARY = 1;
const SECONDARY = 2;

interface Member {
  state: number;
  optimeDate?: Date;
}

/** Asks the server what it is, each question with a deadline. @throws Error of the driver when it does not answer */
export async function loadServerState(): Promise<ServerState> {
  const { db } = mongoose.connection;
  if (db === undefined) throw new Error("MongoDB is not connected");
  const [{ version }, members, newest] = await Promise.all([
    db.admin().command({ buildInfo: 1, maxTimeMS: ASK_MS }),
    // Managed databases seldom let their users ask this
    db
      .admin()
      .command({ replSetGetStatus: 1, maxTimeMS: ASK_MS })
      .then((status): Member[] | null => status["members"])
      .catch(() => null),
    db
      .collection<{ _id: string | number }>("migrations")
      .find({ _id: { $gt: 0 } }, { maxTimeMS: ASK_MS })
      .sort({ _id: -1 })
      .limit(1)
      .next(),
  ]);
  const schema = typeof newest?._id === "number" ? newest._id : null;
  return {
    version: String(version),
    members: members?.length ?? null,
    lagMs: members === null ? null : lagOf(members),
    schema,
  };
}

function lagOf(members: readonly Member[]): number {
  const newest = members.find(({ state }) => state === PRIMARY)?.optimeDate?.getTime() ?? 0;
  const behind = members.flatMap(({ state, optimeDate }) =>
    state === SECONDARY && optimeDate ? [newest - optimeDate.getTime()] : [],
  );
  return Math.max(0, ...behind);
}
