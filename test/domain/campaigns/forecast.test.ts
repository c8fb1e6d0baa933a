import { expect, test } from "@jest/globals";
import { type ForecastSources, forecast, utcDayOf } from "../../../domain/campaigns/forecast.ts";
import { DAY_MS, HOUR_MS } from "../../../domain/time/durations.ts";
import type { Calendar } from "../../../domain/time/schedule.ts";
import {
  AT_ONCE,
  campaign,
  compared,
  drawn,
  GAP_MS,
  MONDAY,
  ONE,
  shown,
  THREE_DAYS,
  WEEKDAYS,
  WORKDAYS,
} from "./forecast-setup.ts";

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
  [
    "a ramp",
    { fresh: [30], kinds: [{ ...ONE, perDay: 30 }], ramp: { start: 5, increment: 5, daysSoFar: 0 } },
    first,
    "2026-11-25T11:41",
  ],
  ["the campaign's limit", { fresh: [9], dailyLimit: 4 }, first, "2026-11-25T09:00"],
  ["the gap alone", { fresh: [42], kinds: [{ ...ONE, perDay: Infinity }] }, first, "2026-11-24T09:00"],
  [
    "what others have booked",
    { fresh: [10], kinds: [{ ...ONE, room: new Map([[utcDayOf(MONDAY), 3]]) }] },
    first,
    "2026-11-24T10:09",
  ],
  [
    "what was sent today already",
    { fresh: [4], dailyLimit: 4, today: { total: 3, newLeads: 0 } },
    first,
    "2026-11-24T09:23",
  ],
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
  [
    "a holiday",
    { fresh: [1], calendars: [{ ...WORKDAYS, closedDates: new Set(["2026-11-23"]) }] },
    "2026-11-24T09:00",
    "2026-11-24T09:00",
  ],
  ["recipients' own zones", { fresh: [1, 1], calendars: [newYork, berlin] }, "2026-11-23T08:00", "2026-11-23T14:00"],
  [
    "people on their way",
    { fresh: [0], waiting: [{ audience: 0, kind: 0, mail: 0, had: new Set(), dueAt: MONDAY + DAY_MS, count: 10 }] },
    "2026-11-24T09:00",
    "2026-11-24T10:43",
  ],
  [
    "people who have had the mail that stands behind theirs now",
    {
      fresh: [0],
      delays: [AT_ONCE, THREE_DAYS],
      waiting: [{ audience: 0, kind: 0, mail: 0, had: new Set([1]), dueAt: MONDAY + DAY_MS, count: 10 }],
    },
    "2026-11-24T09:00",
    "2026-11-24T10:43",
  ],
  ["no capacity", { kinds: [{ ...ONE, perDay: 0 }] }, null, null],
  ["never open", { calendars: [{ zone: "UTC", windows: [] }] }, null, null],
])("the forecast of %s", (_name, changes, firstAt, lastAt) => {
  expect(of(changes).slice(0, 2)).toEqual([firstAt, lastAt]);
});

test("a forecast shows the last email before the end date and the time at which the campaign would finish", () => {
  expect(of({ fresh: [60], endAt: MONDAY + 3 * DAY_MS })).toEqual([first, "2026-11-25T10:43", "2026-11-30T10:43"]);
  expect(of({ fresh: [40_000] })).toEqual([first, expect.any(String), null]);
});

test.each([1, 2, 3, 4, 5, 6])(
  "the forecast of a campaign of more than a year is right within one sending day (%d)",
  (seed) => {
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
      campaign: {
        ...campaign,
        ...mails,
        people: Array.from({ length: count }, () => calendar),
        mailboxes: [{ workday: null, perDay: 1 }],
      },
      sources: {
        ...sources,
        ...mails,
        calendars: [calendar],
        fresh: [count],
        kinds: [{ ...ONE, gapSeconds: GAP_MS / 1_000, perDay: 1 }],
      },
    };
    const { days, off } = compared(long);
    expect(days).toBeGreaterThan(365);
    expect(off).toBeLessThanOrEqual(1);
  },
);
