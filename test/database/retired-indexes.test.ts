import { afterAll, beforeAll, expect, test } from "@jest/globals";
import mongoose from "mongoose";
import { prepareDatabase } from "../../models/connect.ts";
import { correctIndexes } from "../../mongo/indexes.ts";
import { storedMailbox } from "../campaigns/campaign-parts.ts";
import { startWorld, type World } from "../support/world.ts";

/** The database has no addresses. */
const noKey = () => Promise.reject(new Error("No key is needed"));
let world: World;
beforeAll(async () => {
  world = await startWorld({ apart: true });
});
afterAll(() => world.close());

const mailboxes = () => mongoose.connection.collection("mailboxes");

test("the next start replaces the index that allows an address once in the deployment by one that allows an address once per workspace", async () => {
  await mailboxes().createIndex({ email: 1 }, { unique: true });
  const [{ workspaceId }, other] = [await world.workspace(), await world.workspace()];
  await storedMailbox(workspaceId, { email: "ann@a.test" });
  await expect(storedMailbox(other.workspaceId, { email: "ann@a.test" })).rejects.toMatchObject({ code: 11_000 });

  await Promise.all([prepareDatabase(noKey), prepareDatabase(noKey)]); // two processes that start at once
  await storedMailbox(other.workspaceId, { email: "ann@a.test" });
  await expect(storedMailbox(other.workspaceId, { email: "ann@a.test" })).rejects.toMatchObject({ code: 11_000 });
  expect(Object.keys(await mailboxes().indexInformation())).not.toContain("email_1");
  await prepareDatabase(noKey);
});

test("a collection that another process has created meanwhile is no fault", async () => {
  const db = mongoose.connection.getClient().db(`made-meanwhile-${process.pid}`);
  const collections = Array.from({ length: 20 }, (_, index) => ({ collection: `c${index}`, indexes: [], retired: [] }));
  try {
    const correct = () => correctIndexes(db, collections, () => {});
    await Promise.all([correct(), correct()]);
    expect(await db.listCollections().toArray()).toHaveLength(collections.length);
  } finally {
    await db.dropDatabase();
  }
});
