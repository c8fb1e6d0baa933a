import { afterAll, beforeAll, expect, test } from "@jest/globals";
import mongoose from "mongoose";
import { prepareDatabase } from "../../models/connect.ts";
import { storedMailbox } from "../campaigns/campaign-parts.ts";
import { startWorld, type World } from "../support/world.ts";

let world: World;
beforeAll(async () => {
  world = await startWorld({ apart: true });
});
afterAll(() => world.close());

const mailboxes = () => mongoose.connection.collection("mailboxes");

test("a database that allows an address only once in the deployment allows it once in each workspace from the next start on", async () => {
  await mailboxes().createIndex({ email: 1 }, { unique: true });
  const [{ workspaceId }, other] = [await world.workspace(), await world.workspace()];
  await storedMailbox(workspaceId, { email: "ann@a.test" });
  await expect(storedMailbox(other.workspaceId, { email: "ann@a.test" })).rejects.toMatchObject({ code: 11_000 });

  await Promise.all([prepareDatabase(), prepareDatabase()]); // two processes that start at once
  await storedMailbox(other.workspaceId, { email: "ann@a.test" });
  await expect(storedMailbox(other.workspaceId, { email: "ann@a.test" })).rejects.toMatchObject({ code: 11_000 });
  expect(Object.keys(await mailboxes().indexInformation())).not.toContain("email_1");
  await prepareDatabase();
});
