/** Deterministic workflow ids, so that a second start joins the first. */
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
