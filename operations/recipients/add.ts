import { z } from "zod";
import { AppError } from "../../domain/errors.ts";
import { applyLeadChange, blankLead, LEAD_TEXTS } from "../../domain/leads/lead.ts";
import type { CampaignStatus } from "../../domain/states.ts";
import { partsOfName, readAddress, type WrittenAddress } from "../../domain/values/address.ts";
import type { Campaign } from "../../models/campaigns/campaign.ts";
import type { Lead } from "../../models/leads/lead.ts";
import type { LeadList } from "../../models/leads/lead-list.ts";
import { scoped } from "../../models/scoped.ts";
import { trusted } from "../../mongo/collection.ts";
import { newId } from "../../mongo/ids.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import { addNewMembers, type Joined, joinCampaign, membersOf } from "../../store/campaigns/audience.ts";
import { loadCampaign } from "../../store/campaigns/load.ts";
import { countUse } from "../../store/daily-caps.ts";
import { newLead } from "../../store/leads/new-lead.ts";
import type { SkipReason } from "../../store/recipients/enrol.ts";
import { campaignId, expectedVersion, loadEditable, refuseOtherVersion } from "../campaigns/find.ts";
import { actorOf, type Context } from "../context.ts";
import { operation } from "../operation.ts";
import { runs } from "../sending/causes.ts";
import { Added } from "./record.ts";
import { forgetStats, statsOf } from "./stats.ts";

const SHOWN = 1_000;

export const addManual = operation({
  summary: "Add addresses to a campaign; new addresses become leads",
  scope: "recipients:write",
  errors: ["CAMPAIGN_NOT_FOUND", "INVALID_STATE_TRANSITION", "LIMIT_EXCEEDED", "VERSION_CONFLICT"],
  effects: { SENDS: runs },
  input: z.strictObject({
    campaignId,
    expectedVersion,
    emails: z
      .array(z.string().max(1_000))
      .min(1)
      .max(1_000)
      .describe("1 to 1,000 addresses. A new lead takes the name in `Ada Lovelace <ada@x.example>`"),
  }),
  output: Added,
  async run(ctx, { campaignId, expectedVersion, emails }) {
    await loadCampaign(ctx.workspaceId, campaignId);
    const tally = newTally();
    const addresses = new Map<string, WrittenAddress>();
    for (const email of emails) {
      const read = readAddress(email);
      for (const other of read?.others ?? []) skip(tally, other, "INVALID");
      if (read === null) skip(tally, email.slice(0, 320), "INVALID");
      else if (addresses.has(read.address)) tally.alreadyPresent++;
      else addresses.set(read.address, read);
    }
    if (addresses.size > 0) {
      const page = await inTransaction(async () => {
        const campaign = await loadEditable(ctx.workspaceId, campaignId, expectedVersion);
        let leadsCreated = 0;
        const leadsOf = async (refused: ReadonlyMap<string, SkipReason>) => {
          const { leads, created } = await leadsFor(ctx, addresses, refused, campaign);
          leadsCreated = created;
          return leads;
        };
        const joined = await joinCampaign({
          campaign,
          emails: [...addresses.keys()],
          leadsOf,
          takesBack: true,
          actor: ctx.credentialId,
        });
        return { ...joined, leadsCreated };
      });
      note(tally, page);
      tally.leadsCreated += page.leadsCreated;
    }
    return answerOf(ctx, campaignId, tally);
  },
});

/** The statuses in which a campaign sends nothing until a person launches or resumes it. */
const AT_REST: ReadonlySet<CampaignStatus> = new Set(["DRAFT", "PAUSED"]);

export const addFromList = operation({
  summary: "Add all members of a lead list to a campaign, and attach the list. A DYNAMIC list is evaluated now",
  scope: "recipients:write",
  errors: ["CAMPAIGN_NOT_FOUND", "INVALID_STATE_TRANSITION", "LIST_NOT_FOUND", "VERSION_CONFLICT"],
  effects: { SENDS: runs },
  input: z.strictObject({
    campaignId,
    expectedVersion,
    leadListId: z.string().max(64).describe("The id of the lead list: `lst_…`"),
  }),
  output: Added,
  async run(ctx, { campaignId, expectedVersion, leadListId }) {
    const { list, status } = await attach(ctx.workspaceId, campaignId, leadListId, expectedVersion);
    const mustRest = expectedVersion !== undefined && AT_REST.has(status);
    const tally = newTally();
    for await (const leads of membersOf(list)) {
      const page = await inTransaction(async () => {
        const campaign = await loadEditable(ctx.workspaceId, campaignId, undefined);
        // Otherwise a launch between two pages would email the rest without a shown effect
        if (mustRest && !AT_REST.has(campaign.status)) refuseOtherVersion(campaign, expectedVersion);
        const emails = leads.map(({ email }) => email);
        return joinCampaign({ campaign, emails, leadsOf: async () => leads, takesBack: true, actor: ctx.credentialId });
      });
      note(tally, page);
    }
    return answerOf(ctx, campaignId, tally);
  },
});

export const refreshAudience = operation({
  summary:
    "Add new members of all lists attached to a campaign. No one is removed, and removed recipients stay removed",
  scope: "recipients:write",
  errors: ["CAMPAIGN_NOT_FOUND", "INVALID_STATE_TRANSITION"],
  effects: { SENDS: runs },
  input: z.strictObject({ campaignId }),
  output: Added,
  async run(ctx, { campaignId }) {
    const campaign = await loadEditable(ctx.workspaceId, campaignId, undefined);
    const lists = await scoped(ctx.workspaceId).LeadList.find({ _id: trusted({ $in: campaign.audienceListIds }) });
    const tally = newTally();
    const read = () => loadEditable(ctx.workspaceId, campaignId, undefined);
    for (const list of lists) {
      for await (const page of addNewMembers(campaign, list, { read, actor: ctx.credentialId })) note(tally, page);
    }
    return answerOf(ctx, campaignId, tally);
  },
});

/** @throws CAMPAIGN_NOT_FOUND, LIST_NOT_FOUND, INVALID_STATE_TRANSITION, VERSION_CONFLICT */
function attach(
  workspaceId: string,
  campaignId: string,
  listId: string,
  expectedVersion: number | undefined,
): Promise<{ list: LeadList; status: CampaignStatus }> {
  return inTransaction(async () => {
    const { Campaign, LeadList } = scoped(workspaceId);
    const campaign = await loadEditable(workspaceId, campaignId, expectedVersion);
    const list = await LeadList.get(listId);
    if (list === null) throw new AppError("LIST_NOT_FOUND", "No lead list has this id");
    if (!campaign.audienceListIds.includes(listId)) {
      await Campaign.updateOne({ _id: campaignId }, { $addToSet: { audienceListIds: listId }, $inc: { version: 1 } });
    }
    return { list, status: campaign.status };
  });
}

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

function note(tally: Tally, { added, alreadyPresent, skipped }: Joined): void {
  tally.added += added;
  tally.alreadyPresent += alreadyPresent;
  for (const { email, reason } of skipped) skip(tally, email, reason);
}

function skip(tally: Tally, email: string, reason: SkipReason): void {
  tally.skippedCount++;
  if (tally.skipped.length < SHOWN) tally.skipped.push({ email, reason });
}

async function answerOf({ workspaceId }: Context, campaignId: string, tally: Tally) {
  forgetStats(campaignId);
  return { ...tally, total: (await statsOf(workspaceId, campaignId)).total };
}

type Chosen = { leads: Lead[]; created: number };

/**
 * Finds the leads of addresses. Missing leads are created, unless the address may not be contacted. Call it in a
 * transaction.
 */
async function leadsFor(
  ctx: Context,
  addresses: ReadonlyMap<string, WrittenAddress>,
  reasons: ReadonlyMap<string, SkipReason>,
  campaign: Pick<Campaign, "_id" | "name">,
): Promise<Chosen> {
  const { ActivityEvent, Lead } = scoped(ctx.workspaceId);
  const existingLeads = await Lead.find({ email: trusted({ $in: [...addresses.keys()] }) });
  const knownEmails = new Set(existingLeads.map(({ email }) => email));
  const missing = [...addresses.values()].filter(({ address }) => !knownEmails.has(address) && !reasons.has(address));
  await countUse(ctx.workspaceId, "IMPORTED_ROWS", missing.length, "emails");
  const at = new Date();
  const from = { kind: "CAMPAIGN", actor: actorOf(ctx), name: campaign.name, id: campaign._id, at } as const;
  const rows = missing.map((written) => newLead(namedLead(written), [], { ...from, source: "CAMPAIGN" }));
  await Lead.bulk(rows.map((row) => ({ insert: row })));
  const events = rows.map(({ _id: leadId }) => ({
    insert: {
      _id: newId("evt"),
      type: "LEAD_CREATED",
      at,
      leadId,
      campaignId: null,
      recipientId: null,
      actor: ctx.credentialId,
      data: { source: "CAMPAIGN" },
    },
  }));
  await ActivityEvent.bulk(events);
  const created = rows.map((row) => ({ ...row, workspaceId: ctx.workspaceId, createdAt: at, updatedAt: at }));
  return { leads: [...existingLeads, ...created], created: rows.length };
}

/** A lead with the address and with the name in `Ada Lovelace <ada@x.example>`. A name that is too long is left out. */
function namedLead({ address, domain, name }: WrittenAddress) {
  const blank = blankLead(address, domain);
  const isName = name !== null && [...name].length <= LEAD_TEXTS.fullName;
  return isName ? applyLeadChange(blank, partsOfName(name)) : blank;
}
