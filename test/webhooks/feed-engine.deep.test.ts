import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "@jest/globals";
import { MINUTE_MS } from "../../domain/time/durations.ts";
import { scoped } from "../../models/scoped.ts";
import { fanOutMany } from "../../store/webhooks/fan-out.ts";
import { webhookFeedWorkflowId } from "../../temporal/run.ts";
import { until } from "../fakes/wait.ts";
import { killedWorkerOf } from "../system/killed-worker.ts";
import {
  ago,
  DEADLINE,
  engine,
  happening,
  statusesOf,
  subscribed,
  useSetup,
  workspaceId,
  world,
} from "./feed-engine-setup.ts";

useSetup();

test("a worker killed in the middle of a feed loses no delivery: those under way are posted again as a later attempt, and no others are repeated", async () => {
  const { receiver, subscriptionId } = await subscribed("BOUNCED", () => ({ delayMs: 40 }));
  const worker = await killedWorkerOf(world, "");
  const { WebhookDelivery } = scoped(workspaceId);
  const COUNT = 300;
  await fanOutMany(Array.from({ length: COUNT }, () => ({ workspaceId, payload: happening("BOUNCED") })));
  let inHand = 0;
  try {
    worker.start();
    await until(async () => receiver.received.length >= 60, { ...DEADLINE, what: "the first requests", longestMs: 20 });
    await worker.kill();
    // A command that the worker sent just before it died may still be carried out
    const rows = async () =>
      JSON.stringify(await WebhookDelivery.find({ subscriptionId }, { select: { status: 1, waitsFor: 1 } }));
    const areStill = async () => {
      const before = await rows();
      await sleep(1_000);
      return before === (await rows());
    };
    await until(areStill, { ...DEADLINE, what: "the last command of the dead worker" });
    // The rest needs no minute: Temporal gives the feed up, and the rows in hand become overdue
    await engine().workflow.getHandle(webhookFeedWorkflowId(subscriptionId)).terminate("its worker died");
    const taken = { subscriptionId, status: "PENDING", waitsFor: null };
    inHand = await WebhookDelivery.updateMany(taken, { $set: { nextAttemptAt: ago(2 * MINUTE_MS) } });
    worker.start();
    const delivered = async () => (await statusesOf(subscriptionId)).filter((status) => status === "DELIVERED").length;
    await until(async () => (await delivered()) === COUNT, { ...DEADLINE, what: "every delivery" });
  } finally {
    await worker.kill();
  }
  const attempts = Map.groupBy(receiver.received, ({ headers }) => String(headers["x-service-delivery"]));
  expect(attempts.size).toBe(COUNT);
  const numbers = [...attempts.values()].map((requests) =>
    requests.map(({ headers }) => String(headers["x-service-attempt"])).join(),
  );
  // Usually attempt 2. An attempt that Temporal still gave to the dead worker counts too, and makes no request
  for (const seen of numbers) expect(seen).toMatch(/^(1|(1,)?[2-9])$/);
  expect(inHand).toBeGreaterThan(0);
  expect(numbers.filter((seen) => seen !== "1")).toHaveLength(inHand);
});
