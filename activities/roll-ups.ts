import { isZone } from "../domain/time/schedule.ts";
import { Workspace } from "../models/access/workspace.ts";
import { Campaign } from "../models/campaigns/campaign.ts";
import { trusted } from "../mongo/collection.ts";
import { rollUp, settledAt } from "../store/analytics/roll-up.ts";
import { type RoundLog, throughAll } from "./round.ts";

export interface RollUpActivities {
  /** Returns how many days of campaigns were counted. */
  rollUpDays(): Promise<number>;
}

const PAGE = 100;

/**
 * Counts the events of every workspace's campaigns up to the last full hour, and counts days again whose events have
 * changed since (rules/analytics 2).
 */
export function rollUpActivities(log: RoundLog): RollUpActivities {
  const zones = new Map<string, string>();
  return {
    rollUpDays() {
      zones.clear();
      // All campaigns are counted up to one time, so that a report can count everything after it with one query
      const until = settledAt(Date.now());
      const rollUpCampaign = async (campaign: Campaign, beat: () => void) =>
        rollUp(campaign, await workspaceZoneOf(campaign.workspaceId), until, beat);
      return throughAll(campaigns, rollUpCampaign, log, "the days of a campaign were not counted");
    },
  };

  async function workspaceZoneOf(workspaceId: string): Promise<string> {
    const cachedZone = zones.get(workspaceId);
    if (cachedZone !== undefined) return cachedZone;
    const workspace = await Workspace.findById(workspaceId, { timezone: 1 }).lean<Pick<Workspace, "timezone">>();
    const zone = workspace !== null && isZone(workspace.timezone) ? workspace.timezone : "UTC";
    zones.set(workspaceId, zone);
    return zone;
  }
}

function campaigns(last: string): Promise<Campaign[]> {
  return Campaign.find({ _id: trusted({ $gt: last }) }, { workspaceId: 1, createdAt: 1 }, { acrossWorkspaces: true })
    .sort({ _id: 1 })
    .limit(PAGE)
    .lean<Campaign[]>()
    .exec();
}
