import { Context } from "@temporalio/activity";
import { readFilterRules } from "../../domain/leads/segment.ts";
import { Campaign } from "../../models/campaign.ts";
import { LeadList } from "../../models/lead-list.ts";
import { scoped } from "../../models/scoped.ts";
import { trusted } from "../../mongo/collection.ts";
import { addNewMembers, memberCountOf } from "../../store/campaigns/audience.ts";
import { BACKGROUND_MS } from "../../store/leads/segment.ts";

export interface AudienceActivities {
  /** Returns how many lists were counted. */
  countLists(): Promise<number>;
  /** Returns how many recipients were added. */
  growCampaigns(): Promise<number>;
}

/** Where the fault of a single list or campaign is logged. */
export interface AudienceLog {
  warn(fields: object, message: string): void;
}

const PAGE = 100;
const ACROSS = { acrossWorkspaces: true };

/**
 * The activities of the round over the audiences of every workspace. An attempt that was interrupted continues after the last audience that
 * was done.
 */
export function audienceActivities(log: AudienceLog): AudienceActivities {
  return {
    countLists: () => throughAll((last) => lists(last), countList, log),
    growCampaigns: () => throughAll((last) => campaigns(last), grow, log),
  };
}

interface Named {
  _id: string;
  workspaceId: string;
}

/** Works through all of them by id; a failing one is left to the next round, unless `MOST_FAILURES` fail in a row. */
async function throughAll<T extends Named>(
  pageAfter: (last: string) => Promise<T[]>,
  work: (one: T, beat: () => void) => Promise<number>,
  log: AudienceLog,
): Promise<number> {
  const context = Context.current();
  const told: unknown = context.info.heartbeatDetails;
  let last = typeof told === "string" ? told : "";
  let sum = 0;
  let failures = 0;
  for (;;) {
    const page = await pageAfter(last);
    if (page.length === 0) return sum;
    for (const one of page) {
      context.cancellationSignal.throwIfAborted();
      try {
        sum += await work(one, () => context.heartbeat(last));
        failures = 0;
      } catch (error) {
        failures++;
        log.warn({ err: error, id: one._id, workspaceId: one.workspaceId }, "an audience was not refreshed");
        if (failures >= MOST_FAILURES) throw error;
      }
      last = one._id;
      context.heartbeat(last);
    }
  }
}

/** Consecutive failures after which the database itself must be failing. */
const MOST_FAILURES = 10;

function lists(last: string): Promise<LeadList[]> {
  return LeadList.find({ type: "DYNAMIC", _id: trusted({ $gt: last }) }, null, ACROSS)
    .sort({ _id: 1 })
    .limit(PAGE)
    .lean<LeadList[]>()
    .exec();
}

/** If the rules were changed meanwhile, that change has counted them. */
async function countList({ workspaceId, _id, filterRules, updatedAt }: LeadList): Promise<number> {
  const counted = await memberCountOf(workspaceId, readFilterRules(filterRules), BACKGROUND_MS);
  if (counted.countedAt === null) throw new Error("Counting took too long");
  return scoped(workspaceId).LeadList.updateOne({ _id, updatedAt }, { $set: counted });
}

/**
 * Campaigns that may take in new members; a campaign that ended for another reason than running out of recipients needs a launch
 * (rules/states 2.2).
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
