import { setTimeout } from "node:timers/promises";
import type { Client } from "@temporalio/client";
import pLimit from "p-limit";
import { isUnderWay, JOB_STATUSES } from "../domain/job.ts";
import { MINUTE_MS } from "../domain/time/durations.ts";
import type { Workspaced } from "../models/scoped.ts";
import type { Hold } from "../mongo/lease-holder.ts";
import type { WorkShare } from "../mongo/leases.ts";
import type { Log } from "../runtime/log.ts";
import { RETENTION_REST, retainNext } from "../store/evidence/retention.ts";
import { PURGE_REST, type PurgedDocument, purgeDeletedWorkspace } from "../store/purge-workspaces.ts";
import {
  campaignWorkflowId,
  jobWorkflowId,
  mailboxFreedWorkflowId,
  mailboxSyncWorkflowId,
  placementTestWorkflowId,
  recipientWorkflowId,
  scheduledReplyWorkflowId,
  warmupWorkflowId,
  webhookDeliveryWorkflowId,
  webhookFeedWorkflowId,
} from "../temporal/run.ts";
import { endRun } from "../temporal/starts.ts";
import { type Rounds, repeatRounds } from "./rounds.ts";

const ENDED = "The workspace was purged";
const calls = pLimit(8);
/** Milliseconds after which deleted workspaces come before the rest of the retention. */
const RETAINING_MS = 10 * MINUTE_MS;

/**
 * The ids of the workflow runs that a document may have open. A recipient that was never admitted has none; neither has
 * a document whose work has ended.
 */
const RUNS: Partial<Record<keyof Workspaced, (document: PurgedDocument) => string[]>> = {
  Campaign: ({ _id }) => [campaignWorkflowId(_id)],
  Recipient: ({ _id, admittedAt }) => (admittedAt instanceof Date ? [recipientWorkflowId(_id)] : []),
  Mailbox: ({ _id }) => [mailboxSyncWorkflowId(_id), mailboxFreedWorkflowId(_id), warmupWorkflowId(_id)],
  Job: ({ _id, status }) => (JOB_STATUSES.some((one) => one === status && isUnderWay(one)) ? [jobWorkflowId(_id)] : []),
  PlacementTest: ({ _id, status }) =>
    status === "QUEUED" || status === "RUNNING" ? [placementTestWorkflowId(_id)] : [],
  ScheduledReply: ({ _id, status }) =>
    status === "PENDING" || status === "SENDING" ? [scheduledReplyWorkflowId(_id)] : [],
  WebhookDelivery: ({ _id, status }) =>
    status === "PENDING" || status === "RETRYING" ? [webhookDeliveryWorkflowId(_id)] : [],
  WebhookSubscription: ({ _id }) => [webhookFeedWorkflowId(_id)],
};

/**
 * Purges workspaces that were deleted 30 days ago, then takes the daily rounds of retention that are due
 * (rules/evidence 5), one after the other, with pauses, alongside the worker's other work.
 * Only the process that holds the lease of this work does it. While Temporal is unreachable it waits, because without
 * its documents a run could not be found any more.
 */
export function startPurger(client: () => Client | null, log: Log, share: WorkShare, everyMs = MINUTE_MS): Rounds {
  const end = new AbortController();
  const once = async ({ isHeld, lost }: Hold) => {
    const temporal = client();
    if (temporal === null) return;
    const turn = { signal: AbortSignal.any([end.signal, lost]), mayWork: () => !end.signal.aborted && isHeld() };
    try {
      await purgeAll(temporal, turn);
      await retainAll(turn);
    } catch (error) {
      if (turn.mayWork()) log.warn({ err: error }, "old data could not be deleted yet");
    }
  };
  const rounds = repeatRounds(share, once, everyMs);
  return {
    stop() {
      end.abort();
      return rounds.stop();
    },
  };
}

interface Turn {
  /** Ends the pauses. */
  signal: AbortSignal;
  /** Whether the work may continue. */
  mayWork(): boolean;
}

async function purgeAll(client: Client, { signal, mayWork }: Turn): Promise<void> {
  // Is called before each deletion
  const endRuns = async (model: keyof Workspaced, documents: readonly PurgedDocument[]) => {
    if (!mayWork()) throw new Error("Another process may do this work now");
    await endRunsOf(client, model, documents);
  };
  while (mayWork() && (await purgeDeletedWorkspace(new Date(), { endRuns, rest: PURGE_REST, signal })));
}

/** Takes the turns of the daily rounds that are due, each followed by a pause, until workspaces may have to be purged. */
async function retainAll({ signal, mayWork }: Turn): Promise<void> {
  const until = performance.now() + RETAINING_MS;
  for (let started = performance.now(); mayWork() && started < until; started = performance.now()) {
    if (!(await retainNext(new Date()))) return;
    await setTimeout((performance.now() - started) * RETENTION_REST, undefined, { signal });
  }
}

/** Ends the runs of documents that are about to be deleted. */
export async function endRunsOf(
  client: Client,
  model: keyof Workspaced,
  documents: readonly PurgedDocument[],
): Promise<void> {
  const ids = documents.flatMap((document) => RUNS[model]?.(document) ?? []);
  await Promise.all(ids.map((id) => calls(() => endRun(client, id, ENDED))));
}
