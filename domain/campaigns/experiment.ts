import type { Step } from "../sequences/sequence.ts";
import { variantShares } from "../sequences/variant.ts";
import { meanOf, type Trial, winnerAmong } from "../sequences/winner.ts";
import { bootstrapDifference, bootstrapMean, type Takings } from "../statistics/bootstrap.ts";
import { evidenceFor, neededEvidence } from "../statistics/evidence.ts";
import { type Interval, newcombe, type Share, wilson } from "../statistics/intervals.ts";

/** The possible conclusions about the variants of a step (rules/tracking 6.5). */
export const TRIAL_CODES = ["ONE_VARIANT", "NOT_MEASURED", "NOT_ENOUGH_YET", "UNDECIDED", "PROVEN"] as const;
/** The possible conclusions about contacted people compared with held-out people. */
export const HOLD_OUT_CODES = ["OFF", "NOT_MEASURED", "NOT_ENOUGH_YET", "MEASURED"] as const;
type HoldOutCode = (typeof HOLD_OUT_CODES)[number];

/** The fewest hits in all arms together, and the fewest people in each arm, for a conclusion. */
const LEAST_HITS = 10;
const LEAST_PEOPLE = 50;
/** The accepted probability of a wrong conclusion about a hold-out, divided between "more" and "fewer". */
const DOUBT = 0.05;

/** A number with its confidence interval; all fields are null if it is not known. */
export interface Estimate {
  value: number | null;
  low: number | null;
  high: number | null;
}

const UNKNOWN: Estimate = { value: null, low: null, high: null };

function estimate(value: number, interval: Interval | null): Estimate {
  return interval === null ? UNKNOWN : { value, ...interval };
}

/**
 * The result of comparing the enabled variants of a step. `contacted` is the number of people by variant, including
 * those whose email is too recent to be judged. `isMeasured` is whether the campaign records the events of the metric
 * at all.
 */
export function reportTrial(step: Step, trial: Trial, contacted: ReadonlyMap<string, number>, isMeasured: boolean) {
  const { minSends, confidence, metric } = step.winner;
  const better = winnerAmong(trial, step.winner);
  const isKnown = isMeasured || trial.achievers.length > 0;
  const isEnough = trial.achievers.length >= LEAST_HITS && trial.arms.every(({ sends }) => sends >= minSends);
  const code =
    trial.arms.length < 2
      ? "ONE_VARIANT"
      : !isKnown
        ? "NOT_MEASURED"
        : better !== null
          ? "PROVEN"
          : isEnough
            ? "UNDECIDED"
            : "NOT_ENOUGH_YET";
  const arms = trial.arms.map((arm) => ({ ...arm, ...armOf(trial, arm.variantId, arm.sends) }));
  const best = arms.reduce<(typeof arms)[number] | null>(
    (one, arm) => (one === null || arm.mean > one.mean ? arm : one),
    null,
  );
  const shares = variantShares(step);
  const variants = arms.map((arm) => {
    const { variantId, sends: judged, share, takings, mean } = arm;
    const interval = metric === "REVENUE" ? bootstrapMean(takings) : wilson(share);
    const apart =
      best === null || arm === best
        ? null
        : metric === "REVENUE"
          ? bootstrapDifference(takings, best.takings)
          : newcombe(share, best.share);
    const label = step.variants.find((variant) => variant.variantId === variantId)?.label ?? "";
    return {
      variantId,
      label,
      share: shares[variantId] ?? 0,
      contacted: contacted.get(variantId) ?? 0,
      judged,
      hits: isKnown ? share.hits : null,
      result: isKnown ? estimate(mean, interval) : UNKNOWN,
      difference: isKnown && isEnough && best !== null ? estimate(mean - best.mean, apart) : UNKNOWN,
    };
  });
  return { code, betterVariantId: better, confidence, minSends, variants } as const;
}

function armOf(trial: Trial, variantId: string, sends: number) {
  const people = trial.achievers.filter((each) => each.variantId === variantId);
  // Achievers and emails are counted one after the other, and an email may have become old enough in between
  const share: Share = { hits: Math.min(people.length, sends), of: sends };
  const takings: Takings = { amounts: people.map(({ total }) => total), of: sends };
  return { share, takings, mean: meanOf(trial, { variantId, sends }) };
}

/** The outcomes of one kind among contacted and held-out people. Each person counts once. */
export interface Lift {
  code: HoldOutCode;
  written: Estimate & { people: number; hits: number | null };
  heldOut: Estimate & { people: number; hits: number | null };
  difference: Estimate;
  /**
   * Whether the emails cause more or fewer outcomes; null if neither is proven. The conclusion stays valid however
   * often the report is read.
   */
  proven: "MORE" | "FEWER" | null;
}

/**
 * Compares contacted people with held-out people, who were drawn with probability `share`. Without any outcome, it is
 * not known whether outcomes are recorded at all.
 */
export function compareArms(written: Share, heldOut: Share, share: number): Lift {
  const hits = written.hits + heldOut.hits;
  const code = codeOf(hits, written, heldOut);
  const isKnown = hits > 0;
  const shown = (arm: Share) => ({
    ...(isKnown ? estimate(arm.hits / arm.of, wilson(arm)) : UNKNOWN),
    people: arm.of,
    hits: isKnown ? arm.hits : null,
  });
  const apart = code === "MEASURED" ? newcombe(written, heldOut) : null;
  return {
    code,
    written: shown(written),
    heldOut: shown(heldOut),
    difference: apart === null ? UNKNOWN : estimate(written.hits / written.of - heldOut.hits / heldOut.of, apart),
    proven: code === "MEASURED" ? provenBy(written.hits, heldOut.hits, share) : null,
  };
}

function codeOf(hits: number, written: Share, heldOut: Share): HoldOutCode {
  if (hits === 0) return "NOT_MEASURED";
  return hits >= LEAST_HITS && Math.min(written.of, heldOut.of) >= LEAST_PEOPLE ? "MEASURED" : "NOT_ENOUGH_YET";
}

function provenBy(written: number, heldOut: number, share: number): Lift["proven"] {
  const evidence = (isFirst: boolean) =>
    evidenceFor([
      { isFirst, share: isFirst ? 1 - share : share, weight: 1, count: written },
      { isFirst: !isFirst, share: isFirst ? 1 - share : share, weight: 1, count: heldOut },
    ]);
  const evidenceNeeded = neededEvidence(DOUBT / 2);
  return evidence(true) >= evidenceNeeded ? "MORE" : evidence(false) >= evidenceNeeded ? "FEWER" : null;
}

/** Compares the amounts that contacted and held-out people paid; null if no one paid. */
export function compareTakings(written: Takings, heldOut: Takings) {
  if (written.amounts.length + heldOut.amounts.length === 0) return null;
  const isEnough =
    written.amounts.length + heldOut.amounts.length >= LEAST_HITS && Math.min(written.of, heldOut.of) >= LEAST_PEOPLE;
  const mean = ({ amounts, of }: Takings) => amounts.reduce((sum, amount) => sum + amount, 0) / of;
  return {
    written: estimate(mean(written), bootstrapMean(written)),
    heldOut: estimate(mean(heldOut), bootstrapMean(heldOut)),
    difference: isEnough ? estimate(mean(written) - mean(heldOut), bootstrapDifference(written, heldOut)) : UNKNOWN,
  };
}
