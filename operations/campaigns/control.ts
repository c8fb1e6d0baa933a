import { z } from "zod";
import { settingsOf } from "../../domain/campaigns/settings.ts";
import { AppError } from "../../domain/errors.ts";
import { MISSING_CODES } from "../../domain/readiness.ts";
import { DAY_MS } from "../../domain/time/durations.ts";
import type { Campaign as CampaignDocument } from "../../models/campaigns/campaign.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import { loadCampaign } from "../../store/campaigns/load.ts";
import { type Move, moveCampaign } from "../../store/campaigns/status.ts";
import { invalidityOf, validateCampaign } from "../../store/campaigns/validation.ts";
import { choice } from "../choice.ts";
import { planning } from "../effects.ts";
import { operation } from "../operation.ts";
import type { Intent, SendingContext } from "../sending/permit.ts";
import { sendingOperation } from "../sending/sending-operation.ts";
import { scoreBlocked, scoringOf } from "./content-score.ts";
import { campaignId, expectedVersion, refuseOtherVersion, wrongState } from "./find.ts";
import { launchIntent, noIntent } from "./launch-effect.ts";
import { moveTo } from "./move.ts";
import { Campaign, Validation } from "./record.ts";

const input = z.strictObject({
  campaignId,
  expectedVersion: expectedVersion.describe(
    "The campaign's `version` that you have seen, as `validate` returns it. If the campaign has changed since, nothing happens: 409 VERSION_CONFLICT {currentVersion}. Default: any version",
  ),
});

const GUARD_OVERRIDE_MS = DAY_MS;
const GUARDS: readonly (string | null)[] = ["BOUNCE_GUARD", "COMPLAINT_GUARD", "REPLY_RATE_FLOOR"];

const waitingFor = z
  .array(
    z.object({
      code: z.enum(MISSING_CODES).describe("What is missing"),
      message: z.string().describe("What is missing, by name, and how to add it"),
    }),
  )
  .describe(
    "What this deployment needs before any email can leave. The campaign stays launched and sends once this is set up. Empty if nothing is missing",
  );

const launch = sendingOperation({
  summary:
    "Start sending, now or at the campaign's start. If the campaign is not valid, `launched` is false and `validation` says why; `waitingFor` lists what this deployment lacks to send",
  scope: "campaigns:launch",
  errors: ["CAMPAIGN_NOT_FOUND", "INVALID_STATE_TRANSITION", "VERSION_CONFLICT"],
  audits: "campaigns.launch",
  input: input.extend(planning),
  output: z.object({
    launched: z.boolean().describe("Whether the campaign is now running or scheduled"),
    validation: Validation.describe("The result of the check"),
    campaign: Campaign.describe("The campaign as it is now"),
    waitingFor,
  }),
  async run(ctx, { campaignId, expectedVersion }) {
    return {
      ...(await launchCampaign(ctx, campaignId, expectedVersion)),
      waitingFor: await ctx.services.engine.findMissing(),
    };
  },
});

async function launchCampaign(ctx: SendingContext, campaignId: string, expected: number | undefined) {
  for (;;) {
    const campaign = await loadCampaign(ctx.workspaceId, campaignId);
    refuseOtherVersion(campaign, expected);
    await scoreBlocked(ctx, campaign);
    const validation = await validateCampaign(campaign, scoringOf(ctx));
    const to = targetOf(campaign);
    if (campaign.status === to || campaign.status === "ACTIVE")
      return ctx.permit.unchanged(noIntent("LAUNCH"), async () => ({ launched: true, validation, campaign }));
    // A completed campaign cannot become SCHEDULED: the states have no such transition
    const isEnded = campaign.status === "COMPLETED" && to === "SCHEDULED";
    if (campaign.status === "ARCHIVED" || isEnded) throw wrongState(campaign, "launch");
    const intent = launchIntent(ctx, "LAUNCH", campaign, to);
    if (!validation.valid) return ctx.permit.unchanged(intent, async () => ({ launched: false, validation, campaign }));
    const launched = await move(ctx, campaign, intent, { from: ["DRAFT", "SCHEDULED", "PAUSED", "COMPLETED"], to });
    if (launched !== null) return { launched: true, validation, campaign: launched };
  }
}

const pause = operation({
  summary: "Stop sending: after this call returns, no new email leaves",
  scope: "campaigns:launch",
  errors: ["CAMPAIGN_NOT_FOUND", "INVALID_STATE_TRANSITION", "VERSION_CONFLICT"],
  audits: "campaigns.pause",
  stops: true,
  input,
  output: Campaign,
  async run(ctx, { campaignId, expectedVersion }) {
    const move = { from: ["ACTIVE", "SCHEDULED"], to: "PAUSED", pauseReason: "MANUAL" } as const;
    const paused = await moveTo(ctx, campaignId, "pause", {
      ...move,
      ...(expectedVersion !== undefined && { version: expectedVersion }),
    });
    // resumeSending resumes campaigns that the kill switch paused, so this pause must replace that reason
    if (paused.pauseReason !== "WORKSPACE_SUSPENDED") return paused;
    return moveTo(ctx, campaignId, "pause", { ...move, from: [...move.from, "PAUSED"] });
  },
});

const resume = sendingOperation({
  summary: "Resume sending. Overdue emails are spread by gap and window, never sent all at once",
  scope: "campaigns:launch",
  errors: ["CAMPAIGN_NOT_FOUND", "CAMPAIGN_NOT_VALID", "INVALID_STATE_TRANSITION", "VERSION_CONFLICT"],
  audits: "campaigns.resume",
  input: input.extend(planning),
  output: Campaign,
  async run(ctx, { campaignId, expectedVersion }) {
    for (;;) {
      const campaign = await loadCampaign(ctx.workspaceId, campaignId);
      refuseOtherVersion(campaign, expectedVersion);
      if (campaign.status === "ACTIVE" || campaign.status === "SCHEDULED")
        return ctx.permit.unchanged(noIntent("RESUME"), async () => campaign);
      if (campaign.status !== "PAUSED") throw wrongState(campaign, "resume");
      await scoreBlocked(ctx, campaign);
      const validation = await invalidityOf(campaign, scoringOf(ctx));
      if (validation !== null)
        throw new AppError(
          "CAMPAIGN_NOT_VALID",
          "The campaign has errors and cannot be resumed; `validation` lists them",
          { validation },
        );
      const to = targetOf(campaign);
      const resumed = await move(ctx, campaign, launchIntent(ctx, "RESUME", campaign, to), { from: ["PAUSED"], to });
      if (resumed !== null) return resumed;
    }
  },
});

const complete = operation({
  summary: "End a campaign by hand: its open recipients get no more emails",
  scope: "campaigns:launch",
  errors: ["CAMPAIGN_NOT_FOUND", "INVALID_STATE_TRANSITION", "VERSION_CONFLICT"],
  audits: "campaigns.complete",
  stops: true,
  input,
  output: Campaign,
  run: (ctx, { campaignId, expectedVersion }) =>
    moveTo(ctx, campaignId, "complete", {
      from: ["ACTIVE", "SCHEDULED", "PAUSED"],
      to: "COMPLETED",
      completedReason: "MANUAL",
      ...(expectedVersion !== undefined && { version: expectedVersion }),
    }),
});

export const control = choice("campaigns:launch", "Launch, pause, resume or complete a campaign", {
  launch,
  pause,
  resume,
  complete,
});

/** ACTIVE, or SCHEDULED while the campaign's start is in the future. */
function targetOf({ settings }: CampaignDocument): "ACTIVE" | "SCHEDULED" {
  const { startAt } = settingsOf(settings);
  return startAt !== null && Date.parse(startAt) > Date.now() ? "SCHEDULED" : "ACTIVE";
}

/**
 * Moves the campaign only at the validated version. Returns null after an edit or another launch in between; the caller
 * then tries again.
 */
function move(
  ctx: SendingContext,
  campaign: CampaignDocument,
  intent: Intent,
  move: Pick<Move, "from" | "to">,
): Promise<CampaignDocument | null> {
  const overrides = GUARDS.includes(campaign.pauseReason) && {
    guardOverrideUntil: new Date(Date.now() + GUARD_OVERRIDE_MS),
  };
  const wanted = { ...move, version: campaign.version, actor: ctx.credentialId, ...overrides };
  return ctx.permit.commit(intent, () => inTransaction(() => moveCampaign(ctx.workspaceId, campaign._id, wanted)));
}
