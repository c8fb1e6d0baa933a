import { z } from "zod";
import { AppError } from "../../domain/errors.ts";
import { LEAD_ACTOR_KINDS } from "../../domain/lead-source.ts";
import {
  LEAD_SOURCE_KINDS,
  LEAD_STATUSES,
  REVEAL_STATUSES,
  SUPPRESSION_REASONS,
  VERIFICATION_STATUSES,
} from "../../domain/states.ts";
import { VERIFICATION_REASONS } from "../../domain/verification.ts";
import type { Lead as StoredLead } from "../../models/leads/lead.ts";
import { scoped } from "../../models/scoped.ts";
import { describedIds } from "../described-ids.ts";
import { nullable, optionalTime, record, time } from "../fields.ts";
import { OpenPromise } from "../inbox/open-promises.ts";

const { recipientId } = describedIds;

const optionalText = nullable(z.string());

const Source = z
  .object({
    kind: z
      .enum(LEAD_SOURCE_KINDS)
      .describe(
        "API or MANUAL: created alone, MANUAL by a signed-in person. IMPORT: from a file or rows. CAMPAIGN: an address that was added to a campaign. CRM. PROSPECT: from the lead search. REFERRAL: named in a reply",
      ),
    at: time.describe("When the lead was created"),
    actor: nullable(
      z.object({
        kind: z.enum(LEAD_ACTOR_KINDS).describe("The kind of credential"),
        id: z.string().describe("The id of the key, of the connector, or of the person"),
      }),
    ).describe("Who created it; null if unknown"),
    name: optionalText.describe("The name of the file, the campaign, the CRM or the prospect list"),
    id: optionalText.describe("The id of the campaign, the CRM connection, the prospect list or the thread"),
  })
  .meta({ id: "LeadSource", description: "What a lead was created from" });

const fields = {
  email: z.string().describe("The address, lower case"),
  emailDomain: z.string().describe("Its domain"),
  secondaryEmails: z.array(z.string()).describe("Other addresses from which the lead has replied"),
  firstName: optionalText.describe("First name"),
  lastName: optionalText.describe("Last name"),
  fullName: optionalText.describe("Full name. Default: first and last name joined"),
  company: optionalText.describe("Company"),
  website: optionalText.describe("Website"),
  jobTitle: optionalText.describe("Job title"),
  phone: optionalText.describe("Phone number"),
  city: optionalText.describe("City"),
  state: optionalText.describe("State or region"),
  country: optionalText.describe("Country: ISO 3166, two letters"),
  timezone: optionalText.describe("IANA time zone"),
  tags: z.array(z.string()).describe("Its tags"),
  customFields: z.record(z.string(), z.unknown()).describe("Its values of custom fields, by key"),
  status: z.enum(LEAD_STATUSES).describe("Its status"),
  verificationStatus: z.enum(VERIFICATION_STATUSES).describe("The verification result of the address"),
  verifiedAt: optionalTime.describe("When the address was verified"),
  emailStatus: z.enum(REVEAL_STATUSES).describe("Whether the address is known"),
  phoneStatus: z.enum(REVEAL_STATUSES).describe("Whether the phone number is known"),
  suppressed: z.boolean().describe("Whether the lead is suppressed"),
  suppressionReason: nullable(z.enum(SUPPRESSION_REASONS)).describe("Why the lead is suppressed"),
  suppressedAt: optionalTime.describe("When the lead was suppressed"),
  emailProvider: z.enum(["PROVIDERA", "PROVIDERB", "OTHER", "UNKNOWN"]).describe("The mail provider of the address"),
  source: optionalText.describe("Where the lead came from"),
  createdFrom: nullable(Source).describe(
    "What the lead was created from; never changes. Null for leads of versions that did not record it",
  ),
  lastContactedAt: optionalTime.describe("When an email was last sent to the lead"),
  lastRepliedAt: optionalTime.describe("When the lead last replied"),
};

export const shownFields = Object.keys(fields);

/** The lead as the API shows it (rules/states 1.5). */
export const Lead = record(fields).meta({ id: "Lead", description: "A person whom campaigns may contact" });

const inList = z.object({
  id: z.string().describe("The id of the list"),
  name: z.string().describe("The name of the list"),
});
const inCampaign = z.object({
  id: z.string().describe("The id of the campaign"),
  name: z.string().describe("The name of the campaign"),
  recipientId,
  status: z.string().describe("The status of the recipient"),
  sentCount: z.number().int().describe("Emails sent to the recipient"),
  lastSentAt: optionalTime.describe("When the last email was sent"),
  repliedAt: optionalTime.describe("When the recipient first replied"),
});

const Evidence = z.object({
  reason: z.enum(VERIFICATION_REASONS).describe("Why the address has its result"),
  isDisposable: z.boolean().describe("Whether its domain gives out temporary addresses"),
  isRole: z.boolean().describe("Whether the address belongs to a role, not a person, such as info@"),
  isFreeMail: z.boolean().describe("Whether anyone can get an address at its domain"),
  suggestion: optionalText.describe("The probably intended address"),
  mailHost: optionalText.describe("The server that receives its mail"),
  smtpCode: nullable(z.number().int()).describe("The SMTP reply code of that server; null when it was not asked"),
  enhancedCode: optionalText.describe("The enhanced status code, such as 5.1.1"),
  foundAt: z
    .preprocess((at) => (typeof at === "number" ? new Date(at).toISOString() : at), z.iso.datetime())
    .describe("When the result was found; may be earlier than `verifiedAt`"),
});

/** A single lead with its lists, its campaigns, its open promises and its number of notes. */
export const LeadInFull = record({
  ...fields,
  verification: nullable(Evidence).describe(
    "The evidence for `verificationStatus`; null if the address is not verified",
  ),
  lists: z.array(inList).describe("The STATIC lists of the lead"),
  campaigns: z.array(inCampaign).describe("The campaigns of the lead"),
  promises: nullable(z.array(OpenPromise)).describe(
    "Open promises that the lead made in emails, the newest 20; null for a credential without inbox:read",
  ),
  noteCount: z.number().int().describe("The number of notes on the lead"),
}).meta({
  id: "LeadInFull",
  description: "A lead with its lists, campaigns and number of notes",
});

/** @throws AppError LEAD_NOT_FOUND */
export async function loadLead(workspaceId: string, leadId: string): Promise<StoredLead> {
  const lead = await scoped(workspaceId).Lead.get(leadId);
  if (lead === null) throw new AppError("LEAD_NOT_FOUND", "No lead has this id");
  return lead;
}
