import { DAY_MS } from "../time/durations.ts";
import { utcDay } from "../time/schedule.ts";

/** The share of a domain's mail that people at Google reported as spam, on the newest day that Google tells it for. */
export interface GoogleRate {
  day: string;
  rate: number;
}

/** Days for which the newest rate says how things are, and for which an alert waits for another one. */
const RECENT_DAYS = 7;
const REMEMBERED_DAYS = 30;

/** The first day whose rate still tells anything. */
export function firstRateDay(now: number): string {
  return utcDay(now - REMEMBERED_DAYS * DAY_MS);
}

/** The rate, where it is new enough to say how things are. */
export function recentRate(newest: GoogleRate | null, now: number): GoogleRate | null {
  return newest !== null && newest.day >= utcDay(now - RECENT_DAYS * DAY_MS) ? newest : null;
}

/** What Google tells, as a part of a sentence. */
export function rateWords({ rate, day }: GoogleRate): string {
  return `by Google's own count its users reported ${percentWords(rate)} of the mail as spam on ${day}`;
}

/** A share of few in a thousand, in words. */
export function percentWords(share: number): string {
  return `${Math.round(share * 100_000) / 1_000} %`;
}
