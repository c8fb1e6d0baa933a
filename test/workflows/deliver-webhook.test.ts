import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { Context } from "@temporalio/activity";
import { WorkflowFailedError } from "@temporalio/client";
import { MINUTE_MS } from "../../domain/time/durations.ts";
import type { DeliveryEnd, DeliveryIds } from "../../domain/webhook.ts";
import { webhookDeliveryWorkflowId } from "../../temporal/run.ts";
import { type Environment, startEnvironment } from "./environment.ts";

interface Receiver {
  /** The attempt at which the receiver accepts the event. */
  takes: number;
  attempts: { attempt: number; atMs: number }[];
  buried: DeliveryIds[];
}

const receivers = new Map<string, Receiver>();
let environment: Environment;
beforeAll(async () => {
  environment = await startEnvironment({ webhook: { postEvent, bury } });
});
afterAll(() => environment.close());

async function postEvent({ deliveryId }: DeliveryIds): Promise<DeliveryEnd> {
  const { attempt } = Context.current().info;
  const { takes, attempts } = receiverOf(deliveryId);
  attempts.push({ attempt, atMs: await environment.now() });
  if (attempt < takes) throw new Error("refused");
  return "delivered";
}

async function bury(asked: DeliveryIds): Promise<void> {
  receiverOf(asked.deliveryId).buried.push(asked);
}

function receiverOf(deliveryId: string): Receiver {
  const found = receivers.get(deliveryId);
  if (found === undefined) throw new Error(`No receiver for ${deliveryId}`);
  return found;
}

function receiver(deliveryId: string, takes: number): Receiver {
  const made = { takes, attempts: [], buried: [] };
  receivers.set(deliveryId, made);
  return made;
}

const idsOf = (deliveryId: string, attempt?: number): DeliveryIds => ({
  v: 1,
  workspaceId: "wsp_1",
  deliveryId,
  ...(attempt !== undefined && { attempt }),
});

function start(deliveryId: string, attempt?: number) {
  return environment.client.workflow.start("deliverWebhook", {
    workflowId: webhookDeliveryWorkflowId(deliveryId),
    taskQueue: "engine",
    args: [idsOf(deliveryId, attempt)],
    ...(attempt === 2 && { startDelay: MINUTE_MS }),
    workflowIdReusePolicy: "ALLOW_DUPLICATE",
    workflowIdConflictPolicy: "USE_EXISTING",
  });
}

const TEN = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];

test("a failing webhook delivery makes ten attempts at the published minutes and then goes to the dead-letter queue", async () => {
  const { attempts, buried } = receiver("whd_1", 11);
  expect(await (await start("whd_1")).result()).toBe("dead-lettered");
  const first = attempts[0]?.atMs ?? 0;
  expect(attempts.map(({ atMs }) => Math.round((atMs - first) / MINUTE_MS))).toEqual([
    0, 1, 3, 7, 15, 31, 63, 127, 255, 511,
  ]);
  expect(attempts.map(({ attempt }) => attempt)).toEqual(TEN);
  expect(buried).toEqual([idsOf("whd_1")]);
});

test.each([
  [2, [1, 3, 7, 15, 31, 63, 127, 255, 511]],
  [5, [0, 16, 48, 112, 240, 496]],
  [10, [0]],
])(
  "a run that begins with attempt %d makes the remaining attempts at the published gaps, and stops after the tenth",
  async (first, minutes) => {
    const { attempts, buried } = receiver(`whd_from_${first}`, 11);
    const startedAt = await environment.now();
    expect(await (await start(`whd_from_${first}`, first)).result()).toBe("dead-lettered");
    expect(attempts.map(({ atMs }) => Math.round((atMs - startedAt) / MINUTE_MS))).toEqual(minutes);
    expect(buried).toHaveLength(1);
  },
);

test("a delivery that succeeds at a later attempt does not go to the dead-letter queue", async () => {
  const { attempts, buried } = receiver("whd_2", 4);
  expect(await (await start("whd_2")).result()).toBe("delivered");
  expect(attempts).toHaveLength(4);
  expect(buried).toEqual([]);
});

test("a second start of a delivery joins the first run; a requeue starts a new run with the same id and ten new attempts", async () => {
  const { attempts, buried } = receiver("whd_3", 11);
  const [one, again] = [await start("whd_3"), await start("whd_3")];
  expect(again.firstExecutionRunId).toBe(one.firstExecutionRunId);
  await one.result();
  const requeued = await start("whd_3");
  expect(requeued.firstExecutionRunId).not.toBe(one.firstExecutionRunId);
  await requeued.result();
  expect(attempts.map(({ attempt }) => attempt)).toEqual([...TEN, ...TEN]);
  expect(buried).toHaveLength(2);
});

test("a delivery run that an operator cancels does not go to the dead-letter queue", async () => {
  const { buried } = receiver("whd_4", 11);
  const handle = await start("whd_4");
  await handle.cancel();
  await expect(handle.result()).rejects.toThrow(WorkflowFailedError);
  expect(buried).toEqual([]);
});
