import { AHEAD_MS } from "../sending/pacing.ts";
import { DAY_MS } from "../time/durations.ts";
import { type Calendar, type Hours, nextOpening, type Opening } from "../time/schedule.ts";
import { dayAt, instantOf } from "../time/zone.ts";

/** Mailboxes that are alike: they have the same workday, gap and limits. */
export interface MailboxKind {
  count: number;
  workday: Hours | null;
  /** The mean gap between two emails of one mailbox. */
  gapSeconds: number;
  /** How many emails one mailbox may send for the campaign on a UTC day; Infinity without a limit. */
  perDay: number;
  /**
   * How many emails all mailboxes of this kind together can still send, for the UTC days (day numbers) on which other
   * campaigns have booked emails.
   */
  room: ReadonlyMap<number, number>;
  /** No email leaves before this instant (epoch milliseconds). */
  readyAt: number;
}

/**
 * A stretch of time in which no hours open or close and no daily count starts again. Instants are epoch milliseconds,
 * days are day numbers.
 */
export interface Stretch {
  index: number;
  at: number;
  until: number;
  /** The day in the campaign's zone, and the UTC day. */
  day: number;
  utcDay: number;
  /**
   * `isOpen`, by part of the audience: whether its sending windows are open. `isWorking`, by kind of mailbox: whether
   * it is in its workday.
   */
  isOpen: boolean[];
  isWorking: boolean[];
  /** By kind of mailbox: the slots that the gap allows in this stretch, and how many of them are still free. */
  slots: number[];
  free: number[];
  /** By kind of mailbox: the instant of its first slot. */
  firstSlot: number[];
}

export interface TimelineSources {
  from: number;
  /** The campaign's zone. */
  zone: string;
  /** The sending hours of each part of the audience, before mailbox workdays are applied. */
  calendars: readonly Calendar[];
  kinds: readonly MailboxKind[];
  /** Instants at which a stretch must begin. */
  marks: readonly number[];
  /** Whether stretches are half an hour long at most, for delays that are shorter than a day. */
  isFine: boolean;
}

/** The stretches of time in which a campaign can send. They are computed day by day, as needed. */
export class Timeline {
  readonly #sources: TimelineSources;
  readonly #segments: Stretch[] = [];
  readonly #streams: Stream[];
  readonly #workdays: (Stream | null)[];
  readonly #lastDay: number;
  #day: number;

  constructor(sources: TimelineSources, days: number) {
    this.#sources = sources;
    this.#day = dayAt(sources.zone, sources.from);
    this.#lastDay = this.#day + days;
    this.#streams = sources.calendars.map((calendar) => new Stream(calendar));
    const streams = new Map<string, Stream>();
    this.#workdays = sources.kinds.map(({ workday }) => {
      if (workday === null) return null;
      const key = JSON.stringify(workday);
      const stream = streams.get(key) ?? new Stream({ zone: workday.timezone, windows: [workday] });
      streams.set(key, stream);
      return stream;
    });
  }

  /** Null after the last day. */
  at(index: number): Stretch | null {
    while (index >= this.#segments.length && this.#day <= this.#lastDay) this.#addDay();
    return this.#segments[index] ?? null;
  }

  /** The first stretch that ends after an instant, searched from an index on; null after the last day. */
  after(instant: number, from: number): Stretch | null {
    for (let index = from; ; index++) {
      const segment = this.at(index);
      if (segment === null || segment.until > instant) return segment;
    }
  }

  #addDay(): void {
    const { from, zone, kinds, marks, isFine } = this.#sources;
    const start = Math.max(from, instantOf(zone, this.#day * DAY_MS));
    const end = instantOf(zone, (this.#day + 1) * DAY_MS);
    const open = this.#streams.map((stream) => stream.between(start, end));
    const working = this.#workdays.map((stream) => stream?.between(start, end) ?? [{ at: start, until: end }]);
    const edges = new Set([start, end, ...marks, ...kinds.map(({ readyAt }) => readyAt)]);
    for (const { at, until } of [...open, ...working].flat()) edges.add(at).add(until);
    for (let at = Math.ceil(start / DAY_MS) * DAY_MS; at < end; at += DAY_MS) edges.add(at);
    if (isFine) for (let at = Math.ceil(start / AHEAD_MS) * AHEAD_MS; at < end; at += AHEAD_MS) edges.add(at);
    const sorted = [...edges].filter((at) => at >= start && at <= end).sort((one, other) => one - other);
    const first = this.#segments.length;
    for (const [position, at] of sorted.entries()) {
      const until = sorted[position + 1];
      if (until === undefined) break;
      const isOpen = open.map((openings) => isOpenAt(openings, at));
      if (!isOpen.includes(true)) continue;
      const isWorking = working.map((openings, kind) => at >= (kinds[kind]?.readyAt ?? 0) && isOpenAt(openings, at));
      const utcDay = Math.floor(at / DAY_MS);
      const none = kinds.map(() => 0);
      const index = this.#segments.length;
      const segment = {
        index,
        at,
        until,
        day: this.#day,
        utcDay,
        isOpen,
        isWorking,
        slots: none,
        free: [],
        firstSlot: [...none],
      };
      this.#segments.push({ ...segment, slots: [...none] });
    }
    this.#addSlots(this.#segments.slice(first));
    this.#day++;
  }

  /**
   * Distributes the slots of a day: one when the hours open and then one after each gap. Their number is the open time
   * divided by the gap, and at least one (rules/campaigns 4.3).
   */
  #addSlots(segments: readonly Stretch[]): void {
    for (const [kind, { count, gapSeconds }] of this.#sources.kinds.entries()) {
      const gapMs = gapSeconds * 1_000;
      const mine = segments.filter(({ isWorking }) => isWorking[kind]);
      const openMs = mine.reduce((total, { at, until }) => total + until - at, 0);
      const all = openMs === 0 ? 0 : Math.max(1, Math.floor(openMs / gapMs));
      let before = 0;
      for (const segment of mine) {
        const length = segment.until - segment.at;
        const from = Math.min(all, Math.ceil(before / gapMs));
        const to = Math.min(all, Math.ceil((before + length) / gapMs));
        segment.slots[kind] = (to - from) * count;
        segment.firstSlot[kind] = segment.at + from * gapMs - before;
        before += length;
      }
    }
    for (const segment of segments) segment.free = [...segment.slots];
  }
}

/** The open hours of one calendar, read day after day. */
class Stream {
  readonly #calendar: Calendar;
  #next: Opening | null = null;
  #isOver = false;
  #last: { start: number; openings: Opening[] } = { start: Number.NaN, openings: [] };

  constructor(calendar: Calendar) {
    this.#calendar = calendar;
  }

  /**
   * The open hours between two instants. It is called for consecutive stretches of time and remembers the last result.
   */
  between(start: number, end: number): Opening[] {
    if (this.#last.start !== start) this.#last = { start, openings: this.#find(start, end) };
    return this.#last.openings;
  }

  #find(start: number, end: number): Opening[] {
    const found: Opening[] = [];
    for (let at = start; at < end && !this.#isOver; ) {
      if (this.#next === null || this.#next.until <= at) this.#next = nextOpening(this.#calendar, at);
      if (this.#next === null) this.#isOver = true;
      if (this.#next === null || this.#next.at >= end) break;
      found.push({ at: Math.max(this.#next.at, start), until: Math.min(this.#next.until, end) });
      at = this.#next.until;
    }
    return found;
  }
}

function isOpenAt(openings: readonly Opening[], at: number): boolean {
  return openings.some((opening) => opening.at <= at && at < opening.until);
}
