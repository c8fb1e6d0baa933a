import { afterAll, beforeAll, expect, test } from "@jest/globals";
import type { WorkflowHandle } from "@temporalio/client";
import { DAY_MS } from "../../domain/time/durations.ts";
import type { ScheduledOutcome, ScheduledReplyIds } from "../../domain/workflow-contract.ts";
import { cancelSignal, scheduledReply, statusQuery } from "../../workflows/single-send.ts";
import { type Environment, startEnvironment } from "./environment.ts";

let environment: Environment;
const attempts = new Map<string, (attempt: number) => Promise<ScheduledOutcome>>();
const tried = new Map<string, number[]>();

beforeAll(async () => {
  environment = await startEnvironment({ smtp: { sendReply } });
});
afterAll(() => environment.close());

async function sendReply({ scheduledId }: ScheduledReplyIds): Promise<ScheduledOutcome> {
  const times = [...(tried.get(scheduledId) ?? []), await environment.now()];
  tried.set(scheduledId, times);
  return (await attempts.get(scheduledId)?.(times.length)) ?? { kind: "ended", status: "SENT" };
}

test("a scheduled reply is sent once at its scheduled time, even a year ahead", async () => {
  const sendAt = (await environment.now()) + 365 * DAY_MS;
  const run = await started("srp_later", sendAt);
  expect(await run.query(statusQuery)).toBe("PENDING");
  expect(await run.result()).toBe("SENT");
  const [at = 0, ...others] = tried.get("srp_later") ?? [];
  expect(others).toEqual([]);
  expect(at).toBeGreaterThanOrEqual(sendAt);
  expect(at).toBeLessThan(sendAt + 60_000);
  expect((await run.fetchHistory()).events?.length).toBeLessThan(20);
});

test("a reply that is cancelled before its scheduled time is never sent", async () => {
  const run = await started("srp_cancelled", (await environment.now()) + 30 * DAY_MS);
  await run.signal(cancelSignal);
  expect(await run.result()).toBe("CANCELLED");
  expect(tried.has("srp_cancelled")).toBe(false);
});

test("a scheduled reply whose time has passed is tried and ends with the status that the attempt returns", async () => {
  attempts.set("srp_overdue", async () => ({ kind: "ended", status: "CANCELLED" }));
  const run = await started("srp_overdue", (await environment.now()) - DAY_MS);
  expect(await run.result()).toBe("CANCELLED");
});

test("a scheduled reply is tried again after faults, and waits until the lease of another attempt expires", async () => {
  attempts.set("srp_faults", async (attempt) => {
    if (attempt <= 2) throw new Error("the server hung up before the mail");
    return attempt === 3
      ? { kind: "later", at: (await environment.now()) + 150_000 }
      : { kind: "ended", status: "FAILED" };
  });
  const run = await started("srp_faults", (await environment.now()) + 1_000);
  expect(await run.result()).toBe("FAILED");
  const times = tried.get("srp_faults") ?? [];
  expect(times).toHaveLength(4);
  expect((times[3] ?? 0) - (times[2] ?? 0)).toBeGreaterThanOrEqual(150_000);
});

function started(scheduledId: string, sendAt: number): Promise<WorkflowHandle<typeof scheduledReply>> {
  return environment.client.workflow.start(scheduledReply, {
    workflowId: `scheduled-reply/${scheduledId}`,
    taskQueue: "engine",
    args: [{ v: 1, workspaceId: "wsp_1", scheduledId, sendAt }],
  });
}
