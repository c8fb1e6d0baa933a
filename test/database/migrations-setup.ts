import { afterAll, beforeAll, beforeEach } from "@jest/globals";
import mongoose from "mongoose";
import type { LeaseRow, Migration } from "../../mongo/migrate.ts";
import { sharedMongodb } from "../support/server-host.ts";

const { MongoClient } = mongoose.mongo;

/** A busy machine may keep its holder from renewing it for a second or two. */
export const LEASE_MS = 4_000;

export let uri: string;

export let client: mongoose.mongo.MongoClient;

export let db: mongoose.mongo.Db;

let count = 0;

export const rows = () => db.collection<LeaseRow & { name?: string }>("migrations");

export const done = () => db.collection<{ _id: string; times?: number }>("done");

export const numbers = async () => (await rows().find().toArray()).map(({ _id }) => _id);

/** What a migration gets besides the database. */
export const during = { say: () => {}, ending: new AbortController().signal };

export const counted = (number: number): Migration => ({
  number,
  name: `the ${number}.`,
  run: async () => void (await done().updateOne({ _id: String(number) }, { $inc: { times: 1 } }, { upsert: true })),
});

/** Registers the hooks that both of these test files share. */
export function useSetup(): void {
  beforeAll(async () => {
    uri = await sharedMongodb();
    client = await MongoClient.connect(uri, { monitorCommands: true });
  });
  beforeEach(() => {
    db = client.db(`test_migrations_${process.env["JEST_WORKER_ID"] ?? "0"}_${++count}`);
    return db.dropDatabase();
  });
  afterAll(async () => {
    for (; count > 0; count--)
      await client.db(`test_migrations_${process.env["JEST_WORKER_ID"] ?? "0"}_${count}`).dropDatabase();
    await client.close();
  });
}
