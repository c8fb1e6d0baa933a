import { type Client, WorkflowIdConflictPolicy, WorkflowNotFoundError } from "@temporalio/client";
import type { JobIds } from "../domain/job.ts";
import type { DnsCheckIds } from "../domain/mailboxes/dns-check.ts";
import type { GrantIds } from "../domain/mailboxes/provider.ts";
import type { MailboxIds } from "../domain/mailboxes/sync.ts";
import type { DeliveryIds } from "../domain/webhook.ts";
import type { CampaignIds, RecipientIds, ScheduledReplyIds, SendIds } from "../domain/workflow-contract.ts";
import { mailboxSyncWorkflowId, recipientWorkflowId, scheduledReplyWorkflowId } from "./ids.ts";
import { type Noun, type Run, startRun, startRunWithSignal } from "./run.ts";
import {
  campaignRun,
  deliveryRun,
  dnsCheckRun,
  grantRevocationRun,
  jobRun,
  mailboxFreedRun,
  mailboxSyncRun,
  recipientRun,
  replyRun,
  scheduledReplyRun,
} from "./runs.ts";

const CALL_MS = 10_000;

function within<T>(client: Client, call: () => Promise<T>): Promise<T> {
  return client.withDeadline(Date.now() + CALL_MS, call);
}

async function begin(client: Client, run: Run): Promise<void> {
  await within(client, () => startRun(client, run));
}

async function beginWith(client: Client, run: Run, signal: string, signalArgs: unknown[] = []): Promise<void> {
  await within(client, () => startRunWithSignal(client, run, signal, signalArgs));
}

/**
 * Opens a recipient's run, asleep until its first slot. A run from before that is still open is told to look again: it may be about to
 * end, because it found nobody admitted.
 */
export function admitRecipient(client: Client, ids: RecipientIds, delayMs: number): Promise<void> {
  const { workflow, options } = recipientRun(ids);
  return beginWith(client, { workflow, options: { ...options, ...(delayMs > 0 && { startDelay: delayMs }) } }, "replan");
}

/** Tells an open run to stop; one that has ended needs no telling. */
export async function stopRecipient(client: Client, recipientId: string, reason: string): Promise<void> {
  await toOpen(() => within(client, () => client.workflow.getHandle(recipientWorkflowId(recipientId)).signal("stop", { reason })));
}

/** Tells the run to look again, and opens one where there is none. */
export function wakeRecipient(client: Client, ids: RecipientIds, signal: "replan" | "resume", epoch = 0): Promise<void> {
  // A replan takes no argument and ignores this one
  return beginWith(client, recipientRun(ids), signal, [{ epoch }]);
}

/** Opens a campaign's feeder, or tells the open one that something changed. */
export function nudgeCampaign(client: Client, ids: CampaignIds): Promise<void> {
  return beginWith(client, campaignRun(ids), "changed");
}

/** Opens a campaign's feeder where none is open; an open one is left alone. */
export function startCampaign(client: Client, ids: CampaignIds): Promise<void> {
  return begin(client, campaignRun(ids));
}

export function startMailboxSync(client: Client, ids: MailboxIds): Promise<void> {
  return begin(client, mailboxSyncRun(ids));
}

/** Has whoever waited for a mailbox woken: it can send, or more than before. A run under way looks once more. */
export function startMailboxFreed(client: Client, ids: MailboxIds): Promise<void> {
  return beginWith(client, mailboxFreedRun(ids), "again");
}

/** Has the DNS records of a mailbox judged, now. A look under way makes way for this one, a probe under way goes on. */
export function startDnsCheck(client: Client, ids: DnsCheckIds): Promise<void> {
  const { workflow, options } = dnsCheckRun(ids);
  const workflowIdConflictPolicy = WorkflowIdConflictPolicy.TERMINATE_EXISTING;
  return begin(client, { workflow, options: { ...options, workflowIdConflictPolicy } });
}

/** Ends the watch of a mailbox that is disconnected. */
export function stopMailboxSync(client: Client, mailboxId: string): Promise<void> {
  return toOpen(() => within(client, () => client.workflow.getHandle(mailboxSyncWorkflowId(mailboxId)).signal("stop")));
}

/** Has a provider told that a consent is taken back. */
export function startGrantRevocation(client: Client, ids: GrantIds): Promise<void> {
  return begin(client, grantRevocationRun(ids));
}

export function startDelivery(client: Client, ids: DeliveryIds, event: string): Promise<void> {
  return begin(client, deliveryRun(ids, event));
}

/** Has an answer sent that nobody may be waiting for any more. */
export function startReply(client: Client, ids: SendIds, key: string, noun: Noun): Promise<void> {
  return begin(client, replyRun(ids, key, noun));
}

/** Opens the timer of a scheduled answer; one whose hour has passed is due at once. */
export function startScheduledReply(client: Client, ids: ScheduledReplyIds, noun: Noun): Promise<void> {
  return begin(client, scheduledReplyRun(ids, noun));
}

/** Tells the timer that its answer is not wanted any more; one that has ended needs no telling. */
export function cancelScheduledReply(client: Client, scheduledId: string): Promise<void> {
  return toOpen(() => within(client, () => client.workflow.getHandle(scheduledReplyWorkflowId(scheduledId)).signal("cancel")));
}

export function startJob(client: Client, ids: JobIds, type: string): Promise<void> {
  return begin(client, jobRun(ids, type));
}

async function toOpen(signal: () => Promise<void>): Promise<void> {
  try {
    await signal();
  } catch (error) {
    if (!(error instanceof WorkflowNotFoundError)) throw error;
  }
}
