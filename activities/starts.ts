import { type Client, WorkflowIdConflictPolicy, WorkflowIdReusePolicy, WorkflowNotFoundError } from "@temporalio/client";
import { defineSearchAttributeKey, TypedSearchAttributes } from "@temporalio/common";
import { replyWorkflowId } from "../domain/answer.ts";
import type { DnsCheckIds } from "../domain/dns-check.ts";
import type { CampaignIds, RecipientIds, ScheduledReplyIds } from "../domain/engine.ts";
import type { JobIds } from "../domain/job.ts";
import type { ScheduledReply } from "../models/scheduled-reply.ts";
import type { Send } from "../models/send.ts";
import {
  campaignWorkflowId,
  jobWorkflowId,
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

/** Opens a recipient's run, asleep until its first slot. */
export async function startRecipient(client: Client, ids: RecipientIds, delayMs = 0): Promise<void> {
  await within(client, () =>
    client.workflow.start("recipient", {
      ...JOIN,
      workflowId: recipientWorkflowId(ids.recipientId),
      args: [ids],
      ...(delayMs > 0 && { startDelay: delayMs }),
      staticSummary: "A recipient's sequence",
      typedSearchAttributes: new TypedSearchAttributes([
        { key: WORKSPACE, value: ids.workspaceId },
        { key: CAMPAIGN, value: ids.campaignId },
      ]),
    }),
  );
}

/** Tells an open run to stop; one that has ended needs no telling. */
export async function stopRecipient(client: Client, recipientId: string, reason: string): Promise<void> {
  await toOpen(() => within(client, () => client.workflow.getHandle(recipientWorkflowId(recipientId)).signal("stop", { reason })));
}

/** Tells the run to look again, and opens one where there is none. */
export async function wakeRecipient(client: Client, ids: RecipientIds, signal: "replan" | "resume", epoch = 0): Promise<void> {
  await within(client, () =>
    client.workflow.signalWithStart("recipient", {
      ...JOIN,
      workflowId: recipientWorkflowId(ids.recipientId),
      args: [ids],
      signal,
      // A replan takes no argument and ignores this one
      signalArgs: [{ epoch }],
      staticSummary: "A recipient's sequence",
      typedSearchAttributes: new TypedSearchAttributes([
        { key: WORKSPACE, value: ids.workspaceId },
        { key: CAMPAIGN, value: ids.campaignId },
      ]),
    }),
  );
}

/** Opens a campaign's feeder, or tells the open one that something changed. */
export async function nudgeCampaign(client: Client, ids: CampaignIds): Promise<void> {
  await within(client, () =>
    client.workflow.signalWithStart("campaign", { ...JOIN, ...campaignStart(ids), signal: "changed", signalArgs: [] }),
  );
}

/** Opens a campaign's feeder where none is open; an open one is left alone. */
export async function startCampaign(client: Client, ids: CampaignIds): Promise<void> {
  await within(client, () => client.workflow.start("campaign", { ...JOIN, ...campaignStart(ids) }));
}

function campaignStart(ids: CampaignIds) {
  return {
    workflowId: campaignWorkflowId(ids.campaignId),
    args: [ids],
    staticSummary: "A campaign's feeder",
    typedSearchAttributes: new TypedSearchAttributes([
      { key: WORKSPACE, value: ids.workspaceId },
      { key: CAMPAIGN, value: ids.campaignId },
    ]),
  };
}

export async function startMailboxSync(client: Client, workspaceId: string, mailboxId: string): Promise<void> {
  await within(client, () =>
    client.workflow.start("mailboxSync", {
      ...JOIN,
      workflowId: mailboxSyncWorkflowId(mailboxId),
      args: [{ v: 1, workspaceId, mailboxId }],
      staticSummary: "A mailbox's inbox, watched",
      typedSearchAttributes: new TypedSearchAttributes([
        { key: WORKSPACE, value: workspaceId },
        { key: MAILBOX, value: mailboxId },
      ]),
    }),
  );
}

/** Has the DNS records of a mailbox judged, now. A look under way makes way for this one, a probe under way goes on. */
export async function startDnsCheck(client: Client, ids: DnsCheckIds): Promise<void> {
  await within(client, () =>
    client.workflow.start("verifyMailboxDns", {
      ...JOIN,
      workflowId: `dns-check/${ids.mailboxId}/${ids.probeId ?? "records"}`,
      workflowIdConflictPolicy: WorkflowIdConflictPolicy.TERMINATE_EXISTING,
      args: [ids],
      staticSummary: "The DNS records of a mailbox, judged",
      typedSearchAttributes: new TypedSearchAttributes([
        { key: WORKSPACE, value: ids.workspaceId },
        { key: MAILBOX, value: ids.mailboxId },
      ]),
    }),
  );
}

export async function stopMailboxSync(client: Client, mailboxId: string): Promise<void> {
  await toOpen(() => within(client, () => client.workflow.getHandle(mailboxSyncWorkflowId(mailboxId)).signal("stop")));
}

export async function startDelivery(client: Client, workspaceId: string, deliveryId: string, event: string): Promise<void> {
  await within(client, () =>
    client.workflow.start("deliverWebhook", {
      ...JOIN,
      workflowId: webhookDeliveryWorkflowId(deliveryId),
      args: [{ v: 1, workspaceId, deliveryId }],
      staticSummary: `${event} to a subscriber`,
      typedSearchAttributes: new TypedSearchAttributes([
        { key: WORKSPACE, value: workspaceId },
        { key: EVENT, value: event },
      ]),
    }),
  );
}

/** Has an answer sent that nobody may be waiting for any more. */
export async function startReply(client: Client, { workspaceId, _id: sendId, sendKey }: Pick<Send, "workspaceId" | "_id" | "sendKey">) {
  await within(client, () =>
    client.workflow.start("singleSend", {
      ...JOIN,
      workflowId: replyWorkflowId(workspaceId, sendKey ?? sendId),
      args: [{ v: 1, workspaceId, sendId }],
      staticSummary: "an answer",
      typedSearchAttributes: new TypedSearchAttributes([{ key: WORKSPACE, value: workspaceId }]),
    }),
  );
}

/** Opens the timer of a scheduled answer; one whose hour has passed is due at once. */
export async function startScheduledReply(client: Client, { workspaceId, _id: scheduledId, sendAt }: ScheduledReply): Promise<void> {
  const ids: ScheduledReplyIds = { v: 1, workspaceId, scheduledId, sendAt: sendAt.getTime() };
  await within(client, () =>
    client.workflow.start("scheduledReply", {
      ...JOIN,
      workflowId: scheduledReplyWorkflowId(scheduledId),
      args: [ids],
      staticSummary: "an answer that waits for its hour",
      typedSearchAttributes: new TypedSearchAttributes([{ key: WORKSPACE, value: workspaceId }]),
    }),
  );
}

/** Tells the timer that its answer is not wanted any more; one that has ended needs no telling. */
export async function cancelScheduledReply(client: Client, scheduledId: string): Promise<void> {
  await toOpen(() => within(client, () => client.workflow.getHandle(scheduledReplyWorkflowId(scheduledId)).signal("cancel")));
}

export async function startJob(client: Client, ids: JobIds, type: string): Promise<void> {
  await within(client, () =>
    client.workflow.start("job", {
      ...JOIN,
      workflowId: jobWorkflowId(ids.jobId),
      args: [ids],
      staticSummary: type,
      typedSearchAttributes: new TypedSearchAttributes([
        { key: WORKSPACE, value: ids.workspaceId },
        { key: JOB_TYPE, value: type },
      ]),
    }),
  );
}

async function toOpen(signal: () => Promise<void>): Promise<void> {
  try {
    await signal();
  } catch (error) {
    if (!(error instanceof WorkflowNotFoundError)) throw error;
  }
}
