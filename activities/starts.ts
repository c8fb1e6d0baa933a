import { type Client, WorkflowIdConflictPolicy, WorkflowIdReusePolicy, WorkflowNotFoundError } from "@temporalio/client";
import { defineSearchAttributeKey, TypedSearchAttributes } from "@temporalio/common";
import { replyWorkflowId } from "../domain/answer.ts";
import type { DnsCheckIds } from "../domain/dns-check.ts";
import type { CampaignIds, RecipientIds, ScheduledReplyIds } from "../domain/engine.ts";
import type { JobIds } from "../domain/job.ts";
import { REVOCATION } from "../domain/mail-provider.ts";
import { endingGrants } from "../ledger/mailbox-grant.ts";
import type { ScheduledReply } from "../models/scheduled-reply.ts";
import type { Send } from "../models/send.ts";
import {
  campaignWorkflowId,
  grantRevocationWorkflowId,
  jobWorkflowId,
  mailboxFreedWorkflowId,
  mailboxSyncWorkflowId,
  recipientWorkflowId,
  scheduledReplyWorkflowId,
  webhookDeliveryWorkflowId,
} from "../workflows/ids.ts";

const WORKSPACE = defineSearchAttributeKey("WorkspaceId", "KEYWORD");
const CAMPAIGN = defineSearchAttributeKey("CampaignId", "KEYWORD");
const MAILBOX = defineSearchAttributeKey("MailboxId", "KEYWORD");
const EVENT = defineSearchAttributeKey("WebhookEvent", "KEYWORD");
const JOB_TYPE = defineSearchAttributeKey("JobType", "KEYWORD");

const CALL_MS = 10_000;

/** An open run is joined; an ended one makes way: the ledger says what went out, not the history. */
const JOIN = {
  taskQueue: "engine",
  workflowIdConflictPolicy: WorkflowIdConflictPolicy.USE_EXISTING,
  workflowIdReusePolicy: WorkflowIdReusePolicy.ALLOW_DUPLICATE,
} as const;

function within<T>(client: Client, call: () => Promise<T>): Promise<T> {
  return client.withDeadline(Date.now() + CALL_MS, call);
}

/** What an operator finds a run by. */
type Attributes = { key: typeof WORKSPACE; value: string }[];

/** How a run is begun: its id, its input, what the list of runs says of it. */
function run<I extends { v: number; workspaceId: string }>(workflowId: string, ids: I, staticSummary: string, attributes: Attributes = []) {
  const typedSearchAttributes = new TypedSearchAttributes([{ key: WORKSPACE, value: ids.workspaceId }, ...attributes]);
  return { ...JOIN, workflowId, args: [ids], staticSummary, typedSearchAttributes };
}

async function begin(client: Client, workflow: string, options: ReturnType<typeof run> & { startDelay?: number }): Promise<void> {
  await within(client, () => client.workflow.start(workflow, options));
}

function recipientRun(ids: RecipientIds) {
  return run(recipientWorkflowId(ids.recipientId), ids, "A recipient's sequence", [{ key: CAMPAIGN, value: ids.campaignId }]);
}

/**
 * Opens a recipient's run, asleep until its first slot. A run from before that is still open is told to look again: it may be about to
 * end, because it found nobody admitted.
 */
export async function admitRecipient(client: Client, ids: RecipientIds, delayMs: number): Promise<void> {
  const delayed = { ...recipientRun(ids), ...(delayMs > 0 && { startDelay: delayMs }) };
  await within(client, () => client.workflow.signalWithStart("recipient", { ...delayed, signal: "replan", signalArgs: [] }));
}

/** Tells an open run to stop; one that has ended needs no telling. */
export async function stopRecipient(client: Client, recipientId: string, reason: string): Promise<void> {
  await toOpen(() => within(client, () => client.workflow.getHandle(recipientWorkflowId(recipientId)).signal("stop", { reason })));
}

/** Tells the run to look again, and opens one where there is none. */
export async function wakeRecipient(client: Client, ids: RecipientIds, signal: "replan" | "resume", epoch = 0): Promise<void> {
  // A replan takes no argument and ignores this one
  await within(client, () => client.workflow.signalWithStart("recipient", { ...recipientRun(ids), signal, signalArgs: [{ epoch }] }));
}

function campaignRun(ids: CampaignIds) {
  return run(campaignWorkflowId(ids.campaignId), ids, "A campaign's feeder", [{ key: CAMPAIGN, value: ids.campaignId }]);
}

/** Opens a campaign's feeder, or tells the open one that something changed. */
export async function nudgeCampaign(client: Client, ids: CampaignIds): Promise<void> {
  await within(client, () => client.workflow.signalWithStart("campaign", { ...campaignRun(ids), signal: "changed", signalArgs: [] }));
}

/** Opens a campaign's feeder where none is open; an open one is left alone. */
export function startCampaign(client: Client, ids: CampaignIds): Promise<void> {
  return begin(client, "campaign", campaignRun(ids));
}

export function startMailboxSync(client: Client, workspaceId: string, mailboxId: string): Promise<void> {
  const ids = { v: 1, workspaceId, mailboxId };
  const watched = run(mailboxSyncWorkflowId(mailboxId), ids, "A mailbox's inbox, watched", [{ key: MAILBOX, value: mailboxId }]);
  return begin(client, "mailboxSync", watched);
}

/** Has whoever waited for a mailbox woken: it can send, or more than before. A run under way looks once more. */
export async function startMailboxFreed(client: Client, workspaceId: string, mailboxId: string): Promise<void> {
  const ids = { v: 1, workspaceId, mailboxId };
  const freed = run(mailboxFreedWorkflowId(mailboxId), ids, "Whoever waited for a mailbox, woken", [{ key: MAILBOX, value: mailboxId }]);
  await within(client, () => client.workflow.signalWithStart("mailboxFreed", { ...freed, signal: "again", signalArgs: [] }));
}

/** Has the DNS records of a mailbox judged, now. A look under way makes way for this one, a probe under way goes on. */
export async function startDnsCheck(client: Client, ids: DnsCheckIds): Promise<void> {
  const { mailboxId, probeId } = ids;
  const id = `dns-check/${mailboxId}/${probeId ?? "records"}`;
  const judged = run(id, ids, "The DNS records of a mailbox, judged", [{ key: MAILBOX, value: mailboxId }]);
  const workflowIdConflictPolicy = WorkflowIdConflictPolicy.TERMINATE_EXISTING;
  await within(client, () => client.workflow.start("verifyMailboxDns", { ...judged, workflowIdConflictPolicy }));
}

/** Ends the watch of a mailbox that is disconnected, and has its provider told. */
export async function stopMailboxSync(client: Client, mailboxId: string): Promise<void> {
  await toOpen(() => within(client, () => client.workflow.getHandle(mailboxSyncWorkflowId(mailboxId)).signal("stop")));
  for (const { _id: grantId, workspaceId } of await endingGrants(mailboxId)) {
    const told = run(grantRevocationWorkflowId(grantId), { v: 1, workspaceId, grantId }, "a consent, taken back");
    await begin(client, REVOCATION.workflow, told);
  }
}

export function startDelivery(client: Client, workspaceId: string, deliveryId: string, event: string): Promise<void> {
  const ids = { v: 1, workspaceId, deliveryId };
  const delivery = run(webhookDeliveryWorkflowId(deliveryId), ids, `${event} to a subscriber`, [{ key: EVENT, value: event }]);
  return begin(client, "deliverWebhook", delivery);
}

/** Has an answer sent that nobody may be waiting for any more. */
export function startReply(client: Client, { workspaceId, _id: sendId, sendKey }: Pick<Send, "workspaceId" | "_id" | "sendKey">) {
  return begin(client, "singleSend", run(replyWorkflowId(workspaceId, sendKey ?? sendId), { v: 1, workspaceId, sendId }, "an answer"));
}

/** Opens the timer of a scheduled answer; one whose hour has passed is due at once. */
export function startScheduledReply(client: Client, { workspaceId, _id: scheduledId, sendAt }: ScheduledReply): Promise<void> {
  const ids: ScheduledReplyIds = { v: 1, workspaceId, scheduledId, sendAt: sendAt.getTime() };
  return begin(client, "scheduledReply", run(scheduledReplyWorkflowId(scheduledId), ids, "an answer that waits for its hour"));
}

/** Tells the timer that its answer is not wanted any more; one that has ended needs no telling. */
export async function cancelScheduledReply(client: Client, scheduledId: string): Promise<void> {
  await toOpen(() => within(client, () => client.workflow.getHandle(scheduledReplyWorkflowId(scheduledId)).signal("cancel")));
}

export function startJob(client: Client, ids: JobIds, type: string): Promise<void> {
  return begin(client, "job", run(jobWorkflowId(ids.jobId), ids, type, [{ key: JOB_TYPE, value: type }]));
}

async function toOpen(signal: () => Promise<void>): Promise<void> {
  try {
    await signal();
  } catch (error) {
    if (!(error instanceof WorkflowNotFoundError)) throw error;
  }
}
