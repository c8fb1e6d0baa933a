import { setTimeout as delay } from "node:timers/promises";
import { type Client, WorkflowNotFoundError } from "@temporalio/client";
import pLimit from "p-limit";
import { beginRestore, noteRunsEnded, restorationOf } from "../store/restore.ts";
import type { Log } from "./log.ts";

const RETRY_MS = 1_000;
const CALL_MS = 10_000;
const calls = pLimit(8);

/**
 * After a restore, before any worker of this process begins (security.md 8.7): the campaigns are paused, and the runs of recipients
 * that Temporal still has are ended, once. It may be older or newer than the ledger, and what it remembers of a recipient is worth
 * nothing now: whoever is still to be written to gets a new run after the resume. Waits for Temporal.
 */
export async function settleRestore(from: Date, client: () => Client | null, log: Log, stopping: AbortSignal): Promise<void> {
  await announceRestore(from, log);
  for (;;) {
    const restoration = await restorationOf(from);
    if (restoration?.isWithoutRuns) return;
    const temporal = client();
    try {
      if (restoration !== null && temporal !== null) {
        const ended = await endRuns(temporal, restoration.begunAt);
        await noteRunsEnded(from);
        log.warn({ restoredFrom: from, ended }, "restored: what ran before has been ended");
        return;
      }
    } catch (err) {
      log.error({ err }, "What ran before the restore could not be ended: trying again");
    }
    await delay(RETRY_MS, undefined, { signal: stopping });
  }
}

/** The same without Temporal: enough for a process that sends nothing itself. */
export async function announceRestore(from: Date, log: Log): Promise<void> {
  const begun = await beginRestore(from);
  if (begun !== null) log.warn({ restoredFrom: from, ...begun }, "restored: campaigns are paused until somebody resumes them");
}

/** Those of recipients that began before an instant; how many there were. */
async function endRuns(client: Client, before: Date): Promise<number> {
  const query = `WorkflowType = 'recipient' AND ExecutionStatus = 'Running' AND StartTime < '${before.toISOString()}'`;
  const ending: Promise<void>[] = [];
  for await (const { workflowId, runId } of client.workflow.list({ query })) {
    ending.push(calls(() => end(client, workflowId, runId)));
  }
  await Promise.all(ending);
  return ending.length;
}

async function end(client: Client, workflowId: string, runId: string): Promise<void> {
  try {
    await client.withDeadline(Date.now() + CALL_MS, () => client.workflow.getHandle(workflowId, runId).terminate("restored from a backup"));
  } catch (error) {
    if (!(error instanceof WorkflowNotFoundError)) throw error;
  }
}
