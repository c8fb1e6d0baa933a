import { z } from "zod";
import { CAMPAIGN_TYPES } from "../../domain/states.ts";
import { scoped } from "../../models/scoped.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import { loadCampaign } from "../../store/campaigns/load.ts";
import { name } from "../fields.ts";
import { operation } from "../operation.ts";
import { texts } from "./create.ts";
import { campaignId, expectedVersion, loadEditable, wrongState } from "./find.ts";
import { loadInFull } from "./full.ts";
import { CampaignInFull } from "./record.ts";

export const update = operation({
  summary: "Change a campaign's own fields; the type only while it is a draft",
  scope: "campaigns:write",
  errors: ["CAMPAIGN_NOT_FOUND", "INVALID_STATE_TRANSITION", "VERSION_CONFLICT"],
  input: z.strictObject({
    campaignId,
    expectedVersion,
    name: name.optional().describe("A new name"),
    ...texts,
    type: z.enum(CAMPAIGN_TYPES).optional().describe("SEQUENCE or ONE_OFF; fixed after DRAFT"),
  }),
  output: CampaignInFull,
  async run({ workspaceId }, { campaignId, expectedVersion, ...fields }) {
    await inTransaction(async () => {
      const campaign = await loadEditable(workspaceId, campaignId, expectedVersion);
      const changed = Object.entries(fields).filter(
        ([field, value]) => value !== undefined && value !== Reflect.get(campaign, field),
      );
      if (changed.length === 0) return;
      if (fields.type !== undefined && fields.type !== campaign.type && campaign.status !== "DRAFT") {
        throw wrongState(campaign, "change the type");
      }
      await scoped(workspaceId).Campaign.updateOne(
        { _id: campaignId },
        { $set: Object.fromEntries(changed), $inc: { version: 1 } },
      );
    });
    return loadInFull(await loadCampaign(workspaceId, campaignId));
  },
});
