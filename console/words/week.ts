import { DAY_MS } from "../../domain/time/durations.ts";

const LANGUAGE = "en";
/** A Monday, in the zone that the days below are read in. */
const MONDAY = Date.UTC(2024, 0, 1);
const short = new Intl.DateTimeFormat(LANGUAGE, { weekday: "short", timeZone: "UTC" });
const full = new Intl.DateTimeFormat(LANGUAGE, { weekday: "long", timeZone: "UTC" });

/** "Mon" for 0. */
export function formatWeekday(day: number): string {
  return short.format(MONDAY + day * DAY_MS);
}

export function formatWeekdayFully(day: number): string {
  return full.format(MONDAY + day * DAY_MS);
}

/** "09:00". */
export function formatHour(hour: number): string {
  return `${String(hour).padStart(2, "0")}:00`;
}
