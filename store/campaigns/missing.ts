import type { Settings } from "../../domain/campaigns/settings.ts";
import { AppError } from "../../domain/errors.ts";
import { sentencePartOf } from "../../domain/lead-source.ts";
import { fallbackKeyOf, renderStep } from "../../domain/sequences/rendered-mail.ts";
import type { Step, Variant } from "../../domain/sequences/sequence.ts";
import { namesOfSteps } from "../../domain/sequences/variable-names.ts";
import { variantFor } from "../../domain/sequences/variant.ts";
import { OPEN } from "../../domain/states.ts";
import { foldVariableName, ownKey } from "../../domain/templates/liquid.ts";
import type { Workspace } from "../../models/access/workspace.ts";
import type { Campaign } from "../../models/campaigns/campaign.ts";
import type { Lead } from "../../models/leads/lead.ts";
import type { Mailbox } from "../../models/mailboxes/mailbox.ts";
import type { Recipient } from "../../models/recipients/recipient.ts";
import { scoped } from "../../models/scoped.ts";
import type { Sequence } from "../../models/sequences/sequence.ts";
import { trusted } from "../../mongo/collection.ts";

/** Everything that the emails of a campaign are rendered from, except the lead and the recipient. */
export interface RenderSources {
  workspace: Workspace;
  campaign: Campaign;
  settings: Settings;
  sequence: Sequence;
  mailbox: Mailbox | null;
}

/**
 * The maximum number of emails that one check renders. Rendering is slow, so only emails whose lead lacks a variable
 * are rendered.
 */
const MOST_RENDERED = 60;

/**
 * The recipients for whom the email of at least one step would have a missing value, with the names of those variables
 * (rules/mail 4.6).
 */
export function missingAmong(
  sources: RenderSources,
  recipients: Pick<Recipient, "_id" | "leadId" | "email" | "timezone" | "cid">[],
  leads: Map<string, Lead>,
): { email: string; names: string[] }[] {
  const used = new Map<Variant, string[]>();
  const found: { email: string; names: string[] }[] = [];
  let rendered = 0;
  for (const recipient of recipients) {
    const lead = leads.get(recipient.leadId);
    if (lead === undefined) continue;
    const names = new Set<string>();
    for (const [index, step] of sources.sequence.steps.entries()) {
      const variant = variantFor(step, recipient._id);
      if (variant === null || rendered >= MOST_RENDERED) continue;
      const wanted = used.get(variant) ?? missingFrom(sources, step, variant, index, null, null).used;
      used.set(variant, wanted);
      if (!wanted.some((name) => isBlank(lead, name))) continue;
      rendered++;
      for (const name of missingFrom(sources, step, variant, index, lead, recipient).missing) names.add(name);
    }
    if (names.size > 0) found.push({ email: recipient.email, names: [...names] });
  }
  return found;
}

function missingFrom(
  sources: RenderSources,
  step: Step,
  variant: Variant,
  index: number,
  lead: Lead | null,
  recipient: Pick<Recipient, "_id" | "timezone" | "cid"> | null,
): { missing: string[]; used: string[] } {
  try {
    const { missingVariables, usedVariables } = renderStep({
      ...sources,
      step,
      variant,
      lead,
      recipient,
      now: new Date(),
      zone: recipient?.timezone ?? sources.settings.timezone,
      unsubscribeLink: "https://example.org/u/sample",
      isFirst: index === 0,
      openingSubject: index === 0 || step.threadMode === "NEW_THREAD" ? null : "-",
    });
    return { missing: missingVariables, used: usedVariables };
  } catch (err) {
    if (!(err instanceof AppError)) throw err;
    return { missing: [], used: [] }; // A template that does not render is reported as an error of its own
  }
}

/** Variables that every lead has, because the service provides them. */
const OURS = new Set(
  [
    "email",
    "emailDomain",
    "senderName",
    "senderFirstName",
    "senderEmail",
    "senderCompany",
    "signature",
    "unsubscribeLink",
    "cid",
  ]
    .concat(["campaignName", "today", "weekday"])
    .map(foldVariableName),
);

const SPINTAX = /\{[^{}]*\|[^{}]*\}/;

/**
 * The leads with braces and bars in a value that an email shows. Spintax is resolved before values are inserted, so
 * such a value is sent unchanged (rules/mail 4.4).
 */
export function spintaxAmong(
  { sequence }: RenderSources,
  leads: readonly Lead[],
): { email: string; names: string[] }[] {
  const used = [...new Set(namesOfSteps(sequence.steps).flatMap(({ names }) => names))];
  return leads.flatMap((lead) => {
    const names = used.filter((name) => SPINTAX.test(String(leadValueOf(lead, name) ?? "")));
    return names.length === 0 ? [] : [{ email: lead.email, names }];
  });
}

function isBlank(lead: Lead, name: string): boolean {
  if (OURS.has(foldVariableName(name))) return foldVariableName(name).startsWith("sender");
  const value = leadValueOf(lead, name);
  // A value that is itself an unrendered placeholder counts as missing
  return value === null || value === undefined || String(value).trim() === "" || String(value).includes("{{");
}

/** The lead's value for a variable name; null when there is none. */
function leadValueOf(lead: Lead, name: string): unknown {
  if (foldVariableName(name) === "lead.source")
    return lead.createdFrom ? sentencePartOf(lead.createdFrom, "UTC") : null;
  const key = name.replace(/^customFields\./, "");
  const field = ownKey(lead, key) ?? null;
  const custom = ownKey(lead.customFields, key) ?? null;
  if (field !== null && key === name) return Reflect.get(lead, field);
  return custom === null ? null : lead.customFields[custom];
}

/** The maximum number of people that are checked while a user types. */
const MOST_LOOKED_AT = 1_000;

/**
 * How many of the people who will still be emailed lack each of these variables, the most frequently missing one first.
 */
export async function countLacking(
  { campaign, settings }: RenderSources,
  used: readonly string[],
): Promise<{ lacking: { name: string; count: number }[]; lookedAt: number }> {
  const names = used.filter((name) => !hasFallback(settings, name));
  const { leads, lookedAt } = await findLacking(campaign, names);
  return { lacking: leads.map(({ name, all }) => ({ name, count: all.length })), lookedAt };
}

/** The people who will still be emailed and lack each of these variables, the most frequently missing one first. */
async function findLacking({ workspaceId, _id: campaignId }: Campaign, used: readonly string[]) {
  const { Lead, Recipient } = scoped(workspaceId);
  const open = { campaignId, status: trusted({ $in: [...OPEN] }) };
  const people = await Recipient.find(open, { limit: MOST_LOOKED_AT, select: { leadId: 1 } });
  const names = used.filter((name) => !OURS.has(foldVariableName(name)));
  const found =
    names.length === 0 ? [] : await Lead.find({ _id: trusted({ $in: people.map(({ leadId }) => leadId) }) });
  const leads = names.map((name) => ({ name, all: found.filter((lead) => isBlank(lead, name)) }));
  return {
    leads: leads.filter(({ all }) => all.length > 0).sort((a, b) => b.all.length - a.all.length),
    lookedAt: people.length,
  };
}

/** How many people lack each variable that a campaign's emails use, and whether a fallback replaces it. */
export async function countLackingIn(
  sources: RenderSources,
): Promise<{ name: string; count: number; hasFallback: boolean }[]> {
  const mails = sources.sequence.steps.flatMap((step, index) =>
    step.variants.filter(({ enabled }) => enabled).map((variant) => ({ step, index, variant })),
  );
  const missingFor = (lead: Lead | null) =>
    mails.map(({ step, index, variant }) => missingFrom(sources, step, variant, index, lead, null));
  const { leads } = await findLacking(sources.campaign, [...new Set(missingFor(null).flatMap(({ used }) => used))]);
  return leads.map(({ name, all: [first = null, ...others] }) => ({
    name,
    count: others.length + 1,
    hasFallback: !missingFor(first).some(({ missing }) => missing.includes(name)),
  }));
}

function hasFallback({ missingVariablePolicy, variableFallbacks }: Settings, name: string): boolean {
  return missingVariablePolicy === "FALLBACK" && fallbackKeyOf(variableFallbacks, name) !== undefined;
}
