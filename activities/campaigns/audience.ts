import { readFilterRules } from "../../domain/leads/segment.ts";
import { Campaign } from "../../models/campaigns/campaign.ts";
import { LeadList } from "../../models/leads/lead-list.ts";
import { scoped } from "../../models/scoped.ts";
import { trusted } from "../../mongo/collection.ts";
import { addNewMembers, memberCountOf } from "../../store/campaigns/audience.ts";
import { BACKGROUND_MS } from "../../store/leads/segment.ts";
import { type RoundLog, throughAll } from "../round.ts";

export interface AudienceActivities {
  /** Returns how many lists were counted. */
  countLists(): Promise<number>;
  /** Returns how many recipients were added. */
  growCampaigns(): Promise<number>;
}

const PAGE = 100;
const ACROSS = { acrossWorkspaces: true };
const FAILED = "an audience was not refreshed";

/**
 * The activities that refresh the audiences of every workspace. A retry continues after the last audience that the
 * interrupted attempt finished.
 */
export function audienceActivities(log: RoundLog): AudienceActivities {
  return {
    countLists: () => throughAll((last) => lists(last), countList, log, FAILED),
    growCampaigns: () => throughAll((last) => campaigns(last), grow, log, FAILED),
  };
}

function lists(last: string): Promise<LeadList[]> {
  return LeadList.find({ type: "DYNAMIC", _id: trusted({ $gt: last }) }, null, ACROSS)
    .sort({ _id: 1 })
    .limit(PAGE)
    .lean<LeadList[]>()
    .exec();
}

/** If the filter rules changed meanwhile, the result is dropped, because that change has counted the members itself. */
async function countList({ workspaceId, _id, filterRules }: LeadList): Promise<number> {
  const counted = await memberCountOf(workspaceId, readFilterRules(filterRules), BACKGROUND_MS);
  if (counted.countedAt === null) throw new Error("Counting the audience took too long");
  return scoped(workspaceId).LeadList.updateOne({ _id, filterRules: trusted({ $eq: filterRules }) }, { $set: counted });
}

/**
 * Campaigns that may get new members. A campaign that was completed for another reason than running out of recipients
 * must be launched again first (rules/states 2.2).
 */
const GROWS = [
  { status: trusted({ $in: ["DRAFT", "SCHEDULED", "ACTIVE", "PAUSED"] }) },
  { status: "COMPLETED" as const, completedReason: "FINISHED" as const },
];

function campaigns(last: string): Promise<Campaign[]> {
  return Campaign.find({ status: trusted({ $ne: "ARCHIVED" }), _id: trusted({ $gt: last }) }, null, ACROSS)
    .where("settings.autoRefreshAudience", true)
    .sort({ _id: 1 })
    .limit(PAGE)
    .lean<Campaign[]>()
    .exec();
}

async function grow(campaign: Campaign, beat: () => void): Promise<number> {
  const { workspaceId, _id: campaignId, audienceListIds } = campaign;
  const { Campaign, LeadList } = scoped(workspaceId);
  const attached = await LeadList.find({ _id: trusted({ $in: audienceListIds }) });
  const read = () => Campaign.findOne({ _id: campaignId, "settings.autoRefreshAudience": true, $or: GROWS });
  let added = 0;
  for (const list of attached) {
    for await (const page of addNewMembers(campaign, list, { read, actor: null })) {
      added += page.added;
      beat();
    }
  }
  return added;
}
