import { z } from "zod";
import {
  compareArms,
  compareTakings,
  HOLD_OUT_CODES,
  reportTrial,
  TRIAL_CODES,
} from "../../domain/campaigns/experiment.ts";
import { type Settings, settingsOf } from "../../domain/campaigns/settings.ts";
import { type Step, WINNER_METRICS } from "../../domain/sequences/sequence.ts";
import type { Campaign } from "../../models/campaigns/campaign.ts";
import {
  type ArmOutcome,
  type HoldOutArms,
  loadHoldOutArms,
  OUTCOME_SOURCES,
} from "../../store/campaigns/hold-out-arms.ts";
import { loadCampaign, loadSequence } from "../../store/campaigns/load.ts";
import { loadContacted, loadTrial } from "../../store/campaigns/trial.ts";
import { describedIds } from "../described-ids.ts";
import { nullable } from "../fields.ts";
import { operation } from "../operation.ts";

const { campaignId, stepId, variantId } = describedIds;

const count = z.number().int();
const Estimate = z
  .object({
    value: nullable(z.number()).describe("The number; null if unknown"),
    low: nullable(z.number()).describe("The lower bound of its 95 % interval"),
    high: nullable(z.number()).describe("The upper bound of its 95 % interval"),
  })
  .meta({ id: "Estimate", description: "A number and the 95 % interval around it" });

const TriedVariant = z
  .object({
    variantId,
    label: z.string().describe("The letter or name of the variant"),
    share: z.number().describe("The share of people who get it now, 0 to 1"),
    contacted: count.describe("People who got an email of this variant"),
    judged: count.describe(
      "Those of them whose email is older than `maturityHours`; the other results count only them",
    ),
    hits: nullable(count).describe("How many judged people did what the metric counts; null if nothing was measured"),
    result: Estimate.describe(
      "The rate, 0 to 1, with Wilson's interval; for REVENUE the mean amount per person, with a bootstrap interval",
    ),
    difference: Estimate.describe(
      "The result minus that of the best variant, with Newcombe's or the bootstrap interval; null for the best variant and without enough data",
    ),
  })
  .meta({ id: "TriedVariant", description: "The results of one variant of a step" });

const TriedStep = z
  .object({
    stepId,
    order: count.describe("The place of the step, from 1"),
    mode: z.enum(["OFF", "AUTO"]).describe("AUTO chooses a winner automatically; OFF does not"),
    metric: z.enum(WINNER_METRICS).describe("What the comparison counts"),
    currency: nullable(z.string()).describe("The currency for REVENUE; null for rates, and before the first purchase"),
    code: z
      .enum(TRIAL_CODES)
      .describe(
        "The conclusion. NOT_MEASURED: the campaign does not track the metric. NOT_ENOUGH_YET: a variant has fewer than `minSends` judged emails, or fewer than 10 hits in all. UNDECIDED: no variant is proven better. PROVEN: `betterVariantId` is",
      ),
    betterVariantId: nullable(variantId).describe(
      "The variant that beats all others at `confidence`; null while none does",
    ),
    winnerVariantId: nullable(variantId).describe("The chosen variant; null while there is none"),
    confidence: z.number().describe("The required confidence"),
    minSends: count.describe("How many emails with a known result each variant needs"),
    maturityHours: count.describe("Hours from sending until an email is judged"),
    variants: z.array(TriedVariant).describe("The enabled variants"),
  })
  .meta({ id: "TriedStep", description: "The variants of one step, compared" });

const Arm = z
  .object({
    people: count.describe("All people of this arm, with or without a hit"),
    hits: nullable(count).describe("How many of them had the outcome; null if nothing was measured"),
    ...Estimate.shape,
  })
  .meta({
    id: "HoldOutArm",
    description: "One arm of a hold-out: how many people, and the rate of hits among them, with Wilson's interval",
  });

const code = z
  .enum(HOLD_OUT_CODES)
  .describe(
    "The conclusion. OFF: no one was held out. NOT_MEASURED: neither arm has a reported outcome. NOT_ENOUGH_YET: fewer than 10 hits, or fewer than 50 people in an arm. MEASURED: the data suffices to compare",
  );

const Measure = z
  .object({
    source: z
      .enum([...OUTCOME_SOURCES, "ANY"])
      .describe(
        "Where outcomes come from: set on recipients, deals WON, conversions reported by address, or any of these",
      ),
    code,
    written: Arm.describe("People who were admitted"),
    heldOut: Arm.describe("People who were held out"),
    difference: Estimate.describe("The rate of `written` minus that of `heldOut`, with Newcombe's interval"),
    proven: nullable(z.enum(["MORE", "FEWER"])).describe(
      "Whether the emails bring more or fewer outcomes, at 95 %, even if you look often; null while neither is proven",
    ),
    revenue: nullable(
      z.object({
        currency: z.string().describe("The currency of most amounts; other currencies are left out"),
        written: Estimate.describe("The mean amount for each person who was admitted, with a bootstrap interval"),
        heldOut: Estimate.describe("The same for each person who was held out"),
        difference: Estimate.describe("The value of `written` minus that of `heldOut`"),
      }),
    ).describe("What people paid; null if no amount is known, and for ANY, where one sale may be reported twice"),
  })
  .meta({ id: "HoldOutMeasure", description: "Both arms of a hold-out compared by one source of outcomes" });

export const experiment = operation({
  summary:
    "Read a campaign's experiments: compare the variants of each step, and contacted people with held-out people, with intervals and a conclusion",
  scope: "campaigns:read",
  errors: ["CAMPAIGN_NOT_FOUND"],
  input: z.strictObject({ campaignId }),
  output: z.object({
    campaignId,
    steps: z.array(TriedStep).describe("The email steps, in order"),
    holdOut: z
      .object({
        share: z.number().describe("The share of newly admitted people that is held out"),
        comparedShare: nullable(z.number()).describe(
          "The share with which the compared people were chosen; null if no one was",
        ),
        leftOut: count.describe("People chosen with another share, who are not compared"),
        code,
        measures: z.array(Measure).describe("The comparison by each source of outcomes, within the attribution window"),
      })
      .describe("Contacted people compared with held-out people"),
  }),
  async run({ workspaceId }, { campaignId }) {
    const campaign = await loadCampaign(workspaceId, campaignId);
    const settings = settingsOf(campaign.settings);
    const { steps } = await loadSequence(workspaceId, campaignId);
    const mails = steps.filter(({ type }) => type === "EMAIL");
    const contacted = await loadContacted(workspaceId, campaignId);
    const tried = await Promise.all(mails.map((step) => tellStep(campaign, step, settings, contacted)));
    return { campaignId, steps: tried, holdOut: tellHoldOut(await loadHoldOutArms(campaign), settings.holdOut) };
  },
});

async function tellStep(
  { workspaceId, _id }: Campaign,
  step: Step,
  settings: Settings,
  contacted: ReadonlyMap<string, number>,
) {
  const { stepId, order, winner } = step;
  const { currency, ...trial } = await loadTrial(workspaceId, _id, step);
  const { mode, metric, winnerVariantId, maturityHours } = winner;
  const report = reportTrial(step, trial, contacted, canBeSeen(metric, settings));
  return {
    stepId,
    order,
    mode,
    metric,
    currency,
    winnerVariantId,
    maturityHours,
    ...report,
    variants: [...report.variants],
  };
}

/** Whether the settings let the campaign track a metric. */
function canBeSeen(
  metric: (typeof WINNER_METRICS)[number],
  { trackClicks, conversionLinks, conversionDomains }: Settings,
): boolean {
  if (metric === "CLICK_RATE") return trackClicks;
  return (
    metric === "REPLY_RATE" || metric === "POSITIVE_REPLY_RATE" || (conversionLinks && conversionDomains.length > 0)
  );
}

function tellHoldOut({ share: comparedShare, written, heldOut, leftOut, outcomes }: HoldOutArms, share: number) {
  if (comparedShare === null) return { share, comparedShare, leftOut, code: "OFF" as const, measures: [] };
  const measures = [...OUTCOME_SOURCES, "ANY" as const].map((source) => {
    const reportedOutcomes = outcomes.filter((outcome) => source === "ANY" || outcome.source === source);
    const people = (isHeldOut: boolean) =>
      new Set(reportedOutcomes.filter((each) => each.isHeldOut === isHeldOut).map((each) => each.recipientId)).size;
    const lift = compareArms({ hits: people(false), of: written }, { hits: people(true), of: heldOut }, comparedShare);
    return { source, ...lift, revenue: source === "ANY" ? null : tellRevenue(reportedOutcomes, written, heldOut) };
  });
  return { share, comparedShare, leftOut, code: measures.at(-1)?.code ?? ("NOT_MEASURED" as const), measures };
}

function tellRevenue(outcomes: readonly ArmOutcome[], written: number, heldOut: number) {
  const paid = outcomes.flatMap(({ currency, amount, ...each }) =>
    currency === null || amount === null ? [] : [{ ...each, currency, amount }],
  );
  const [most] = [...Map.groupBy(paid, ({ currency }) => currency)].sort(
    ([one, first], [other, second]) => second.length - first.length || (one < other ? -1 : 1),
  );
  if (most === undefined) return null;
  const [currency, amounts] = most;
  const takings = (isHeldOut: boolean, of: number) => ({
    amounts: byPerson(amounts.filter((each) => each.isHeldOut === isHeldOut)),
    of,
  });
  const compared = compareTakings(takings(false, written), takings(true, heldOut));
  return compared === null ? null : { currency, ...compared };
}

function byPerson(paid: readonly { recipientId: string; amount: number }[]): number[] {
  return [...Map.groupBy(paid, ({ recipientId }) => recipientId).values()].map((each) =>
    each.reduce((sum, { amount }) => sum + amount, 0),
  );
}
