import type { LeadStatus, SuppressionReason, VerificationStatus } from "../../../../domain/states.ts";
import { counted } from "../../format.ts";

/** The states of leads, for the list and for the page of one lead. */
export const LEAD_STATUS: Record<LeadStatus, string> = {
  ACTIVE: "new",
  CONTACTED: "contacted",
  REPLIED: "replied",
  INTERESTED: "interested",
  NOT_INTERESTED: "not interested",
  MEETING_BOOKED: "meeting booked",
  WON: "won",
  LOST: "lost",
  UNSUBSCRIBED: "unsubscribed",
  BOUNCED: "bounced",
};

export const VERIFICATION: Record<VerificationStatus, string> = {
  UNVERIFIED: "not verified",
  PENDING: "being verified",
  VALID: "valid",
  RISKY: "risky",
  CATCH_ALL: "the mail server accepts any address",
  INVALID: "does not exist",
  UNKNOWN: "unknown",
};

export const SUPPRESSION_REASON: Record<SuppressionReason, string> = {
  MANUAL: "by hand",
  UNSUBSCRIBED: "unsubscribed",
  OPT_OUT_REPLY: "asked for it in a reply",
  HARD_BOUNCE: "the address does not exist",
  COMPLAINT: "complained",
};

export const leadsWords = {
  title: "Leads",
  empty: "No leads yet. Leads are the people that your campaigns contact.",
  address: "Address",
  name: "Name",
  company: "Company",
  verification: "Verification",
  last: "Last activity",
  tag: "Tag",
  list: "List",
  domain: "Domain",
  sending: "Sending",
  allowed: "allowed",
  suppressed: "suppressed",
  suppressedFor: (reason: string) => `suppressed: ${reason}`,
  repliedAt: "replied",
  contactedAt: "contacted",
  domainAll: "Any domain",
  ofDomain: (domain: string) => `Only ${domain}`,
} as const;

/** The texts of the dialogs that suppress or unsuppress leads. */
export const suppressWords = {
  suppress: "Suppress",
  unsuppress: "Allow emails again",
  act: (count: number) => `Suppress ${counted(count, "person", "people")}`,
  effect: (count: number) =>
    `Nothing is sent to ${count === 1 ? "this person" : "these people"} any more: no campaign email, no reply, no test email of this workspace.`,
  ends: "They are removed from their campaigns, and their scheduled emails are cancelled:",
  endsUnnamed: "They are removed from their campaigns, and their scheduled emails are cancelled.",
  endsNowhere: "They are in no running campaign.",
  keeps: "Sent emails and replies stay, and new replies still arrive. Their other addresses are suppressed too.",
  back: "Undoing this needs your password and does not return anyone to a campaign.",
  allowAct: (count: number) => `Allow emails to ${counted(count, "person", "people")}`,
  allowEffect: (count: number) =>
    `${count === 1 ? "This person" : "These people"} can be contacted again, whatever the reason was, even after an opt-out or a complaint.`,
  allowReason: "Reason for the suppression:",
  allowKeeps: "This alone sends nothing. No campaign continues with them by itself, and the block list still applies.",
  others: (count: number) => `and ${counted(count, "other", "others")}`,
  said: (changed: number) => `Suppressed: ${counted(changed, "person gets", "people get")} no more emails.`,
  saidAllowed: (changed: number) => `Allowed: ${counted(changed, "person", "people")} can be contacted again.`,
  saidNothing: "Nothing changed.",
} as const;
