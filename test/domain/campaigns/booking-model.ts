import { DAY_MS, MINUTE_MS } from "../../../domain/time/durations.ts";
import {
  type Calendar,
  type DelayUnit,
  dueAfter,
  type Hours,
  localDate,
  nextOpening,
} from "../../../domain/time/schedule.ts";

/** A campaign and its people, one by one. */
export interface ModelledCampaign {
  from: number;
  zone: string;
  /** One for each person. */
  people: Calendar[];
  mailboxes: { workday: Hours | null; perDay: number; taken?: Map<number, number> }[];
  gapMs: number;
  delays: { value: number; unit: DelayUnit }[];
  dailyLimit: number | null;
  maxNewLeadsPerDay: number | null;
  ramp: { start: number; increment: number } | null;
}

const AHEAD_MS = 30 * MINUTE_MS;
const TICK_MS = 15 * MINUTE_MS;

/**
 * Every instant at which an email is sent, in order: person by person and slot by slot, as the rules of bookings say
 * (rules/sending 2): a follow-up is booked when the mail before it is sent, a new lead at most half an hour ahead,
 * each at the first free slot.
 */
export function modelledSends(campaign: ModelledCampaign): number[] {
  const { from, people, mailboxes, delays, gapMs } = campaign;
  const slots = mailboxes.map(() => new Map<number, number[]>());
  const days = new Map<string, { total: number; newLeads: number }>();
  const booked: { at: number; person: number; mail: number; mailbox: number }[] = [];
  const sent: number[] = [];
  let fresh = people.map((_, person) => person);

  function dayOf(at: number) {
    const date = localDate(at, campaign.zone);
    const day = days.get(date) ?? { total: 0, newLeads: 0 };
    days.set(date, day);
    return { date, day };
  }
  function isFull(at: number, isNew: boolean): boolean {
    const { date, day } = dayOf(at);
    const sendingDays = [...days].filter(([other, { total }]) => other < date && total > 0).length;
    const ramp = campaign.ramp === null ? Infinity : campaign.ramp.start + campaign.ramp.increment * sendingDays;
    if (day.total >= Math.min(campaign.dailyLimit ?? Infinity, ramp)) return true;
    return isNew && day.newLeads >= (campaign.maxNewLeadsPerDay ?? Infinity);
  }
  function bookIn(mailbox: number, person: number, mail: number, earliest: number, latest: number): boolean {
    const { workday = null, perDay = 0, taken } = mailboxes[mailbox] ?? {};
    const calendar = { ...(people[person] ?? { zone: "UTC", windows: [] }), workday };
    for (let at = earliest; ; ) {
      const opening = nextOpening(calendar, at);
      if (opening === null || opening.at > latest) return false;
      const utcDay = Math.floor(opening.at / DAY_MS);
      const until = Math.min(opening.until - 1, (utcDay + 1) * DAY_MS - 1, latest);
      const known = slots[mailbox]?.get(utcDay) ?? [];
      const slot =
        known.length + (taken?.get(utcDay) ?? 0) >= perDay || isFull(opening.at, mail === 0)
          ? null
          : firstFree(known, opening.at, until);
      if (slot !== null) {
        slots[mailbox]?.set(
          utcDay,
          [...known, slot].sort((one, other) => one - other),
        );
        const { day } = dayOf(slot);
        day.total++;
        if (mail === 0) day.newLeads++;
        booked.push({ at: slot, person, mail, mailbox });
        return true;
      }
      at = until + 1;
    }
  }
  function firstFree(known: number[], earliest: number, until: number): number | null {
    let at = earliest;
    for (const slot of known) if (Math.abs(slot - at) < gapMs) at = slot + gapMs;
    return at <= until ? at : null;
  }
  function sendUntil(instant: number): void {
    for (;;) {
      booked.sort((one, other) => other.at - one.at);
      const next = booked.at(-1);
      if (next === undefined || next.at > instant) return;
      booked.pop();
      sent.push(next.at);
      const delay = delays[next.mail + 1];
      const calendar = people[next.person];
      if (delay === undefined || calendar === undefined) continue;
      const due = dueAfter(delay, next.at, calendar.zone, calendar);
      bookIn(next.mailbox, next.person, next.mail + 1, due, Number.MAX_SAFE_INTEGER);
    }
  }

  for (let now = from; fresh.length > 0; now += TICK_MS) {
    sendUntil(now);
    const left: number[] = [];
    const closed = new Set<string>();
    let turn = 0;
    for (const person of fresh) {
      const calendar = people[person];
      const key = calendar?.zone ?? "";
      if (calendar === undefined || closed.has(key)) {
        left.push(person);
        continue;
      }
      const earliest = Math.max(now, dueAfter(delays[0] ?? { value: 0, unit: "DAYS" }, now, calendar.zone, calendar));
      const order = mailboxes.map((_, index) => (index + turn) % mailboxes.length);
      const mailbox = order.find((index) => bookIn(index, person, 0, earliest, earliest + AHEAD_MS));
      if (mailbox === undefined) {
        closed.add(key);
        left.push(person);
      } else turn = mailbox + 1;
    }
    // Nights and weekends are skipped in one step
    const opens = Math.min(
      ...[...new Set(people)].map((calendar) => nextOpening(calendar, now + AHEAD_MS)?.at ?? Infinity),
    );
    if (left.length === fresh.length && opens - AHEAD_MS > now + TICK_MS) now = opens - AHEAD_MS - TICK_MS;
    fresh = left;
  }
  sendUntil(Number.MAX_SAFE_INTEGER);
  return sent;
}
