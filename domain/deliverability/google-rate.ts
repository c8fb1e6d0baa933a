import { DAY_MS } from "../time/durations.ts";
import { utcDay } from "../time/schedule.ts";

/** The share of a domain's email that Gmail users reported as spam, on the newest day for which Google gives it. */
export interface GoogleRate {
  day: string;
  rate: number;
}

/** For how many days the newest rate counts as current. So long an alert also waits for a newer rate. */
const RECENT_DAYS = 7;
const REMEMBERED_DAYS = 30;

/** The first day whose rate still counts. */
export function firstRateDay(now: number): string {
  return utcDay(now - REMEMBERED_DAYS * DAY_MS);
}

/** The rate, if it is new enough to describe the present. */
export function recentRate(newest: GoogleRate | null, now: number): GoogleRate | null {
  return newest !== null && newest.day >= utcDay(now - RECENT_DAYS * DAY_MS) ? newest : null;
}

/** The rate that Google reports, as part of a sentence. */
export function rateWords({ rate, day }: GoogleRate): string {
  return `by Google's own count its users reported ${percentWords(rate)} of the mail as spam on ${day}`;
}

/** A share of a few in a thousand, in words. */
export function percentWords(share: number): string {
  return `${Math.round(share * 100_000) / 1_000} %`;
}
