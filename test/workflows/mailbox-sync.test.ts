import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { Context } from "@temporalio/activity";
import { ApplicationFailure } from "@temporalio/common";
import type { MailboxIds, WatchResult } from "../../domain/mailboxes/sync.ts";
import { MINUTE_MS } from "../../domain/time/durations.ts";
import { cursorQuery, mailboxSync, stopSignal, syncNowSignal } from "../../workflows/mailbox-sync.ts";
import { until } from "../fakes/wait.ts";
import { type Environment, startEnvironment } from "./environment.ts";

let environment: Environment;
const watches = new Map<string, (round: number) => Promise<WatchResult>>();
const rounds = new Map<string, number>();

beforeAll(async () => {
  const watchMailbox = async ({ mailboxId }: MailboxIds) => {
    const round = (rounds.get(mailboxId) ?? 0) + 1;
    rounds.set(mailboxId, round);
    return watches.get(mailboxId)?.(round);
  };
  environment = await startEnvironment({ imap: { watchMailbox } });
});
afterAll(() => environment.close());

const GONE: WatchResult = { status: "GONE", cursor: {}, ingested: 0 };
const LISTENING: WatchResult = { status: "LISTENING", cursor: { INBOX: 7 }, ingested: 1 };

function start(mailboxId: string, watch: (round: number) => Promise<WatchResult>) {
  watches.set(mailboxId, watch);
  const args: [MailboxIds] = [{ v: 1, workspaceId: "wsp_1", mailboxId }];
  return environment.client.workflow.start(mailboxSync, {
    workflowId: `mailbox-sync/${mailboxId}`,
    taskQueue: "engine",
    args,
  });
}

test("a mailbox is watched in one round after another until the mailbox is gone, and the cursor can be queried", async () => {
  const run = await start("mbx_gone", async (round) => (round < 4 ? LISTENING : GONE));
  expect(await run.result()).toBe("disconnected");
  expect(rounds.get("mbx_gone")).toBe(4);
  expect(await run.query(cursorQuery)).toEqual({ INBOX: 7 });
});

test("after failures the next watch of a mailbox waits 1, 2, 4 and 8 minutes, and a success restarts the count", async () => {
  const began: number[] = [];
  const run = await start("mbx_away", async (round) => {
    began.push(await environment.now());
    if (round === 5) return LISTENING;
    if (round === 7) return GONE;
    throw ApplicationFailure.retryable("The server could not be reached", "CONNECT_FAILED");
  });
  expect(await run.result()).toBe("disconnected");
  const waits = began.slice(1).map((at, index) => Math.floor((at - (began[index] ?? 0)) / MINUTE_MS));
  expect(waits).toEqual([1, 2, 4, 8, 0, 1]);
});

test("when a worker is replaced, another worker watches the mailbox immediately", async () => {
  const began: number[] = [];
  const run = await start("mbx_deployed", async (round) => {
    began.push(await environment.now());
    if (round === 3) return GONE;
    throw ApplicationFailure.retryable("WORKER_SHUTDOWN", "CancelledFailure");
  });
  expect(await run.result()).toBe("disconnected");
  expect(began.slice(1).map((at, index) => Math.floor((at - (began[index] ?? 0)) / MINUTE_MS))).toEqual([0, 0]);
});

test("a watch that ends because its worker shuts down does not count as a failure of the mail server", async () => {
  const began: number[] = [];
  const run = await start("mbx_ended", async (round) => {
    began.push(await environment.now());
    if (round === 2) return GONE;
    await Context.current().cancelled;
    return LISTENING;
  });
  await until(() => began.length === 1, { deadlineMs: 30_000, what: "the first watch" });
  await environment.replaceWorker("imap");
  expect(await run.result()).toBe("disconnected");
  expect((began[1] ?? Infinity) - (began[0] ?? 0)).toBeLessThan(60_000);
});

test("a sync request restarts the watch of a mailbox, and a stop ends the run", async () => {
  const listening = async () => {
    const context = Context.current();
    const beat = setInterval(() => context.heartbeat(), 100);
    await context.cancelled.finally(() => clearInterval(beat));
    return LISTENING;
  };
  const run = await start("mbx_stop", listening);
  await until(() => rounds.get("mbx_stop") === 1, { deadlineMs: 30_000, what: "the first watch" });
  await run.signal(syncNowSignal);
  await until(() => rounds.get("mbx_stop") === 2, { deadlineMs: 30_000, what: "the second watch" });
  await run.signal(stopSignal);
  expect(await run.result()).toBe("stopped");
});
