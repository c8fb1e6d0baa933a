export { campaign } from "./campaign.ts";
export { connectConsent } from "./connect-consent.ts";
export { deliverWebhook } from "./deliver-webhook.ts";
export { checkTrackingDomain, dailyDnsChecks, verifyMailboxDns } from "./dns.ts";
export { job } from "./job.ts";
export { mailboxSync } from "./mailbox-sync.ts";
export { recipient } from "./recipient.ts";
export { singleSend } from "./single-send.ts";
export { testConnection, testConnections } from "./test-connection.ts";
