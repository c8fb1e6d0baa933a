import { DAY_MS } from "../time/durations.ts";
import { type Calendar, type DelayUnit, dueAfter, nextOpening, openSeconds } from "../time/schedule.ts";
import { dateOf, dayAt, dayOf, instantOf } from "../time/zone.ts";

/** What one mailbox can send on a day. Limits are as configured: 0 and null mean no limit. */
export interface MailboxCapacity {
  dailySendLimit: number | null;
  /** The provider's own limit (rules/sending 2.4). */
  providerLimit?: number | null;
  plannedWarmup?: number;
  /** Mails of the day that other campaigns, replies and earlier sends take. */
  reservedElsewhere?: number;
  /** Seconds in which both the campaign's window and the workday are open. */
  openSeconds: number;
  /** Null means the campaign's gap. */
  minGapSeconds?: number | null;
  maxGapSeconds?: number | null;
}

export interface CampaignVolume {
  dailyLimit: number | null;
  /** The result of `rampLimit` for today. */
  ramp: number | null;
  /** 0 means no limit. */
  perMailboxDailyLimit: number | null;
  minGapSeconds: number;
  maxGapSeconds: number;
}

/** The mails a campaign can send on one day (rules/campaigns 4.3): with 5 mailboxes, 2 h and a gap of 9 to 14 min it is 50. */
export function dailyCapacity(campaign: CampaignVolume, mailboxes: readonly MailboxCapacity[]): number {
  const sum = mailboxes.reduce((total, mailbox) => total + mailboxCapacity(campaign, mailbox), 0);
  return Math.min(ceiling(campaign.dailyLimit), ceiling(campaign.ramp), sum);
}

export interface Audience {
  /** The first instant at which anything may be sent. */
  from: number;
  calendar: Calendar;
  /** Recipients who have not received a mail yet. */
  recipients: number;
  /** The waits before each step, in order. The first wait counts from the admission. */
  delays: readonly { value: number; unit: DelayUnit }[];
  /** Recipients in progress: how many wait for which step (0-based), and when it is due. */
  waiting?: readonly { step: number; dueAt: number; count: number }[];
  maxNewLeadsPerDay?: number | null;
  prioritizeNewLeads?: boolean;
}

/** A day of the simulation, as it is passed to the caller's capacity function. */
export interface SendingDay {
  date: string;
  openSeconds: number;
  /** Days before this one on which something was sent. The ramp counts them. */
  sendingDaysSoFar: number;
}

const LONGEST_DAYS = 3653;

/**
 * When the last mail of a sequence is sent if nobody replies, bounces or is stopped (epoch ms). Returns `from` when there is nothing to
 * send, and null when it takes more than ten years or `endAt` comes first. The simulation counts recipients per day and never looks at a
 * single one. Each day sends up to `capacityOf` that day, due follow-ups before new leads (rules/sending 2.5).
 */
export function expectedFinish(audience: Audience, capacityOf: (day: SendingDay) => number): number | null {
  const { zone } = audience.calendar;
  // open time before `from` cannot be used, so the first day counts only in part
  const calendar = { ...audience.calendar, startAt: Math.max(audience.from, audience.calendar.startAt ?? audience.from) };
  const first = dayAt(zone, calendar.startAt);
  const queue = queueOf(audience, calendar, first);
  let finish: number | null = queue.left() === 0 ? audience.from : null;
  let sendingDays = 0;
  for (let day = first; queue.left() > 0; ) {
    const opening = nextOpening(calendar, instantOf(zone, Math.max(day, queue.nextDay()) * DAY_MS));
    if (!opening) return null;
    day = dayAt(zone, opening.at);
    if (day - first > LONGEST_DAYS) return null;
    const date = dateOf(day);
    const open = openSeconds(calendar, date);
    const capacity = Math.max(0, Math.floor(capacityOf({ date, openSeconds: open, sendingDaysSoFar: sendingDays })));
    const sent = queue.send(day, capacity);
    if (sent > 0) {
      sendingDays += 1;
      finish = instantAfter(calendar, date, (open * 1000 * sent) / capacity);
    }
    day += 1;
  }
  return finish;
}

function mailboxCapacity(campaign: CampaignVolume, mailbox: MailboxCapacity): number {
  const taken = (mailbox.plannedWarmup ?? 0) + (mailbox.reservedElsewhere ?? 0);
  const headroom = Math.min(ceiling(mailbox.dailySendLimit), ceiling(mailbox.providerLimit)) - taken;
  const min = mailbox.minGapSeconds ?? campaign.minGapSeconds;
  const max = mailbox.maxGapSeconds ?? campaign.maxGapSeconds;
  // without a gap a mailbox sends one mail a second at most, and the sum stays finite
  const byGap = Math.floor(mailbox.openSeconds / Math.max(1, (min + max) / 2));
  return Math.max(0, Math.min(ceiling(campaign.perMailboxDailyLimit), headroom, byGap));
}

function ceiling(limit: number | null | undefined): number {
  return limit ? limit : Number.POSITIVE_INFINITY;
}

interface Queue {
  left(): number;
  /** The first day on which something is due. */
  nextDay(): number;
  /** Sends up to `capacity` mails on a day, plans their follow-ups and returns how many it sent. */
  send(day: number, capacity: number): number;
}

function queueOf(audience: Audience, calendar: Calendar, first: number): Queue {
  const { delays } = audience;
  const waiting = new Map<number, number[]>();
  let fresh = delays.length === 0 ? 0 : audience.recipients;
  const freshDay = after(0, first);
  let due = 0;

  function after(step: number, day: number): number {
    const delay = delays[step] ?? { value: 0, unit: "DAYS" };
    const noon = instantOf(calendar.zone, day * DAY_MS + DAY_MS / 2);
    const wait = delay.unit === "MINUTES" || delay.unit === "HOURS" ? inDays(delay) : delay;
    return dayAt(calendar.zone, dueAfter(wait, noon, calendar.zone, calendar));
  }
  function plan(step: number, day: number, count: number): void {
    if (step >= delays.length || count <= 0) return;
    const counts = waiting.get(day) ?? delays.map(() => 0);
    counts[step] = (counts[step] ?? 0) + count;
    waiting.set(day, counts);
    due += count;
  }
  function sendDue(today: number, capacity: number): number {
    let sent = 0;
    for (const [day, counts] of [...waiting].filter(([day]) => day <= today).sort(([a], [b]) => a - b)) {
      if (sent >= capacity) break;
      for (const [step, count] of counts.entries()) {
        const part = Math.min(count, capacity - sent);
        counts[step] = count - part;
        due -= part;
        sent += part;
        if (part > 0) plan(step + 1, after(step + 1, today), part);
      }
      if (counts.every((count) => count === 0)) waiting.delete(day);
    }
    return sent;
  }
  function sendFresh(today: number, capacity: number): number {
    const part = today < freshDay ? 0 : Math.min(fresh, capacity, ceiling(audience.maxNewLeadsPerDay));
    fresh -= part;
    if (part > 0) plan(1, after(1, today), part);
    return part;
  }

  for (const { step, dueAt, count } of audience.waiting ?? []) plan(step, Math.max(first, dayAt(calendar.zone, dueAt)), count);
  return {
    left: () => fresh + due,
    nextDay: () => Math.min(fresh > 0 ? freshDay : Number.POSITIVE_INFINITY, ...waiting.keys()),
    send(day, capacity) {
      const flipped = audience.prioritizeNewLeads ? sendFresh(day, capacity) : 0;
      let sent = flipped + sendDue(day, capacity - flipped);
      if (!audience.prioritizeNewLeads) sent += sendFresh(day, capacity - sent);
      return sent;
    },
  };
}

/** Rounds a wait in minutes or hours up to whole days: a follow-up after three hours is mostly sent in the next day's window. */
function inDays({ value, unit }: { value: number; unit: DelayUnit }): { value: number; unit: "DAYS" } {
  return { value: Math.ceil(value / (unit === "HOURS" ? 24 : 24 * 60)), unit: "DAYS" };
}

/** The instant at which `openMs` milliseconds of the day's open time have passed. */
function instantAfter(calendar: Calendar, date: string, openMs: number): number {
  let at = instantOf(calendar.zone, dayOf(date) * DAY_MS);
  let left = openMs;
  for (;;) {
    const opening = nextOpening(calendar, at);
    if (!opening) return at;
    if (left <= opening.until - opening.at) return opening.at + left;
    left -= opening.until - opening.at;
    at = opening.until;
  }
}
