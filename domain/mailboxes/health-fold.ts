import type { Band, HealthCourse, HealthEvidence } from "./band.ts";
import { beginCourse, decideCourse, reviewCourse } from "./health-course.ts";
import type { FactDays } from "./health-facts.ts";
import type { BandThresholds } from "./judge.ts";

/** A change of band, step or term (rules/health 3.1), caused by the facts or by a person. */
export interface HealthChange extends HealthEvidence {
  at: Date;
  from: Band;
  to: Band;
  fromStep: number | null;
  step: number | null;
  until: Date | null;
  by: (typeof CHANGED_BY)[number];
}

export const CHANGED_BY = ["FACTS", "PERSON"] as const;

export interface FoldedHealth {
  /** Null while there are no facts to judge. */
  course: HealthCourse | null;
  changes: HealthChange[];
}

/** The facts from which a mailbox's health follows. Instants are epoch milliseconds. */
export interface FollowedFacts {
  days: FactDays;
  /** When a person reset the mailbox to HEALTHY. */
  decidedAt: readonly number[];
  until: number;
  thresholds: BandThresholds;
}

/**
 * Computes how a mailbox's health develops. The mailbox is judged whenever its facts changed and whenever a term or a
 * step ends, and it is reset when a person decided so. Several calls with parts of the facts give the same result as
 * one call with all of them, so both the hourly review and a replay of the history use this function.
 */
export function followHealth(
  courseBefore: HealthCourse | null,
  { days, decidedAt, until, thresholds }: FollowedFacts,
): FoldedHealth {
  const decided = new Set(decidedAt);
  const after = courseBefore?.reviewedAt.getTime() ?? Number.NEGATIVE_INFINITY;
  const instants = instantsOf(days, decidedAt).filter((at) => at > after && at <= until);
  const changes: HealthChange[] = [];
  let course = courseBefore;
  const move = (next: HealthCourse, at: number, by: HealthChange["by"]) => {
    const change = healthChange(course ?? beginCourse(at), next, at, by);
    if (change !== null) changes.push(change);
    course = next;
  };
  const tick = (before: number) => {
    for (
      let at = course?.nextReviewAt.getTime();
      course !== null && at !== undefined && at < before;
      at = course.nextReviewAt.getTime()
    ) {
      move(reviewCourse(course, at, days, thresholds), at, "FACTS");
    }
  };
  for (const at of instants) {
    tick(at);
    if (decided.has(at)) move(decideCourse(at), at, "PERSON");
    else move(reviewCourse(course ?? beginCourse(at), at, days, thresholds), at, "FACTS");
  }
  tick(until + 1);
  return { course, changes };
}

function instantsOf(days: FactDays, decidedAt: readonly number[]): number[] {
  const all = new Set(decidedAt);
  for (const { points } of days.values()) for (const { at } of points) all.add(at.getTime());
  return [...all].sort((one, other) => one - other);
}

/** Null if neither band, step nor term changed. */
function healthChange(
  before: HealthCourse,
  after: HealthCourse,
  at: number,
  by: HealthChange["by"],
): HealthChange | null {
  const isSameTerm = before.until?.getTime() === after.until?.getTime() || after.band === "HEALTHY";
  if (before.band === after.band && before.step === after.step && isSameTerm) return null;
  const { band: to, step, until, measure, numerator, denominator, threshold } = after;
  return {
    at: new Date(at),
    from: before.band,
    to,
    fromStep: before.step,
    step,
    until,
    measure,
    numerator,
    denominator,
    threshold,
    by,
  };
}
