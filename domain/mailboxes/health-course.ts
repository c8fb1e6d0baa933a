import { DAY_MS, HOUR_MS } from "../time/durations.ts";
import { type Band, type HealthCourse, type HealthEvidence, isGraver, isShut, type MailboxHealth } from "./band.ts";
import { countFacts, type FactCounts, type FactDays, hasBadFacts } from "./health-facts.ts";
import { type BandThresholds, type Judgement, judge, meetsFloor, NO_EVIDENCE } from "./judge.ts";

/** The days that a mailbox stays in each band, and the most days to which relapses may extend this (rules/health 2). */
const TERM_DAYS = { THROTTLED: 3, QUARANTINED: 7, BLOCKED: 30 } as const;
const LONGEST_TERM_DAYS = 60;
/** Days with only warmup after BLOCKED. */
const PROBE_DAYS = 7;
/**
 * The percentages of its capacity that a recovering mailbox may use, step by step. After THROTTLED it begins at the
 * second constant.
 */
const STEPS = [25, 50, 75, 100] as const;
const THROTTLED_STEP = 75;
/** A step lasts one day if enough emails show that the mailbox is good, or two days if there are only no bad signs. */
const STEP_MS = DAY_MS;
const QUIET_MS = 2 * DAY_MS;
/** How long a person's reset to HEALTHY keeps the mailbox HEALTHY. */
const DECIDED_MS = DAY_MS;

type TermBand = keyof typeof TERM_DAYS;

/** The health of a mailbox that has not been judged yet. */
export function beginCourse(at: number): HealthCourse {
  return {
    ...FREED,
    ...NO_EVIDENCE,
    band: "HEALTHY",
    since: new Date(at),
    factsSince: null,
    reviewedAt: new Date(at),
    nextReviewAt: nextMidnight(at),
  };
}

/**
 * Resets a mailbox to HEALTHY because a person decided so. The mailbox stays HEALTHY for a day, and facts from before
 * the reset never count again.
 */
export function decideCourse(at: number): HealthCourse {
  const now = new Date(at);
  const decision = { phase: "DECIDED" as const, until: new Date(at + DECIDED_MS), factsSince: now };
  return {
    ...FREED,
    ...NO_EVIDENCE,
    ...decision,
    band: "HEALTHY",
    since: now,
    reviewedAt: now,
    nextReviewAt: nextHour(at),
  };
}

/** Judges a mailbox at an instant (epoch milliseconds) by the facts known then, and returns its new health. */
export function reviewCourse(
  course: HealthCourse,
  at: number,
  days: FactDays,
  thresholds: BandThresholds,
): HealthCourse {
  const facts = countFacts(days, at, course.factsSince?.getTime() ?? null);
  const judged = judge(facts, thresholds);
  const isOver = course.until !== null && course.until.getTime() <= at;
  switch (course.phase) {
    case "DECIDED":
      return isOver ? endTerm(course, at, judged, facts) : { ...course, ...reviewTimes(course, at) };
    case "TERM":
      if (isOver)
        return course.band === "BLOCKED" ? startProbe(course, at) : startSteps(course, at, course.band, new Date(at));
      // During a term only a worse band has an effect, because the facts that led to this band still count
      return isGraver(judged.band, course.band)
        ? enterBand(course, at, judged, judged.band, 1)
        : { ...course, ...reviewTimes(course, at) };
    case "PROBE":
      if (judged.band === "BLOCKED") return relapse(course, at, judged);
      // Warmup emails of the probe phase also count during the steps
      return isOver ? startSteps(course, at, "BLOCKED", course.factsSince) : { ...course, ...reviewTimes(course, at) };
    case "STEPS":
      if (isTerm(judged.band)) return relapse(course, at, judged);
      return isStepDone(course, at, days, thresholds)
        ? nextStep(course, at, judged, facts)
        : { ...course, ...reviewTimes(course, at) };
    case "FREE":
      return endTerm(course, at, judged, facts);
  }
}

/**
 * The earliest time at which a mailbox whose band blocks campaign email may send it again (epoch milliseconds); null if
 * the band does not block it.
 */
export function shutUntil({ phase, band, until }: Pick<HealthCourse, "phase" | "band" | "until">): number | null {
  if (!isShut(band) || until === null) return null;
  return until.getTime() + (phase === "TERM" && band === "BLOCKED" ? PROBE_DAYS * DAY_MS : 0);
}

/**
 * For forecasts: a mailbox whose band blocks campaign email as it will be after the block, on the first recovery step.
 * Other mailboxes are returned unchanged.
 */
export function reopenBand<T extends { health: MailboxHealth | null }>(mailbox: T): T {
  const { health } = mailbox;
  if (!health || !isShut(health.band)) return mailbox;
  return { ...mailbox, health: { ...health, phase: "STEPS", band: "THROTTLED", step: STEPS[0], until: null } };
}

const FREED = { phase: "FREE", until: null, step: null, cameFrom: null, termDays: null, stepSince: null } as const;

/** Ends the fixed time of a mailbox in a band. Its current measures decide the new band. */
function endTerm(course: HealthCourse, at: number, judged: Judgement, facts: FactCounts): HealthCourse {
  const { band, ...evidence } = judged;
  if (isTerm(band)) return enterBand(course, at, judged, band, 1);
  const since = band === course.band ? course.since : new Date(at);
  // With more emails, earlier bad facts may become a share that counts. Without bad facts, only new facts matter
  const nextReviewAt = hasBadFacts(facts) ? nextHour(at) : nextMidnight(at);
  return { ...course, ...FREED, ...evidence, band, since, reviewedAt: new Date(at), nextReviewAt };
}

/**
 * Puts a mailbox into a band, for the band's usual days. With `times` 2 it stays for twice the band's usual days or
 * twice the days of its last term, whichever is longer, but never for more than 60 days.
 */
function enterBand(course: HealthCourse, at: number, evidence: HealthEvidence, band: Band, times: 1 | 2): HealthCourse {
  if (!isTerm(band)) throw new Error(`${band} has no term`);
  const days = Math.max(TERM_DAYS[band], times === 2 ? (course.termDays ?? 0) : 0);
  const termDays = Math.min(LONGEST_TERM_DAYS, times * days);
  const { measure, numerator, denominator, threshold } = evidence;
  const entered = {
    phase: "TERM" as const,
    band,
    since: new Date(at),
    until: new Date(at + termDays * DAY_MS),
    termDays,
    step: band === "THROTTLED" ? THROTTLED_STEP : null,
    cameFrom: null,
    stepSince: null,
    measure,
    numerator,
    denominator,
    threshold,
  };
  const next = { ...course, ...entered };
  return { ...next, ...reviewTimes(next, at) };
}

/** Puts a mailbox back into the band that it came from, or a worse one, with twice the term. */
function relapse(course: HealthCourse, at: number, judged: Judgement): HealthCourse {
  const from = course.cameFrom ?? judged.band;
  return enterBand(course, at, judged, isGraver(judged.band, from) ? judged.band : from, 2);
}

/**
 * Begins the phase after BLOCKED: the mailbox sends no campaign email yet, only warmup, which shows whether its emails
 * land in the inbox or in Junk.
 */
function startProbe(course: HealthCourse, at: number): HealthCourse {
  const until = new Date(at + PROBE_DAYS * DAY_MS);
  const next = {
    ...course,
    phase: "PROBE" as const,
    band: "QUARANTINED" as const,
    since: new Date(at),
    until,
    cameFrom: course.band,
  };
  return { ...next, factsSince: new Date(at), ...reviewTimes(next, at) };
}

/** Puts a mailbox on the first recovery step. */
function startSteps(course: HealthCourse, at: number, cameFrom: Band, factsSince: Date | null): HealthCourse {
  const step = cameFrom === "THROTTLED" ? THROTTLED_STEP : STEPS[0];
  const back = {
    phase: "STEPS" as const,
    band: "THROTTLED" as const,
    since: new Date(at),
    until: null,
    step,
    stepSince: new Date(at),
  };
  const next = { ...course, ...back, cameFrom, factsSince };
  return { ...next, ...reviewTimes(next, at) };
}

/** Moves to the next step. After the last step the mailbox is FREE. */
function nextStep(course: HealthCourse, at: number, judged: Judgement, facts: FactCounts): HealthCourse {
  const step = STEPS.find((percent) => percent > (course.step ?? 0));
  if (step === undefined) return endTerm(course, at, judged, facts);
  return { ...course, step, stepSince: new Date(at), ...reviewTimes(course, at) };
}

/**
 * Whether a recovery step is over: a day has passed in which the measure that led to the band had enough emails and
 * every measure stayed below WATCH, or two days have passed without a bad fact.
 */
function isStepDone(course: HealthCourse, at: number, days: FactDays, thresholds: BandThresholds): boolean {
  const since = course.stepSince?.getTime() ?? at;
  if (at - since >= QUIET_MS && !hasBadFacts(countFacts(days, at, at - QUIET_MS))) return true;
  if (at - since < STEP_MS) return false;
  const facts = countFacts(days, at, since);
  return course.measure !== null && meetsFloor(course.measure, facts) && judge(facts, thresholds).band === "HEALTHY";
}

/**
 * The time of a review that changed nothing, and the time of the next one: the next full hour while the mailbox may
 * send campaign email, or the end of a term if that comes first. Otherwise only new facts cause a review.
 */
function reviewTimes({ phase, band, until }: Pick<HealthCourse, "phase" | "band" | "until">, at: number) {
  const isWatched = phase === "STEPS" || !isShut(band);
  const times = [...(isWatched ? [nextHour(at).getTime()] : []), ...(until === null ? [] : [until.getTime()])];
  return { reviewedAt: new Date(at), nextReviewAt: new Date(Math.min(...times)) };
}

function isTerm(band: Band): band is TermBand {
  return band in TERM_DAYS;
}

/** The next full hour. Full hours keep a review that is late on a busy machine from delaying later ones. */
function nextHour(at: number): Date {
  return new Date((Math.floor(at / HOUR_MS) + 1) * HOUR_MS);
}

function nextMidnight(at: number): Date {
  return new Date((Math.floor(at / DAY_MS) + 1) * DAY_MS);
}
