import { expect, test } from "@jest/globals";
import { type ForecastSources, forecast, utcDayOf } from "../../../domain/campaigns/forecast.ts";
import type { MailboxKind } from "../../../domain/campaigns/timeline.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../domain/time/durations.ts";
import { type Calendar, isOpen, localDate } from "../../../domain/time/schedule.ts";
import { randomFrom } from "../../system/killed-worker.ts";
import { type ModelledCampaign, modelledSends } from "./booking-model.ts";

const MONDAY = Date.parse("2026-11-23T08:00Z");
const WEEKDAYS = { days: [1, 2, 3, 4, 5], from: "09:00", to: "17:00" };
const WORKDAYS: Calendar = { zone: "UTC", windows: [WEEKDAYS] };
const AT_ONCE = { value: 0, unit: "DAYS" } as const;
const THREE_DAYS = { value: 3, unit: "DAYS" } as const;
const ONE: MailboxKind = { count: 1, workday: null, gapSeconds: 690, perDay: 10, room: new Map(), readyAt: 0 };

const campaign: ForecastSources = {
  from: MONDAY,
  zone: "UTC",
  calendars: [WORKDAYS],
  kinds: [ONE],
  delays: [AT_ONCE],
  fresh: [10],
  waiting: [],
  dailyLimit: null,
  maxNewLeadsPerDay: null,
  ramp: null,
  prioritizeNewLeads: false,
  today: { total: 0, newLeads: 0 },
  endAt: null,
};
const shown = (at: number | null) => (at === null ? null : new Date(at).toISOString().slice(0, 16));
const of = (changes: Partial<ForecastSources>) => {
  const { firstAt, lastAt, finishAt } = forecast({ ...campaign, ...changes });
  return [shown(firstAt), shown(lastAt), shown(finishAt)];
};
const berlin: Calendar = { zone: "Europe/Berlin", windows: [WEEKDAYS] };
const newYork: Calendar = { zone: "America/New_York", windows: [WEEKDAYS] };
const first = "2026-11-23T09:00";

test.each<[string, Partial<ForecastSources>, string | null, string | null]>([
  ["nobody to write to", { fresh: [0] }, null, null],
  ["one day of ten mails, a gap apart", {}, first, "2026-11-23T10:43"],
  ["two mailboxes", { kinds: [{ ...ONE, count: 2 }] }, first, "2026-11-23T09:46"],
  ["over the weekend", { fresh: [60] }, first, "2026-11-30T10:43"],
  ["a first delay", { delays: [{ value: 2, unit: "DAYS" }] }, "2026-11-25T09:00", "2026-11-25T10:43"],
  ["a follow-up three days later", { delays: [AT_ONCE, THREE_DAYS] }, first, "2026-11-26T10:43"],
  [
    "a follow-up whose day is a Sunday",
    { from: MONDAY + 4 * DAY_MS, delays: [AT_ONCE, { value: 2, unit: "DAYS" }] },
    "2026-11-27T09:00",
    "2026-11-30T10:43",
  ],
  [
    "business days",
    { from: MONDAY + 4 * DAY_MS, delays: [AT_ONCE, { value: 2, unit: "BUSINESS_DAYS" }] },
    "2026-11-27T09:00",
    "2026-12-01T10:43",
  ],
  ["follow-ups before new leads", { fresh: [30], delays: [AT_ONCE, THREE_DAYS] }, first, "2026-11-30T10:43"],
  ["few new leads a day", { fresh: [10], maxNewLeadsPerDay: 2 }, first, "2026-11-27T09:11"],
  ["a ramp", { fresh: [30], kinds: [{ ...ONE, perDay: 30 }], ramp: { start: 5, increment: 5, daysSoFar: 0 } }, first, "2026-11-25T11:41"],
  ["the campaign's limit", { fresh: [9], dailyLimit: 4 }, first, "2026-11-25T09:00"],
  ["the gap alone", { fresh: [42], kinds: [{ ...ONE, perDay: Infinity }] }, first, "2026-11-24T09:00"],
  ["what others have booked", { fresh: [10], kinds: [{ ...ONE, room: new Map([[utcDayOf(MONDAY), 3]]) }] }, first, "2026-11-24T10:09"],
  ["what was sent today already", { fresh: [4], dailyLimit: 4, today: { total: 3, newLeads: 0 } }, first, "2026-11-24T09:23"],
  [
    "a mailbox that may not send yet",
    { fresh: [1], kinds: [{ ...ONE, readyAt: MONDAY + 3 * HOUR_MS }] },
    "2026-11-23T11:00",
    "2026-11-23T11:00",
  ],
  [
    "a mailbox's workday",
    { fresh: [1], kinds: [{ ...ONE, workday: { timezone: "UTC", days: [3], from: "12:00", to: "13:00" } }] },
    "2026-11-25T12:00",
    "2026-11-25T12:00",
  ],
  [
    "a start that lies ahead",
    { fresh: [1], calendars: [{ ...WORKDAYS, startAt: MONDAY + 5 * DAY_MS }] },
    "2026-11-30T09:00",
    "2026-11-30T09:00",
  ],
  ["a holiday", { fresh: [1], calendars: [{ ...WORKDAYS, closedDates: new Set(["2026-11-23"]) }] }, "2026-11-24T09:00", "2026-11-24T09:00"],
  ["recipients' own zones", { fresh: [1, 1], calendars: [newYork, berlin] }, "2026-11-23T08:00", "2026-11-23T14:00"],
  [
    "people on their way",
    { fresh: [0], waiting: [{ audience: 0, kind: 0, mail: 0, dueAt: MONDAY + DAY_MS, count: 10 }] },
    "2026-11-24T09:00",
    "2026-11-24T10:43",
  ],
  ["no capacity", { kinds: [{ ...ONE, perDay: 0 }] }, null, null],
  ["never open", { calendars: [{ zone: "UTC", windows: [] }] }, null, null],
])("the forecast of %s", (_name, changes, firstAt, lastAt) => {
  expect(of(changes).slice(0, 2)).toEqual([firstAt, lastAt]);
});

test("the last mail before the end date is told beside the instant at which the campaign would be finished", () => {
  expect(of({ fresh: [60], endAt: MONDAY + 3 * DAY_MS })).toEqual([first, "2026-11-25T10:43", "2026-11-30T10:43"]);
  expect(of({ fresh: [40_000] })).toEqual([first, expect.any(String), null]);
});

const ZONES = ["UTC", "Europe/Berlin", "America/New_York", "Asia/Tokyo", "America/Los_Angeles"];
const DELAYS = [
  THREE_DAYS,
  { value: 1, unit: "DAYS" },
  { value: 7, unit: "DAYS" },
  { value: 2, unit: "BUSINESS_DAYS" },
  { value: 5, unit: "HOURS" },
] as const;
const GAP_MS = 10 * MINUTE_MS;

/** A campaign of random rules, as people and as counts. Its gaps leave more slots than its limits use. */
function drawn(seed: number): { campaign: ModelledCampaign; sources: ForecastSources } {
  const random = randomFrom(seed);
  const whole = (least: number, most: number) => least + Math.floor(random() * (most - least + 1));
  const pick = <T>(from: readonly T[], otherwise: T): T => from[Math.floor(random() * from.length)] ?? otherwise;
  const maybe = <T>(share: number, value: T): T | null => (random() < share ? value : null);
  const from = MONDAY + whole(0, 300) * DAY_MS + whole(0, 23) * HOUR_MS;
  const opens = whole(6, 12);
  const days = random() < 0.7 ? [1, 2, 3, 4, 5] : [1, 3, 4, 6];
  const windows = [{ days, from: `${String(opens).padStart(2, "0")}:00`, to: `${opens + whole(5, 10)}:00` }];
  const closedDates = new Set(
    Array.from({ length: whole(0, 20) }, () => new Date(from + whole(0, 400) * DAY_MS).toISOString().slice(0, 10)),
  );
  const zone = ZONES[whole(0, ZONES.length - 1)] ?? "UTC";
  const calendars = Array.from({ length: whole(1, 3) }, (_, index) => ({
    zone: index === 0 ? zone : (ZONES[index] ?? zone),
    windows,
    closedDates,
  }));
  const people = Array.from({ length: whole(20, 140) }, () => calendars[whole(0, calendars.length - 1)] ?? WORKDAYS);
  const workday = { timezone: zone, days: [1, 2, 3, 4, 5, 6], from: "05:00", to: "20:00" };
  const mailboxes = Array.from({ length: whole(1, 3) }, () => ({
    workday: calendars.length === 1 ? maybe(0.4, workday) : null,
    perDay: whole(1, 6),
  }));
  const delays = [AT_ONCE, ...Array.from({ length: whole(0, 3) }, () => pick<(typeof DELAYS)[number]>(DELAYS, THREE_DAYS))];
  const limits = {
    dailyLimit: maybe(0.4, whole(1, 12)),
    maxNewLeadsPerDay: maybe(0.4, whole(1, 5)),
    ramp: maybe(0.3, { start: whole(1, 3), increment: whole(1, 2) }),
  };
  return {
    campaign: { from, zone, people, mailboxes, gapMs: GAP_MS, delays, ...limits },
    sources: {
      ...{ from, zone, calendars, delays, waiting: [], prioritizeNewLeads: false, today: { total: 0, newLeads: 0 }, endAt: null },
      ...{ ...limits, ramp: limits.ramp === null ? null : { ...limits.ramp, daysSoFar: 0 } },
      kinds: mailboxes.map(({ workday, perDay }) => ({
        count: 1,
        workday,
        gapSeconds: GAP_MS / 1_000,
        perDay,
        room: new Map(),
        readyAt: 0,
      })),
      fresh: calendars.map((calendar) => people.filter((one) => one === calendar).length),
    },
  };
}

/** Days between two instants on which some part of the audience may be written to. */
function sendingDaysBetween(one: number, other: number, calendars: readonly Calendar[]): number {
  const days = new Set<string>();
  for (let at = Math.min(one, other); at < Math.max(one, other); at += HOUR_MS) {
    if (calendars.some((calendar) => isOpen(calendar, at))) days.add(localDate(at, calendars[0]?.zone ?? "UTC"));
  }
  return Math.max(0, days.size - 1);
}

function compared({ campaign, sources }: ReturnType<typeof drawn>) {
  const sends = modelledSends(campaign);
  const { firstAt, lastAt } = forecast(sources);
  const last = sends.reduce((latest, at) => Math.max(latest, at), 0);
  expect(shown(firstAt)).toBe(shown(sends.reduce((earliest, at) => Math.min(earliest, at), Infinity)));
  expect(sources.calendars.some((calendar) => isOpen(calendar, lastAt ?? 0))).toBe(true);
  return { days: (last - campaign.from) / DAY_MS, off: sendingDaysBetween(last, lastAt ?? 0, sources.calendars) };
}

test("for campaigns of random rules, first mail and finish are those of a booking person by person: within a sending day but for a few stragglers", () => {
  const found = Array.from({ length: 40 }, (_, seed) => compared(drawn(seed + 1)));
  expect(found.filter(({ off }) => off <= 1).length).toBeGreaterThanOrEqual(38);
  // The last mails of a full campaign wait for their own mailbox, which counts do not tell apart
  expect(Math.max(...found.map(({ off }) => off))).toBeLessThanOrEqual(4);
});

test.each([1, 2, 3, 4, 5, 6])("a campaign of more than a year is forecast within a sending day (%d)", (seed) => {
  const { campaign, sources } = drawn(seed);
  const [calendar = WORKDAYS] = sources.calendars;
  const count = 150;
  const mails = {
    delays: [AT_ONCE, THREE_DAYS, { value: 7, unit: "DAYS" as const }],
    dailyLimit: null,
    ramp: null,
    maxNewLeadsPerDay: null,
  };
  const long = {
    campaign: { ...campaign, ...mails, people: Array.from({ length: count }, () => calendar), mailboxes: [{ workday: null, perDay: 1 }] },
    sources: { ...sources, ...mails, calendars: [calendar], fresh: [count], kinds: [{ ...ONE, gapSeconds: GAP_MS / 1_000, perDay: 1 }] },
  };
  const { days, off } = compared(long);
  expect(days).toBeGreaterThan(365);
  expect(off).toBeLessThanOrEqual(1);
});
