import type { z } from "zod";
import type { Choice } from "../operations/choice.ts";
import type { AnyOperation } from "../operations/operation.ts";
import type { Planned } from "../operations/sending/plan.ts";
import { verbs } from "../operations/verbs.ts";

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

/** What a call answers that only asks what would be sent. */
export type PlanAnswer = z.output<typeof Planned>;

/** The interface, line by line. A path of words comes before one of parameters by itself, whatever the order here. */
export const routes = [
  // Identity
  ["get", "/whoami", verbs["account.whoami"]],
  ["get", "/workspace", verbs["workspace.get"]],
  ["post", "/workspace", verbs["workspace.manage"]],
  ["post", "/workspace/export", verbs["workspace.export"], 202],
  ["get", "/workspace/export/:jobId", verbs["workspace.getExport"]],
  ["get", "/account", verbs["account.get"]],
  ["get", "/workspaces", verbs["workspaces.list"]],
  ["post", "/workspaces", verbs["workspaces.create"], 201],

  // Members
  ["get", "/members", verbs["members.list"]],
  ["post", "/members/manage", verbs["members.manage"]],
  ["get", "/invites", verbs["invites.list"]],
  ["post", "/invites/manage", verbs["invites.manage"]],
  ["get", "/audit-log", verbs["auditLog.list"]],

  // Campaigns
  ["get", "/campaigns", verbs["campaigns.list"]],
  ["post", "/campaigns", verbs["campaigns.create"], 201],
  ["get", "/campaigns/:campaignId", verbs["campaigns.get"]],
  ["patch", "/campaigns/:campaignId", verbs["campaigns.update"]],
  ["get", "/campaigns/:campaignId/metrics", verbs["campaigns.getMetrics"]],
  ["get", "/campaigns/:campaignId/experiment", verbs["campaigns.getExperiment"]],
  ["post", "/campaigns/:campaignId/duplicate", verbs["campaigns.duplicate"], 201],
  ["post", "/campaigns/:campaignId/archive", verbs["campaigns.manageArchive"]],
  ["get", "/campaigns/:campaignId/validate", verbs["campaigns.validate"]],
  ["get", "/campaigns/:campaignId/settings", verbs["campaigns.getSettings"]],
  ["patch", "/campaigns/:campaignId/settings", verbs["campaigns.updateSettings"], 200, { whole: "settings" }],
  ["get", "/campaigns/:campaignId/sequence", verbs["sequences.get"]],
  ["put", "/campaigns/:campaignId/sequence", verbs["sequences.manage"]],
  ["post", "/campaigns/:campaignId/sequence/preview", verbs["sequences.preview"]],
  ["get", "/campaigns/:campaignId/versions", verbs["sequences.listVersions"]],
  ["get", "/campaigns/:campaignId/versions/:version", verbs["sequences.getVersion"]],
  ["post", "/campaigns/:campaignId/control", verbs["campaigns.control"]],
  ["post", "/campaigns/:campaignId/test-send", verbs["campaigns.testSend"]],

  // Recipients
  ["get", "/campaigns/:campaignId/recipients", verbs["recipients.list"]],
  ["post", "/campaigns/:campaignId/recipients", verbs["recipients.manage"]],
  ["get", "/campaigns/:campaignId/recipients/stats", verbs["recipients.getStats"]],
  ["get", "/campaigns/:campaignId/recipients/export", verbs["recipients.export"]],
  ["get", "/campaigns/:campaignId/recipients/:recipientId/explain", verbs["recipients.explain"]],
  ["get", "/campaigns/:campaignId/sends", verbs["sends.list"]],
  ["post", "/campaigns/:campaignId/sends/:sendId/resolve", verbs["sends.resolve"]],
  ["get", "/sends", verbs["sends.listBooked"]],

  // Leads
  ["get", "/leads", verbs["leads.list"]],
  ["post", "/leads", verbs["leads.create"], 201],
  ["post", "/leads/import", verbs["leads.import"], 200, { isImport: true }],
  ["post", "/leads/import/file", verbs["leads.importFile"], 202],
  ["get", "/leads/import/:jobId", verbs["leads.getImport"]],
  ["post", "/leads/import/:jobId/cancel", verbs["leads.cancelImport"]],
  ["get", "/leads/export", verbs["leads.export"]],
  ["get", "/leads/tags", verbs["leads.listTags"]],
  ["post", "/leads/manage", verbs["leads.manage"]],
  ["post", "/leads/suppress", verbs["leads.suppress"]],
  ["get", "/leads/:leadId", verbs["leads.get"]],
  ["get", "/leads/:leadId/activity", verbs["leads.getActivity"]],
  ["post", "/leads/:leadId/evidence", verbs["leads.makeEvidence"]],

  // Block list
  ["get", "/block-list", verbs["blockList.list"]],
  ["post", "/block-list", verbs["blockList.add"], 201],
  ["delete", "/block-list/:entryId", verbs["blockList.remove"]],

  // Lead lists
  ["get", "/lead-lists", verbs["leadLists.list"]],
  ["post", "/lead-lists", verbs["leadLists.create"], 201],
  ["post", "/lead-lists/preview", verbs["leadLists.preview"]],
  ["post", "/lead-lists/manage", verbs["leadLists.manage"]],

  // Custom fields
  ["get", "/custom-fields", verbs["customFields.list"]],
  ["post", "/custom-fields", verbs["customFields.create"], 201],
  ["get", "/custom-fields/variables", verbs["customFields.listVariables"]],
  ["post", "/custom-fields/manage", verbs["customFields.manage"]],

  // Conversions
  ["post", "/conversions", verbs["conversions.report"]],

  // Deals
  ["get", "/deals", verbs["deals.list"]],
  ["post", "/deals", verbs["deals.create"], 201],
  ["post", "/deals/:dealId/delete", verbs["deals.delete"]],

  // Mailboxes
  ["get", "/mailboxes", verbs["mailboxes.list"]],
  ["post", "/mailboxes/manage", verbs["mailboxes.manage"]],
  ["post", "/mailboxes/tracking-domain", verbs["mailboxes.manageTrackingDomain"]],
  ["post", "/mailboxes/connect", verbs["mailboxes.connect"]],
  ["post", "/mailboxes/import/test-bulk", verbs["mailboxes.testImport"]],
  ["post", "/mailboxes/import/csv", verbs["mailboxes.import"], 202, { isImport: true }],
  ["get", "/mailboxes/import/:jobId", verbs["mailboxes.getImport"]],
  ["post", "/mailboxes/import/:jobId/cancel", verbs["mailboxes.cancelImport"]],
  ["post", "/mailboxes/health/replay", verbs["mailboxes.replayHealth"]],
  ["get", "/mailboxes/providers", verbs["mailboxes.listProviders"]],
  ["get", "/mailboxes/:mailboxId", verbs["mailboxes.get"]],
  ["get", "/mailboxes/:mailboxId/health", verbs["mailboxes.listHealthChanges"]],
  ["post", "/mailboxes/:mailboxId/verify-dns", verbs["mailboxes.verifyDns"]],
  ["post", "/mailboxes/:mailboxId/disconnect", verbs["mailboxes.disconnect"]],

  // Warmup
  ["get", "/warmup/enrolments", verbs["warmup.list"]],
  ["get", "/warmup/enrolments/:mailboxId", verbs["warmup.get"]],
  ["get", "/warmup/enrolments/:mailboxId/heatmap", verbs["warmup.getHeatmap"]],
  ["get", "/warmup/enrolments/:mailboxId/reputation", verbs["warmup.getReputation"]],
  ["get", "/warmup/enrolments/:mailboxId/bounces", verbs["warmup.getBounces"]],
  ["post", "/warmup/manage", verbs["warmup.manage"]],
  ["post", "/warmup/pools", verbs["warmup.managePools"]],

  // Deliverability
  ["get", "/deliverability/overview", verbs["deliverability.getOverview"]],
  ["get", "/deliverability/domains", verbs["deliverability.listDomains"]],
  ["get", "/deliverability/mailboxes", verbs["deliverability.listMailboxes"]],
  ["get", "/deliverability/alerts", verbs["deliverability.listAlerts"]],
  ["post", "/deliverability/alerts/:alertId/acknowledge", verbs["deliverability.acknowledgeAlert"]],
  ["get", "/deliverability/recommendations", verbs["deliverability.listRecommendations"]],
  ["get", "/deliverability/placement-tests", verbs["placementTests.list"]],
  ["post", "/deliverability/placement-tests", verbs["placementTests.create"], 201],
  ["get", "/deliverability/placement-tests/:testId", verbs["placementTests.get"]],
  ["post", "/deliverability/placement-tests/:testId/cancel", verbs["placementTests.cancel"]],
  ["get", "/deliverability/postmaster", verbs["deliverability.getPostmaster"]],
  ["get", "/deliverability/settings", verbs["deliverability.getSettings"]],

  // Verification
  ["get", "/verification/jobs", verbs["verification.listJobs"]],
  ["post", "/verification/jobs", verbs["verification.startJob"], 201],
  ["get", "/verification/jobs/:jobId", verbs["verification.getJob"]],
  ["get", "/verification/usage", verbs["verification.getUsage"]],
  ["get", "/verification/schedules", verbs["verification.listSchedules"]],
  ["put", "/verification/schedules", verbs["verification.setSchedule"]],
  ["delete", "/verification/schedules/:scheduleId", verbs["verification.deleteSchedule"]],
  ["get", "/verification/settings", verbs["verification.getSettings"]],
  ["patch", "/verification/settings", verbs["verification.updateSettings"]],
  ["get", "/verification/export", verbs["verification.export"]],
  // Lead search
  ["post", "/lead-search/browse", verbs["leadSearch.browse"]],
  ["post", "/lead-search/companies", verbs["leadSearch.listCompanies"]],
  ["get", "/lead-search/lookups", verbs["leadSearch.listLookups"]],
  ["post", "/lead-search/reveal", verbs["leadSearch.reveal"]],
  ["post", "/lead-search/reveal/bulk", verbs["leadSearch.revealBulk"], 202],
  ["post", "/lead-search/reveal/list", verbs["leadSearch.revealList"], 202],
  ["get", "/lead-search/reveal/:jobId", verbs["leadSearch.getReveal"]],
  ["get", "/lead-search/lists", verbs["leadSearch.listLists"]],
  ["post", "/lead-search/lists", verbs["leadSearch.createList"], 201],
  ["get", "/lead-search/lists/:listId/items", verbs["leadSearch.listItems"]],
  ["post", "/lead-search/lists/:listId/items", verbs["leadSearch.addToList"]],
  ["post", "/lead-search/lists/:listId/items/remove", verbs["leadSearch.removeFromList"]],
  ["post", "/lead-search/lists/:listId/add-search", verbs["leadSearch.addSearch"], 202],
  ["get", "/lead-search/add-search/:jobId", verbs["leadSearch.getAddSearch"]],
  ["post", "/lead-search/lists/:fromListId/copy", verbs["leadSearch.copyToList"]],
  ["post", "/lead-search/lists/:fromListId/leads", verbs["leadSearch.makeLeads"], 202],
  ["get", "/lead-search/saved-searches", verbs["leadSearch.listSavedSearches"]],
  ["post", "/lead-search/saved-searches", verbs["leadSearch.saveSearch"], 201],
  ["get", "/lead-search/saved-searches/:savedSearchId", verbs["leadSearch.getSavedSearch"]],
  ["delete", "/lead-search/saved-searches/:savedSearchId", verbs["leadSearch.deleteSavedSearch"]],

  // Calendar
  ["get", "/calendar", verbs["calendar.get"]],
  ["post", "/calendar", verbs["calendar.manage"]],
  ["get", "/calendar/slots", verbs["calendar.listSlots"]],

  // Billing
  ["get", "/billing", verbs["billing.get"]],
  ["post", "/billing/checkout", verbs["billing.checkout"], 201],
  ["post", "/billing/portal", verbs["billing.portal"], 201],

  // Credits
  ["get", "/credits", verbs["credits.get"]],
  ["get", "/credits/entries", verbs["credits.listEntries"]],
  // CRM
  ["get", "/crm/connections", verbs["crm.listConnections"]],
  ["get", "/crm/segments", verbs["crm.listSegments"]],
  ["post", "/crm/connect", verbs["crm.connect"]],
  ["post", "/crm/import", verbs["crm.import"]],

  // Inbox
  ["get", "/inbox/threads", verbs["inbox.listThreads"]],
  ["get", "/inbox/summary", verbs["inbox.getSummary"]],
  ["post", "/inbox/threads/manage", verbs["inbox.manageThreads"]],
  ["get", "/inbox/threads/:threadId", verbs["inbox.getThread"]],
  ["get", "/inbox/messages/:messageId", verbs["inbox.getMessage"]],
  ["post", "/inbox/messages/:messageId/category", verbs["inbox.setCategory"]],
  ["get", "/inbox/messages/:messageId/attachments/:attachmentId", verbs["inbox.getAttachment"]],
  ["post", "/inbox/threads/:threadId/reply", verbs["inbox.reply"]],
  ["post", "/inbox/threads/:threadId/schedule", verbs["inbox.schedule"], 201],
  ["get", "/inbox/threads/:threadId/draft", verbs["inbox.getDraft"]],
  ["put", "/inbox/threads/:threadId/draft", verbs["inbox.saveDraft"]],
  ["delete", "/inbox/threads/:threadId/draft", verbs["inbox.discardDraft"]],
  ["get", "/inbox/scheduled", verbs["inbox.listScheduled"]],
  ["post", "/inbox/scheduled/:scheduledId/cancel", verbs["inbox.cancelScheduled"]],

  // Approvals
  ["get", "/approvals", verbs["approvals.list"]],
  ["get", "/approvals/:approvalId", verbs["approvals.get"]],
  ["post", "/approvals/:approvalId", verbs["approvals.decide"]],

  // Inbox agent
  ["get", "/agent/settings", verbs["agent.getSettings"]],
  ["patch", "/agent/settings", verbs["agent.updateSettings"]],
  ["get", "/agent/models", verbs["agent.listModels"]],
  ["get", "/promises", verbs["promises.list"]],
  ["post", "/promises/:promiseId", verbs["promises.manage"]],

  // Files
  ["post", "/files", verbs["files.upload"], 201],

  // Jobs
  ["get", "/jobs", verbs["jobs.list"]],
  ["get", "/jobs/:jobId", verbs["jobs.get"]],
  ["post", "/jobs/:jobId/cancel", verbs["jobs.cancel"]],

  // Webhooks
  ["get", "/conversions", verbs["conversions.list"]],
  ["post", "/conversions/test", verbs["conversions.try"]],
  ["get", "/analytics/report", verbs["analytics.report"]],
  ["get", "/analytics/report/export", verbs["analytics.exportReport"]],
  ["get", "/analytics/links", verbs["analytics.links"]],
  ["get", "/analytics/links/export", verbs["analytics.exportLinks"]],
  ["get", "/webhooks", verbs["webhooks.list"]],
  ["post", "/webhooks", verbs["webhooks.create"], 201],
  ["get", "/webhooks/deliveries", verbs["webhookDeliveries.list"]],
  ["get", "/webhooks/deliveries/dlq", verbs["webhookDeliveries.listDeadLetters"]],
  ["get", "/webhooks/deliveries/:deliveryId", verbs["webhookDeliveries.get"]],
  ["post", "/webhooks/deliveries/:deliveryId/requeue", verbs["webhookDeliveries.requeue"]],
  ["get", "/webhooks/:webhookId", verbs["webhooks.get"]],
  ["patch", "/webhooks/:webhookId", verbs["webhooks.update"]],
  ["delete", "/webhooks/:webhookId", verbs["webhooks.delete"]],
  ["post", "/webhooks/:webhookId/test", verbs["webhooks.test"], 202],
  ["post", "/webhooks/:webhookId/rotate-secret", verbs["webhooks.rotateSecret"]],
] as const satisfies readonly Route[];
