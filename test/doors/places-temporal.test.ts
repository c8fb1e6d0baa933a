import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { z } from "zod";
import { newId } from "../../mongo/ids.ts";
import { operation } from "../../operations/operation.ts";
import { jobRun } from "../../temporal/runs.ts";
import { MAIL_DEADLINE, until } from "../fakes/wait.ts";
import { startWorld, type World } from "../support/world.ts";

const CALLS = 24;
const DEADLINE_MS = 4_000;
let begun = 0;
const empty = { summary: "A test", scope: "leads:read" as const, input: z.strictObject({}), output: z.object({}) };
const waits = operation({
  ...empty,
  async run({ workspaceId, services }) {
    begun++;
    // No worker takes it, as while Temporal or all workers are busy
    await services.engine.execute(jobRun({ v: 1, workspaceId, jobId: newId("job") }, "LEAD_IMPORT"), DEADLINE_MS);
    return {};
  },
});
const reads = operation({
  ...empty,
  async run() {
    return {};
  },
});

let world: World;
beforeAll(async () => {
  world = await startWorld({
    temporal: true,
    routes: [
      ["get", "/waits", waits],
      ["get", "/reads", reads],
    ],
  });
}, 60_000);
afterAll(() => world.close());

test("calls that wait for Temporal do not use up the places of their workspace", async () => {
  const { rest } = await world.workspace();
  const waiting = Array.from({ length: CALLS }, () => rest.get("/waits"));
  await until(() => begun === CALLS, { ...MAIL_DEADLINE, what: "all calls to wait" });
  expect((await rest.get("/reads")).status).toBe(200);
  const answers = await Promise.all(waiting);
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([503]));
});
