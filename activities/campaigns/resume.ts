import type { CampaignIds } from "../../domain/workflow-contract.ts";
import { scoped } from "../../models/scoped.ts";
import { bringForwardCampaign } from "../../store/recipients/bring-forward.ts";
import { wakeParked, wakeUnbooked } from "../../store/recipients/waking.ts";
import { waking } from "../mailboxes/freed.ts";

/**
 * Lets an active campaign's people go on: those who were parked while it was not, and, where its limits, gaps or hours have changed,
 * whatever these had pushed away. Answers how many were woken.
 */
export async function resume({ workspaceId, campaignId }: CampaignIds): Promise<number> {
  const parked = await wakeParked(workspaceId, campaignId, waking());
  const { Campaign } = scoped(workspaceId);
  const campaign = await Campaign.get(campaignId);
  if (campaign?.status !== "ACTIVE" || campaign.freedAt == null) return parked;
  const freed = (await wakeUnbooked(workspaceId, campaignId, waking())) + (await bringForwardCampaign(workspaceId, campaignId, waking()));
  // A change that came meanwhile is looked at by itself
  await Campaign.updateOne({ _id: campaignId, freedAt: campaign.freedAt }, { $set: { freedAt: null } });
  return parked + freed;
}
