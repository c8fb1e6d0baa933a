import { setTimeout as delay } from "node:timers/promises";
import { type Client, WorkflowNotFoundError } from "@temporalio/client";
import pLimit from "p-limit";
import { beginRestore, noteRunsEnded, restorationOf } from "../store/restore.ts";
import { restWarmup } from "../store/warmup/room.ts";
import type { Log } from "./log.ts";

const RETRY_MS = 1_000;
const CALL_MS = 10_000;
const calls = pLimit(8);

/**
 * Runs after a restore, before any worker of this process starts (rules/sending 12.1). It pauses the campaigns and,
 * once, ends the runs of recipients that Temporal still has. Temporal's data may be older or newer than the database,
 * so its state of a recipient is worthless: every recipient who should still receive email gets a new run after the
 * resume. Waits for Temporal.
 */
export async function settleRestore(
  from: Date,
  client: () => Client | null,
  log: Log,
  stopping: AbortSignal,
): Promise<void> {
  await announceRestore(from, log);
  for (;;) {
    const restoration = await restorationOf(from);
    if (restoration?.isWithoutRuns) return;
    const temporal = client();
    try {
      if (restoration !== null && temporal !== null) {
        const ended = await endRuns(temporal, restoration.begunAt);
        await noteRunsEnded(from);
        log.warn({ restoredFrom: from, ended }, "restored: terminated the workflow runs from before the restore");
        return;
      }
    } catch (err) {
      log.error({ err }, "Failed to terminate the workflow runs from before the restore: trying again");
    }
    await delay(RETRY_MS, undefined, { signal: stopping });
  }
}

/** The same without ending runs, which is enough for a process that sends nothing itself. */
export async function announceRestore(from: Date, log: Log): Promise<void> {
  const begun = await beginRestore(from, restWarmup);
  if (begun !== null)
    log.warn({ restoredFrom: from, ...begun }, "restored: campaigns are paused until someone resumes them");
}

/** Ends the runs of recipients that began before an instant, and returns how many there were. */
async function endRuns(client: Client, before: Date): Promise<number> {
  const query = `WorkflowType = 'recipient' AND ExecutionStatus = 'Running' AND StartTime < '${before.toISOString()}'`;
  const ending: Promise<void>[] = [];
  for await (const { workflowId, runId } of client.workflow.list({ query })) {
    ending.push(calls(() => terminateRun(client, workflowId, runId)));
  }
  await Promise.all(ending);
  return ending.length;
}

async function terminateRun(client: Client, workflowId: string, runId: string): Promise<void> {
  try {
    await client.withDeadline(Date.now() + CALL_MS, () =>
      client.workflow.getHandle(workflowId, runId).terminate("restored from a backup"),
    );
  } catch (error) {
    if (!(error instanceof WorkflowNotFoundError)) throw error;
  }
}
