import { type Client, WorkflowIdConflictPolicy, WorkflowNotFoundError } from "@temporalio/client";
import type { AgentReplyIds } from "../domain/agent/contract.ts";
import type { PlacementIds } from "../domain/deliverability/placement.ts";
import type { JobIds } from "../domain/job.ts";
import type { DnsCheckIds } from "../domain/mailboxes/dns-check.ts";
import type { GrantIds } from "../domain/mailboxes/provider.ts";
import type { MailboxIds } from "../domain/mailboxes/sync.ts";
import type { WarmupIds } from "../domain/warmup/contract.ts";
import type { DeliveryIds, FeedIds } from "../domain/webhook.ts";
import type { CampaignIds, RecipientIds, ScheduledReplyIds, SendIds } from "../domain/workflow-contract.ts";
import {
  mailboxSyncWorkflowId,
  type Noun,
  type Run,
  recipientWorkflowId,
  scheduledReplyWorkflowId,
  startRun,
  startRunWithSignal,
  warmupWorkflowId,
} from "./run.ts";
import {
  agentReplyRun,
  campaignRun,
  deliveryRun,
  dnsCheckRun,
  feedRun,
  grantRevocationRun,
  jobRun,
  mailboxFreedRun,
  mailboxSyncRun,
  placementTestRun,
  recipientRun,
  replyRun,
  scheduledReplyRun,
  warmupRun,
} from "./runs.ts";

const CALL_MS = 10_000;

function callWithDeadline<T>(client: Client, call: () => Promise<T>): Promise<T> {
  return client.withDeadline(Date.now() + CALL_MS, call);
}

async function start(client: Client, run: Run): Promise<void> {
  await callWithDeadline(client, () => startRun(client, run));
}

async function signalWithStart(client: Client, run: Run, signal: string, signalArgs: unknown[] = []): Promise<void> {
  await callWithDeadline(client, () => startRunWithSignal(client, run, signal, signalArgs));
}

/**
 * Starts a recipient's workflow, delayed until its first slot. If an earlier run is still open, it gets a signal to
 * check again, because it may be about to end after finding that the recipient was not admitted.
 */
export function admitRecipient(client: Client, ids: RecipientIds, delayMs: number): Promise<void> {
  const { workflow, options } = recipientRun(ids);
  return signalWithStart(
    client,
    { workflow, options: { ...options, ...(delayMs > 0 && { startDelay: delayMs }) } },
    "replan",
  );
}

/** Signals an open run to stop. A run that has ended needs no signal. */
export async function stopRecipient(client: Client, recipientId: string, reason: string): Promise<void> {
  await toOpen(() =>
    callWithDeadline(client, () =>
      client.workflow.getHandle(recipientWorkflowId(recipientId)).signal("stop", { reason }),
    ),
  );
}

/** Signals the recipient's workflow to check again, or starts it when none is open. */
export function wakeRecipient(
  client: Client,
  ids: RecipientIds,
  signal: "replan" | "resume",
  epoch = 0,
): Promise<void> {
  // The signal `replan` ignores this argument
  return signalWithStart(client, recipientRun(ids), signal, [{ epoch }]);
}

/** Starts a campaign's workflow, or signals the open one that something has changed. */
export function nudgeCampaign(client: Client, ids: CampaignIds): Promise<void> {
  return signalWithStart(client, campaignRun(ids), "changed");
}

/** Starts a campaign's workflow unless one is open. */
export function startCampaign(client: Client, ids: CampaignIds): Promise<void> {
  return start(client, campaignRun(ids));
}

export function startMailboxSync(client: Client, ids: MailboxIds): Promise<void> {
  return start(client, mailboxSyncRun(ids));
}

/**
 * Starts the workflow that wakes the recipients waiting for a mailbox, because the mailbox can send again or send more.
 * A running workflow repeats its work.
 */
export function startMailboxFreed(client: Client, ids: MailboxIds): Promise<void> {
  return signalWithStart(client, mailboxFreedRun(ids), "again");
}

/**
 * Starts a check of a mailbox's DNS records. It replaces a check of the records that is still running. A running probe
 * continues.
 */
export function startDnsCheck(client: Client, ids: DnsCheckIds): Promise<void> {
  const { workflow, options } = dnsCheckRun(ids);
  const workflowIdConflictPolicy = WorkflowIdConflictPolicy.TERMINATE_EXISTING;
  return start(client, { workflow, options: { ...options, workflowIdConflictPolicy } });
}

/** Ends the synchronisation of a mailbox that is disconnected. */
export function stopMailboxSync(client: Client, mailboxId: string): Promise<void> {
  return toOpen(() =>
    callWithDeadline(client, () => client.workflow.getHandle(mailboxSyncWorkflowId(mailboxId)).signal("stop")),
  );
}

/**
 * Starts the warmup workflow of a mailbox, or signals the open one: with `dueAt`, when there is something to do;
 * otherwise that something has changed.
 */
export function wakeWarmup(client: Client, ids: WarmupIds, dueAt: number | null = null): Promise<void> {
  return dueAt === null
    ? signalWithStart(client, warmupRun(ids), "changed")
    : signalWithStart(client, warmupRun(ids), "due", [{ at: dueAt }]);
}

/** Ends the warmup workflow of a mailbox. If it has already ended, it needs no signal. */
export function stopWarmup(client: Client, mailboxId: string): Promise<void> {
  return toOpen(() =>
    callWithDeadline(client, () => client.workflow.getHandle(warmupWorkflowId(mailboxId)).signal("stop")),
  );
}

/** Starts the workflow that revokes a grant at its provider. */
export function startGrantRevocation(client: Client, ids: GrantIds): Promise<void> {
  return start(client, grantRevocationRun(ids));
}

/** Starts the workflow that makes the later attempts of a delivery. The first of them comes after `delayMs`. */
export function startDelivery(client: Client, ids: DeliveryIds, event: string, delayMs = 0): Promise<void> {
  const { workflow, options } = deliveryRun(ids, event);
  return start(client, { workflow, options: { ...options, ...(delayMs > 0 && { startDelay: delayMs }) } });
}

/** Starts the feed of a subscription. A running feed finds waiting deliveries without a signal. */
export function startFeed(client: Client, ids: FeedIds): Promise<void> {
  return start(client, feedRun(ids));
}

/** Starts sending a reply, although its caller may no longer be waiting. */
export function startReply(client: Client, ids: SendIds, key: string, noun: Noun): Promise<void> {
  return start(client, replyRun(ids, key, noun));
}

/** Starts the timer of a scheduled reply. If its time has already passed, the reply is due immediately. */
export function startScheduledReply(client: Client, ids: ScheduledReplyIds, noun: Noun): Promise<void> {
  return start(client, scheduledReplyRun(ids, noun));
}

/** Signals the timer of a scheduled reply to cancel it. A timer that has already ended needs no signal. */
export function cancelScheduledReply(client: Client, scheduledId: string): Promise<void> {
  return toOpen(() =>
    callWithDeadline(client, () => client.workflow.getHandle(scheduledReplyWorkflowId(scheduledId)).signal("cancel")),
  );
}

/** Starts or resumes a placement test. */
export function startPlacementTest(client: Client, ids: PlacementIds): Promise<void> {
  return start(client, placementTestRun(ids));
}

/** Starts the inbox agent for an email. */
export function startAgentReply(client: Client, ids: AgentReplyIds): Promise<void> {
  return start(client, agentReplyRun(ids));
}

export function startJob(client: Client, ids: JobIds, type: string): Promise<void> {
  return start(client, jobRun(ids, type));
}

/** Starts a job's workflow, or signals the waiting one that there is more to do. */
export function wakeJob(client: Client, ids: JobIds, type: string): Promise<void> {
  return signalWithStart(client, jobRun(ids, type), "wake");
}

/** Terminates a workflow run immediately. Nothing happens if it has ended or never existed. */
export function endRun(client: Client, workflowId: string, reason: string): Promise<void> {
  return toOpen(async () => {
    await callWithDeadline(client, () => client.workflow.getHandle(workflowId).terminate(reason));
  });
}

async function toOpen(signal: () => Promise<void>): Promise<void> {
  try {
    await signal();
  } catch (error) {
    if (!(error instanceof WorkflowNotFoundError)) throw error;
  }
}
