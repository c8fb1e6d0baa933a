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
 * The round over the campaigns of every workspace that counts what has happened up to the last full hour, and the days
 * that have changed since (rules/analytics 2).
 */
export function rollUpActivities(log: RoundLog): RollUpActivities {
  const zones = new Map<string, string>();
  return {
    rollUpDays() {
      zones.clear();
      // One instant for all campaigns, so that a report reads the uncounted part of all of them together
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
