import { z } from "zod";
import { type Figures, figuresByDays, figuresBySteps } from "../../domain/campaigns/figures.ts";
import { settingsOf } from "../../domain/campaigns/settings.ts";
import { isZone } from "../../domain/time/schedule.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import { trackedMails } from "../../store/campaign-metrics.ts";
import { loadFacts } from "../../store/campaigns/facts.ts";
import { loadCampaign, loadSequence } from "../../store/campaigns/load.ts";
import { describedIds } from "../described-ids.ts";
import { nullable } from "../fields.ts";
import { operation } from "../operation.ts";
import { countMetrics, countOrUntracked, ratesOf } from "./metrics.ts";
import { Metrics } from "./record.ts";

const { campaignId, stepId, variantId } = describedIds;

const {
  contacted,
  sent,
  delivered,
  opened,
  proxyOpened,
  clicked,
  replied,
  autoReplied,
  positiveReplies,
  bounced,
  unsubscribed,
  replyRate,
  bounceRate,
} = Metrics.shape;
const happened = {
  sent,
  delivered,
  opened,
  proxyOpened,
  clicked,
  replied,
  autoReplied,
  positiveReplies,
  bounced,
  unsubscribed,
};
const ofAMail = { contacted, ...happened, replyRate, bounceRate };

const ofVariant = z
  .object({
    variantId,
    label: nullable(z.string()).describe("The letter or name of the variant; null if it was removed"),
    isRemoved: z.boolean().describe("Whether the variant was removed"),
    ...ofAMail,
  })
  .meta({ id: "VariantMetrics", description: "The figures of one variant of a step" });

const ofStep = z
  .object({
    stepId,
    order: nullable(z.number().int()).describe("The place of the step, from 1; null if it was removed"),
    isRemoved: z.boolean().describe("Whether the step was removed"),
    variants: z.array(ofVariant).describe("The same figures by variant, removed ones last"),
    ...ofAMail,
  })
  .meta({ id: "StepMetrics", description: "Emails of one step and their results" });

const ofDay = z
  .object({ date: z.iso.date().describe("The day, in `timezone`"), ...happened })
  .meta({ id: "DayMetrics", description: "What happened on one day" });

export const figures = operation({
  summary:
    "Read the results of a campaign: totals, by step and variant, and by day. A reply, a bounce or an opt-out counts for the step whose email it answers, otherwise for the last email sent",
  scope: "campaigns:read",
  errors: ["CAMPAIGN_NOT_FOUND"],
  input: z.strictObject({ campaignId }),
  output: z.object({
    timezone: z.string().describe("The time zone of the days: the campaign's `timezone`, or UTC if that is unknown"),
    totals: Metrics.describe("The totals, as the campaign itself shows them"),
    steps: z
      .array(ofStep)
      .describe("By email step, in order, removed ones last. The sum of `sent` equals that of `totals`"),
    days: z
      .array(ofDay)
      .describe(
        "Every day from the first email on: until today while the campaign is ACTIVE, otherwise until the last day with an event",
      ),
  }),
  // One snapshot of the database, so that an email sent meanwhile does not make steps, days and totals differ
  run: ({ workspaceId }, { campaignId }) => inTransaction(() => read(workspaceId, campaignId)),
});

async function read(workspaceId: string, campaignId: string) {
  const campaign = await loadCampaign(workspaceId, campaignId);
  const { steps } = await loadSequence(workspaceId, campaignId);
  const { timezone } = settingsOf(campaign.settings);
  const zone = isZone(timezone) ? timezone : "UTC";
  const facts = await loadFacts(workspaceId, [campaignId]);
  const { withPixel, withLinks } = await trackedMails(workspaceId, [campaignId]);
  const isTracked = { opens: withPixel.length > 0, clicks: withLinks.length > 0 };
  const shown = (figures: Figures) => shownFigures(figures, isTracked);
  const until = campaign.status === "ACTIVE" ? Date.now() : null;
  return {
    timezone: zone,
    totals: await countMetrics(campaign),
    steps: figuresBySteps(steps, facts).map(({ figures, variants, ...step }) => ({
      ...step,
      ...shown(figures),
      variants: variants.map(({ figures, ...variant }) => ({ ...variant, ...shown(figures) })),
    })),
    days: figuresByDays(facts, zone, until).map(({ date, figures }) => ({ date, ...shown(figures) })),
  };
}

function shownFigures(figures: Figures, { opens, clicks }: { opens: boolean; clicks: boolean }) {
  const { opened, proxyOpened, clicked } = figures;
  return {
    ...figures,
    opened: countOrUntracked(opened, opens),
    proxyOpened: countOrUntracked(proxyOpened, opens),
    clicked: countOrUntracked(clicked, clicks),
    ...ratesOf(figures),
  };
}
