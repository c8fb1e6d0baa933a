import mongoose from "mongoose";
import { migrate } from "../../mongo/migrate.ts";

/** A process that prepares a database and gets stuck in its second migration, half done. */
const [uri = "", name = "", leaseMs = ""] = process.argv.slice(2);
const client = await mongoose.mongo.MongoClient.connect(uri);
await migrate(client.db(name), {
  migrations: [
    {
      number: 1,
      name: "one",
      run: async (db) => void (await db.collection<{ _id: string }>("done").insertOne({ _id: "one" })),
    },
    {
      number: 2,
      name: "two",
      async run(db) {
        await db.collection<{ _id: string }>("done").insertOne({ _id: "half" });
        await new Promise(() => setInterval(() => {}, 1_000));
      },
    },
  ],
  collections: [],
  leaseMs: Number(leaseMs),
});
