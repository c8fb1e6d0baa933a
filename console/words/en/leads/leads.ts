import type { LeadStatus, SuppressionReason, VerificationStatus } from "../../../../domain/states.ts";
import { counted } from "../../format.ts";

/** What the list of leads and the page of one say of their states. */
export const LEAD_STATUS: Record<LeadStatus, string> = {
  ACTIVE: "new",
  CONTACTED: "written to",
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
  CATCH_ALL: "its server takes any address",
  INVALID: "does not exist",
  UNKNOWN: "nobody could say",
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
  empty: "There is no lead yet. The reference tells how to import some: POST /leads/import, or a file by POST /leads/import/file.",
  address: "Address",
  name: "Name",
  company: "Company",
  verification: "Verification",
  last: "Last activity",
  tag: "Tag",
  list: "List",
  domain: "Domain",
  order: "Order",
  orders: { "-createdAt": "newest first", createdAt: "oldest first", email: "address, A to Z", "-email": "address, Z to A" },
  sending: "Mail",
  allowed: "allowed",
  suppressed: "suppressed",
  suppressedFor: (reason: string) => `suppressed: ${reason}`,
  repliedAt: "replied",
  contactedAt: "written to",
  domainAll: "Any domain",
  ofDomain: (domain: string) => `Only ${domain}`,
} as const;

/** What is shown before somebody is suppressed or let in again. */
export const suppressWords = {
  suppress: "Suppress",
  unsuppress: "Allow mail again",
  act: (count: number) => `Suppress ${counted(count, "person", "people")}`,
  effect: (count: number) =>
    `Once this has answered, nothing is sent to ${count === 1 ? "this person" : "these people"} any more: no campaign, no reply, no test mail of this workspace.`,
  ends: "Wherever they are in a campaign they are taken out of it, and what was booked for them is given up:",
  endsUnnamed: "Wherever they are still open in a campaign they are taken out of it, and what was booked for them is given up.",
  endsNowhere: "No campaign has anything more for them.",
  keeps: "What was sent and what they replied stays, and replies still arrive. Their other addresses are suppressed too.",
  back: "Taking it back needs your password, and puts nobody back into a campaign.",
  allowAct: (count: number) => `Allow mail to ${counted(count, "person", "people")}`,
  allowEffect: (count: number) =>
    `${count === 1 ? "This person" : "These people"} may be written to again, whatever the reason was: also who unsubscribed or complained.`,
  allowReason: "Why nothing was sent:",
  allowKeeps: "Nothing is sent by this alone: no campaign takes them up again by itself, and the block list still holds.",
  others: (count: number) => `and ${counted(count, "other", "others")}`,
  said: (changed: number) => `Suppressed: ${counted(changed, "person gets", "people get")} no more mail.`,
  saidAllowed: (changed: number) => `Allowed: ${counted(changed, "person", "people")} may be written to again.`,
  saidNothing: "Nothing changed: it was so already.",
} as const;
