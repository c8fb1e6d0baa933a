import * as account from "../operations/access/account.ts";
import { archive as archiveCampaign } from "../operations/campaigns/archive.ts";
import { control as controlCampaign } from "../operations/campaigns/control.ts";
import { create as createCampaign } from "../operations/campaigns/create.ts";
import { duplicate as duplicateCampaign } from "../operations/campaigns/duplicate.ts";
import { get as getCampaign } from "../operations/campaigns/get.ts";
import { list as listCampaigns } from "../operations/campaigns/list.ts";
import { preview as previewMail } from "../operations/campaigns/preview.ts";
import * as sequence from "../operations/campaigns/sequence.ts";
import * as settings from "../operations/campaigns/settings.ts";
import { testSend } from "../operations/campaigns/test-send.ts";
import { update as updateCampaign } from "../operations/campaigns/update.ts";
import { validate as validateCampaign } from "../operations/campaigns/validate.ts";
import type { Choice } from "../operations/choice.ts";
import { attachment } from "../operations/inbox/attachment.ts";
import { setCategory } from "../operations/inbox/category.ts";
import { manage as manageThreads } from "../operations/inbox/manage.ts";
import { reply as replyToThread } from "../operations/inbox/reply.ts";
import { schedule as scheduleReply } from "../operations/inbox/schedule.ts";
import * as scheduledReplies from "../operations/inbox/scheduled.ts";
import { summary as inboxSummary } from "../operations/inbox/summary.ts";
import { get as getThread } from "../operations/inbox/thread.ts";
import { list as listThreads } from "../operations/inbox/threads.ts";
import { activity as leadActivity } from "../operations/leads/activity.ts";
import { create as createLead } from "../operations/leads/create.ts";
import * as customFields from "../operations/leads/custom-fields.ts";
import * as deals from "../operations/leads/deals.ts";
import { exportLeads } from "../operations/leads/export.ts";
import { get as getLead } from "../operations/leads/get.ts";
import { cancelImport, importJob, importLeads } from "../operations/leads/import.ts";
import * as leadLists from "../operations/leads/lead-lists.ts";
import { list as listLeads } from "../operations/leads/list.ts";
import { manage as manageLeads } from "../operations/leads/manage.ts";
import { preview as previewSegment } from "../operations/leads/segments.ts";
import { list as listTags } from "../operations/leads/tags.ts";
import { connect as connectMailbox } from "../operations/mailboxes/connect.ts";
import { disconnect as disconnectMailbox } from "../operations/mailboxes/disconnect.ts";
import { get as getMailbox } from "../operations/mailboxes/get.ts";
import { cancelImport as cancelMailboxImport, importCsv, importJob as mailboxImportJob, testBulk } from "../operations/mailboxes/import.ts";
import { list as listMailboxes } from "../operations/mailboxes/list.ts";
import { manage as manageMailboxes } from "../operations/mailboxes/manage.ts";
import { trackingDomain } from "../operations/mailboxes/tracking-domain.ts";
import { verifyDns } from "../operations/mailboxes/verify-dns.ts";
import type { AnyOperation } from "../operations/operation.ts";
import { explain as explainRecipient } from "../operations/recipients/explain.ts";
import { list as listRecipients } from "../operations/recipients/list.ts";
import { manage as manageRecipients } from "../operations/recipients/manage.ts";
import { sends as listSends } from "../operations/recipients/sends.ts";
import { stats as recipientStats } from "../operations/recipients/stats.ts";
import * as blockList from "../operations/suppression/block-list.ts";
import { manage as suppressLeads } from "../operations/suppression/suppress.ts";
import {
  deadLetters,
  get as getDelivery,
  list as listDeliveries,
  requeue,
  test as testWebhook,
} from "../operations/webhooks/deliveries.ts";
import { rotateSecret } from "../operations/webhooks/rotate-secret.ts";
import * as webhooks from "../operations/webhooks/subscriptions.ts";

export type Method = "get" | "post" | "put" | "patch" | "delete";

export interface RouteOptions {
  /** The field of the input that takes the whole body. */
  whole?: string;
  /** The larger body and array of an import. */
  isImport?: true;
}

/** Path parameters are named as the operation names them; without a status it is 200. */
export type Route = readonly [
  method: Method,
  path: string,
  operation: AnyOperation | Choice,
  status?: 200 | 201 | 202,
  options?: RouteOptions,
];

/** The interface, line by line. A path of words comes before one of parameters by itself, whatever the order here. */
export const routes: Route[] = [
  // Identity
  ["get", "/whoami", account.whoami],

  // Campaigns
  ["get", "/campaigns", listCampaigns],
  ["post", "/campaigns", createCampaign, 201],
  ["get", "/campaigns/:campaignId", getCampaign],
  ["patch", "/campaigns/:campaignId", updateCampaign],
  ["post", "/campaigns/:campaignId/duplicate", duplicateCampaign, 201],
  ["post", "/campaigns/:campaignId/archive", archiveCampaign],
  ["get", "/campaigns/:campaignId/validate", validateCampaign],
  ["get", "/campaigns/:campaignId/settings", settings.get],
  ["patch", "/campaigns/:campaignId/settings", settings.update, 200, { whole: "settings" }],
  ["get", "/campaigns/:campaignId/sequence", sequence.get],
  ["put", "/campaigns/:campaignId/sequence", sequence.manage],
  ["post", "/campaigns/:campaignId/sequence/preview", previewMail],
  ["post", "/campaigns/:campaignId/control", controlCampaign],
  ["post", "/campaigns/:campaignId/test-send", testSend],

  // Recipients
  ["get", "/campaigns/:campaignId/recipients", listRecipients],
  ["post", "/campaigns/:campaignId/recipients", manageRecipients],
  ["get", "/campaigns/:campaignId/recipients/stats", recipientStats],
  ["get", "/campaigns/:campaignId/recipients/:recipientId/explain", explainRecipient],
  ["get", "/campaigns/:campaignId/sends", listSends],

  // Leads
  ["get", "/leads", listLeads],
  ["post", "/leads", createLead, 201],
  ["post", "/leads/import", importLeads, 200, { isImport: true }],
  ["get", "/leads/import/:jobId", importJob],
  ["post", "/leads/import/:jobId/cancel", cancelImport],
  ["get", "/leads/export", exportLeads],
  ["get", "/leads/tags", listTags],
  ["post", "/leads/manage", manageLeads],
  ["post", "/leads/suppress", suppressLeads],
  ["get", "/leads/:leadId", getLead],
  ["get", "/leads/:leadId/activity", leadActivity],

  // Block list
  ["get", "/block-list", blockList.list],
  ["post", "/block-list", blockList.add, 201],
  ["delete", "/block-list/:entryId", blockList.remove],

  // Lead lists
  ["get", "/lead-lists", leadLists.list],
  ["post", "/lead-lists", leadLists.create, 201],
  ["post", "/lead-lists/preview", previewSegment],
  ["post", "/lead-lists/manage", leadLists.manage],

  // Custom fields
  ["get", "/custom-fields", customFields.list],
  ["post", "/custom-fields", customFields.create, 201],
  ["get", "/custom-fields/variables", customFields.variables],
  ["post", "/custom-fields/manage", customFields.manage],

  // Deals
  ["get", "/deals", deals.list],
  ["post", "/deals", deals.create, 201],
  ["post", "/deals/:dealId/delete", deals.remove],

  // Mailboxes
  ["get", "/mailboxes", listMailboxes],
  ["post", "/mailboxes/manage", manageMailboxes],
  ["post", "/mailboxes/tracking-domain", trackingDomain],
  ["post", "/mailboxes/connect", connectMailbox],
  ["post", "/mailboxes/import/test-bulk", testBulk],
  ["post", "/mailboxes/import/csv", importCsv, 202, { isImport: true }],
  ["get", "/mailboxes/import/:jobId", mailboxImportJob],
  ["post", "/mailboxes/import/:jobId/cancel", cancelMailboxImport],
  ["get", "/mailboxes/:mailboxId", getMailbox],
  ["post", "/mailboxes/:mailboxId/verify-dns", verifyDns],
  ["post", "/mailboxes/:mailboxId/disconnect", disconnectMailbox],

  // Inbox
  ["get", "/inbox/threads", listThreads],
  ["get", "/inbox/summary", inboxSummary],
  ["post", "/inbox/threads/manage", manageThreads],
  ["get", "/inbox/threads/:threadId", getThread],
  ["post", "/inbox/messages/:messageId/category", setCategory],
  ["get", "/inbox/messages/:messageId/attachments/:attachmentId", attachment],
  ["post", "/inbox/threads/:threadId/reply", replyToThread],
  ["post", "/inbox/threads/:threadId/schedule", scheduleReply, 201],
  ["get", "/inbox/scheduled", scheduledReplies.list],
  ["post", "/inbox/scheduled/:scheduledId/cancel", scheduledReplies.cancel],

  // Webhooks
  ["get", "/webhooks", webhooks.list],
  ["post", "/webhooks", webhooks.create, 201],
  ["get", "/webhooks/deliveries", listDeliveries],
  ["get", "/webhooks/deliveries/dlq", deadLetters],
  ["get", "/webhooks/deliveries/:deliveryId", getDelivery],
  ["post", "/webhooks/deliveries/:deliveryId/requeue", requeue],
  ["get", "/webhooks/:webhookId", webhooks.get],
  ["patch", "/webhooks/:webhookId", webhooks.update],
  ["delete", "/webhooks/:webhookId", webhooks.remove],
  ["post", "/webhooks/:webhookId/test", testWebhook, 202],
  ["post", "/webhooks/:webhookId/rotate-secret", rotateSecret],
];
