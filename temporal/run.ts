import { type Client, WorkflowIdConflictPolicy, WorkflowIdReusePolicy } from "@temporalio/client";
import { defineSearchAttributeKey, type SearchAttributePair, TypedSearchAttributes } from "@temporalio/common";
import { isPinned, PINNED_TIMEOUT } from "../domain/workflow-contract.ts";

/** The search attributes by which runs can be listed, in addition to the workspace. */
const NOUNS = {
  campaignId: defineSearchAttributeKey("CampaignId", "KEYWORD"),
  mailboxId: defineSearchAttributeKey("MailboxId", "KEYWORD"),
  webhookEvent: defineSearchAttributeKey("WebhookEvent", "KEYWORD"),
  jobType: defineSearchAttributeKey("JobType", "KEYWORD"),
};
const WORKSPACE = defineSearchAttributeKey("WorkspaceId", "KEYWORD");

export type Noun = { [K in keyof typeof NOUNS]?: string | null | undefined };

/**
 * The parameters for starting a workflow run, whichever code starts it. An open run with the same id is joined. An
 * ended one is replaced, because the database, not Temporal, records what was sent.
 */
export interface Run {
  workflow: string;
  options: {
    workflowId: string;
    taskQueue: "engine";
    args: [object];
    staticSummary: string;
    typedSearchAttributes: TypedSearchAttributes;
    workflowIdConflictPolicy: WorkflowIdConflictPolicy;
    workflowIdReusePolicy: WorkflowIdReusePolicy;
    /** Its tasks take turns with those of other workspaces. Its activities inherit both. */
    priority: { fairnessKey: string; priorityKey?: number };
    /** PINNED runs end with it, because the workers of their version may end first. */
    workflowExecutionTimeout?: typeof PINNED_TIMEOUT;
    startDelay?: number;
  };
}

/**
 * Describes a workflow run. Its arguments are ids, never documents. `summary` is for operators; `noun` contains the
 * search attributes of the run.
 */
export function runOf<I extends { workspaceId: string }>(
  workflow: string,
  workflowId: string,
  ids: I,
  summary: string,
  noun: Noun = {},
): Run {
  const about = Object.entries(NOUNS).flatMap(([name, key]): SearchAttributePair[] => {
    const value = noun[name as keyof Noun]; // a name of NOUNS
    return value ? [{ key, value }] : [];
  });
  return {
    workflow,
    options: {
      workflowId,
      taskQueue: "engine",
      args: [ids],
      staticSummary: summary,
      typedSearchAttributes: new TypedSearchAttributes([{ key: WORKSPACE, value: ids.workspaceId }, ...about]),
      workflowIdConflictPolicy: WorkflowIdConflictPolicy.USE_EXISTING,
      workflowIdReusePolicy: WorkflowIdReusePolicy.ALLOW_DUPLICATE,
      priority: { fairnessKey: ids.workspaceId },
      ...(isPinned(workflow) && { workflowExecutionTimeout: PINNED_TIMEOUT }),
    },
  };
}

/**
 * The same run for a person who waits for its result, or with a higher priority than sending. Its tasks come before those
 * of others in a queue (Temporal's priorities are 1 to 5, default 3), so both are for runs that are short or rare.
 */
export const awaited = (run: Run) => withPriority(run, 1);
export const ahead = (run: Run) => withPriority(run, 2);

function withPriority({ workflow, options }: Run, priorityKey: number): Run {
  return { workflow, options: { ...options, priority: { ...options.priority, priorityKey } } };
}

/** The only function that starts the workflow run of a workspace. Call it within a deadline. */
export function startRun(client: Client, { workflow, options }: Run) {
  return client.workflow.start(workflow, options);
}

/** Signals the open run, or starts the run with that signal. Call it within a deadline. */
export function startRunWithSignal(client: Client, { workflow, options }: Run, signal: string, signalArgs: unknown[]) {
  return client.workflow.signalWithStart(workflow, { ...options, signal, signalArgs });
}

/** Deterministic workflow ids, so that a second start joins the first one. */
export const campaignWorkflowId = (campaignId: string) => `campaign/${campaignId}`;
export const recipientWorkflowId = (recipientId: string) => `recipient/${recipientId}`;
export const mailboxSyncWorkflowId = (mailboxId: string) => `mailbox-sync/${mailboxId}`;
export const mailboxFreedWorkflowId = (mailboxId: string) => `mailbox-freed/${mailboxId}`;
export const webhookDeliveryWorkflowId = (deliveryId: string) => `webhook-delivery/${deliveryId}`;
export const webhookFeedWorkflowId = (subscriptionId: string) => `webhook-feed/${subscriptionId}`;
export const jobWorkflowId = (jobId: string) => `job/${jobId}`;
export const scheduledReplyWorkflowId = (scheduledId: string) => `scheduled-reply/${scheduledId}`;
export const warmupWorkflowId = (mailboxId: string) => `warmup/${mailboxId}`;
export const agentReplyWorkflowId = (messageId: string) => `agent-reply/${messageId}`;
export const placementTestWorkflowId = (testId: string) => `placement-test/${testId}`;
export const grantRevocationWorkflowId = (grantId: string) => `grant-revocation/${grantId}`;
