import { settingsOf } from "../../domain/campaigns/settings.ts";
import { type CampaignFinding, finding } from "../../domain/sequences/check.ts";
import { OPEN } from "../../domain/states.ts";
import { isZone } from "../../domain/time/schedule.ts";
import type { Campaign } from "../../models/campaigns/campaign.ts";
import type { Lead } from "../../models/leads/lead.ts";
import type { Recipient } from "../../models/recipients/recipient.ts";
import { scoped } from "../../models/scoped.ts";
import { trusted } from "../../mongo/collection.ts";
import { findSendable } from "../suppression/sendable.ts";
import { findWouldBeHeldOut } from "./hold-out.ts";
import { missingAmong, type RenderSources, spintaxAmong } from "./missing.ts";

/**
 * How many recipients a check reads, so that it is as fast for 100,000 recipients as for 1,000. The result states this
 * number.
 */
const SAMPLE = 100;
const SHOWN = 10;

export interface AudienceCheck {
  hasOpen: boolean;
  warnings: CampaignFinding[];
}

/** Whether the campaign has any open recipient left. */
export async function hasOpenRecipient({ workspaceId, _id: campaignId }: Campaign): Promise<boolean> {
  return (await scoped(workspaceId).Recipient.findOne({ campaignId, status: trusted({ $in: [...OPEN] }) })) !== null;
}

/**
 * How many recipients have not ended. Each status is counted separately, because MongoDB then counts index keys without
 * reading documents, which takes a third of the time. The counts run one after the other, since a transaction may be
 * open.
 */
export async function countOpen({ workspaceId, _id: campaignId }: Campaign): Promise<number> {
  let count = 0;
  for (const status of OPEN) count += await scoped(workspaceId).Recipient.count({ campaignId, status });
  return count;
}

/** How many of the open recipients may still receive email, and how many will be in the hold-out group instead. */
export async function countWritable(campaign: Campaign): Promise<{ open: number; heldOut: number }> {
  const { workspaceId, _id: campaignId, settings } = campaign;
  const [all, heldOut] = await Promise.all([
    countOpen(campaign),
    findWouldBeHeldOut(workspaceId, campaignId, settingsOf(settings)),
  ]);
  return { open: Math.max(0, all - heldOut.size), heldOut: heldOut.size };
}

/** Problems of the first open recipients of a campaign. */
export async function checkAudience(sources: RenderSources): Promise<AudienceCheck> {
  const { workspaceId, _id: campaignId } = sources.campaign;
  const { Lead, Recipient } = scoped(workspaceId);
  const recipients = await Recipient.find(
    { campaignId, status: trusted({ $in: [...OPEN] }) },
    { limit: SAMPLE, select: { email: 1, leadId: 1, timezone: 1, cid: 1 } },
  );
  if (recipients.length === 0) return { hasOpen: false, warnings: [] };
  const [leads, unreachable, twice] = await Promise.all([
    Lead.find({ _id: trusted({ $in: recipients.map(({ leadId }) => leadId) }) }),
    findSuppressed(workspaceId, recipients),
    findElsewhere(workspaceId, campaignId, recipients),
  ]);
  const warnings = [
    missingWarning(missingAmong(sources, recipients, new Map(leads.map((lead) => [lead._id, lead])))),
    spintaxWarning(spintaxAmong(sources, leads)),
    emailsWarning("UNVERIFIED_RECIPIENTS", "have not been verified", findUnverified(leads)),
    emailsWarning("UNKNOWN_TIMEZONE", "have a time zone that does not exist", inNoZone(leads)),
    emailsWarning("SUPPRESSED_RECIPIENTS", "are suppressed and will not get email", unreachable),
    emailsWarning("DUPLICATES_IN_OTHER_CAMPAIGNS", "are open in another active campaign", twice),
  ];
  return { hasOpen: true, warnings: warnings.filter((warning) => warning !== null) };
}

function missingWarning(missing: { email: string; names: string[] }[]): CampaignFinding | null {
  if (missing.length === 0) return null;
  const details = { count: missing.length, sample: missing.slice(0, SHOWN), sampled: SAMPLE };
  return finding(
    "MISSING_VARIABLES",
    `${missing.length} of the first ${SAMPLE} recipients lack a variable`,
    null,
    details,
  );
}

function spintaxWarning(found: { email: string; names: string[] }[]): CampaignFinding | null {
  if (found.length === 0) return null;
  const names = [...new Set(found.flatMap((each) => each.names))];
  const details = { count: found.length, names, sample: found.slice(0, SHOWN), sampled: SAMPLE };
  const message = `${found.length} of the first ${SAMPLE} recipients have braces with choices in ${names.join(", ")}, which are sent unchanged`;
  return finding("SPINTAX_IN_VALUE", message, null, details);
}

function emailsWarning(code: string, what: string, emails: string[]): CampaignFinding | null {
  if (emails.length === 0) return null;
  const details = { count: emails.length, sample: emails.slice(0, SHOWN), sampled: SAMPLE };
  return finding(code, `${emails.length} of the first ${SAMPLE} recipients ${what}`, null, details);
}

function findUnverified(leads: Lead[]): string[] {
  return leads.filter(({ verificationStatus }) => verificationStatus !== "VALID").map(({ email }) => email);
}

function inNoZone(leads: Lead[]): string[] {
  return leads
    .filter(({ timezone }) => timezone !== null && timezone.trim() !== "" && !isZone(timezone.trim()))
    .map(({ email }) => email);
}

async function findSuppressed(workspaceId: string, recipients: Recipient[]): Promise<string[]> {
  const emails = recipients.map(({ email }) => email);
  const reachable = new Set(await findSendable(workspaceId, emails));
  return emails.filter((email) => !reachable.has(email));
}

async function findElsewhere(workspaceId: string, campaignId: string, recipients: Recipient[]): Promise<string[]> {
  const { Campaign, Recipient } = scoped(workspaceId);
  const same = await Recipient.find(
    {
      email: trusted({ $in: recipients.map(({ email }) => email) }),
      status: trusted({ $in: [...OPEN] }),
      campaignId: trusted({ $ne: campaignId }),
    },
    { limit: SAMPLE * 2, select: { email: 1, campaignId: 1 } },
  );
  const active = await Campaign.find(
    { _id: trusted({ $in: [...new Set(same.map(({ campaignId }) => campaignId))] }), status: "ACTIVE" },
    { select: { _id: 1 } },
  );
  const ids = new Set(active.map(({ _id }) => _id));
  return [...new Set(same.filter(({ campaignId }) => ids.has(campaignId)).map(({ email }) => email))];
}
