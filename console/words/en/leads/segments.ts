import type { LeadField, SegmentEvent } from "../../../../domain/leads/segment-fields.ts";
import type { LeadSourceKind, RevealStatus } from "../../../../domain/states.ts";
import { counted } from "../../format.ts";
import { CREATED_FROM, leadWords } from "./lead.ts";
import { LEAD_STATUS, SUPPRESSION_REASON, VERIFICATION } from "./leads.ts";

/** The name of each field that a filter can compare, in the order in which a person chooses. */
export const SEGMENT_FIELD: Record<LeadField, string> = {
  email: "Email address",
  emailDomain: "Email domain",
  firstName: "First name",
  lastName: "Last name",
  fullName: "Full name",
  company: leadWords.fields.company,
  jobTitle: leadWords.fields.jobTitle,
  country: leadWords.fields.country,
  state: leadWords.fields.state,
  city: leadWords.fields.city,
  timezone: leadWords.fields.timezone,
  phone: leadWords.fields.phone,
  website: leadWords.fields.website,
  tags: leadWords.tags,
  listIds: leadWords.lists,
  status: leadWords.status,
  suppressed: leadWords.suppressed,
  suppressionReason: "Reason for do not contact",
  suppressedAt: "Do not contact since",
  verificationStatus: leadWords.verification,
  verifiedAt: "Verified",
  lastContactedAt: leadWords.lastContactedAt,
  lastRepliedAt: leadWords.lastRepliedAt,
  createdAt: "Created",
  updatedAt: "Changed",
  "createdFrom.kind": leadWords.createdFrom,
  source: leadWords.source,
  secondaryEmails: leadWords.others,
  emailProvider: "Email provider",
  emailStatus: "Email address of a prospect",
  phoneStatus: "Phone number of a prospect",
  id: "Lead ID",
};

export const SEGMENT_EVENT: Record<SegmentEvent, string> = {
  SENT: "Got an email",
  OPEN: "Opened an email",
  CLICK: "Clicked a link",
  REPLIED: "Replied",
  BOUNCED: "An email bounced",
  UNSUBSCRIBE: "Unsubscribed",
  CONVERTED: "Converted",
};

const REVEAL: Record<RevealStatus, string> = {
  revealed: "revealed",
  not_revealed: "not revealed",
  not_found: "not found",
};

const SOURCES = Object.fromEntries(Object.entries(CREATED_FROM).map(([kind, text]) => [kind, text(null)])) as Record<
  LeadSourceKind,
  string
>; // the same keys

/** The words of fields that have only certain values. */
export const SEGMENT_VALUE: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  status: LEAD_STATUS,
  verificationStatus: VERIFICATION,
  suppressionReason: SUPPRESSION_REASON,
  emailStatus: REVEAL,
  phoneStatus: REVEAL,
  emailProvider: { PROVIDERA: "Google", PROVIDERB: "Microsoft", OTHER: "another", UNKNOWN: "unknown" },
  "createdFrom.kind": SOURCES,
};

export const segmentWords = {
  filter: "Filter",
  group: "Group",
  combinator: "Leads in this list match",
  combinatorInside: "Leads match",
  combinators: { AND: "all of these conditions", OR: "any of these conditions" },
  condition: (place: string) => `Condition ${place}`,
  field: "Field",
  groups: { fields: "Lead", custom: "Custom fields", events: "Activity" },
  operator: "Comparison",
  value: "Value",
  from: "From",
  to: "To",
  days: "Days",
  several: "Values",
  lines: "One value per line.",
  choose: "Choose",
  chooseMore: "Choose another",
  leaveOut: (value: string) => `Leave out ${value}`,
  flags: { true: "yes", false: "no" },
  happened: "Happened",
  happens: { yes: "yes", no: "no" },
  withinDays: "Within days",
  ever: "Empty: at any time.",
  minCount: "At least",
  once: "Empty: once.",
  campaign: "Campaign",
  anyCampaign: "Any campaign",
  raw: "This condition was made through the API. It stays as it is, and you can remove it here.",
  add: "Add condition",
  addGroup: "Add group",
  remove: (place: string) => `Remove condition ${place}`,
  removeGroup: (place: string) => `Remove group ${place}`,
  everyone: "Without a condition, every lead is in this list.",
  emptyGroup: "Add a condition, or remove this group.",
  tooMany: (most: number) => `A filter has at most ${most} conditions.`,
  matching: "Leads that match",
  incomplete: "Complete each condition to see who matches.",
  match: (count: number) => counted(count, "lead matches now.", "leads match now."),
  first: (shown: number) => `The first ${shown}:`,
} as const;
