import { z } from "zod";
import { LEAD_STATUSES, REVEAL_STATUSES, SUPPRESSION_REASONS, VERIFICATION_STATUSES } from "../../domain/states.ts";
import { nullable, optionalTime, record } from "../fields.ts";

const optionalText = nullable(z.string());

const fields = {
  email: z.string(),
  emailDomain: z.string(),
  secondaryEmails: z.array(z.string()),
  firstName: optionalText,
  lastName: optionalText,
  fullName: optionalText,
  company: optionalText,
  website: optionalText,
  jobTitle: optionalText,
  phone: optionalText,
  city: optionalText,
  state: optionalText,
  country: optionalText,
  timezone: optionalText,
  tags: z.array(z.string()),
  customFields: z.record(z.string(), z.unknown()),
  status: z.enum(LEAD_STATUSES),
  verificationStatus: z.enum(VERIFICATION_STATUSES),
  verifiedAt: optionalTime,
  emailStatus: z.enum(REVEAL_STATUSES),
  phoneStatus: z.enum(REVEAL_STATUSES),
  suppressed: z.boolean(),
  suppressionReason: nullable(z.enum(SUPPRESSION_REASONS)),
  suppressedAt: optionalTime,
  emailProvider: z.enum(["PROVIDERA", "PROVIDERB", "OTHER", "UNKNOWN"]),
  source: optionalText,
  lastContactedAt: optionalTime,
  lastRepliedAt: optionalTime,
};

export const shownFields = Object.keys(fields);

/** The lead of the interface (rules/states 1.5). */
export const Lead = record(fields).meta({ id: "Lead", description: "A person who may be written to" });

const inList = z.object({ id: z.string(), name: z.string() });
const inCampaign = z.object({
  id: z.string(),
  name: z.string(),
  recipientId: z.string(),
  status: z.string(),
  sentCount: z.number().int(),
  lastSentAt: optionalTime,
  repliedAt: optionalTime,
});

/** A single read of a lead, with its lists, its campaigns and the number of its notes. */
export const LeadInFull = record({ ...fields, lists: z.array(inList), campaigns: z.array(inCampaign), noteCount: z.number().int() }).meta({
  id: "LeadInFull",
  description: "A lead with its lists, campaigns and number of notes",
});
