import { expect } from "@jest/globals";
import mongoose from "mongoose";
import type { Rest } from "./rest.ts";

/** What the database reports about one command. */
export interface Ran {
  planSummary?: string;
  hasSortStage?: boolean;
  docsExamined?: number;
  keysExamined?: number;
}

/** What the database reports about the commands that a request caused on a collection. */
export async function commandsOf(rest: Rest, path: string, collection: string): Promise<Ran[]> {
  const { db, name } = mongoose.connection;
  if (db === undefined) throw new Error("MongoDB is not connected");
  await db.command({ profile: 2 });
  try {
    expect(await rest.get(path)).toMatchObject({ status: 200 });
    await db.command({ profile: 0 });
    const of = { ns: `${name}.${collection}`, "command.getMore": { $exists: false } };
    return await db.collection<Ran>("system.profile").find(of).toArray();
  } finally {
    // The next test file that uses this database could not empty the collection
    await db.command({ profile: 0 });
    await db.collection("system.profile").drop();
  }
}
