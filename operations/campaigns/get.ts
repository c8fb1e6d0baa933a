import { z } from "zod";
import { loadCampaign } from "../../store/campaigns/load.ts";
import { operation } from "../operation.ts";
import { campaignId } from "./find.ts";
import { loadInFull } from "./full.ts";
import { CampaignInFull } from "./record.ts";

export const get = operation({
  summary: "Read one campaign with its sending status, settings, sequence and metrics",
  scope: "campaigns:read",
  errors: ["CAMPAIGN_NOT_FOUND"],
  input: z.strictObject({ campaignId }),
  output: CampaignInFull,
  async run({ workspaceId }, { campaignId }) {
    return loadInFull(await loadCampaign(workspaceId, campaignId));
  },
});
