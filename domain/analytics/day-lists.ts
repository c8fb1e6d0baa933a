import { type CountCell, cellsOf, type Dimension, type Happenings } from "./cells.ts";
import type { GroupBy } from "./groups.ts";

/** The lists of a stored day: the same counts by fewer or more dimensions. A report reads the shortest that has what it asks for. */
const DAY_LISTS = {
  total: [],
  steps: ["stepId", "variantId"],
  mailboxes: ["mailboxId"],
  hours: ["hour"],
  hoursOfMailboxes: ["hour", "mailboxId"],
  whole: ["stepId", "variantId", "mailboxId"],
} as const satisfies Record<string, readonly Dimension[]>;
export type DayList = keyof typeof DAY_LISTS;

/** All lists of one campaign's day. */
export function dayListsOf(happenings: Happenings, zone: string): Record<DayList, CountCell[]> {
  const lists = Object.entries(DAY_LISTS).map(([name, dimensions]) => [name, cellsOf(happenings, dimensions, zone)]);
  return Object.fromEntries(lists) as Record<DayList, CountCell[]>; // the keys of the constant
}

/** The shortest list for a report in these groups, of all mailboxes or of some. */
export function listFor(groupBy: GroupBy, ofSomeMailboxes: boolean): DayList {
  if (groupBy === "HOUR_OF_WEEK") return ofSomeMailboxes ? "hoursOfMailboxes" : "hours";
  if (groupBy === "STEP" || groupBy === "VARIANT") return ofSomeMailboxes ? "whole" : "steps";
  return groupBy === "MAILBOX" || ofSomeMailboxes ? "mailboxes" : "total";
}
