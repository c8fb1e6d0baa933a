import { z } from "zod";
import { settingsOf } from "../../domain/campaigns/settings.ts";
import { AppError } from "../../domain/errors.ts";
import { DAY_MS } from "../../domain/time/durations.ts";
import type { Campaign as CampaignDocument } from "../../models/campaign.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import { campaignOf } from "../../store/campaigns/load.ts";
import { type Move, moveCampaign } from "../../store/campaigns/status.ts";
import { invalidityOf, validationOf } from "../../store/campaigns/validation.ts";
import { choice } from "../choice.ts";
import type { Context } from "../context.ts";
import { operation } from "../operation.ts";
import { campaignId, wrongState } from "./find.ts";
import { moved } from "./moved.ts";
import { Campaign, Validation } from "./record.ts";

const GUARD_OVERRIDE_MS = DAY_MS;
const GUARDS: readonly (string | null)[] = ["BOUNCE_GUARD", "COMPLAINT_GUARD", "REPLY_RATE_FLOOR"];

const launch = operation({
  summary: "Start sending, now or at the campaign's start; answers launched false with what is wrong when it is not valid",
  scope: "campaigns:launch",
  sends: true,
  audits: "campaigns.launch",
  input: z.strictObject({ campaignId }),
  output: z.object({ launched: z.boolean(), validation: Validation, campaign: Campaign }),
  async run(ctx, { campaignId }) {
    for (;;) {
      const campaign = await campaignOf(ctx.workspaceId, campaignId);
      const validation = await validationOf(campaign);
      const to = targetOf(campaign);
      if (campaign.status === to || campaign.status === "ACTIVE") return { launched: true, validation, campaign };
      // A campaign that has ended is not scheduled: no such move stands among the states
      const isEnded = campaign.status === "COMPLETED" && to === "SCHEDULED";
      if (campaign.status === "ARCHIVED" || isEnded) throw wrongState(campaign, "launch");
      if (!validation.valid) return { launched: false, validation, campaign };
      const launched = await move(ctx, campaign, { from: ["DRAFT", "SCHEDULED", "PAUSED", "COMPLETED"], to });
      if (launched !== null) return { launched: true, validation, campaign: launched };
    }
  },
});

const pause = operation({
  summary: "Stop sending: once this has answered, nothing new leaves",
  scope: "campaigns:launch",
  audits: "campaigns.pause",
  input: z.strictObject({ campaignId }),
  output: Campaign,
  run: (ctx, { campaignId }) => moved(ctx, campaignId, "pause", { from: ["ACTIVE", "SCHEDULED"], to: "PAUSED", pauseReason: "MANUAL" }),
});

const resume = operation({
  summary: "Go on sending. What is overdue is spread by gap and window, never sent at once",
  scope: "campaigns:launch",
  sends: true,
  audits: "campaigns.resume",
  input: z.strictObject({ campaignId }),
  output: Campaign,
  async run(ctx, { campaignId }) {
    for (;;) {
      const campaign = await campaignOf(ctx.workspaceId, campaignId);
      if (campaign.status === "ACTIVE" || campaign.status === "SCHEDULED") return campaign;
      if (campaign.status !== "PAUSED") throw wrongState(campaign, "resume");
      const validation = await invalidityOf(campaign);
      if (validation !== null) throw new AppError("CAMPAIGN_NOT_VALID", "The campaign cannot be resumed as it is", { validation });
      const resumed = await move(ctx, campaign, { from: ["PAUSED"], to: targetOf(campaign) });
      if (resumed !== null) return resumed;
    }
  },
});

const complete = operation({
  summary: "End a campaign by hand: whoever is still open in it is written to no more",
  scope: "campaigns:launch",
  audits: "campaigns.complete",
  input: z.strictObject({ campaignId }),
  output: Campaign,
  run: (ctx, { campaignId }) =>
    moved(ctx, campaignId, "complete", { from: ["ACTIVE", "SCHEDULED", "PAUSED"], to: "COMPLETED", completedReason: "MANUAL" }),
});

export const control = choice("campaigns:launch", "Launch, pause or resume a campaign", { launch, pause, resume });

/** The tool takes one action more than REST does (interface 4.14). */
export const controlByTool = choice("campaigns:launch", "Launch, pause, resume or complete a campaign", {
  launch,
  pause,
  resume,
  complete,
});

/** ACTIVE, or SCHEDULED while its start is ahead. */
function targetOf({ settings }: CampaignDocument): "ACTIVE" | "SCHEDULED" {
  const { startAt } = settingsOf(settings);
  return startAt !== null && Date.parse(startAt) > Date.now() ? "SCHEDULED" : "ACTIVE";
}

/** At the version that was validated: an edit, or another launch, that came between makes this look again. */
function move(ctx: Context, campaign: CampaignDocument, move: Pick<Move, "from" | "to">): Promise<CampaignDocument | null> {
  const overrides = GUARDS.includes(campaign.pauseReason) && { guardOverrideUntil: new Date(Date.now() + GUARD_OVERRIDE_MS) };
  return inTransaction(() =>
    moveCampaign(ctx.workspaceId, campaign._id, { ...move, version: campaign.version, actor: ctx.credentialId, ...overrides }),
  );
}
