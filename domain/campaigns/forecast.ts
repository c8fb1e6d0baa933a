import { DAY_MS } from "../time/durations.ts";
import { type Calendar, type DelayUnit, dueAfter } from "../time/schedule.ts";
import { dayAt } from "../time/zone.ts";
import { type MailboxKind, type Stretch, Timeline } from "./timeline.ts";

/**
 * The input of a forecast: the emails that a campaign still has to send, and the rules for sending them. Instants are
 * epoch milliseconds.
 */
export interface ForecastSources {
  from: number;
  /** The campaign's time zone. The campaign's daily limits count by the days of this zone. */
  zone: string;
  /** The sending hours of each part of the audience, before mailbox workdays and `endAt` are applied. */
  calendars: readonly Calendar[];
  kinds: readonly MailboxKind[];
  /** The waits before each email, in order. The first wait counts from the admission. */
  delays: readonly { value: number; unit: DelayUnit }[];
  /** Recipients that have not been admitted, by part of the audience. */
  fresh: readonly number[];
  /**
   * Recipients that wait for an email: its 0-based number, when it is due, for which kind of mailbox it waits, and the
   * numbers of the emails that they have already received.
   */
  waiting: readonly {
    audience: number;
    kind: number;
    mail: number;
    had: ReadonlySet<number>;
    dueAt: number;
    count: number;
  }[];
  dailyLimit: number | null;
  maxNewLeadsPerDay: number | null;
  ramp: { start: number; increment: number; daysSoFar: number } | null;
  prioritizeNewLeads: boolean;
  /** Emails that were sent today already. */
  today: { total: number; newLeads: number };
  endAt: number | null;
}

export interface LaunchForecast {
  /** The first and the last email before `endAt`; null when there is none. */
  firstAt: number | null;
  lastAt: number | null;
  /** The last email if there were no `endAt`; null when it is not sent within ten years. */
  finishAt: number | null;
}

/** The most days that are simulated. */
const LONGEST_DAYS = 3_653;

/**
 * When a campaign sends its first and its last email if no one replies, bounces or is stopped (rules/campaigns 4.3).
 * The simulation handles numbers of recipients instead of single ones. It schedules a follow-up as soon as the email
 * before it is sent, and gives the remaining slots to new leads whose delay is over.
 */
export function forecast(sources: ForecastSources): LaunchForecast {
  return new Simulation(sources).run();
}

/** A number of equal emails in one stretch of time. */
interface Batch {
  audience: number;
  kind: number;
  mail: number;
  had: ReadonlySet<number>;
  count: number;
  firstAt: number;
  lastAt: number;
}

type Mails = Omit<Batch, "firstAt" | "lastAt">;

const NONE: ReadonlySet<number> = new Set();

/** Whether an email is the first one to its recipients. */
function isNew({ mail, had }: Mails): boolean {
  return mail === 0 && had.size === 0;
}

class Simulation {
  readonly #sources: ForecastSources;
  readonly #timeline: Timeline;
  readonly #days: Days;
  readonly #room: Map<number, number>[];
  readonly #fresh: number[];
  readonly #freshFrom: number[];
  readonly #booked = new Map<number, Batch[]>();
  #outstanding = 0;
  #result: LaunchForecast = { firstAt: null, lastAt: null, finishAt: null };

  constructor(sources: ForecastSources) {
    const { from, zone, calendars, kinds, delays } = sources;
    this.#sources = sources;
    this.#fresh = sources.fresh.map((count) => (delays.length === 0 ? 0 : count));
    this.#freshFrom = calendars.map((calendar) => this.#due(0, Math.max(from, calendar.startAt ?? from), calendar));
    const isFine = delays.slice(1).some(({ unit }) => unit === "MINUTES" || unit === "HOURS");
    const starts = calendars.map(({ startAt }) => startAt ?? from);
    const begins = Math.max(from, Math.min(...starts));
    this.#timeline = new Timeline(
      { from: begins, zone, calendars, kinds, marks: this.#freshFrom, isFine },
      LONGEST_DAYS,
    );
    this.#days = new Days(sources);
    this.#room = kinds.map(({ room }) => new Map(room));
  }

  run(): LaunchForecast {
    for (const { mail, dueAt, ...who } of this.#sources.waiting) this.#book({ ...who, mail }, dueAt, 0);
    for (let index = 0; this.#outstanding > 0 || this.#freshLeft() > 0; index++) {
      const segment = this.#timeline.at(index);
      if (segment === null) return { ...this.#result, finishAt: null };
      // New leads are scheduled first, so they come before follow-ups to emails of this stretch
      this.#admit(segment, this.#sources.prioritizeNewLeads);
      this.#send(segment);
      this.#admit(segment, false);
      this.#send(segment);
    }
    return this.#result;
  }

  #due(mail: number, previous: number, calendar: Calendar): number {
    const delay = this.#sources.delays[mail] ?? { value: 0, unit: "DAYS" };
    return dueAfter(delay, previous, calendar.zone, calendar);
  }

  #freshLeft(): number {
    return this.#fresh.reduce((sum, count) => sum + count, 0);
  }

  /** How many emails all mailboxes of one kind can still send on a UTC day. */
  #roomOf(kind: number, utcDay: number): number {
    const { count, perDay } = this.#sources.kinds[kind] ?? { count: 0, perDay: 0 };
    return this.#room[kind]?.get(utcDay) ?? count * perDay;
  }

  /**
   * Books emails from an instant on into the first stretches that are open and have room. Emails that do not fit before
   * the last simulated day stay unsent.
   */
  #book(batch: Mails, dueAt: number, from: number): void {
    const { audience, kind, mail, had, count } = batch;
    if (mail >= this.#sources.delays.length || count <= 0) return;
    this.#outstanding += count;
    let left = count;
    for (
      let segment = this.#timeline.after(dueAt, from);
      segment !== null && left > 0;
      segment = this.#timeline.at(segment.index + 1)
    ) {
      if (!segment.isOpen[audience] || !segment.isWorking[kind]) continue;
      const taken = Math.min(left, this.#freeIn(segment, kind, isNew(batch)));
      if (taken <= 0) continue;
      this.#take(segment, { audience, kind, mail, had, count: taken }, dueAt);
      left -= taken;
    }
  }

  #freeIn(segment: Stretch, kind: number, isNew: boolean): number {
    return Math.min(segment.free[kind] ?? 0, this.#roomOf(kind, segment.utcDay), this.#days.left(segment.day, isNew));
  }

  #take(segment: Stretch, batch: Mails, dueAt: number): void {
    const { kind, count } = batch;
    const { count: mailboxes = 1, gapSeconds = 0 } = this.#sources.kinds[kind] ?? {};
    const usedSlots = (segment.slots[kind] ?? 0) - (segment.free[kind] ?? 0);
    const before = segment.index === 0 ? null : this.#timeline.at(segment.index - 1);
    const isContinued = before?.until === segment.at && before.free[kind] === 0 && (before.slots[kind] ?? 0) > 0;
    const firstAt = isContinued ? (segment.firstSlot[kind] ?? segment.at) : segment.at;
    const slotAt = (slot: number) => Math.max(dueAt, firstAt + Math.floor(slot / mailboxes) * gapSeconds * 1_000);
    const placed = { ...batch, firstAt: slotAt(usedSlots), lastAt: slotAt(usedSlots + count - 1) };
    this.#change(segment, placed, count);
    this.#booked.set(segment.index, [...(this.#booked.get(segment.index) ?? []), placed]);
  }

  #change(segment: Stretch, batch: Batch, count: number): void {
    const { kind } = batch;
    segment.free[kind] = (segment.free[kind] ?? 0) - count;
    this.#room[kind]?.set(segment.utcDay, this.#roomOf(kind, segment.utcDay) - count);
    this.#days.add(segment.day, count, isNew(batch));
  }

  /**
   * Sends the emails that are booked in a stretch. This may book more emails in the same stretch, which are sent too.
   */
  #send(segment: Stretch): void {
    for (
      let batches = this.#booked.get(segment.index);
      batches !== undefined;
      batches = this.#booked.get(segment.index)
    ) {
      this.#booked.delete(segment.index);
      for (const batch of batches) {
        this.#outstanding -= batch.count;
        this.#note(batch);
        const calendar = this.#sources.calendars[batch.audience];
        if (calendar === undefined) continue;
        let mail = batch.mail + 1;
        while (batch.had.has(mail)) mail++;
        this.#book({ ...batch, mail }, this.#due(mail, batch.firstAt, calendar), segment.index);
      }
    }
  }

  #note({ firstAt, lastAt }: Batch): void {
    const { endAt } = this.#sources;
    const before = this.#result;
    const finishAt = Math.max(before.finishAt ?? lastAt, lastAt);
    if (endAt !== null && firstAt >= endAt) this.#result = { ...before, finishAt };
    else {
      const last = endAt !== null && lastAt >= endAt ? firstAt : lastAt;
      this.#result = {
        firstAt: Math.min(before.firstAt ?? firstAt, firstAt),
        lastAt: Math.max(before.lastAt ?? last, last),
        finishAt,
      };
    }
  }

  /**
   * Gives the free slots of a stretch to new leads, evenly over the mailboxes. With `isFirst`, follow-ups are moved to
   * later slots to make room (rules/sending 2.5).
   */
  #admit(segment: Stretch, isFirst: boolean): void {
    const ready = this.#fresh.map((count, audience) =>
      segment.isOpen[audience] && (this.#freshFrom[audience] ?? 0) < segment.until ? count : 0,
    );
    const wanted = Math.min(
      ready.reduce((sum, count) => sum + count, 0),
      this.#days.newLeft(segment.day),
    );
    if (wanted <= 0) return;
    const displaced = isFirst ? this.#displace(segment, wanted) : [];
    const kinds = this.#sources.kinds.map(({ count }, kind) => ({
      kind,
      count,
      room: segment.isWorking[kind] ? this.#freeIn(segment, kind, true) : 0,
    }));
    for (const { kind, given } of spreadByRoom(Math.min(wanted, this.#days.left(segment.day, true)), kinds)) {
      let left = given;
      for (const audience of ready.keys()) {
        const all = ready.reduce((sum, count) => sum + count, 0);
        const share =
          audience === ready.length - 1
            ? left
            : Math.min(left, Math.round((given * (ready[audience] ?? 0)) / Math.max(1, all)));
        left -= this.#admitSome(segment, kind, audience, share, ready);
      }
      for (const audience of ready.keys()) left -= this.#admitSome(segment, kind, audience, left, ready);
    }
    for (const { batch, count } of displaced) {
      this.#outstanding -= count;
      this.#book({ ...batch, count }, batch.firstAt, segment.index);
    }
  }

  #admitSome(segment: Stretch, kind: number, audience: number, wanted: number, ready: number[]): number {
    const count = Math.max(0, Math.min(wanted, ready[audience] ?? 0));
    if (count === 0) return 0;
    this.#take(segment, { audience, kind, mail: 0, had: NONE, count }, this.#freshFrom[audience] ?? 0);
    this.#outstanding += count;
    ready[audience] = (ready[audience] ?? 0) - count;
    this.#fresh[audience] = (this.#fresh[audience] ?? 0) - count;
    return count;
  }

  /** Removes follow-ups from this stretch and the rest of its UTC day until the new leads have room. */
  #displace(segment: Stretch, wanted: number): { batch: Batch; count: number }[] {
    const kinds = [...this.#sources.kinds.keys()].filter((kind) => segment.isWorking[kind]);
    let lacking = wanted - kinds.reduce((sum, kind) => sum + this.#freeIn(segment, kind, true), 0);
    const displaced: { batch: Batch; count: number }[] = [];
    for (
      let later: Stretch | null = segment;
      later !== null && later.utcDay === segment.utcDay;
      later = this.#timeline.at(later.index + 1)
    ) {
      for (const batch of this.#booked.get(later.index) ?? []) {
        // Freeing a slot of a later stretch raises the daily capacity, but helps only while this stretch has free slots
        const helps = later === segment || (segment.free[batch.kind] ?? 0) > 0;
        const count = !isNew(batch) && helps && kinds.includes(batch.kind) ? Math.min(lacking, batch.count) : 0;
        if (count <= 0) continue;
        batch.count -= count;
        lacking -= count;
        this.#change(later, batch, -count);
        displaced.push({ batch, count });
      }
    }
    return displaced;
  }
}

/** How many emails the campaign's own limits still allow on each day. */
class Days {
  readonly #sources: ForecastSources;
  readonly #total = new Map<number, number>();
  readonly #newLeads = new Map<number, number>();
  /** The days with emails, in order. The ramp's limit depends on their number. */
  readonly #sending: number[] = [];

  constructor(sources: ForecastSources) {
    this.#sources = sources;
    const today = dayAt(sources.zone, sources.from);
    if (sources.today.total > 0) this.add(today, sources.today.total, false);
    this.#newLeads.set(today, sources.today.newLeads);
  }

  add(day: number, count: number, isNew: boolean): void {
    const total = this.#total.get(day);
    this.#total.set(day, (total ?? 0) + count);
    if (isNew) this.#newLeads.set(day, (this.#newLeads.get(day) ?? 0) + count);
    if (total === undefined && this.#sources.ramp !== null) this.#sending.splice(this.#before(day), 0, day);
  }

  /** How many more emails the campaign's limits allow on a day. */
  left(day: number, isNew: boolean): number {
    const { dailyLimit, ramp } = this.#sources;
    const ramped =
      ramp === null ? Number.POSITIVE_INFINITY : ramp.start + ramp.increment * (ramp.daysSoFar + this.#before(day));
    const left = Math.min(dailyLimit ?? Number.POSITIVE_INFINITY, ramped) - (this.#total.get(day) ?? 0);
    return Math.max(0, isNew ? Math.min(left, this.newLeft(day)) : left);
  }

  newLeft(day: number): number {
    return Math.max(0, (this.#sources.maxNewLeadsPerDay ?? Number.POSITIVE_INFINITY) - (this.#newLeads.get(day) ?? 0));
  }

  /** How many days with emails precede this one. */
  #before(day: number): number {
    let [low, high] = [0, this.#sending.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#sending[middle] ?? 0) < day) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** Distributes a number of emails over kinds of mailboxes, as evenly per mailbox as their remaining capacity allows. */
function spreadByRoom(
  wanted: number,
  kinds: readonly { kind: number; count: number; room: number }[],
): { kind: number; given: number }[] {
  const byRoom = [...kinds].sort((one, other) => one.room / one.count - other.room / other.count);
  let left = wanted;
  let mailboxes = kinds.reduce((sum, { count }) => sum + count, 0);
  return byRoom.map(({ kind, count, room }) => {
    const given = Math.min(room, Math.ceil((left * count) / Math.max(1, mailboxes)));
    left -= given;
    mailboxes -= count;
    return { kind, given };
  });
}

/** The UTC day number of an instant. */
export function utcDayOf(at: number): number {
  return Math.floor(at / DAY_MS);
}
