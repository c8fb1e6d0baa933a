import { createHash } from "node:crypto";
import { z } from "zod";
import { CONTENT_SCORE, type ContentVerdict } from "../../domain/campaigns/content-score.ts";
import { settingsOf } from "../../domain/campaigns/settings.ts";
import { AppError } from "../../domain/errors.ts";
import type { Campaign } from "../../models/campaigns/campaign.ts";
import {
  forgetUnscored,
  keepUnscored,
  loadVerdicts,
  type ScorableVariant,
  type Scoring,
  scorableMail,
  scorableVariants,
  scoreIdOf,
} from "../../store/campaigns/content-scores.ts";
import { loadCampaignSources } from "../../store/campaigns/validation.ts";
import { contentScoreRun } from "../../temporal/runs.ts";
import type { Context } from "../context.ts";
import type { RenderedFor } from "./rendering.ts";

export const ContentScore = z
  .object({
    score: z.number().describe("The sum of the points of all rules; a higher score is more like spam"),
    required: z.number().describe("The score from which the filter treats an email as spam"),
    action: z
      .string()
      .describe("What the filter would do with the email, such as `no action`, `add header` (into Junk) or `reject`"),
    reasons: z
      .array(
        z.object({
          name: z.string().describe("The rule"),
          score: z.number().describe("The points that the rule adds"),
          description: z.string().nullable().describe("What the rule checks; null if the filter does not say"),
        }),
      )
      .describe("Rules that count against the email, most points first, at most 20"),
  })
  .meta({ id: "ContentScore", description: "How the spam filter of this deployment rates an email" });

/** The settings that scoring needs; null if no filter is set up. */
export function scoringOf({ services: { settings } }: Context): Scoring {
  return settings.rspamdUrl === null ? null : { trackUrl: settings.trackUrl };
}

/** The filter's verdict on one email; null if no filter is set up or answers in time, or the email has no sender. */
export async function scoreRendered(ctx: Context, mail: RenderedFor): Promise<ContentVerdict | null> {
  const scoring = scoringOf(ctx);
  const scorable = scoring === null ? null : scorableMail(mail.sources, mail, scoring.trackUrl);
  if (scorable === null) return null;
  const scoreId = scoreIdOf(ctx.workspaceId, scorable);
  const verdicts = await loadVerdicts(ctx.workspaceId, [scoreId]);
  if (verdicts.has(scoreId)) return verdicts.get(scoreId) ?? null;
  await ask(ctx, [{ scoreId, mail: scorable }]);
  return (await loadVerdicts(ctx.workspaceId, [scoreId])).get(scoreId) ?? null;
}

/** Asks the filter about the emails of a campaign that it has not seen yet. The validation reads its verdicts. */
export async function scoreCampaign(ctx: Context, campaign: Campaign): Promise<void> {
  const scoring = scoringOf(ctx);
  if (scoring === null) return;
  await ask(ctx, scorableVariants(await loadCampaignSources(campaign), scoring.trackUrl));
}

/**
 * Scores the campaign like `scoreCampaign`, but only if a warning of the filter blocks the launch. Other launches do
 * not wait for the filter.
 */
export async function scoreBlocked(ctx: Context, campaign: Campaign): Promise<void> {
  if (settingsOf(campaign.settings).launchBlockers.includes("CONTENT_SPAMMY")) await scoreCampaign(ctx, campaign);
}

/** Waits a few seconds at most. If the filter or Temporal does not answer, the email has no score. */
async function ask(
  { workspaceId, services }: Context,
  mails: readonly Pick<ScorableVariant, "scoreId" | "mail">[],
): Promise<void> {
  const scoreIds = await keepUnscored(workspaceId, mails);
  if (scoreIds.length === 0) return;
  const id = createHash("sha256").update(scoreIds.join()).digest("hex");
  try {
    await services.engine.execute<number>(
      contentScoreRun({ v: 1, workspaceId, scoreIds }, id),
      CONTENT_SCORE.deadlineMs,
    );
  } catch (err) {
    if (!(err instanceof AppError)) throw err;
  } finally {
    await forgetUnscored(workspaceId, scoreIds);
  }
}
