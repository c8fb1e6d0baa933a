import { z } from "zod";
import { loadCampaign } from "../../store/campaigns/load.ts";
import { validateCampaign } from "../../store/campaigns/validation.ts";
import { operation } from "../operation.ts";
import { scoreCampaign, scoringOf } from "./content-score.ts";
import { campaignId } from "./find.ts";
import { Validation } from "./record.ts";

export const validate = operation({
  summary: "Check whether a campaign could be launched, without launching it",
  scope: "campaigns:read",
  errors: ["CAMPAIGN_NOT_FOUND"],
  input: z.strictObject({ campaignId }),
  output: Validation,
  async run(ctx, { campaignId }) {
    const campaign = await loadCampaign(ctx.workspaceId, campaignId);
    await scoreCampaign(ctx, campaign);
    return validateCampaign(campaign, scoringOf(ctx));
  },
});
