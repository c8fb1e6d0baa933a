import { z } from "zod";
import { CAMPAIGN_STATUSES } from "../../domain/states.ts";
import { choice } from "../choice.ts";
import { operation } from "../operation.ts";
import { campaignId } from "./find.ts";
import { moveTo } from "./move.ts";
import { Campaign } from "./record.ts";

const LIVING = CAMPAIGN_STATUSES.filter((status) => status !== "ARCHIVED");

const archive = operation({
  summary: "Archive a campaign: it stops sending, its recipients stay as they are, and no one can change it",
  scope: "campaigns:write",
  errors: ["CAMPAIGN_NOT_FOUND", "INVALID_STATE_TRANSITION"],
  audits: "campaigns.archive",
  input: z.strictObject({ campaignId }),
  output: Campaign,
  run: (ctx, { campaignId }) => moveTo(ctx, campaignId, "archive", { from: LIVING, to: "ARCHIVED" }),
});

const unarchive = operation({
  summary: "Restore a campaign from the archive, paused",
  scope: "campaigns:write",
  errors: ["CAMPAIGN_NOT_FOUND", "INVALID_STATE_TRANSITION"],
  audits: "campaigns.unarchive",
  input: z.strictObject({ campaignId }),
  output: Campaign,
  run: (ctx, { campaignId }) =>
    moveTo(ctx, campaignId, "unarchive", { from: ["ARCHIVED"], to: "PAUSED", pauseReason: "UNARCHIVED" }),
});

/** The default action is `archive`. */
export const manage = choice("campaigns:write", "Archive a campaign, or restore it", { archive, unarchive }, "archive");
