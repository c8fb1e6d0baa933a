/** The values of every state field, as callers see them. */
export const CAMPAIGN_TYPES = ["SEQUENCE", "ONE_OFF"] as const;
export const CAMPAIGN_STATUSES = ["DRAFT", "SCHEDULED", "ACTIVE", "PAUSED", "COMPLETED", "ARCHIVED"] as const;
export const PAUSE_REASONS = [
  "MANUAL",
  "BOUNCE_GUARD",
  "COMPLAINT_GUARD",
  "REPLY_RATE_FLOOR",
  "NO_MAILBOX",
  "MAILBOXES_UNHEALTHY",
  "LAUNCH_INVALID",
  "WORKSPACE_SUSPENDED",
  "UNARCHIVED",
  "RESTORED",
] as const;
export const COMPLETED_REASONS = ["FINISHED", "MANUAL", "SCHEDULE_ENDED"] as const;

export const RECIPIENT_STATUSES = [
  "PENDING",
  "IN_PROGRESS",
  "PAUSED",
  "COMPLETED",
  "REPLIED",
  "BOUNCED",
  "UNSUBSCRIBED",
  "SUPPRESSED",
  "FAILED",
  "SKIPPED",
] as const;
export const RECIPIENT_PAUSE_REASONS = [
  "MANUAL",
  "OUT_OF_OFFICE",
  "MISSING_VARIABLE",
  "COMPANY_REPLIED",
  "OTHER_CAMPAIGN",
  "MAILBOX_DISCONNECTED",
  "APPROVAL_REQUIRED",
  "RESTORED",
] as const;
export const STOP_REASONS = [
  "SEQUENCE_FINISHED",
  "REPLIED",
  "AUTO_REPLIED",
  "OPENED",
  "CLICKED",
  "MEETING_BOOKED",
  "CONVERTED",
  "UNSUBSCRIBED",
  "HARD_BOUNCE",
  "SOFT_BOUNCE_EXHAUSTED",
  "REFUSED_BY_POLICY",
  "FORWARDED",
  "BLOCK_LISTED",
  "SUPPRESSED",
  "INVALID_ADDRESS",
  "CAMPAIGN_COMPLETED",
  "SCHEDULE_ENDED",
  "REMOVED",
  "SEND_FAILED",
  "SEND_UNKNOWN",
  "TEMPLATE_ERROR",
  "MOVED",
  "HOLD_OUT",
] as const;

export const LEAD_STATUSES = [
  "ACTIVE",
  "CONTACTED",
  "REPLIED",
  "INTERESTED",
  "NOT_INTERESTED",
  "MEETING_BOOKED",
  "WON",
  "LOST",
  "UNSUBSCRIBED",
  "BOUNCED",
] as const;
export const VERIFICATION_STATUSES = [
  "UNVERIFIED",
  "PENDING",
  "VALID",
  "RISKY",
  "CATCH_ALL",
  "INVALID",
  "UNKNOWN",
] as const;
export const SUPPRESSION_REASONS = ["MANUAL", "UNSUBSCRIBED", "OPT_OUT_REPLY", "HARD_BOUNCE", "COMPLAINT"] as const;
export const REVEAL_STATUSES = ["revealed", "not_revealed", "not_found"] as const;

export const MAILBOX_STATUSES = [
  "CONNECTED",
  "PAUSED",
  "RECONNECT_REQUIRED",
  "SENDING_ERROR",
  "COOLING_DOWN",
  "DISCONNECTED",
] as const;
export const SECURITIES = ["SSL_TLS", "STARTTLS", "NONE"] as const;

export const SEND_STATES = ["RESERVED", "RELEASED", "SENDING", "SENT", "FAILED", "UNKNOWN", "BOUNCED"] as const;
export const SEND_PHASES = ["CLAIMED", "DATA"] as const;
export const DELIVERY_STATUSES = ["PENDING", "RETRYING", "DELIVERED", "DEAD_LETTERED"] as const;
/** What a template is for: a whole sequence, the text of one step, or a reply in the inbox. */
export const TEMPLATE_KINDS = ["SEQUENCE", "STEP", "REPLY"] as const;
export const LIST_TYPES = ["STATIC", "DYNAMIC"] as const;
export const BLOCK_TYPES = ["EMAIL", "DOMAIN"] as const;
/** The ways in which a lead is created. */
export const LEAD_SOURCE_KINDS = ["API", "MANUAL", "IMPORT", "CAMPAIGN", "CRM", "PROSPECT", "REFERRAL"] as const;
export const FIELD_TYPES = ["TEXT", "URL", "NUMBER", "DATE", "SELECT"] as const;

/**
 * The types of events in the history of a lead or a campaign. A lead's imports are stored in the lead itself, and
 * appear as IMPORTED.
 */
export const HISTORY_EVENTS = [
  "SENT",
  "OPEN",
  "CLICK",
  "REPLIED",
  "AUTO_REPLIED",
  "BOUNCED",
  "UNSUBSCRIBE",
  "CONVERTED",
  "LEAD_CREATED",
  "LEAD_UPDATED",
  "IMPORTED",
  "ADDED_TO_CAMPAIGN",
  "STATUS_CHANGED",
  "SUPPRESSED",
  "UNSUPPRESSED",
  "CATEGORY_SET",
  "NOTE_ADDED",
  "DEAL_ADDED",
  "PAUSED",
  "MOVED",
  "MOVE_REFUSED",
  "TASK_ADDED",
  "WEBHOOK_CALLED",
  "WEBHOOK_FAILED",
  "APPROVAL_REQUESTED",
  "AGENT_REPLIED",
  "PROMISE_NOTED",
  "PROMISE_DUE",
] as const;

export type CampaignType = (typeof CAMPAIGN_TYPES)[number];
export type CampaignStatus = (typeof CAMPAIGN_STATUSES)[number];
export type PauseReason = (typeof PAUSE_REASONS)[number];
export type CompletedReason = (typeof COMPLETED_REASONS)[number];
export type RecipientStatus = (typeof RECIPIENT_STATUSES)[number];
export type RecipientPauseReason = (typeof RECIPIENT_PAUSE_REASONS)[number];
export type StopReason = (typeof STOP_REASONS)[number];
export type LeadStatus = (typeof LEAD_STATUSES)[number];
export type VerificationStatus = (typeof VERIFICATION_STATUSES)[number];
export type SuppressionReason = (typeof SUPPRESSION_REASONS)[number];
export type RevealStatus = (typeof REVEAL_STATUSES)[number];
export type MailboxStatus = (typeof MAILBOX_STATUSES)[number];
export type Security = (typeof SECURITIES)[number];
export type SendState = (typeof SEND_STATES)[number];
export type SendPhase = (typeof SEND_PHASES)[number];
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];
export type TemplateKind = (typeof TEMPLATE_KINDS)[number];
export type ListType = (typeof LIST_TYPES)[number];
export type BlockType = (typeof BLOCK_TYPES)[number];
export type LeadSourceKind = (typeof LEAD_SOURCE_KINDS)[number];
export type FieldType = (typeof FIELD_TYPES)[number];
export type HistoryEvent = (typeof HISTORY_EVENTS)[number];

/** The statuses of a recipient who may still receive email. */
export const OPEN: readonly RecipientStatus[] = ["PENDING", "IN_PROGRESS", "PAUSED"];

export function isOpenStatus(status: RecipientStatus): boolean {
  return OPEN.includes(status);
}

/**
 * The ranks of a lead's statuses. Automatic changes only move a lead to a status of a higher rank (rules/states 4.1).
 */
const LEAD_RANK: Record<LeadStatus, number> = {
  ACTIVE: 0,
  CONTACTED: 1,
  REPLIED: 2,
  INTERESTED: 3,
  NOT_INTERESTED: 3,
  MEETING_BOOKED: 4,
  WON: 5,
  LOST: 5,
  UNSUBSCRIBED: 6,
  BOUNCED: 6,
};

/** The statuses from which an automatic move to `status` is allowed. */
export function leadStatusesBelow(status: LeadStatus): LeadStatus[] {
  return LEAD_STATUSES.filter((other) => LEAD_RANK[other] < LEAD_RANK[status]);
}

/** The statuses of a scheduled reply (rules/states 1.5). */
export const SCHEDULED_STATUSES = ["PENDING", "SENDING", "SENT", "FAILED", "CANCELLED"] as const;

/**
 * The kinds of approvals that a person decides (rules/states 7.1). LAUNCH (also for resuming a campaign), TEST_SEND,
 * PLACEMENT_TEST and REPLY are about emails that an API key or grant wants to send but may not send by itself
 * (rules/access 4.4).
 */
export const APPROVAL_KINDS = [
  "REPLY",
  "OPT_OUT",
  "CAMPAIGN_SEND",
  "LAUNCH",
  "TEST_SEND",
  "PLACEMENT_TEST",
  "CHANGE",
] as const;
export const APPROVAL_STATUSES = ["PENDING", "APPROVED", "REJECTED", "EXPIRED", "SENT", "FAILED"] as const;
