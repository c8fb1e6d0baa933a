import type { Settings } from "../../domain/campaigns/settings.ts";
import { addressHashOf } from "../../domain/leads/address-hash.ts";
import { companyDomain } from "../../domain/mail/message.ts";
import type { HadStep } from "../../domain/sequences/graph.ts";
import { OPEN } from "../../domain/states.ts";
import { resolveZone } from "../../domain/time/resolve-zone.ts";
import type { Campaign } from "../../models/campaigns/campaign.ts";
import type { Lead } from "../../models/leads/lead.ts";
import type { Recipient } from "../../models/recipients/recipient.ts";
import { scoped } from "../../models/scoped.ts";
import { trusted } from "../../mongo/collection.ts";
import { newId, randomBase62 } from "../../mongo/ids.ts";
import { shardOf } from "../campaigns/gates.ts";
import { moveCampaign } from "../campaigns/status.ts";
import { wordsOf } from "../leads/search-words.ts";
import { nudge } from "../outbox.ts";
import { findBlocked } from "../suppression/block-list.ts";
import { isErasedAddress } from "../suppression/guard-id.ts";
import { loadHolds, noteUnderQuestions } from "../suppression/open-questions.ts";
import { loadGuardReasons } from "../suppression/suppress.ts";
import { findErased } from "./erased.ts";
import { resumeRecipient } from "./resume.ts";

export type SkipReason = "INVALID" | "SUPPRESSED" | "BLOCK_LISTED" | "IN_OTHER_CAMPAIGN";

/** Why these addresses may not join a campaign; allowed addresses are absent. At most 1,000. */
export async function skipReasons(
  campaign: Campaign,
  settings: Settings,
  emails: string[],
): Promise<Map<string, SkipReason>> {
  const { workspaceId } = campaign;
  const reasons = new Map<string, SkipReason>();
  if (settings.skipDuplicatesInOtherCampaigns) {
    for (const email of await openElsewhere(campaign, emails)) reasons.set(email, "IN_OTHER_CAMPAIGN");
  }
  for (const email of await findBlocked(workspaceId, emails)) reasons.set(email, "BLOCK_LISTED");
  for (const [email, guards] of await loadGuardReasons(workspaceId, emails)) {
    reasons.set(email, guards.some((guard) => guard !== "BLOCK_LISTED") ? "SUPPRESSED" : "BLOCK_LISTED");
  }
  return reasons;
}

/** Addresses that are open recipients of another active campaign (rules/sending 1.3). */
async function openElsewhere({ workspaceId, _id }: Campaign, emails: string[]): Promise<string[]> {
  const { Campaign, Recipient } = scoped(workspaceId);
  const open = {
    email: trusted({ $in: emails }),
    status: trusted({ $in: [...OPEN] }),
    campaignId: trusted({ $ne: _id }),
  };
  const rows = await Recipient.find(open, { select: { email: 1, campaignId: 1 } });
  if (rows.length === 0) return [];
  const campaignIds = [...new Set(rows.map(({ campaignId }) => campaignId))];
  const active = await Campaign.find({ _id: trusted({ $in: campaignIds }), status: "ACTIVE" }, { select: { _id: 1 } });
  const isActive = new Set(active.map((campaign) => campaign._id));
  return rows.filter(({ campaignId }) => isActive.has(campaignId)).map(({ email }) => email);
}

export interface Enrolment {
  campaign: Campaign;
  settings: Settings;
  /** Leads that have no reason to be skipped, each address once, at most 1,000. */
  leads: Pick<Lead, "_id" | "email" | "emailDomain" | "timezone" | "country" | "state" | "city" | "searchWords">[];
  workspaceZone: string;
  /** The credential of the caller; null for the service itself. */
  actor: string | null;
}

/**
 * Adds leads as recipients, and resumes recipients that were removed or skipped. Updates the campaign's count. An
 * active campaign is notified, and a finished one becomes active again (rules/states 2.2). Call it in a transaction.
 */
export async function enrol({
  campaign,
  settings,
  leads: chosen,
  workspaceZone,
  actor,
}: Enrolment): Promise<{ added: number; alreadyPresent: number }> {
  const { workspaceId, _id: campaignId } = campaign;
  const { ActivityEvent, Campaign, Recipient } = scoped(workspaceId);
  const leads = await keepPresent(workspaceId, chosen);
  const present = await Recipient.find({ campaignId, email: trusted({ $in: leads.map(({ email }) => email) }) });
  const recipientByEmail = new Map(present.map((recipient) => [recipient.email, recipient]));
  const emptied = await findEmptied(campaign, leads);
  const fresh = leads.filter(({ _id, email }) => !recipientByEmail.has(email) && !emptied.has(_id));
  const back = await reviveAll(campaign, present);
  const holds = await loadHolds(
    workspaceId,
    fresh.map(({ email }) => email),
  );
  const rows = fresh.map((lead) => {
    const row = newRecipient(campaignId, lead, [settings.timezone, workspaceZone]);
    return holds.has(lead.email) ? { ...row, ...HELD } : row;
  });
  await Recipient.bulk(rows.map((row) => ({ insert: row })));
  for (const { _id, email } of rows) await noteUnderQuestions(workspaceId, holds.get(email) ?? [], [_id]);
  const at = new Date();
  const joined = [...rows, ...back].map(({ _id: recipientId, leadId }) => ({
    insert: { _id: newId("evt"), type: "ADDED_TO_CAMPAIGN", at, leadId, campaignId, recipientId, actor, data: {} },
  }));
  await ActivityEvent.bulk(joined);
  const added = rows.length + back.length;
  if (added === 0) return { added, alreadyPresent: leads.length };
  const counted = rows.length + back.filter(isHidden).length;
  await Campaign.updateOne({ _id: campaignId }, { $inc: { recipientCount: counted } });
  await reopenCampaign(campaign, actor);
  return { added, alreadyPresent: leads.length - added };
}

/**
 * The leads that still exist with the same address: a list is read before the transaction. Touching them makes a
 * deletion or a new address at the same moment conflict, because an email must reach neither a deleted person nor a
 * former address.
 */
async function keepPresent(workspaceId: string, leads: Enrolment["leads"]): Promise<Enrolment["leads"]> {
  const { Lead } = scoped(workspaceId);
  const touches = leads.map(({ _id, email }) => ({ filter: { _id, email }, change: { $inc: { touches: 1 } } }));
  if (await Lead.wroteAll(touches)) return leads;
  const ids = leads.map(({ _id }) => _id);
  const found = await Lead.find({ _id: trusted({ $in: ids }) }, { select: { email: 1 } });
  const emailById = new Map(found.map(({ _id, email }) => [_id, email]));
  return leads.filter(({ _id, email }) => emailById.get(_id) === email);
}

/**
 * The leads whose recipients in the campaign were emptied by a retention, and those with an address of such a recipient.
 * They must not get the campaign again.
 */
async function findEmptied(
  { workspaceId, _id: campaignId }: Campaign,
  leads: readonly Pick<Lead, "_id" | "email">[],
): Promise<Set<string>> {
  const found = await scoped(workspaceId).Recipient.find(
    { leadId: trusted({ $in: leads.map(({ _id }) => _id) }), campaignId },
    { hint: "workspaceId_1_leadId_1", select: { leadId: 1, email: 1 } },
  );
  const erased = await findErased(
    workspaceId,
    campaignId,
    leads.map(({ email }) => email),
  );
  return new Set([
    ...found.flatMap(({ leadId, email }) => (isErasedAddress(email) ? [leadId] : [])),
    ...leads.flatMap(({ _id, email }) => (erased.has(email) ? [_id] : [])),
  ]);
}

/**
 * Whether the recipient was removed before any email. Such a recipient appears in no list and no count (rules/states
 * 3.2).
 */
function isHidden({ stopReason, sentCount }: Pick<Recipient, "stopReason" | "sentCount">): boolean {
  return stopReason === "REMOVED" && sentCount === 0;
}

async function reviveAll(campaign: Campaign, present: Recipient[]): Promise<Recipient[]> {
  // A recipient in the hold-out group stays in it (rules/tracking 6.1)
  const skipped = present.filter(({ status, stopReason }) => status === "SKIPPED" && stopReason !== "HOLD_OUT");
  if (skipped.length === 0) return [];
  const sequence = await scoped(campaign.workspaceId).Sequence.findOne({ campaignId: campaign._id });
  const back: Recipient[] = [];
  for (const recipient of skipped) {
    if (await resumeRecipient(campaign.workspaceId, recipient, sequence?.steps ?? [])) back.push(recipient);
  }
  return back;
}

async function reopenCampaign(
  { workspaceId, _id: campaignId, status, completedReason }: Campaign,
  actor: string | null,
): Promise<void> {
  if (status === "COMPLETED" && completedReason === "FINISHED") {
    await moveCampaign(workspaceId, campaignId, { from: ["COMPLETED"], to: "ACTIVE", actor });
  } else if (status === "ACTIVE") {
    await nudge(workspaceId, "CAMPAIGN", { campaignId });
  }
}

function newRecipient(
  campaignId: string,
  lead: Enrolment["leads"][number],
  zones: string[],
): Omit<Recipient, "workspaceId" | "createdAt" | "updatedAt"> {
  const _id = newId("rcp");
  const { timezone: leadTimezone, country, state, city } = lead;
  return {
    _id,
    campaignId,
    leadId: lead._id,
    email: lead.email,
    addressHash: addressHashOf(lead.email),
    companyDomain: companyDomain(lead.emailDomain),
    status: "PENDING",
    timezone: resolveZone({ leadTimezone, country, state, city }, zones).zone,
    cid: randomBase62(14),
    shard: shardOf(_id),
    searchWords: wordsOf(lead.email, lead),
    ...UNTOUCHED,
    variantByStep: {},
    missingVariables: [],
  };
}

/** Someone whose possible opt-out is undecided waits in every campaign until it is decided (rules/states 5.4). */
const HELD = { status: "PAUSED", pauseReason: "APPROVAL_REQUIRED" } as const;

/** The defaults of all fields, because bulk writes apply none. */
const UNTOUCHED = {
  pauseReason: null,
  pausedUntil: null,
  stopReason: null,
  currentStepId: null,
  nextStepId: null,
  nextSendAt: null,
  mailboxId: null,
  threadId: null,
  sentCount: 0,
  lastSentAt: null,
  openedAt: null,
  proxyOpenedAt: null,
  clickedAt: null,
  repliedAt: null,
  autoRepliedAt: null,
  bouncedAt: null,
  bounce: null,
  unsubscribedAt: null,
  meetingBooked: false,
  meetingBookedAt: null,
  revenueAmount: null,
  revenueCurrency: null,
  revenueCounted: null,
  outcomeNotes: null,
  reportedOutcome: null,
  admittedAt: null,
  assignedAt: null,
  assignedShare: null,
  parkedEpoch: null,
  awaitedMailboxId: null,
  due: null,
  had: [] as HadStep[],
  claims: 0,
  thread: null,
} as const;
