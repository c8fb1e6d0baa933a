import { z } from "zod";
import { CAMPAIGN_STATUSES } from "../../domain/states.ts";
import { choice } from "../choice.ts";
import { operation } from "../operation.ts";
import { campaignId } from "./find.ts";
import { moveTo } from "./move.ts";
import { Campaign } from "./record.ts";

const LIVING = CAMPAIGN_STATUSES.filter((status) => status !== "ARCHIVED");

const archive = operation({
  summary: "Archive a campaign: sending stops, its recipients stay as they are, and it can no longer be changed",
  scope: "campaigns:write",
  errors: ["CAMPAIGN_NOT_FOUND", "INVALID_STATE_TRANSITION"],
  audits: "campaigns.archive",
  input: z.strictObject({ campaignId }),
  output: Campaign,
  run: (ctx, { campaignId }) => moveTo(ctx, campaignId, "archive", { from: LIVING, to: "ARCHIVED" }),
});

const unarchive = operation({
  summary: "Take a campaign out of the archive, paused",
  scope: "campaigns:write",
  errors: ["CAMPAIGN_NOT_FOUND", "INVALID_STATE_TRANSITION"],
  audits: "campaigns.unarchive",
  input: z.strictObject({ campaignId }),
  output: Campaign,
  run: (ctx, { campaignId }) =>
    moveTo(ctx, campaignId, "unarchive", { from: ["ARCHIVED"], to: "PAUSED", pauseReason: "UNARCHIVED" }),
});

/** A call that names no action archives. */
export const manage = choice(
  "campaigns:write",
  "Archive a campaign, or take it out again",
  { archive, unarchive },
  "archive",
);
