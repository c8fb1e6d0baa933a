import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { newId } from "../../mongo/ids.ts";
import { type Run, startRun } from "../../temporal/run.ts";
import { recipientRun, replyRun } from "../../temporal/runs.ts";
import { until } from "../fakes/wait.ts";
import { startWorld, type World } from "../support/world.ts";

let world: World;
beforeAll(async () => {
  world = await startWorld({ temporal: true });
});
afterAll(() => world.close());

const MANY = 40;
/** `TASK_QUEUE_TYPE_WORKFLOW` of Temporal's API. */
const WORKFLOW_TASKS = 1;

test("in a queue, one run of a workspace does not wait behind 40 of another, and a reply goes before both", async () => {
  if (world.temporal === null) throw new Error("There is no engine");
  const { client } = world.temporal;
  const { namespace } = client.options;
  const taskQueue = `turns-${randomUUID()}`;
  const started: string[] = [];
  async function start({ workflow, options }: Run): Promise<string> {
    // A queue that no worker polls
    await startRun(client, { workflow, options: { ...options, taskQueue: taskQueue as "engine" } });
    started.push(options.workflowId);
    return options.workflowId;
  }
  const recipient = (workspaceId: string) =>
    start(recipientRun({ v: 1, workspaceId, campaignId: newId("cmp"), recipientId: newId("rcp") }));
  const [one, other] = [newId("wsp"), newId("wsp")];
  for (let run = 0; run < MANY; run++) await recipient(one);
  const single = await recipient(other);
  const reply = await start(replyRun({ v: 1, workspaceId: one, sendId: newId("snd") }, newId("key"), {}));

  // A task that has not reached its queue yet cannot be handed over first
  const queued = async () => {
    const which = { namespace, taskQueue: { name: taskQueue }, taskQueueType: WORKFLOW_TASKS, reportStats: true };
    const { stats } = await client.workflowService.describeTaskQueue(which);
    return Number(stats?.approximateBacklogCount ?? 0);
  };
  await until(async () => (await queued()) === MANY + 2, { deadlineMs: 300_000, what: "all tasks in their queue" });

  const handedOut: (string | null | undefined)[] = [];
  for (let task = 0; task < 8; task++) {
    const poll = { namespace, taskQueue: { name: taskQueue }, identity: "test" };
    const { workflowExecution } = await client.withDeadline(Date.now() + 30_000, () =>
      client.workflowService.pollWorkflowTaskQueue(poll),
    );
    handedOut.push(workflowExecution?.workflowId);
  }
  for (const id of started) await client.workflow.getHandle(id).terminate();
  expect(handedOut[0]).toBe(reply);
  expect(handedOut).toContain(single);
}, 60_000);
