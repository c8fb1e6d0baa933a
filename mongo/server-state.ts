import mongoose from "mongoose";

/** Facts about the database server for the operator. */
export interface ServerState {
  version: string;
  /** How many members the replica set has; null when the connection's user is not allowed to query it. */
  members: number | null;
  /** How many milliseconds the slowest reachable member is behind; null for the same reason as `members`. */
  lagMs: number | null;
  /** The number of the newest completed migration; null before the first. */
  schema: number | null;
}

const ASK_MS = 1_000;
const PRIMARY = 1;
const SECONDARY = 2;

interface Member {
  state: number;
  optimeDate?: Date;
}

/**
 * Queries the state of the server, each query with a deadline. @throws Error of the driver when the server does not
 * answer
 */
export async function loadServerState(): Promise<ServerState> {
  const { db } = mongoose.connection;
  if (db === undefined) throw new Error("MongoDB is not connected");
  const [{ version }, members, newest] = await Promise.all([
    db.admin().command({ buildInfo: 1, maxTimeMS: ASK_MS }),
    // Managed databases seldom allow this command
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
