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
 * Starts a recipient's run, delayed until its first slot. An earlier run that is still open gets a signal to look
 * again, because it may be about to end after finding no admitted recipient.
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

/** Signals the run to look again, and starts one when none is open. */
export function wakeRecipient(
  client: Client,
  ids: RecipientIds,
  signal: "replan" | "resume",
  epoch = 0,
): Promise<void> {
  // A replan takes no argument and ignores this one
  return signalWithStart(client, recipientRun(ids), signal, [{ epoch }]);
}

/** Starts a campaign's feeder, or tells the open one that something changed. */
export function nudgeCampaign(client: Client, ids: CampaignIds): Promise<void> {
  return signalWithStart(client, campaignRun(ids), "changed");
}

/** Starts a campaign's feeder when none is open. An open one is left alone. */
export function startCampaign(client: Client, ids: CampaignIds): Promise<void> {
  return start(client, campaignRun(ids));
}

export function startMailboxSync(client: Client, ids: MailboxIds): Promise<void> {
  return start(client, mailboxSyncRun(ids));
}

/**
 * Starts waking the recipients that waited for a mailbox which can send, or send more than before. A run in progress
 * does it once more.
 */
export function startMailboxFreed(client: Client, ids: MailboxIds): Promise<void> {
  return signalWithStart(client, mailboxFreedRun(ids), "again");
}

/** Starts a check of a mailbox's DNS records. A check in progress is replaced; a probe in progress continues. */
export function startDnsCheck(client: Client, ids: DnsCheckIds): Promise<void> {
  const { workflow, options } = dnsCheckRun(ids);
  const workflowIdConflictPolicy = WorkflowIdConflictPolicy.TERMINATE_EXISTING;
  return start(client, { workflow, options: { ...options, workflowIdConflictPolicy } });
}

/** Ends the watch of a mailbox that is disconnected. */
export function stopMailboxSync(client: Client, mailboxId: string): Promise<void> {
  return toOpen(() =>
    callWithDeadline(client, () => client.workflow.getHandle(mailboxSyncWorkflowId(mailboxId)).signal("stop")),
  );
}

/** Tells the warmup of a mailbox to look again, or when there is something to do, or starts it. */
export function wakeWarmup(client: Client, ids: WarmupIds, dueAt: number | null = null): Promise<void> {
  return dueAt === null
    ? signalWithStart(client, warmupRun(ids), "changed")
    : signalWithStart(client, warmupRun(ids), "due", [{ at: dueAt }]);
}

/** Ends the warmup of a mailbox. One that has ended needs no signal. */
export function stopWarmup(client: Client, mailboxId: string): Promise<void> {
  return toOpen(() =>
    callWithDeadline(client, () => client.workflow.getHandle(warmupWorkflowId(mailboxId)).signal("stop")),
  );
}

/** Starts a run that tells a provider that a consent is revoked. */
export function startGrantRevocation(client: Client, ids: GrantIds): Promise<void> {
  return start(client, grantRevocationRun(ids));
}

/** Starts the run that makes the later attempts of a delivery, `delayMs` before the first of them. */
export function startDelivery(client: Client, ids: DeliveryIds, event: string, delayMs = 0): Promise<void> {
  const { workflow, options } = deliveryRun(ids, event);
  return start(client, { workflow, options: { ...options, ...(delayMs > 0 && { startDelay: delayMs }) } });
}

/** Starts the feed of a subscription. A running feed finds the rows by itself. */
export function startFeed(client: Client, ids: FeedIds): Promise<void> {
  return start(client, feedRun(ids));
}

/** Starts sending a reply, even when its caller may no longer be waiting. */
export function startReply(client: Client, ids: SendIds, key: string, noun: Noun): Promise<void> {
  return start(client, replyRun(ids, key, noun));
}

/** Starts the timer of a scheduled reply. When its time has passed, it is due immediately. */
export function startScheduledReply(client: Client, ids: ScheduledReplyIds, noun: Noun): Promise<void> {
  return start(client, scheduledReplyRun(ids, noun));
}

/** Signals the timer that its reply is no longer wanted. A timer that has ended needs no signal. */
export function cancelScheduledReply(client: Client, scheduledId: string): Promise<void> {
  return toOpen(() =>
    callWithDeadline(client, () => client.workflow.getHandle(scheduledReplyWorkflowId(scheduledId)).signal("cancel")),
  );
}

/** Starts a placement test, or resumes one. */
export function startPlacementTest(client: Client, ids: PlacementIds): Promise<void> {
  return start(client, placementTestRun(ids));
}

/** Lets the inbox agent look at an email. */
export function startAgentReply(client: Client, ids: AgentReplyIds): Promise<void> {
  return start(client, agentReplyRun(ids));
}

export function startJob(client: Client, ids: JobIds, type: string): Promise<void> {
  return start(client, jobRun(ids, type));
}

/** Starts a job's run, or tells the waiting one that there is more to do. */
export function wakeJob(client: Client, ids: JobIds, type: string): Promise<void> {
  return signalWithStart(client, jobRun(ids, type), "wake");
}

/** Ends a run immediately, wherever it is. Nothing happens if it has ended or never existed. */
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
