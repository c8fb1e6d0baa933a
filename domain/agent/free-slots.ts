import { DAY_MS, HOUR_MS, MINUTE_MS } from "../time/durations.ts";
import { nextOpening, type Window } from "../time/schedule.ts";
import { instantOf, wallAt } from "../time/zone.ts";

/** Busy from `start` up to but excluding `end`, in epoch milliseconds. */
export interface BusyTime {
  start: number;
  end: number;
}

export interface SlotQuestion {
  /** The time zone of the workspace's working hours. */
  zone: string;
  windows: Window[];
  /** The time zone of the person who is offered the slots. Null: not known, so all of our working hours are offered. */
  theirZone: string | null;
  busy: readonly BusyTime[];
  from: number;
  to: number;
  durationMs: number;
}

/** Slots begin on the hour and on the half hour in the workspace's time zone. */
const STEP_MS = 30 * MINUTE_MS;
const MOST_SLOTS = 100;
/** The hours, in the person's time zone, in which a meeting may be offered (rules/calendar 2.2). */
const THEIR_DAY: Window[] = [{ days: [1, 2, 3, 4, 5, 6, 7], from: "08:00", to: "20:00" }];

/**
 * The free slots: working hours without busy times, the earliest first. Each slot is entirely within our working hours
 * and the person's daytime.
 */
export function freeSlots({ zone, windows, theirZone, busy, from, to, durationMs }: SlotQuestion): BusyTime[] {
  const slots: BusyTime[] = [];
  for (let open = nextOpening({ zone, windows, endAt: to }, from); open !== null && slots.length < MOST_SLOTS; ) {
    for (let at = alignedUp(zone, open.at); at + durationMs <= open.until && slots.length < MOST_SLOTS; at += STEP_MS) {
      const slot = { start: at, end: at + durationMs };
      if (busy.every((taken) => taken.end <= slot.start || taken.start >= slot.end) && isInTheirDay(theirZone, slot))
        slots.push(slot);
    }
    open = nextOpening({ zone, windows, endAt: to }, open.until);
  }
  return slots;
}

function isInTheirDay(zone: string | null, { start, end }: BusyTime): boolean {
  if (zone === null) return true;
  const day = nextOpening({ zone, windows: THEIR_DAY }, start);
  return day !== null && day.at === start && day.until >= end;
}

function alignedUp(zone: string, at: number): number {
  const wall = wallAt(zone, at);
  const missing = (STEP_MS - (wall % STEP_MS)) % STEP_MS;
  return missing === 0 ? at : Math.max(at, instantOf(zone, wall + missing));
}

/** An instant as local time of a zone, with the offset from UTC. */
export function writtenIn(zone: string, at: number): string {
  const wall = wallAt(zone, at);
  const minutes = Math.round((wall - at) / MINUTE_MS);
  const sign = minutes < 0 ? "-" : "+";
  const two = (value: number) => String(Math.floor(Math.abs(value))).padStart(2, "0");
  return `${new Date(wall).toISOString().slice(0, 19)}${sign}${two(minutes / 60)}:${two(Math.abs(minutes) % 60)}`;
}

/** How many milliseconds ahead slots are offered, by default and at most. */
export const AHEAD_MS = { usual: 7 * DAY_MS, most: 60 * DAY_MS } as const;

/** What the inbox agent may offer for a meeting (rules/agent 3.5). */
export interface MeetingOffer {
  bookingUrl: string | null;
  /** The beginning of each slot in the person's local time, with the offset from UTC. */
  slots: string[];
}

/** The shortest time from writing the reply to an offered slot, because a reply is read later than it is written. */
export const NOTICE_MS = 12 * HOUR_MS;
/** The length of an offered meeting in milliseconds. */
export const MEETING_MS = 30 * MINUTE_MS;
const OFFERED_DAYS = 3;

/**
 * A few of the free slots, so that an email stays short: the first and the last slot of each of the first days with
 * free slots, in local time of the zone.
 */
export function offeredSlots(slots: readonly BusyTime[], zone: string): string[] {
  const days = new Map<string, string[]>();
  for (const { start } of slots) {
    const written = writtenIn(zone, start);
    const day = written.slice(0, 10);
    days.set(day, [...(days.get(day) ?? []).slice(0, 1), written]);
  }
  return [...days.values()].slice(0, OFFERED_DAYS).flat();
}
