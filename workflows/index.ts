export { agentReply, listAgentModels } from "./agent.ts";
export { campaign } from "./campaign.ts";
export { checkTrackingDomain, dailyDnsChecks, verifyMailboxDns } from "./dns.ts";
export { job } from "./job.ts";
export { mailboxFreed } from "./mailbox-freed.ts";
export { mailboxSync } from "./mailbox-sync.ts";
export { placementTest } from "./placement-test.ts";
export { recipient } from "./recipient.ts";
export {
  askLeadSearch,
  askStripe,
  connectCalendar,
  connectConsent,
  connectCrm,
  readCalendar,
  readCrmSegments,
  readSheet,
  revokeGrant,
  scoreContents,
  syncBilling,
  testConnection,
  testConnections,
} from "./requests.ts";
export { countDays, judgeMailboxes, mailAgencyReports, refreshAudiences, syncCrm, writeCrmBack } from "./rounds.ts";
export { scheduledReply, singleSend } from "./single-send.ts";
export { planWarmup, warmup } from "./warmup.ts";
export { deliverWebhook, feedWebhook } from "./webhooks.ts";
