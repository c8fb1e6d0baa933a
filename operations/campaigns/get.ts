import { z } from "zod";
import { loadCampaign } from "../../store/campaigns/load.ts";
import { flag } from "../fields.ts";
import { operation } from "../operation.ts";
import { campaignId } from "./find.ts";
import { loadWithFigures, loadWithoutFigures } from "./full.ts";
import { CampaignRead } from "./record.ts";

export const get = operation({
  summary: "Read one campaign with its sending status, settings, sequence and metrics",
  scope: "campaigns:read",
  errors: ["CAMPAIGN_NOT_FOUND"],
  input: z.strictObject({
    campaignId,
    figures: flag.default(true).describe("false leaves out `metrics`, which take time to read"),
  }),
  output: CampaignRead,
  async run({ workspaceId }, { campaignId, figures }) {
    const campaign = await loadCampaign(workspaceId, campaignId);
    return figures ? loadWithFigures(campaign) : loadWithoutFigures(campaign);
  },
});
