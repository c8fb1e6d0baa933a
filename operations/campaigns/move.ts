import type { Campaign } from "../../models/campaigns/campaign.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import { loadCampaign } from "../../store/campaigns/load.ts";
import { type Move, moveCampaign } from "../../store/campaigns/status.ts";
import type { Context } from "../context.ts";
import { refuseOtherVersion, wrongState } from "./find.ts";

/**
 * Moves a campaign to a status and returns it. A campaign that already has that status is returned unchanged. With a
 * `version`, only that version is moved.
 * @throws CAMPAIGN_NOT_FOUND, VERSION_CONFLICT, INVALID_STATE_TRANSITION
 */
export async function moveTo(
  ctx: Context,
  campaignId: string,
  action: string,
  move: Omit<Move, "actor">,
): Promise<Campaign> {
  const done = await inTransaction(() =>
    moveCampaign(ctx.workspaceId, campaignId, { ...move, actor: ctx.credentialId }),
  );
  if (done !== null) return done;
  const campaign = await loadCampaign(ctx.workspaceId, campaignId);
  refuseOtherVersion(campaign, move.version);
  if (campaign.status !== move.to) throw wrongState(campaign, action);
  return campaign;
}
