import { z } from "zod";
import { AppError } from "../../domain/errors.ts";
import { blankLead, standingOf } from "../../domain/lead.ts";
import { normalizeAddress } from "../../domain/message.ts";
import { settingsOf } from "../../domain/settings.ts";
import { enrol, type SkipReason, skipReasons } from "../../ledger/enrol.ts";
import { trusted } from "../../models/collection.ts";
import { newId } from "../../models/ids.ts";
import type { Lead } from "../../models/lead.ts";
import { scoped } from "../../models/scoped.ts";
import { inTransaction } from "../../models/transaction.ts";
import { campaignId, campaignOf, editable, workspaceOf } from "../campaigns/find.ts";
import type { Context } from "../context.ts";
import { operation } from "../operation.ts";
import { Added } from "./record.ts";
import { statsOf } from "./stats.ts";

const PAGE = 1_000;
const SHOWN = 1_000;

export const addManual = operation({
  summary: "Add addresses to a campaign; leads are created for those that are new",
  scope: "recipients:write",
  input: z.strictObject({ campaignId, emails: z.array(z.string().max(1_000)).min(1).max(1_000) }),
  output: Added,
  async run(ctx, { campaignId, emails }) {
    await campaignOf(ctx.workspaceId, campaignId);
    const tally = newTally();
    const addresses = new Map<string, string>();
    for (const email of emails) {
      const read = normalizeAddress(email);
      if (read === null) skip(tally, email.slice(0, 320), "INVALID");
      else if (addresses.has(read.address)) tally.alreadyPresent++;
      else addresses.set(read.address, read.domain);
    }
    if (addresses.size > 0) await addPage(ctx, campaignId, tally, (reasons) => leadsFor(ctx, addresses, reasons), [...addresses.keys()]);
    return answerOf(ctx, campaignId, tally);
  },
});

export const addFromList = operation({
  summary: "Add every member of a lead list to a campaign, and attach the list",
  scope: "recipients:write",
  input: z.strictObject({ campaignId, leadListId: z.string().max(64) }),
  output: Added,
  async run(ctx, { campaignId, leadListId }) {
    const { Campaign, LeadList } = scoped(ctx.workspaceId);
    await inTransaction(async () => {
      const campaign = await editable(ctx.workspaceId, campaignId, undefined);
      if ((await LeadList.get(leadListId)) === null) throw new AppError("LIST_NOT_FOUND", "No lead list has this id");
      if (campaign.audienceListIds.includes(leadListId)) return;
      await Campaign.updateOne({ _id: campaignId }, { $addToSet: { audienceListIds: leadListId }, $inc: { version: 1 } });
    });
    const tally = newTally();
    await addMembers(ctx, campaignId, leadListId, tally);
    return answerOf(ctx, campaignId, tally);
  },
});

export const refreshAudience = operation({
  summary: "Add the new members of every list that is attached to a campaign; nobody is removed",
  scope: "recipients:write",
  input: z.strictObject({ campaignId }),
  output: Added,
  async run(ctx, { campaignId }) {
    const { audienceListIds } = await campaignOf(ctx.workspaceId, campaignId);
    const tally = newTally();
    for (const listId of audienceListIds) await addMembers(ctx, campaignId, listId, tally);
    return answerOf(ctx, campaignId, tally);
  },
});

interface Tally {
  added: number;
  alreadyPresent: number;
  leadsCreated: number;
  skippedCount: number;
  skipped: { email: string; reason: SkipReason }[];
}

function newTally(): Tally {
  return { added: 0, alreadyPresent: 0, leadsCreated: 0, skippedCount: 0, skipped: [] };
}

function skip(tally: Tally, email: string, reason: SkipReason): void {
  tally.skippedCount++;
  if (tally.skipped.length < SHOWN) tally.skipped.push({ email, reason });
}

async function answerOf({ workspaceId }: Context, campaignId: string, tally: Tally) {
  return { ...tally, total: (await statsOf(workspaceId, campaignId)).total };
}

const NEEDED = { email: 1, emailDomain: 1, timezone: 1, country: 1, state: 1, city: 1, verificationStatus: 1 } as const;

/** The members of a list in pages of 1,000, each in a transaction of its own. */
async function addMembers(ctx: Context, campaignId: string, listId: string, tally: Tally): Promise<void> {
  const { Lead } = scoped(ctx.workspaceId);
  for (let last = ""; ; ) {
    const members = { listIds: listId, _id: trusted({ $gt: last }) };
    const leads = await Lead.find(members, { sort: { _id: 1 }, limit: PAGE, select: NEEDED });
    if (leads.length === 0) return;
    const emails = leads.map(({ email }) => email);
    await addPage(ctx, campaignId, tally, async () => ({ leads, created: 0 }), emails);
    last = leads.at(-1)?._id ?? "";
  }
}

type Chosen = { leads: Lead[]; created: number };

async function addPage(
  ctx: Context,
  campaignId: string,
  tally: Tally,
  leadsOf: (reasons: ReadonlyMap<string, SkipReason>) => Promise<Chosen>,
  emails: string[],
): Promise<void> {
  const { timezone: workspaceZone } = await workspaceOf(ctx.workspaceId);
  const page = await inTransaction(async () => {
    const campaign = await editable(ctx.workspaceId, campaignId, undefined);
    const settings = settingsOf(campaign.settings);
    const present = await scoped(ctx.workspaceId).Recipient.find(
      { campaignId, email: trusted({ $in: emails }), status: trusted({ $ne: "SKIPPED" }) },
      { select: { email: 1 } },
    );
    const isPresent = new Set(present.map(({ email }) => email));
    const absent = emails.filter((email) => !isPresent.has(email));
    const reasons = await skipReasons(campaign, settings, absent);
    const { leads, created } = await leadsOf(reasons);
    for (const { email, verificationStatus } of leads)
      if (verificationStatus === "INVALID" && !reasons.has(email)) reasons.set(email, "INVALID");
    const joining = leads.filter(({ email }) => !isPresent.has(email) && !reasons.has(email));
    const joined = await enrol({ campaign, settings, leads: joining, workspaceZone, actor: ctx.credentialId });
    const skipped = absent.flatMap((email) => (reasons.get(email)?.length ? [{ email, reason: reasons.get(email) ?? "INVALID" }] : []));
    return { added: joined.added, alreadyPresent: joined.alreadyPresent + isPresent.size, created, skipped };
  });
  tally.added += page.added;
  tally.alreadyPresent += page.alreadyPresent;
  tally.leadsCreated += page.created;
  for (const { email, reason } of page.skipped) skip(tally, email, reason);
}

/** The leads of addresses, created where there is none, unless the address may not be written to. Call it in a transaction. */
async function leadsFor(ctx: Context, addresses: Map<string, string>, reasons: ReadonlyMap<string, SkipReason>): Promise<Chosen> {
  const { ActivityEvent, Lead } = scoped(ctx.workspaceId);
  const known = await Lead.find({ email: trusted({ $in: [...addresses.keys()] }) });
  const knownEmails = new Set(known.map(({ email }) => email));
  const missing = [...addresses].filter(([email]) => !knownEmails.has(email) && !reasons.has(email));
  const at = new Date();
  const rows = missing.map(([email, domain]) => ({
    _id: newId("led"),
    ...blankLead(email, domain),
    ...standingOf([], at),
    secondaryEmails: [],
    listIds: [],
    verifiedAt: null,
    emailStatus: "revealed" as const,
    emailProvider: "UNKNOWN" as const,
    source: "CAMPAIGN",
    lastContactedAt: null,
    lastRepliedAt: null,
  }));
  await Lead.bulk(rows.map((row) => ({ insert: row })));
  const events = rows.map(({ _id: leadId }) => ({
    insert: {
      ...{ _id: newId("evt"), type: "LEAD_CREATED", at, leadId, campaignId: null, recipientId: null, actor: ctx.credentialId },
      data: { source: "CAMPAIGN" },
    },
  }));
  await ActivityEvent.bulk(events);
  const created = rows.map((row) => ({ ...row, workspaceId: ctx.workspaceId, createdAt: at, updatedAt: at }));
  return { leads: [...known, ...created], created: rows.length };
}
