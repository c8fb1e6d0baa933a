import type { HealthCourse } from "../../../domain/mailboxes/band.ts";
import {
  byDay,
  type FactCounts,
  type FactDays,
  type HealthPoint,
  NO_FACTS,
} from "../../../domain/mailboxes/health-facts.ts";
import { followHealth, type HealthChange } from "../../../domain/mailboxes/health-fold.ts";
import { BAND_THRESHOLDS, type BandThresholds } from "../../../domain/mailboxes/judge.ts";
import { utcDay } from "../../../domain/time/schedule.ts";

/** A mailbox with facts from a test, judged when the test says so. Instants are epoch milliseconds. */
export class ToldMailbox {
  course: HealthCourse | null = null;
  readonly changes: HealthChange[] = [];
  readonly decidedAt: number[] = [];
  private readonly counts = new Map<string, FactCounts>();
  private readonly days = new Map<string, HealthPoint[]>();
  private readonly thresholds: BandThresholds;

  constructor(thresholds = BAND_THRESHOLDS) {
    this.thresholds = thresholds;
  }

  /** Counts facts on the day of an instant, and does not judge by them yet. */
  tell(at: number, facts: Partial<FactCounts>): void {
    const day = utcDay(at);
    const known = this.counts.get(day) ?? NO_FACTS;
    const sum = { ...known };
    for (const name of Object.keys(known) as (keyof FactCounts)[]) sum[name] += facts[name] ?? 0; // the keys of the counts
    this.counts.set(day, sum);
  }

  /** What the hourly round does: a point of each day that has changed, then a look from these alone. */
  judge(at: number): HealthCourse {
    this.takePoints(at);
    return this.follow(at, []);
  }

  /** Adds facts and judges them at once. */
  judgeWith(at: number, facts: Partial<FactCounts>): HealthCourse {
    this.tell(at, facts);
    return this.judge(at);
  }

  /** A person sets the mailbox back to HEALTHY. */
  decide(at: number): HealthCourse {
    this.takePoints(at);
    this.decidedAt.push(at);
    return this.follow(at, [at]);
  }

  /** All of it once more, at once. */
  replay(until: number, thresholds = this.thresholds) {
    return followHealth(null, { days: this.known(), decidedAt: this.decidedAt, until, thresholds });
  }

  private takePoints(at: number): void {
    for (const [day, counts] of this.counts) {
      const points = this.days.get(day) ?? [];
      const last = points.at(-1);
      if (
        last !== undefined &&
        Object.keys(NO_FACTS).every((name) => Reflect.get(last, name) === Reflect.get(counts, name))
      )
        continue;
      this.days.set(day, [...points, { at: new Date(at), ...counts }]);
    }
  }

  private follow(until: number, decidedAt: number[]): HealthCourse {
    const { course, changes } = followHealth(this.course, {
      days: this.known(),
      decidedAt,
      until,
      thresholds: this.thresholds,
    });
    this.changes.push(...changes);
    this.course = course;
    if (course === null) throw new Error("Nothing was told yet");
    return course;
  }

  private known(): FactDays {
    return byDay([...this.days].map(([day, points]) => ({ day, points })));
  }
}
