import type { Role } from "../../domain/access/roles.ts";
import type { SendingCode } from "../../domain/campaigns/sending-status.ts";
import type { CampaignStatus, RecipientPauseReason, RecipientStatus, SendState, StopReason } from "../../domain/states.ts";

/** The service's states in words. Each table names every value, so a new state does not compile before it has its words. */
export const CAMPAIGN_STATUS: Record<CampaignStatus, string> = {
  DRAFT: "draft",
  SCHEDULED: "scheduled",
  ACTIVE: "active",
  PAUSED: "paused",
  COMPLETED: "completed",
  ARCHIVED: "archived",
};

/** Why a campaign sends or does not, as the list of campaigns says it. */
export const SENDING: Record<SendingCode, string> = {
  DRAFT: "Not launched yet",
  ARCHIVED: "Archived",
  COMPLETED: "Ended",
  GUARD_TRIPPED: "Paused by itself: too many bounces or complaints, or too few replies",
  PAUSED: "Paused",
  SCHEDULED: "Starts later",
  NO_MAILBOX: "Names no mailbox to send from",
  MAILBOXES_UNHEALTHY: "None of its mailboxes can send",
  WAITING_FOR_RECIPIENTS: "Everybody is done: it waits for new people",
  HOLIDAY: "Waits for the end of a holiday",
  OUT_OF_SCHEDULE: "Waits for its sending hours",
  CAMPAIGN_DAILY_LIMIT: "Has sent as much as it may today",
  RAMP_LIMIT: "Has sent as much as its ramp allows today",
  MAILBOX_DAILY_LIMIT: "Its mailboxes have sent as much as they may today",
  FOLLOW_UP_DELAY: "Waits for follow-ups to come due",
  NEW_LEAD_LIMIT: "Has begun with as many new people as it may today",
  DOMAIN_LIMIT: "Waits so as not to write too much to one company or domain",
  WAITING_FOR_PROVIDER_MATCH: "Waits for a mailbox at the same provider as the people",
  MAILBOX_GAP: "Waits for a free slot of its mailboxes",
  HEALTHY: "Sends",
};

export const RECIPIENT_STATUS: Record<RecipientStatus, string> = {
  PENDING: "waiting",
  IN_PROGRESS: "active",
  PAUSED: "paused",
  COMPLETED: "done",
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
  MISSING_VARIABLE: "lacks a field",
  COMPANY_REPLIED: "a colleague replied",
  OTHER_CAMPAIGN: "in another campaign",
  MAILBOX_DISCONNECTED: "its mailbox is gone",
  APPROVAL_REQUIRED: "waits for an approval",
  RESTORED: "paused after a restore",
};

export const STOP_REASON: Record<StopReason, string> = {
  SEQUENCE_FINISHED: "got every mail",
  REPLIED: "replied",
  AUTO_REPLIED: "an automatic reply",
  OPENED: "opened",
  CLICKED: "clicked",
  MEETING_BOOKED: "booked a meeting",
  CONVERTED: "converted",
  UNSUBSCRIBED: "unsubscribed",
  HARD_BOUNCE: "came back for good",
  SOFT_BOUNCE_EXHAUSTED: "refused again and again",
  REFUSED_BY_POLICY: "refused by the recipient's side",
  FORWARDED: "bounced where it was forwarded to",
  BLOCK_LISTED: "on the block list",
  SUPPRESSED: "suppressed",
  INVALID_ADDRESS: "no valid address",
  CAMPAIGN_COMPLETED: "the campaign was ended",
  SCHEDULE_ENDED: "the campaign's time was up",
  REMOVED: "removed",
  SEND_FAILED: "could not be sent",
  SEND_UNKNOWN: "nobody knows whether it was sent",
  TEMPLATE_ERROR: "the text could not be made",
  MOVED: "moved",
  HOLD_OUT: "held out, to compare",
};

export const SEND_STATE: Record<SendState, string> = {
  RESERVED: "booked",
  RELEASED: "given up",
  SENDING: "being sent",
  SENT: "sent",
  FAILED: "failed",
  UNKNOWN: "nobody knows whether it was sent",
  BOUNCED: "came back",
};

export const ROLE: Record<Role, string> = { OWNER: "owner", ADMIN: "administrator", MEMBER: "member", VIEWER: "viewer" };

/** A value of a state that the console may be older than. */
export function wordFor(table: Readonly<Record<string, string>>, value: string): string {
  return table[value] ?? value.toLowerCase().replaceAll("_", " ");
}
