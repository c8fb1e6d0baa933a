import { z } from "zod";
import { AppError } from "../../domain/errors.ts";
import type { Campaign } from "../../models/campaign.ts";
import { scoped } from "../../models/scoped.ts";
import type { Sequence } from "../../models/sequence.ts";
import { Workspace } from "../../models/workspace.ts";

export const campaignId = z.string().max(64);
export const expectedVersion = z.number().int().min(1).optional();

/** @throws CAMPAIGN_NOT_FOUND */
export async function campaignOf(workspaceId: string, campaignId: string): Promise<Campaign> {
  const campaign = await scoped(workspaceId).Campaign.get(campaignId);
  if (campaign === null) throw notFound();
  return campaign;
}

export async function sequenceOf(workspaceId: string, campaignId: string): Promise<Sequence> {
  const sequence = await scoped(workspaceId).Sequence.findOne({ campaignId });
  if (sequence === null) throw notFound();
  return sequence;
}

export async function workspaceOf(workspaceId: string): Promise<Workspace> {
  const workspace = await Workspace.findById(workspaceId).lean<Workspace>();
  if (workspace === null) throw new Error(`The workspace ${workspaceId} is gone`);
  return workspace;
}

/**
 * The campaign as it may be edited. Call it in the transaction of the edit.
 * @throws CAMPAIGN_NOT_FOUND, VERSION_CONFLICT {currentVersion}, INVALID_STATE_TRANSITION for an archived one
 */
export async function editable(workspaceId: string, campaignId: string, expected: number | undefined): Promise<Campaign> {
  const campaign = await campaignOf(workspaceId, campaignId);
  if (campaign.status === "ARCHIVED") throw wrongState(campaign, "update");
  if (expected !== undefined && expected !== campaign.version) {
    throw new AppError("VERSION_CONFLICT", "The campaign has changed since it was read", { currentVersion: campaign.version });
  }
  return campaign;
}

export function wrongState({ status }: Campaign, action: string): AppError {
  return new AppError("INVALID_STATE_TRANSITION", `A campaign that is ${status} cannot do this: ${action}`, { from: status, action });
}

function notFound(): AppError {
  return new AppError("CAMPAIGN_NOT_FOUND", "No campaign has this id");
}
