import * as account from "./access/account.ts";
import * as auditLog from "./access/audit-log.ts";
import * as connections from "./access/connections.ts";
import * as domains from "./access/domains.ts";
import * as invites from "./access/invites.ts";
import * as keys from "./access/keys.ts";
import * as members from "./access/members.ts";
import * as ownWorkspaces from "./access/own-workspaces.ts";
import * as workspace from "./access/workspace.ts";
import * as calendar from "./agent/calendar.ts";
import { models as agentModels } from "./agent/models.ts";
import * as promises from "./agent/promises.ts";
import * as agentSettings from "./agent/settings.ts";
import { exportLinks, exportReport } from "./analytics/export.ts";
import { links } from "./analytics/links.ts";
import { report } from "./analytics/report.ts";
import { checkout } from "./billing/checkout.ts";
import { entries as creditEntries } from "./billing/credit-entries.ts";
import { get as getCredits } from "./billing/credits.ts";
import { portal } from "./billing/portal.ts";
import { status as billingStatus } from "./billing/status.ts";
import { manage as manageArchive } from "./campaigns/archive.ts";
import { control as controlCampaign } from "./campaigns/control.ts";
import { create as createCampaign } from "./campaigns/create.ts";
import { duplicate as duplicateCampaign } from "./campaigns/duplicate.ts";
import { experiment } from "./campaigns/experiment.ts";
import { figures as campaignFigures } from "./campaigns/figures.ts";
import { get as getCampaign } from "./campaigns/get.ts";
import { list as listCampaigns } from "./campaigns/list.ts";
import { preview as previewMail } from "./campaigns/preview.ts";
import * as settings from "./campaigns/settings.ts";
import { testSend } from "./campaigns/test-send.ts";
import { update as updateCampaign } from "./campaigns/update.ts";
import { validate as validateCampaign } from "./campaigns/validate.ts";
import type { Choice } from "./choice.ts";
import { manage as manageCrm } from "./crm/connect.ts";
import { connections as crmConnections } from "./crm/connections.ts";
import { importSegment as importCrmSegment } from "./crm/import.ts";
import { segments as crmSegments } from "./crm/segments.ts";
import * as deliverabilityAlerts from "./deliverability/alerts.ts";
import { domains as deliverabilityDomains } from "./deliverability/domains.ts";
import { mailboxes as deliverabilityMailboxes } from "./deliverability/mailboxes.ts";
import { overview as deliverabilityOverview } from "./deliverability/overview.ts";
import * as placementTests from "./deliverability/placement-tests.ts";
import { postmaster as deliverabilityPostmaster } from "./deliverability/postmaster.ts";
import { recommendations as deliverabilityAdvice } from "./deliverability/recommendations.ts";
import { settings as deliverabilitySettings } from "./deliverability/settings.ts";
import { exportWorkspace, getExport } from "./evidence/export-workspace.ts";
import { leadEvidence } from "./evidence/lead-evidence.ts";
import { upload as uploadFile } from "./files.ts";
import { attachment } from "./inbox/attachment.ts";
import { setCategory } from "./inbox/category.ts";
import * as drafts from "./inbox/drafts.ts";
import { manage as manageThreads } from "./inbox/manage.ts";
import { get as getMessage } from "./inbox/message.ts";
import { reply as replyToThread } from "./inbox/reply.ts";
import { schedule as scheduleReply } from "./inbox/schedule.ts";
import * as scheduledReplies from "./inbox/scheduled.ts";
import { summary as inboxSummary } from "./inbox/summary.ts";
import { get as getThread } from "./inbox/thread.ts";
import { list as listThreads } from "./inbox/threads.ts";
import * as jobs from "./job-verbs.ts";
import { addSearch, addSearchStatus } from "./lead-search/add-search.ts";
import { browse as browseProspects, companies as prospectCompanies, lookups as searchLookups } from "./lead-search/browse.ts";
import * as listItems from "./lead-search/items.ts";
import * as searchLists from "./lead-search/lists.ts";
import { reveal } from "./lead-search/reveal.ts";
import { revealBulk, revealList, revealStatus } from "./lead-search/reveal-jobs.ts";
import * as savedSearches from "./lead-search/saved-searches.ts";
import { toLeads } from "./lead-search/to-leads.ts";
import { activity as leadActivity } from "./leads/activity.ts";
import { create as createLead } from "./leads/create.ts";
import * as customFields from "./leads/custom-fields.ts";
import * as deals from "./leads/deals.ts";
import { exportLeads, exportPage } from "./leads/export.ts";
import { get as getLead } from "./leads/get.ts";
import { cancelImport, importFile, importJob, importLeads } from "./leads/import.ts";
import * as leadLists from "./leads/lead-lists.ts";
import { list as listLeads } from "./leads/list.ts";
import { manage as manageLeads } from "./leads/manage.ts";
import { preview as previewSegment } from "./leads/segments.ts";
import { list as listTags } from "./leads/tags.ts";
import { connect as connectMailbox } from "./mailboxes/connect.ts";
import { disconnect as disconnectMailbox } from "./mailboxes/disconnect.ts";
import { get as getMailbox } from "./mailboxes/get.ts";
import { listHealthChanges, replayHealthOf } from "./mailboxes/health.ts";
import { cancelImport as cancelMailboxImport, importCsv, importJob as mailboxImportJob, testBulk } from "./mailboxes/import.ts";
import { list as listMailboxes } from "./mailboxes/list.ts";
import { listProviders as listMailProviders } from "./mailboxes/list-providers.ts";
import { manage as manageMailboxes } from "./mailboxes/manage.ts";
import { trackingDomain } from "./mailboxes/tracking-domain.ts";
import { verifyDns } from "./mailboxes/verify-dns.ts";
import type { AnyOperation } from "./operation.ts";
import { calendar as sendCalendar } from "./recipients/calendar.ts";
import { explain as explainRecipient } from "./recipients/explain.ts";
import { exportRecipients } from "./recipients/export.ts";
import { list as listRecipients } from "./recipients/list.ts";
import { manage as manageRecipients } from "./recipients/manage.ts";
import { resolution as resolveSend } from "./recipients/resolve.ts";
import { sends as listSends } from "./recipients/sends.ts";
import { stats as recipientStats } from "./recipients/stats.ts";
import * as approvals from "./sending/approvals.ts";
import { decide as decideApproval } from "./sending/decide.ts";
import { nameVerbs } from "./sending/named-verbs.ts";
import * as sequence from "./sequences/manage.ts";
import * as versions from "./sequences/versions.ts";
import * as secondFactor from "./sign-in/second-factor-verbs.ts";
import * as session from "./sign-in/session-verbs.ts";
import * as blockList from "./suppression/block-list.ts";
import { manage as suppressLeads } from "./suppression/suppress.ts";
import { overview as systemOverview } from "./system/overview.ts";
import * as conversions from "./tracking/conversions.ts";
import { reportConversions } from "./tracking/report-conversions.ts";
import * as verificationExport from "./verification/export.ts";
import * as verificationJobs from "./verification/jobs.ts";
import * as verificationSchedules from "./verification/schedules.ts";
import * as verificationSettings from "./verification/settings.ts";
import { usage as verificationUsage } from "./verification/usage.ts";
import * as warmup from "./warmup/enrolments.ts";
import * as warmupHistory from "./warmup/history.ts";
import { manage as manageWarmup } from "./warmup/manage.ts";
import { pools as warmupPools } from "./warmup/pools.ts";
import { deadLetters, get as getDelivery, list as listDeliveries, requeue, test as testWebhook } from "./webhooks/deliveries.ts";
import { deadLetterQueue, manage as manageWebhooks } from "./webhooks/manage.ts";
import { rotateSecret } from "./webhooks/rotate-secret.ts";
import * as webhooks from "./webhooks/subscriptions.ts";

/**
 * The catalogue: each verb once, under its noun and verb. Every door names by these texts what it serves, and so does the audit log:
 * an action that a verb bundles goes by the noun of that verb and its own name, or by the whole name of that verb.
 */
export const verbs = {
  "account.whoami": account.whoami,
  "account.get": account.get,

  "session.get": session.get,
  "session.rename": session.rename,
  "session.end": session.end,
  "session.confirm": session.confirm,
  "session.list": session.list,
  "session.revoke": session.revoke,
  "session.changePassword": session.password,

  "secondFactor.get": secondFactor.get,
  "secondFactor.manage": secondFactor.manage,

  "keys.list": keys.list,
  "keys.create": keys.create,
  "keys.revoke": keys.revoke,

  "connections.list": connections.list,
  "connections.revoke": connections.revoke,
  "connections.changePolicy": connections.changePolicy,

  "members.list": members.list,
  "members.manage": members.manage,

  "invites.list": invites.list,
  "invites.manage": invites.manage,

  "auditLog.list": auditLog.list,

  "workspaces.list": ownWorkspaces.list,
  "workspaces.create": ownWorkspaces.create,
  "workspaces.listClients": ownWorkspaces.listClients,

  "workspace.get": workspace.get,
  "workspace.manage": workspace.manage,
  "workspace.export": exportWorkspace,
  "workspace.getExport": getExport,
  "workspace.manageTrackingDomain": domains.trackingDomain,
  "workspace.managePortalDomain": domains.portalDomain,

  "campaigns.list": listCampaigns,
  "campaigns.create": createCampaign,
  "campaigns.get": getCampaign,
  "campaigns.update": updateCampaign,
  "campaigns.getMetrics": campaignFigures,
  "campaigns.getExperiment": experiment,
  "campaigns.duplicate": duplicateCampaign,
  "campaigns.manageArchive": manageArchive,
  "campaigns.validate": validateCampaign,
  "campaigns.getSettings": settings.get,
  "campaigns.updateSettings": settings.update,
  "campaigns.control": controlCampaign,
  "campaigns.testSend": testSend,

  "sequences.get": sequence.get,
  "sequences.getVersion": versions.get,
  "sequences.listVersions": versions.list,
  "sequences.manage": sequence.manage,
  "sequences.preview": previewMail,

  "recipients.list": listRecipients,
  "recipients.manage": manageRecipients,
  "recipients.getStats": recipientStats,
  "recipients.explain": explainRecipient,
  "recipients.export": exportRecipients,

  "sends.list": listSends,
  "sends.listBooked": sendCalendar,
  "sends.resolve": resolveSend,

  "leads.list": listLeads,
  "leads.create": createLead,
  "leads.get": getLead,
  "leads.getActivity": leadActivity,
  "leads.makeEvidence": leadEvidence,
  "leads.manage": manageLeads,
  "leads.suppress": suppressLeads,
  "leads.import": importLeads,
  "leads.importFile": importFile,
  "leads.getImport": importJob,
  "leads.cancelImport": cancelImport,
  "leads.export": exportLeads,
  "leads.exportPage": exportPage,
  "leads.listTags": listTags,

  "files.upload": uploadFile,

  "jobs.list": jobs.list,
  "jobs.get": jobs.get,
  "jobs.cancel": jobs.cancel,

  "blockList.list": blockList.list,
  "blockList.add": blockList.add,
  "blockList.remove": blockList.remove,
  "blockList.manage": blockList.manage,

  "leadLists.list": leadLists.list,
  "leadLists.create": leadLists.create,
  "leadLists.preview": previewSegment,
  "leadLists.manage": leadLists.manage,
  "leadLists.moveMembers": leadLists.moveMembers,

  "customFields.list": customFields.list,
  "customFields.create": customFields.create,
  "customFields.listVariables": customFields.variables,
  "customFields.manage": customFields.manage,

  "crm.listConnections": crmConnections,
  "crm.listSegments": crmSegments,
  "crm.connect": manageCrm,
  "crm.import": importCrmSegment,

  "analytics.report": report,
  "analytics.exportReport": exportReport,
  "analytics.links": links,
  "analytics.exportLinks": exportLinks,
  "conversions.report": reportConversions,
  "conversions.list": conversions.list,
  "conversions.try": conversions.tryOne,

  "deals.list": deals.list,
  "deals.create": deals.create,
  "deals.delete": deals.remove,

  "mailboxes.list": listMailboxes,
  "mailboxes.listProviders": listMailProviders,
  "mailboxes.get": getMailbox,
  "mailboxes.listHealthChanges": listHealthChanges,
  "mailboxes.replayHealth": replayHealthOf,
  "mailboxes.manage": manageMailboxes,
  "mailboxes.connect": connectMailbox,
  "mailboxes.disconnect": disconnectMailbox,
  "mailboxes.manageTrackingDomain": trackingDomain,
  "mailboxes.verifyDns": verifyDns,
  "mailboxes.testImport": testBulk,
  "mailboxes.import": importCsv,
  "mailboxes.getImport": mailboxImportJob,
  "mailboxes.cancelImport": cancelMailboxImport,

  "warmup.list": warmup.list,
  "warmup.get": warmup.get,
  "warmup.getHeatmap": warmupHistory.heatmap,
  "warmup.getReputation": warmupHistory.reputation,
  "warmup.getBounces": warmupHistory.bounces,
  "warmup.manage": manageWarmup,
  "warmup.managePools": warmupPools,

  "deliverability.getOverview": deliverabilityOverview,
  "deliverability.listDomains": deliverabilityDomains,
  "deliverability.listMailboxes": deliverabilityMailboxes,
  "deliverability.listAlerts": deliverabilityAlerts.list,
  "deliverability.acknowledgeAlert": deliverabilityAlerts.acknowledge,
  "deliverability.listRecommendations": deliverabilityAdvice,
  "deliverability.getPostmaster": deliverabilityPostmaster,
  "deliverability.getSettings": deliverabilitySettings,

  "placementTests.list": placementTests.list,
  "placementTests.create": placementTests.create,
  "placementTests.get": placementTests.get,
  "placementTests.cancel": placementTests.cancel,

  "verification.startJob": verificationJobs.start,
  "verification.listJobs": verificationJobs.list,
  "verification.getJob": verificationJobs.get,
  "verification.getUsage": verificationUsage,
  "verification.listSchedules": verificationSchedules.list,
  "verification.setSchedule": verificationSchedules.set,
  "verification.deleteSchedule": verificationSchedules.remove,
  "verification.getSettings": verificationSettings.settings,
  "verification.updateSettings": verificationSettings.changeSettings,
  "verification.export": verificationExport.exportResults,
  "leadSearch.browse": browseProspects,
  "leadSearch.listCompanies": prospectCompanies,
  "leadSearch.listLookups": searchLookups,
  "leadSearch.reveal": reveal,
  "leadSearch.revealBulk": revealBulk,
  "leadSearch.revealList": revealList,
  "leadSearch.getReveal": revealStatus,
  "leadSearch.listLists": searchLists.list,
  "leadSearch.createList": searchLists.create,
  "leadSearch.addToList": listItems.add,
  "leadSearch.listItems": listItems.list,
  "leadSearch.removeFromList": listItems.remove,
  "leadSearch.copyToList": listItems.copy,
  "leadSearch.makeLeads": toLeads,
  "leadSearch.addSearch": addSearch,
  "leadSearch.getAddSearch": addSearchStatus,
  "leadSearch.listSavedSearches": savedSearches.list,
  "leadSearch.getSavedSearch": savedSearches.get,
  "leadSearch.saveSearch": savedSearches.save,
  "leadSearch.deleteSavedSearch": savedSearches.remove,

  "calendar.get": calendar.get,
  "calendar.listSlots": calendar.availability,
  "calendar.manage": calendar.manage,

  "billing.get": billingStatus,
  "billing.checkout": checkout,
  "billing.portal": portal,
  "credits.get": getCredits,
  "credits.listEntries": creditEntries,

  "inbox.listThreads": listThreads,
  "inbox.getThread": getThread,
  "inbox.getMessage": getMessage,
  "inbox.manageThreads": manageThreads,
  "inbox.getSummary": inboxSummary,
  "inbox.setCategory": setCategory,
  "inbox.getAttachment": attachment,
  "inbox.reply": replyToThread,
  "inbox.schedule": scheduleReply,
  "inbox.getDraft": drafts.get,
  "inbox.saveDraft": drafts.save,
  "inbox.discardDraft": drafts.discard,
  "inbox.listScheduled": scheduledReplies.list,
  "inbox.cancelScheduled": scheduledReplies.cancel,

  "agent.getSettings": agentSettings.get,
  "agent.updateSettings": agentSettings.update,
  "agent.listModels": agentModels,

  "promises.list": promises.list,
  "promises.manage": promises.manage,

  "approvals.list": approvals.list,
  "approvals.get": approvals.get,
  "approvals.decide": decideApproval,

  "webhooks.list": webhooks.list,
  "webhooks.create": webhooks.create,
  "webhooks.get": webhooks.get,
  "webhooks.update": webhooks.update,
  "webhooks.delete": webhooks.remove,
  "webhooks.manage": manageWebhooks,
  "webhooks.test": testWebhook,
  "webhooks.rotateSecret": rotateSecret,

  "webhookDeliveries.list": listDeliveries,
  "webhookDeliveries.get": getDelivery,
  "webhookDeliveries.listDeadLetters": deadLetters,
  "webhookDeliveries.requeue": requeue,
  "webhookDeliveries.manageDeadLetters": deadLetterQueue,

  "system.get": systemOverview,
} as const satisfies Record<string, AnyOperation | Choice>;

nameVerbs(verbs);

export type VerbName = keyof typeof verbs;
