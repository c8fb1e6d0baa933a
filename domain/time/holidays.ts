import Holidays from "date-holidays";
import { DAY_MS } from "./durations.ts";

/** The holidays of a country in a year take up to 60 ms to compute and never change. */
const publicByYear = new Map<string, readonly string[]>();

/**
 * The local dates (YYYY-MM-DD) on which a campaign with `skipHolidays` is closed (rules/sending 3.5): the public
 * holidays of a country (ISO 3166 alpha-2; null or unknown means none) and the customer's own dates. It covers `year`
 * and the year after, so that a search across New Year needs only one set. This module takes 35 MB and 0.2 s to load,
 * so import it dynamically and only for campaigns that need it.
 */
export function closedDates(country: string | null, year: number, custom: string[]): ReadonlySet<string> {
  const code = country?.trim().toUpperCase() ?? "";
  if (!/^[A-Z]{2}$/.test(code)) return new Set(custom);
  return new Set([...publicHolidays(code, year), ...publicHolidays(code, year + 1), ...custom]);
}

function publicHolidays(country: string, year: number): readonly string[] {
  const key = `${country}:${year}`;
  const cachedDates = publicByYear.get(key);
  if (cachedDates) return cachedDates;
  const dates = new Holidays(country, { types: ["public"] }).getHolidays(year).flatMap(datesOf);
  publicByYear.set(key, dates);
  return dates;
}

/** A holiday can last several days. One that begins on the evening before is dated by its first whole day. */
function datesOf({ date, start, end }: { date: string; start: Date; end: Date }): string[] {
  const first = Date.parse(`${date.slice(0, 10)}T00:00:00Z`);
  // rounded, because a day with a clock change has 23 or 25 hours
  const days = Math.max(1, Math.round((end.getTime() - start.getTime()) / DAY_MS));
  return Array.from({ length: days }, (_, index) => new Date(first + index * DAY_MS).toISOString().slice(0, 10));
}
