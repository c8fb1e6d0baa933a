import { afterAll, beforeAll, beforeEach, expect, test } from "@jest/globals";
import { Lead } from "../../models/leads/lead.ts";
import { startWorld, type World } from "../support/world.ts";

/** A command that forgets the workspace is refused before it is sent to the database, whichever code built it. */
let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

const EMAIL = "tenant@x.example";
const CHANGE = { $set: { company: "Taken over" } };
let workspaceId: string;

beforeEach(async () => {
  const { rest, ...workspace } = await world.workspace();
  ({ workspaceId } = workspace);
  await rest.post("/leads", { email: EMAIL });
});

const COMMANDS: Record<string, (filter: Record<string, unknown>) => PromiseLike<unknown>> = {
  find: (filter) => Lead.find(filter),
  findOne: (filter) => Lead.findOne(filter),
  findOneAndUpdate: (filter) => Lead.findOneAndUpdate(filter, CHANGE),
  findOneAndDelete: (filter) => Lead.findOneAndDelete(filter),
  updateOne: (filter) => Lead.updateOne(filter, CHANGE),
  updateMany: (filter) => Lead.updateMany(filter, CHANGE),
  deleteOne: (filter) => Lead.deleteOne(filter),
  deleteMany: (filter) => Lead.deleteMany(filter),
  countDocuments: (filter) => Lead.countDocuments(filter),
  distinct: (filter) => Lead.distinct("email", filter),
  aggregate: (filter) => Lead.aggregate([{ $match: filter }]),
};

test.each(Object.entries(COMMANDS))(
  "%s on a collection of workspaces is refused unless the query names one workspace",
  async (_name, command) => {
    const nobodys = (async () => command({ email: EMAIL }))();
    await expect(nobodys).rejects.toThrow("without a workspace");
    await expect((async () => command({ email: EMAIL, workspaceId: { $gt: "" } }))()).rejects.toThrow(
      "without a workspace",
    );
    expect(await Lead.findOne({ workspaceId, email: EMAIL })).toMatchObject({ company: null });
    await expect((async () => command({ email: EMAIL, workspaceId }))()).resolves.not.toThrow();
  },
);
