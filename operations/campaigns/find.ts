import { z } from "zod";
import { AppError } from "../../domain/errors.ts";
import type { Campaign } from "../../models/campaigns/campaign.ts";
import { loadCampaign } from "../../store/campaigns/load.ts";
import { describedIds } from "../described-ids.ts";

export const campaignId = describedIds.campaignId;
export const expectedVersion = z
  .number()
  .int()
  .min(1)
  .optional()
  .describe("The version that you have read; if it has changed: 409 VERSION_CONFLICT");

/**
 * Loads a campaign that may be edited. Call it in the transaction of the edit.
 * @throws CAMPAIGN_NOT_FOUND, VERSION_CONFLICT {currentVersion}, INVALID_STATE_TRANSITION for an archived one
 */
export async function loadEditable(
  workspaceId: string,
  campaignId: string,
  expected: number | undefined,
): Promise<Campaign> {
  const campaign = await loadCampaign(workspaceId, campaignId);
  if (campaign.status === "ARCHIVED") throw wrongState(campaign, "update");
  refuseOtherVersion(campaign, expected);
  return campaign;
}

/** @throws VERSION_CONFLICT {currentVersion} when the caller expects another version of the campaign */
export function refuseOtherVersion({ version: currentVersion }: Campaign, expected: number | undefined): void {
  if (expected === undefined || expected === currentVersion) return;
  throw new AppError("VERSION_CONFLICT", "The campaign has changed since you read it", { currentVersion });
}

export function wrongState({ status }: Campaign, action: string): AppError {
  return new AppError(
    "INVALID_STATE_TRANSITION",
    `The action is not possible while the campaign is ${status}: ${action}`,
    {
      from: status,
      action,
    },
  );
}
