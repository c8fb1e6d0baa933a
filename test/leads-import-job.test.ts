import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { scoped } from "../models/scoped.ts";
import { realWorker } from "./real-worker.ts";
import { startWorld, type World } from "./world.ts";

let world: World;
beforeAll(async () => {
  world = await startWorld({ worker: realWorker() });
}, 60_000);
afterAll(() => world.close());

const rowsOf = (count: number) => Array.from({ length: count }, (_, n) => ({ email: `n${n}@x.example`, "First name": `N${n}` }));

test("a large import answers with its summary, and its job tells the same", async () => {
  const { rest, workspaceId } = await world.workspace();
  const rows = rowsOf(2_300);
  const done = await rest.post("/leads/import", { action: "commit", rows, fileName: "many.csv" });
  expect(done).toMatchObject({ status: 200, body: { action: "commit", total: 2_300, created: 2_300, errors: [] } });
  const [job] = await scoped(workspaceId).Job.find({});
  const read = await rest.get(`/leads/import/${job?._id}`);
  expect(read).toMatchObject({
    status: 200,
    body: {
      type: "LEAD_IMPORT",
      fileName: "many.csv",
      status: "COMPLETED",
      progress: { total: 2_300, processed: 2_300, succeeded: 2_300, failed: 0 },
      result: done.body,
      error: null,
      pollAfterSeconds: null,
    },
  });
  expect(read.body.items).toHaveLength(1_000);
  expect(read.body.items[0]).toEqual({ row: 1, email: "n0@x.example", status: "CREATED", code: null, message: null, mailboxId: null });
  expect(await scoped(workspaceId).JobChunk.count({})).toBe(0);
});
