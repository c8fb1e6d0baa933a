import { z } from "zod";
import { CAMPAIGN_STATUSES } from "../../domain/states.ts";
import { moveCampaign } from "../../ledger/campaign-status.ts";
import { inTransaction } from "../../models/transaction.ts";
import { choice } from "../choice.ts";
import { operation } from "../operation.ts";
import { campaignId, campaignOf, wrongState } from "./find.ts";
import { Campaign } from "./record.ts";

const LIVING = CAMPAIGN_STATUSES.filter((status) => status !== "ARCHIVED");

export const archive = operation({
  summary: "Put a campaign away: sending stops, its recipients stay as they are, nothing of it can be changed",
  scope: "campaigns:write",
  audits: "campaigns.archive",
  input: z.strictObject({ campaignId }),
  output: Campaign,
  async run({ workspaceId, credentialId }, { campaignId }) {
    const move = { from: LIVING, to: "ARCHIVED" as const, actor: credentialId };
    return (await inTransaction(() => moveCampaign(workspaceId, campaignId, move))) ?? campaignOf(workspaceId, campaignId);
  },
});

export const unarchive = operation({
  summary: "Take a campaign out of the archive, paused",
  scope: "campaigns:write",
  audits: "campaigns.unarchive",
  input: z.strictObject({ campaignId }),
  output: Campaign,
  async run({ workspaceId, credentialId }, { campaignId }) {
    const move = { from: ["ARCHIVED" as const], to: "PAUSED" as const, pauseReason: "UNARCHIVED" as const, actor: credentialId };
    const moved = await inTransaction(() => moveCampaign(workspaceId, campaignId, move));
    if (moved !== null) return moved;
    const campaign = await campaignOf(workspaceId, campaignId);
    if (campaign.status !== "PAUSED") throw wrongState(campaign, "unarchive");
    return campaign;
  },
});

/** What the tool of the archive bundles; over REST there is `archive` alone (interface 4.2). */
export const manage = choice("campaigns:write", "Archive a campaign, or take it out again", { archive, unarchive }, "archive");
