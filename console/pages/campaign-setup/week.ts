import { HOUR_MS, MINUTE_MS } from "../../../domain/time/durations.ts";

/** Sending hours as the API has them: ISO weekdays, and local times as `HH:mm`. */
export interface Window {
  days: readonly number[];
  from: string;
  to: string;
}

/** The minutes of a day from which and until which emails may leave. */
type Range = readonly [from: number, to: number];
/** The ranges of each day, Monday first, in order and without overlaps. */
export type Week = readonly (readonly Range[])[];

const DAYS = 7;
/** Minutes of an hour. */
const HOUR = HOUR_MS / MINUTE_MS;
export const HOURS_OF_DAY = 24;

export function weekOf(windows: readonly Window[]): Week {
  return Array.from({ length: DAYS }, (_, index) =>
    merge(
      windows.flatMap(({ days, from, to }): Range[] =>
        days.includes(index + 1) ? [[minutesOf(from), minutesOf(to)]] : [],
      ),
    ),
  );
}

/** The sending hours among the settings of a campaign. */
export function windowsIn({ windows }: Readonly<Record<string, unknown>>): Window[] {
  return Array.isArray(windows) ? windows : [];
}

/** The fewest windows that mean the same: days with an equal range share one. */
export function windowsOf(week: Week): Window[] {
  const daysByRange = new Map<string, number[]>();
  for (const [index, ranges] of week.entries())
    for (const [from, to] of ranges) {
      const key = `${timeOf(from)} ${timeOf(to)}`;
      daysByRange.set(key, [...(daysByRange.get(key) ?? []), index + 1]);
    }
  return [...daysByRange].map(([key, days]) => {
    const [from = "", to = ""] = key.split(" ");
    return { days, from, to };
  });
}

/** How much of an hour is open. */
export function shareOfHour(week: Week, day: number, hour: number): "ALL" | "SOME" | "NONE" {
  const [start, end] = [hour * HOUR, (hour + 1) * HOUR];
  const open = (week[day] ?? []).reduce(
    (sum, [from, to]) => sum + Math.max(0, Math.min(to, end) - Math.max(from, start)),
    0,
  );
  return open === 0 ? "NONE" : open === HOUR ? "ALL" : "SOME";
}

/** The week with an hour opened or closed. */
export function withHour(week: Week, { day, hour, isOpen }: { day: number; hour: number; isOpen: boolean }): Week {
  const [start, end] = [hour * HOUR, (hour + 1) * HOUR];
  return week.map((ranges, index) => {
    if (index !== day) return ranges;
    if (isOpen) return merge([...ranges, [start, end]]);
    return ranges.flatMap(([from, to]): Range[] => {
      const parts: Range[] = [
        [from, Math.min(to, start)],
        [Math.max(from, end), to],
      ];
      return parts.filter(([first, last]) => first < last);
    });
  });
}

/** Days in a row that have equal ranges. Days without any are left out. */
export function runsOf(week: Week): { first: number; last: number; ranges: readonly { from: string; to: string }[] }[] {
  const runs: { first: number; last: number; key: string; ranges: readonly Range[] }[] = [];
  for (const [day, ranges] of week.entries()) {
    if (ranges.length === 0) continue;
    const key = JSON.stringify(ranges);
    const before = runs.at(-1);
    if (before?.key === key && before.last === day - 1) before.last = day;
    else runs.push({ first: day, last: day, key, ranges });
  }
  return runs.map(({ first, last, ranges }) => ({
    first,
    last,
    ranges: ranges.map(([from, to]) => ({ from: timeOf(from), to: timeOf(to) })),
  }));
}

function merge(ranges: readonly Range[]): Range[] {
  const merged: [number, number][] = [];
  for (const [from, to] of ranges.toSorted(([one], [other]) => one - other)) {
    const before = merged.at(-1);
    if (from >= to) continue;
    if (before !== undefined && from <= before[1]) before[1] = Math.max(before[1], to);
    else merged.push([from, to]);
  }
  return merged;
}

function minutesOf(time: string): number {
  const [hours = 0, minutes = 0] = time.split(":").map(Number);
  return hours * HOUR + minutes;
}

/** The time at which an hour of the day begins; that of hour 24 is the end of the day. */
export function startOfHour(hour: number): string {
  return timeOf(hour * HOUR);
}

function timeOf(minutes: number): string {
  return [Math.floor(minutes / HOUR), minutes % HOUR].map((part) => String(part).padStart(2, "0")).join(":");
}
