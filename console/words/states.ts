import type { Role } from "../../domain/access/roles.ts";
import type { SendingCode } from "../../domain/campaigns/sending-status.ts";
import type {
  CampaignStatus,
  RecipientPauseReason,
  RecipientStatus,
  SendState,
  StopReason,
} from "../../domain/states.ts";

/** The labels of statuses. Each table names every value, so a new status without a label does not compile. */
export const CAMPAIGN_STATUS: Record<CampaignStatus, string> = {
  DRAFT: "draft",
  SCHEDULED: "scheduled",
  ACTIVE: "active",
  PAUSED: "paused",
  COMPLETED: "completed",
  ARCHIVED: "archived",
};

/** The sending status of a campaign, in the list of campaigns. */
export const SENDING: Record<SendingCode, string> = {
  DRAFT: "Not launched yet",
  ARCHIVED: "Archived",
  COMPLETED: "Completed",
  GUARD_TRIPPED: "Paused automatically: too many bounces or complaints, or too few replies",
  PAUSED: "Paused",
  SCHEDULED: "Starts later",
  NO_MAILBOX: "No mailbox to send from",
  MAILBOXES_UNHEALTHY: "None of its mailboxes can send",
  WAITING_FOR_RECIPIENTS: "All recipients completed. Add recipients to continue",
  HOLIDAY: "Waiting for the end of a holiday",
  OUT_OF_SCHEDULE: "Outside its sending hours",
  CAMPAIGN_DAILY_LIMIT: "Daily limit of the campaign reached",
  RAMP_LIMIT: "Daily limit of its ramp-up reached",
  MAILBOX_DAILY_LIMIT: "Daily limit of its mailboxes reached",
  FOLLOW_UP_DELAY: "Waiting for follow-ups to be due",
  NEW_LEAD_LIMIT: "Daily limit of new recipients reached",
  DOMAIN_LIMIT: "Limit per company or domain reached",
  WAITING_FOR_PROVIDER_MATCH: "Waiting for a mailbox at the recipients' provider",
  MAILBOX_GAP: "Waiting for the next available send slot",
  HEALTHY: "Sends",
};

export const RECIPIENT_STATUS: Record<RecipientStatus, string> = {
  PENDING: "scheduled",
  IN_PROGRESS: "in progress",
  PAUSED: "paused",
  COMPLETED: "completed",
  REPLIED: "replied",
  BOUNCED: "bounced",
  UNSUBSCRIBED: "unsubscribed",
  SUPPRESSED: "suppressed",
  FAILED: "failed",
  SKIPPED: "skipped",
};

export const PAUSE_REASON: Record<RecipientPauseReason, string> = {
  MANUAL: "by hand",
  OUT_OF_OFFICE: "out of office",
  MISSING_VARIABLE: "missing variable",
  COMPANY_REPLIED: "a colleague replied",
  OTHER_CAMPAIGN: "in another campaign",
  MAILBOX_DISCONNECTED: "its mailbox is disconnected",
  APPROVAL_REQUIRED: "waiting for approval",
  RESTORED: "paused after a restore",
};

export const STOP_REASON: Record<StopReason, string> = {
  SEQUENCE_FINISHED: "completed",
  REPLIED: "replied",
  AUTO_REPLIED: "an automatic reply",
  OPENED: "opened",
  CLICKED: "clicked",
  MEETING_BOOKED: "booked a meeting",
  CONVERTED: "converted",
  UNSUBSCRIBED: "unsubscribed",
  HARD_BOUNCE: "hard bounce",
  SOFT_BOUNCE_EXHAUSTED: "soft bounces",
  REFUSED_BY_POLICY: "refused by the recipient's server",
  FORWARDED: "bounced where it was forwarded to",
  BLOCK_LISTED: "on the block list",
  SUPPRESSED: "suppressed",
  INVALID_ADDRESS: "invalid address",
  CAMPAIGN_COMPLETED: "campaign completed",
  SCHEDULE_ENDED: "campaign period ended",
  REMOVED: "removed",
  SEND_FAILED: "could not be sent",
  SEND_UNKNOWN: "not known whether it was sent",
  TEMPLATE_ERROR: "template error",
  MOVED: "moved",
  HOLD_OUT: "held out for comparison",
};

export const SEND_STATE: Record<SendState, string> = {
  RESERVED: "booked",
  RELEASED: "released",
  SENDING: "being sent",
  SENT: "sent",
  FAILED: "failed",
  UNKNOWN: "not known whether it was sent",
  BOUNCED: "bounced",
};

export const ROLE: Record<Role, string> = {
  OWNER: "owner",
  ADMIN: "administrator",
  MEMBER: "member",
  VIEWER: "viewer",
};

/** The label of a value; a value of a newer server that is not in the table is shown in lower case with spaces. */
export function wordFor(table: Readonly<Record<string, string>>, value: string): string {
  return (Object.hasOwn(table, value) ? table[value] : undefined) ?? value.toLowerCase().replaceAll("_", " ");
}
