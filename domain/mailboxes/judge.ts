import { BANDS, type Band, HEALTH_MEASURES, type HealthEvidence, type HealthMeasure, isGraver } from "./band.ts";
import { type FactCounts, mailsOf } from "./health-facts.ts";
import { SCORE_FLOORS } from "./score.ts";

export type JudgedBand = Exclude<Band, "HEALTHY">;

/**
 * For each measure and band, the share from which on a mailbox is in that band; null if the measure never leads to it.
 */
export type BandThresholds = Record<HealthMeasure, Record<JudgedBand, number | null>>;

/** rules/health 1.1 */
export const BAND_THRESHOLDS: BandThresholds = {
  SPAM_RATE: { WATCH: 0.1, THROTTLED: 0.15, QUARANTINED: 0.2, BLOCKED: 0.4 },
  COMPLAINT_RATE: { WATCH: 0.0003, THROTTLED: 0.0006, QUARANTINED: 0.001, BLOCKED: 0.003 },
  BOUNCE_RATE: { WATCH: null, THROTTLED: 0.03, QUARANTINED: 0.05, BLOCKED: 0.1 },
};

/**
 * The fewest complaints that lead to each band, because one complaint in a hundred emails may be chance (rules/health
 * 1.2).
 */
const FEWEST_COMPLAINTS: Record<JudgedBand, number> = { WATCH: 1, THROTTLED: 2, QUARANTINED: 3, BLOCKED: 4 };

export const NO_EVIDENCE: HealthEvidence = { measure: null, numerator: null, denominator: null, threshold: null };

export interface Judgement extends HealthEvidence {
  band: Band;
}

/**
 * The band of a mailbox with these facts: the worst band that any measure gives. If several measures give that band,
 * the first of them is the evidence.
 */
export function judge(facts: FactCounts, thresholds: BandThresholds): Judgement {
  let gravest: Judgement = { band: "HEALTHY", ...NO_EVIDENCE };
  for (const measure of HEALTH_MEASURES) {
    const judged = judgeBy(measure, facts, thresholds);
    if (isGraver(judged.band, gravest.band)) gravest = judged;
  }
  return gravest;
}

/** Whether there are enough emails for this measure to be meaningful. */
export function meetsFloor(measure: HealthMeasure, facts: FactCounts): boolean {
  return shareBy(measure, facts).denominator >= (measure === "SPAM_RATE" ? SCORE_FLOORS.places : SCORE_FLOORS.mails);
}

function judgeBy(measure: HealthMeasure, facts: FactCounts, thresholds: BandThresholds): Judgement {
  const { numerator, denominator } = shareBy(measure, facts);
  const healthy: Judgement = { band: "HEALTHY", ...NO_EVIDENCE };
  if (!meetsFloor(measure, facts)) return healthy;
  for (const band of BANDS.toReversed()) {
    if (band === "HEALTHY") return healthy;
    const threshold = thresholds[measure][band];
    const isEnough = measure !== "COMPLAINT_RATE" || numerator >= FEWEST_COMPLAINTS[band];
    // A share of zero never reaches a threshold, even a threshold of zero
    if (threshold !== null && isEnough && numerator > 0 && numerator / denominator >= threshold)
      return { band, measure, numerator, denominator, threshold };
  }
  return healthy;
}

function shareBy(measure: HealthMeasure, facts: FactCounts): { numerator: number; denominator: number } {
  switch (measure) {
    case "SPAM_RATE":
      return { numerator: facts.inSpam, denominator: facts.seen };
    case "COMPLAINT_RATE":
      return { numerator: facts.complained, denominator: mailsOf(facts) };
    case "BOUNCE_RATE":
      return { numerator: facts.bounced, denominator: mailsOf(facts) };
  }
}
