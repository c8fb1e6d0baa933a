import type { CampaignIds } from "../../domain/workflow-contract.ts";
import { scoped } from "../../models/scoped.ts";
import { bringForwardCampaign } from "../../store/recipients/bring-forward.ts";
import { wakeParked, wakeUnbooked } from "../../store/recipients/waking.ts";
import { settleEdit } from "../../store/sequences/settle-edit.ts";
import { createWake } from "../mailboxes/freed.ts";

/**
 * Wakes the recipients of an active campaign: those that were parked while it was not active and, if its limits, gaps or hours have
 * changed, those whose mail these had delayed. Before that it carries out what an edit of the sequence has left to do. Returns how many were
 * woken.
 */
export async function resume({ workspaceId, campaignId }: CampaignIds): Promise<number> {
  const { Campaign } = scoped(workspaceId);
  const edited = await Campaign.get(campaignId);
  if (edited?.status === "ACTIVE" && edited.unsettled) await settleEdit(workspaceId, campaignId);
  const parked = await wakeParked(workspaceId, campaignId, createWake());
  const campaign = await Campaign.get(campaignId);
  if (campaign?.status !== "ACTIVE" || campaign.freedAt == null) return parked;
  const freed =
    (await wakeUnbooked(workspaceId, campaignId, createWake())) + (await bringForwardCampaign(workspaceId, campaignId, createWake()));
  // A change that came meanwhile is handled on its own
  await Campaign.updateOne({ _id: campaignId, freedAt: campaign.freedAt }, { $set: { freedAt: null } });
  return parked + freed;
}
