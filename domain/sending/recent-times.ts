import { MINUTE_MS } from "../time/durations.ts";

/** The most times that are kept. More times in a minute give no new information. */
const MOST = 2_000;
/** Milliseconds for which a computed result is reused, because every email needs it. */
const SERVES_MS = 100;

/**
 * The durations of an action that is repeated, for the last minute. All values are milliseconds; `now` is any clock
 * that never runs backwards.
 */
export class RecentTimes {
  private times: { at: number; tookMs: number }[] = [];
  private last: { at: number; p95: number } | null = null;

  note(now: number, tookMs: number): void {
    this.times.push({ at: now, tookMs });
    if (this.times.length > MOST) this.times.shift();
  }

  /** The 95th percentile of the durations; null if there were none. */
  p95(now: number): number | null {
    if (this.last !== null && now - this.last.at < SERVES_MS) return this.last.p95;
    this.times = this.times.filter(({ at }) => at > now - MINUTE_MS);
    const sorted = this.times.map(({ tookMs }) => tookMs).sort((one, other) => one - other);
    const p95 = sorted[Math.ceil(sorted.length * 0.95) - 1] ?? null;
    this.last = p95 === null ? null : { at: now, p95 };
    return p95;
  }

  /** The mean duration of the actions that ended after an instant; null if none did. */
  meanSince(since: number): number | null {
    const fresh = this.times.filter(({ at }) => at > since);
    return fresh.length === 0 ? null : fresh.reduce((sum, { tookMs }) => sum + tookMs, 0) / fresh.length;
  }
}
