import {
  CALENDAR_CONSENT,
  CALENDAR_READ,
  type CalendarConsentIds,
  type CalendarReadIds,
} from "../domain/agent/calendar-contract.ts";
import { AGENT_MODELS, AGENT_REPLY, type AgentModelsIds, type AgentReplyIds } from "../domain/agent/contract.ts";
import { BILLING_SYNC, type BillingSyncIds, STRIPE_ORDER, type StripeOrderIds } from "../domain/billing/contract.ts";
import { CONTENT_SCORE, type ContentScoreIds } from "../domain/campaigns/content-score.ts";
import { CRM_CONSENT, CRM_SEGMENTS, type CrmConnectionIds, type CrmConsentIds } from "../domain/crm/contract.ts";
import type { PlacementIds } from "../domain/deliverability/placement.ts";
import { replyWorkflowId } from "../domain/inbox/reply.ts";
import type { JobIds } from "../domain/job.ts";
import { QUESTION, type QuestionIds } from "../domain/lead-search/question.ts";
import { SHEET, type SheetIds } from "../domain/leads/sheet.ts";
import { CONNECTION_TEST, type ConnectionTestIds } from "../domain/mailboxes/connection-test.ts";
import {
  type DnsCheckIds,
  TRACKING_CHECK,
  type TrackingCheckIds,
  type WorkspaceDomainIds,
} from "../domain/mailboxes/dns-check.ts";
import { BULK_TEST, type ConnectionBatchIds } from "../domain/mailboxes/import.ts";
import { CONSENT, type ConsentIds, type GrantIds, REVOCATION } from "../domain/mailboxes/provider.ts";
import type { MailboxIds } from "../domain/mailboxes/sync.ts";
import type { WarmupIds } from "../domain/warmup/contract.ts";
import type { DeliveryIds, FeedIds } from "../domain/webhook.ts";
import type { CampaignIds, RecipientIds, ScheduledReplyIds, SendIds } from "../domain/workflow-contract.ts";
import {
  agentReplyWorkflowId,
  ahead,
  awaited,
  campaignWorkflowId,
  grantRevocationWorkflowId,
  jobWorkflowId,
  mailboxFreedWorkflowId,
  mailboxSyncWorkflowId,
  type Noun,
  placementTestWorkflowId,
  type Run,
  recipientWorkflowId,
  runOf,
  scheduledReplyWorkflowId,
  warmupWorkflowId,
  webhookDeliveryWorkflowId,
  webhookFeedWorkflowId,
} from "./run.ts";

/** Every kind of workflow run of a workspace: its workflow, its id and its search attributes. */

export function campaignRun(ids: CampaignIds): Run {
  return runOf("campaign", campaignWorkflowId(ids.campaignId), ids, "A campaign's feeder", {
    campaignId: ids.campaignId,
  });
}

export function recipientRun(ids: RecipientIds): Run {
  return runOf("recipient", recipientWorkflowId(ids.recipientId), ids, "A recipient's sequence", {
    campaignId: ids.campaignId,
  });
}

/** Reading has priority over sending, because a stop request that is not read cannot be respected (rules/mail 5.8). */
export function mailboxSyncRun(ids: MailboxIds): Run {
  const { mailboxId } = ids;
  return ahead(runOf("mailboxSync", mailboxSyncWorkflowId(mailboxId), ids, "Watches a mailbox's inbox", { mailboxId }));
}

export function mailboxFreedRun(ids: MailboxIds): Run {
  const summary = "Wakes recipients that waited for a mailbox";
  return runOf("mailboxFreed", mailboxFreedWorkflowId(ids.mailboxId), ids, summary, { mailboxId: ids.mailboxId });
}

export function warmupRun(ids: WarmupIds): Run {
  return runOf("warmup", warmupWorkflowId(ids.mailboxId), ids, "A mailbox's warmup", { mailboxId: ids.mailboxId });
}

export function dnsCheckRun(ids: DnsCheckIds): Run {
  const { mailboxId, probeId } = ids;
  const id = `dns-check/${mailboxId}/${probeId ?? "records"}`;
  return runOf("verifyMailboxDns", id, ids, "Checks the DNS records of a mailbox", { mailboxId });
}

export function trackingCheckRun(ids: TrackingCheckIds): Run {
  const { mailboxId } = ids;
  return runOf(TRACKING_CHECK.workflow, `tracking-check/${mailboxId}`, ids, "Checks a tracking domain", { mailboxId });
}

export function workspaceDomainRun(ids: WorkspaceDomainIds): Run {
  const { workspaceId, field } = ids;
  return runOf(
    TRACKING_CHECK.workflow,
    `domain-check/${workspaceId}/${field}`,
    ids,
    "Checks a domain of the workspace",
  );
}

export function grantRevocationRun(ids: GrantIds): Run {
  return runOf(REVOCATION.workflow, grantRevocationWorkflowId(ids.grantId), ids, "Revokes a consent");
}

export function consentRun(ids: ConsentIds): Run {
  return awaited(runOf(CONSENT.workflow, `consent/${ids.consentId}`, ids, "Connects a mailbox by consent"));
}

export function connectionTestRun(ids: ConnectionTestIds): Run {
  return awaited(runOf(CONNECTION_TEST.workflow, `connection-test/${ids.testId}`, ids, "A connection test"));
}

export function connectionBatchRun(ids: ConnectionBatchIds): Run {
  return runOf(BULK_TEST.workflow, `connection-batch/${ids.batchId}`, ids, "Connection tests");
}

export function deliveryRun(ids: DeliveryIds, webhookEvent: string): Run {
  const summary = `${webhookEvent} to a subscriber`;
  return runOf("deliverWebhook", webhookDeliveryWorkflowId(ids.deliveryId), ids, summary, { webhookEvent });
}

/** A feed makes first attempts, which a slow sender must not delay. */
export function feedRun(ids: FeedIds): Run {
  return ahead(
    runOf(
      "feedWebhook",
      webhookFeedWorkflowId(ids.subscriptionId),
      ids,
      "First attempts of a subscription's deliveries",
    ),
  );
}

/** The run that sends a reply. The same key gives the same run. */
export function replyRun(ids: SendIds, key: string, noun: Noun): Run {
  return awaited(runOf("singleSend", replyWorkflowId(ids.workspaceId, key), ids, "A reply", noun));
}

export function testSendRun(ids: SendIds, id: string, noun: Noun): Run {
  return awaited(runOf("singleSend", `single-send/${id}`, ids, "A test mail", noun));
}

export function scheduledReplyRun(ids: ScheduledReplyIds, noun: Noun): Run {
  return runOf("scheduledReply", scheduledReplyWorkflowId(ids.scheduledId), ids, "A scheduled reply", noun);
}

export function placementTestRun(ids: PlacementIds): Run {
  return runOf("placementTest", placementTestWorkflowId(ids.testId), ids, "A placement test");
}

/** The same emails give the same run. */
export function contentScoreRun(ids: ContentScoreIds, id: string): Run {
  return runOf(CONTENT_SCORE.workflow, `content-score/${id}`, ids, "Asks a spam filter about emails");
}

/** The same email gives the same run. */
export function agentReplyRun(ids: AgentReplyIds): Run {
  return runOf(AGENT_REPLY.workflow, agentReplyWorkflowId(ids.messageId), ids, "The inbox agent handles an email");
}

export function agentModelsRun(ids: AgentModelsIds): Run {
  return awaited(
    runOf(AGENT_MODELS.workflow, `agent-models/${ids.questionId}`, ids, "Asks a model server for its models"),
  );
}

export function jobRun(ids: JobIds, jobType: string): Run {
  return runOf("job", jobWorkflowId(ids.jobId), ids, jobType, { jobType });
}

export function sheetRun(ids: SheetIds): Run {
  return awaited(runOf(SHEET.workflow, `read-sheet/${ids.sheetId}`, ids, "A spreadsheet for an import"));
}

export function leadSearchRun(ids: QuestionIds): Run {
  return awaited(runOf(QUESTION.workflow, `lead-search/${ids.questionId}`, ids, "Asks a lead search provider"));
}

export function stripeOrderRun(ids: StripeOrderIds): Run {
  return awaited(runOf(STRIPE_ORDER.workflow, `stripe-page/${ids.orderId}`, ids, "Opens a page at Stripe"));
}

export function calendarConsentRun(ids: CalendarConsentIds): Run {
  return awaited(runOf(CALENDAR_CONSENT.workflow, `calendar-consent/${ids.consentId}`, ids, "Connects a calendar"));
}

/** Concurrent callers that need the same time span share one run. */
export function calendarReadRun(ids: CalendarReadIds): Run {
  return awaited(
    runOf(
      CALENDAR_READ.workflow,
      `calendar/${ids.workspaceId}/${ids.from}-${ids.to}`,
      ids,
      "Reads a person's busy times",
    ),
  );
}

/** A repeated event joins its run. If the run has ended, the new one only reads again what is already stored. */
export function billingSyncRun(ids: BillingSyncIds): Run {
  return runOf(BILLING_SYNC.workflow, `stripe-event/${ids.eventId}`, ids, "Reads plan, seats and credits at Stripe");
}

export function crmConsentRun(ids: CrmConsentIds): Run {
  return awaited(runOf(CRM_CONSENT.workflow, `crm-consent/${ids.consentId}`, ids, "Connects a CRM"));
}

/** Concurrent callers share one run. */
export function crmSegmentsRun(ids: CrmConnectionIds): Run {
  return awaited(runOf(CRM_SEGMENTS.workflow, `crm-segments/${ids.connectionId}`, ids, "Reads the segments of a CRM"));
}
