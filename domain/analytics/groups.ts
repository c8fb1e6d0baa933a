import { sumOfDecimals } from "../decimals.ts";
import { dateOf, dayOf, weekdayOf } from "../time/zone.ts";
import { type CountCell, type Counts, cellsOf, type Dimension, type Happenings } from "./cells.ts";

export const GROUPS = [
  "NONE",
  "DAY",
  "WEEK",
  "MONTH",
  "HOUR_OF_WEEK",
  "CAMPAIGN",
  "STEP",
  "VARIANT",
  "MAILBOX",
] as const;
export type GroupBy = (typeof GROUPS)[number];

const WEEKDAYS = ["MON", "TUE", "WED", "THU", "FRI", "SAT", "SUN"];

/** The dimensions by which each grouping distinguishes its groups. */
export const DIMENSIONS_OF: Readonly<Record<GroupBy, readonly Dimension[]>> = {
  NONE: [],
  DAY: ["day"],
  WEEK: ["day"],
  MONTH: ["day"],
  HOUR_OF_WEEK: ["weekday", "hour"],
  CAMPAIGN: ["campaignId"],
  STEP: ["campaignId", "stepId"],
  VARIANT: ["campaignId", "stepId", "variantId"],
  MAILBOX: ["mailboxId"],
};

/**
 * Whether a group is a period of time. Such a group has no rates, because most people who reply in a period were
 * contacted before it (rules/analytics 1.3).
 */
export function isTime(groupBy: GroupBy): boolean {
  return groupBy === "DAY" || groupBy === "WEEK" || groupBy === "MONTH" || groupBy === "HOUR_OF_WEEK";
}

/**
 * Whether `contacted` counts the people who were sent the email of that step or variant. In all other groups it counts
 * the people who were sent their first email.
 */
export function isOfSteps(groupBy: GroupBy): boolean {
  return groupBy === "STEP" || groupBy === "VARIANT";
}

/**
 * The key of a cell's group: a date, an ISO week (2026-W47), a month (2026-11), MON-09 for Mondays from nine to ten, or
 * an id. Null if an event belongs to no known step, variant or mailbox.
 */
export function keyOf(groupBy: GroupBy, { day = 0, weekday = 1, hour = 0, ...ids }: Partial<CountCell>): string | null {
  switch (groupBy) {
    case "NONE":
      return "ALL";
    case "DAY":
      return dateOf(day);
    case "WEEK":
      return isoWeekOf(day);
    case "MONTH":
      return dateOf(day).slice(0, 7);
    case "HOUR_OF_WEEK":
      return `${WEEKDAYS[weekday - 1]}-${String(hour).padStart(2, "0")}`;
    case "CAMPAIGN":
      return ids.campaignId ?? null;
    case "STEP":
      return ids.stepId ?? null;
    case "VARIANT":
      return ids.variantId ?? null;
    case "MAILBOX":
      return ids.mailboxId ?? null;
  }
}

/** ISO 8601: the week belongs to the year that has its Thursday. */
function isoWeekOf(day: number): string {
  const thursday = day + 4 - weekdayOf(day);
  const year = dateOf(thursday).slice(0, 4);
  const first = dayOf(`${year}-01-01`);
  return `${year}-W${String(Math.floor((thursday - first) / 7) + 1).padStart(2, "0")}`;
}

/**
 * The keys of all periods of a report, in order; null for groups that are not periods, of which only those with data
 * are shown.
 */
export function timesOf(groupBy: GroupBy, from: number, to: number): string[] | null {
  if (!isTime(groupBy)) return null;
  if (groupBy === "HOUR_OF_WEEK")
    return WEEKDAYS.flatMap((_, weekday) =>
      Array.from({ length: 24 }, (_, hour) => keyOf(groupBy, { weekday: weekday + 1, hour }) ?? ""),
    );
  const days = Array.from({ length: to - from + 1 }, (_, index) => keyOf(groupBy, { day: from + index }) ?? "");
  return [...new Set(days)];
}

/** The totals of a group: counts, and revenue by currency. */
export interface Sum {
  counts: Counts;
  money: Map<string, string>;
}

export function sumOf(cells: Iterable<CountCell>): Sum {
  const sum: Sum = { counts: {}, money: new Map() };
  for (const { counts, currency, amount } of cells) {
    for (const [name, count] of Object.entries(counts) as [keyof Counts, number][])
      sum.counts[name] = (sum.counts[name] ?? 0) + count; // its keys
    if (currency !== null && amount !== null)
      sum.money.set(currency, sumOfDecimals(sum.money.get(currency) ?? "0", amount));
  }
  return sum;
}

/**
 * The lists that are stored for a day: the same counts, each by other dimensions. A report reads the shortest list that
 * has the dimensions it needs.
 */
const DAY_LISTS = {
  total: [],
  steps: ["stepId", "variantId"],
  mailboxes: ["mailboxId"],
  hours: ["hour"],
  hoursOfMailboxes: ["hour", "mailboxId"],
  whole: ["stepId", "variantId", "mailboxId"],
} as const satisfies Record<string, readonly Dimension[]>;
type DayList = keyof typeof DAY_LISTS;

/** All lists of one campaign's day. */
export function dayListsOf(happenings: Happenings, zone: string): Record<DayList, CountCell[]> {
  const lists = Object.entries(DAY_LISTS).map(([name, dimensions]) => [name, cellsOf(happenings, dimensions, zone)]);
  return Object.fromEntries(lists) as Record<DayList, CountCell[]>; // the keys of the constant
}

/** The shortest list for a report with this grouping, for all mailboxes or for some of them. */
export function listFor(groupBy: GroupBy, ofSomeMailboxes: boolean): DayList {
  if (groupBy === "HOUR_OF_WEEK") return ofSomeMailboxes ? "hoursOfMailboxes" : "hours";
  if (groupBy === "STEP" || groupBy === "VARIANT") return ofSomeMailboxes ? "whole" : "steps";
  return groupBy === "MAILBOX" || ofSomeMailboxes ? "mailboxes" : "total";
}
