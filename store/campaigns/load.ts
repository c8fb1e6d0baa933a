import { AppError } from "../../domain/errors.ts";
import { Workspace } from "../../models/access/workspace.ts";
import type { Campaign } from "../../models/campaigns/campaign.ts";
import { scoped } from "../../models/scoped.ts";
import type { Sequence } from "../../models/sequences/sequence.ts";

/** @throws CAMPAIGN_NOT_FOUND */
export async function loadCampaign(workspaceId: string, campaignId: string): Promise<Campaign> {
  const campaign = await scoped(workspaceId).Campaign.get(campaignId);
  if (campaign === null) throw notFound();
  return campaign;
}

export async function loadSequence(workspaceId: string, campaignId: string): Promise<Sequence> {
  const sequence = await scoped(workspaceId).Sequence.findOne({ campaignId });
  if (sequence === null) throw notFound();
  return sequence;
}

export async function loadWorkspace(workspaceId: string): Promise<Workspace> {
  const workspace = await Workspace.findById(workspaceId).lean<Workspace>();
  if (workspace === null) throw new Error(`The workspace ${workspaceId} is gone`);
  return workspace;
}

function notFound(): AppError {
  return new AppError("CAMPAIGN_NOT_FOUND", "No campaign has this id");
}
