import { expect, test } from "@jest/globals";
import { OUTBOX_PARTS } from "../../domain/outbox.ts";
import { MINUTE_MS } from "../../domain/time/durations.ts";
import { scoped } from "../../models/scoped.ts";
import type { WebhookDelivery } from "../../models/webhook-delivery.ts";
import { createLog } from "../../runtime/log.ts";
import { nudge } from "../../store/outbox.ts";
import { fanOut } from "../../store/webhooks/fan-out.ts";
import { webhookDeliveryWorkflowId, webhookFeedWorkflowId } from "../../temporal/run.ts";
import * as runs from "../../temporal/runs.ts";
import { startDispatcher } from "../../worker/dispatcher.ts";
import { until } from "../fakes/wait.ts";
import { wholeShare } from "../support/shares.ts";
import {
  ago,
  DEADLINE,
  engine,
  happening,
  statusesOf,
  subscribed,
  useSetup,
  work,
  workspaceId,
} from "./feed-engine-setup.ts";

useSetup();

async function happened(event: string, count: number): Promise<void> {
  for (let n = 0; n < count; n++) await nudge(workspaceId, "EVENT", happening(event));
}

test("deliveries left by an earlier version or a dead feed are all delivered, whether waiting, nudged, admitted, retrying or taken", async () => {
  const { receiver, subscriptionId } = await subscribed("SENT");
  const { WebhookDelivery } = scoped(workspaceId);
  const leave = async (fields: Partial<WebhookDelivery>) => {
    const [id = ""] = await fanOut(workspaceId, happening("SENT"));
    await WebhookDelivery.updateOne({ _id: id }, { $set: fields, $unset: { takenBy: "" } });
    return id;
  };
  const waiting = await leave({});
  const nudged = await leave({});
  await nudge(workspaceId, "DELIVERY", { deliveryId: nudged });
  const admitted = await leave({ waitsFor: null, startedAt: ago(1_000), nextAttemptAt: ago(1_000) });
  const { workflow, options } = runs.deliveryRun({ v: 1, workspaceId, deliveryId: admitted }, "SENT");
  await engine().workflow.start(workflow, options);
  const forgotten = await leave({ waitsFor: null, startedAt: ago(5 * MINUTE_MS), nextAttemptAt: ago(5 * MINUTE_MS) });
  const tried = {
    status: "RETRYING",
    attempts: 3,
    totalAttempts: 3,
    waitsFor: null,
    startedAt: ago(9 * MINUTE_MS),
  } as const;
  const retrying = await leave({ ...tried, nextAttemptAt: ago(2 * MINUTE_MS) });
  // And a row that a feed had taken when its process died
  const taken = await leave({
    waitsFor: null,
    attempts: 1,
    totalAttempts: 1,
    startedAt: ago(3 * MINUTE_MS),
    nextAttemptAt: ago(2 * MINUTE_MS),
  });

  await work();
  await until(async () => (await statusesOf(subscriptionId)).every((status) => status === "DELIVERED"), {
    ...DEADLINE,
    what: "all six",
  });
  const seen = receiver.received.map(({ headers }) => [headers["x-service-delivery"], headers["x-service-attempt"]]);
  const wanted = [waiting, nudged, admitted, forgotten].map((id) => [id, "1"]);
  expect(new Set(seen.map(String))).toEqual(new Set([...wanted, [retrying, "4"], [taken, "2"]].map(String)));
  expect(seen).toHaveLength(6);
  await expect(engine().workflow.getHandle(webhookDeliveryWorkflowId(waiting)).describe()).rejects.toThrow();
});

test("with several dispatchers a subscription has one feed, and the receiver gets each event once", async () => {
  await work();
  const { receiver, subscriptionId } = await subscribed("OPEN");
  const others = [1, 2].map(() => startDispatcher(engine, createLog("silent"), wholeShare(OUTBOX_PARTS)));
  try {
    await happened("OPEN", 60);
    await until(
      async () => (await statusesOf(subscriptionId)).filter((status) => status === "DELIVERED").length === 60,
      {
        ...DEADLINE,
        what: "sixty deliveries",
      },
    );
  } finally {
    await Promise.all(others.map((dispatcher) => dispatcher.stop()));
  }
  expect(new Set(receiver.received.map(({ headers }) => headers["x-service-delivery"])).size).toBe(60);
  expect(receiver.received).toHaveLength(60);
  const { status } = await engine().workflow.getHandle(webhookFeedWorkflowId(subscriptionId)).describe();
  expect(["RUNNING", "COMPLETED"]).toContain(status.name);
});

test("a hanging receiver delays only its own feed, and has no more open requests than its window allows", async () => {
  await work();
  const hanging = await subscribed("CLICK", () => ({ hang: true }));
  const healthy = await subscribed("CLICK");
  await happened("CLICK", 40);
  await until(
    async () => (await statusesOf(healthy.subscriptionId)).filter((status) => status === "DELIVERED").length === 40,
    {
      ...DEADLINE,
      what: "the healthy receiver's deliveries",
    },
  );
  expect(healthy.receiver.received).toHaveLength(40);
  const underWay = { subscriptionId: hanging.subscriptionId, status: "PENDING", waitsFor: null };
  expect(await scoped(workspaceId).WebhookDelivery.count(underWay)).toBeLessThanOrEqual(4);
  const left = await scoped(workspaceId).WebhookDelivery.count({ waitsFor: hanging.subscriptionId });
  expect(left).toBeGreaterThanOrEqual(36 - hanging.receiver.received.length);
});

test("a delivery refused once gets its own run, which starts with attempt 2 after a minute, and its feed continues", async () => {
  await work();
  let refused = "";
  const { receiver, subscriptionId } = await subscribed("REPLIED", ({ headers }) => {
    refused ||= String(headers["x-service-delivery"]);
    return { status: headers["x-service-delivery"] === refused ? 503 : 200 };
  });
  await happened("REPLIED", 10);
  await until(async () => (await statusesOf(subscriptionId)).filter((status) => status === "DELIVERED").length === 9, {
    ...DEADLINE,
    what: "the nine others",
  });
  expect(await scoped(workspaceId).WebhookDelivery.get(refused)).toMatchObject({ status: "RETRYING", attempts: 1 });
  const handle = engine().workflow.getHandle(webhookDeliveryWorkflowId(refused));
  const history = await until(() => handle.fetchHistory().catch(() => null), { ...DEADLINE, what: "its run" });
  const [started] = history?.events ?? [];
  const { input, firstWorkflowTaskBackoff } = started?.workflowExecutionStartedEventAttributes ?? {};
  const [ids] = (input?.payloads ?? []).map(({ data }) => JSON.parse(Buffer.from(data ?? []).toString()));
  expect(ids).toEqual({ v: 1, workspaceId, deliveryId: refused, attempt: 2 });
  expect(Number(firstWorkflowTaskBackoff?.seconds)).toBe(60);
  expect(receiver.received).toHaveLength(10);
});
