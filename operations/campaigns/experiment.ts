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
    value: nullable(z.number()).describe("The number itself; null while it is not known"),
    low: nullable(z.number()).describe("The lower bound of its 95 % interval"),
    high: nullable(z.number()).describe("The upper bound of its 95 % interval"),
  })
  .meta({ id: "Estimate", description: "A number and the 95 % interval around it" });

const TriedVariant = z
  .object({
    variantId,
    label: z.string().describe("Its letter or name"),
    share: z.number().describe("The share of the people that it gets now, 0 to 1"),
    contacted: count.describe("People who got an email of this variant"),
    judged: count.describe("Those of them whose mail is older than `maturityHours`; all else is about them"),
    hits: nullable(count).describe("How many of these did what the metric counts; null where nothing was measured"),
    result: Estimate.describe(
      "The rate, 0 to 1, with Wilson's interval; of REVENUE the mean amount for each, with a bootstrap interval",
    ),
    difference: Estimate.describe(
      "The same less that of the best variant, with Newcombe's or the bootstrap interval; null of the best one and while it is not enough",
    ),
  })
  .meta({ id: "TriedVariant", description: "The results of one variant of a step" });

const TriedStep = z
  .object({
    stepId,
    order: count.describe("Its place, from 1"),
    mode: z.enum(["OFF", "AUTO"]).describe("Whether a winner is chosen by itself"),
    metric: z.enum(WINNER_METRICS).describe("What is counted"),
    currency: nullable(z.string()).describe("The currency of REVENUE; null for rates, and while nothing was bought"),
    code: z
      .enum(TRIAL_CODES)
      .describe(
        "What may be said. NOT_MEASURED: the campaign cannot see what is counted. NOT_ENOUGH_YET: fewer than `minSends` judged emails of a variant, or fewer than 10 hits. UNDECIDED: no variant is better beyond doubt. PROVEN: `betterVariantId` is",
      ),
    betterVariantId: nullable(variantId).describe(
      "The variant that is better than every other one at `confidence`; null while there is none",
    ),
    winnerVariantId: nullable(variantId).describe("The variant that was chosen; null while there is none"),
    confidence: z.number().describe("How sure it has to be"),
    minSends: count.describe("Judged emails that each variant needs"),
    maturityHours: count.describe("Hours after which an email is judged"),
    variants: z.array(TriedVariant).describe("The enabled variants"),
  })
  .meta({ id: "TriedStep", description: "The variants of one step, compared" });

const Arm = z
  .object({
    people: count.describe("People of this arm, whatever their outcome"),
    hits: nullable(count).describe("How many of them did it; null where nothing was measured"),
    ...Estimate.shape,
  })
  .meta({
    id: "HoldOutArm",
    description: "One arm of a hold-out: how many people, and the rate of those who did it, with Wilson's interval",
  });

const code = z
  .enum(HOLD_OUT_CODES)
  .describe(
    "What may be said. OFF: no one was held out. NOT_MEASURED: nothing was reported of either arm. NOT_ENOUGH_YET: fewer than 10 hits, or fewer than 50 people in an arm. MEASURED: the difference means something",
  );

const Measure = z
  .object({
    source: z
      .enum([...OUTCOME_SOURCES, "ANY"])
      .describe(
        "How it is known: outcomes set on recipients, deals WON, conversions reported by the address, or any of them",
      ),
    code,
    written: Arm.describe("People who were admitted"),
    heldOut: Arm.describe("People who were held out"),
    difference: Estimate.describe("The rate of the former less that of the latter, with Newcombe's interval"),
    proven: nullable(z.enum(["MORE", "FEWER"])).describe(
      "Whether the emails bring more, or fewer, at 95 %, however often you look; null while neither is proven",
    ),
    revenue: nullable(
      z.object({
        currency: z.string().describe("The currency that most amounts have; the others are left out"),
        written: Estimate.describe("The mean amount for each person who was admitted, with a bootstrap interval"),
        heldOut: Estimate.describe("The same of who was held out"),
        difference: Estimate.describe("The former less the latter"),
      }),
    ).describe("What they paid; null where no amount is known, and of ANY, where one sale may be told twice"),
  })
  .meta({ id: "HoldOutMeasure", description: "Both arms of a hold-out by one way to know what people did" });

export const experiment = operation({
  summary:
    "Read a campaign's experiments: compare the variants of each step, and contacted people with held-out people, with intervals and a conclusion",
  scope: "campaigns:read",
  errors: ["CAMPAIGN_NOT_FOUND"],
  input: z.strictObject({ campaignId }),
  output: z.object({
    campaignId,
    steps: z.array(TriedStep).describe("The mail steps, in order"),
    holdOut: z
      .object({
        share: z.number().describe("The share of people admitted from now on that is held out"),
        comparedShare: nullable(z.number()).describe(
          "The share at which the compared people were chosen; null when no one was",
        ),
        leftOut: count.describe("People who were drawn at another share, and are not compared"),
        code,
        measures: z
          .array(Measure)
          .describe("The comparison by each way to know what people did, within the attribution window"),
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

/** Whether the settings let the campaign see what a metric counts. */
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
