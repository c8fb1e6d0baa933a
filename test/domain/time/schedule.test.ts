import { expect, test } from "@jest/globals";
import { DAY_MS } from "../../../domain/time/durations.ts";
import {
  type Calendar,
  type DelayUnit,
  dueAfter,
  isOpen,
  isZone,
  localDate,
  mergeWindows,
  nextOpening,
  openSeconds,
  utcDay,
  type Window,
} from "../../../domain/time/schedule.ts";

const WORKDAYS = [1, 2, 3, 4, 5];
const EVERY_DAY = [1, 2, 3, 4, 5, 6, 7];
const OFFICE: Window[] = [{ days: WORKDAYS, from: "09:00", to: "17:00" }];

const utc = (text: string) => Date.parse(text);
const iso = (at: number | undefined) => (at === undefined ? null : new Date(at).toISOString().replace(":00.000Z", "Z"));
const opening = (calendar: Calendar, from: string) => {
  const found = nextOpening(calendar, utc(from));
  return found && [iso(found.at), iso(found.until)];
};
const daily = (zone: string, from: string, to: string): Calendar => ({
  zone,
  windows: [{ days: EVERY_DAY, from, to }],
});

test("a step due on a weekend waits for Monday: Friday 14:10 plus two days leads to Monday 09:00", () => {
  const calendar = { zone: "Europe/Berlin", windows: OFFICE };
  const due = dueAfter({ value: 2, unit: "DAYS" }, utc("2026-03-06T13:10Z"), "Europe/Berlin", calendar);
  expect(iso(due)).toBe("2026-03-08T13:10Z");
  expect(iso(nextOpening(calendar, due)?.at)).toBe("2026-03-09T08:00Z");
});

test.each<[string, Calendar, string, [string, string] | null]>([
  [
    "inside a window",
    { zone: "UTC", windows: OFFICE },
    "2026-11-20T10:00Z",
    ["2026-11-20T10:00Z", "2026-11-20T17:00Z"],
  ],
  [
    "the first instant belongs to it",
    { zone: "UTC", windows: OFFICE },
    "2026-11-20T09:00Z",
    ["2026-11-20T09:00Z", "2026-11-20T17:00Z"],
  ],
  [
    "the last one does not",
    { zone: "UTC", windows: OFFICE },
    "2026-11-20T17:00Z",
    ["2026-11-23T09:00Z", "2026-11-23T17:00Z"],
  ],
  ["until midnight", daily("UTC", "22:00", "24:00"), "2026-11-20T23:59Z", ["2026-11-20T23:59Z", "2026-11-21T00:00Z"]],
  ["the leap day", { zone: "UTC", windows: OFFICE }, "2028-02-28T17:00Z", ["2028-02-29T09:00Z", "2028-02-29T17:00Z"]],
  [
    "45-minute offsets",
    daily("Asia/Kathmandu", "09:00", "17:00"),
    "2026-11-20T00:00Z",
    ["2026-11-20T03:15Z", "2026-11-20T11:15Z"],
  ],
  [
    "before summer time in Berlin",
    daily("Europe/Berlin", "09:00", "10:00"),
    "2026-03-28T00:00Z",
    ["2026-03-28T08:00Z", "2026-03-28T09:00Z"],
  ],
  [
    "after it",
    daily("Europe/Berlin", "09:00", "10:00"),
    "2026-03-29T00:00Z",
    ["2026-03-29T07:00Z", "2026-03-29T08:00Z"],
  ],
  [
    "from a skipped time: the next valid one",
    daily("Europe/Berlin", "02:30", "04:00"),
    "2026-03-29T00:00Z",
    ["2026-03-29T01:00Z", "2026-03-29T02:00Z"],
  ],
  [
    "to a skipped time: until clocks jump",
    daily("America/New_York", "01:00", "02:30"),
    "2026-03-08T06:00Z",
    ["2026-03-08T06:00Z", "2026-03-08T07:00Z"],
  ],
  [
    "inside the skipped hour: not that day",
    daily("Europe/Berlin", "02:10", "02:50"),
    "2026-03-29T00:00Z",
    ["2026-03-30T00:10Z", "2026-03-30T00:50Z"],
  ],
  [
    "a repeated hour fires once",
    daily("America/New_York", "01:00", "02:00"),
    "2026-11-01T05:00Z",
    ["2026-11-01T05:00Z", "2026-11-01T06:00Z"],
  ],
  [
    "and not again",
    daily("America/New_York", "01:00", "02:00"),
    "2026-11-01T06:00Z",
    ["2026-11-02T06:00Z", "2026-11-02T07:00Z"],
  ],
  [
    "from inside the repeated hour: its first turn",
    daily("Europe/Berlin", "02:30", "02:45"),
    "2026-10-25T00:00Z",
    ["2026-10-25T00:30Z", "2026-10-25T00:45Z"],
  ],
  [
    "over the repeated hour: one stretch",
    daily("Europe/Berlin", "01:00", "04:00"),
    "2026-10-24T23:00Z",
    ["2026-10-24T23:00Z", "2026-10-25T03:00Z"],
  ],
  [
    "after the repeated hour",
    daily("Europe/Berlin", "03:00", "04:00"),
    "2026-10-25T00:00Z",
    ["2026-10-25T02:00Z", "2026-10-25T03:00Z"],
  ],
  [
    "half an hour skipped on Lord Howe",
    daily("Australia/Lord_Howe", "02:00", "03:00"),
    "2026-10-03T15:00Z",
    ["2026-10-03T15:30Z", "2026-10-03T16:00Z"],
  ],
  [
    "half an hour repeated there, fired once",
    daily("Australia/Lord_Howe", "01:30", "02:00"),
    "2026-04-04T14:00Z",
    ["2026-04-04T14:30Z", "2026-04-04T15:00Z"],
  ],
  [
    "half an hour repeated there, in one stretch",
    daily("Australia/Lord_Howe", "01:00", "03:00"),
    "2026-04-04T14:00Z",
    ["2026-04-04T14:00Z", "2026-04-04T16:30Z"],
  ],
  [
    "Apia left 30 December 2011 out",
    daily("Pacific/Apia", "09:00", "17:00"),
    "2011-12-30T03:00Z",
    ["2011-12-30T19:00Z", "2011-12-31T03:00Z"],
  ],
  [
    "Casablanca goes back for Ramadan",
    daily("Africa/Casablanca", "09:00", "10:00"),
    "2026-02-15T04:00Z",
    ["2026-02-15T09:00Z", "2026-02-15T10:00Z"],
  ],
  [
    "Casablanca goes forward after it",
    daily("Africa/Casablanca", "02:00", "10:00"),
    "2026-03-22T00:00Z",
    ["2026-03-22T02:00Z", "2026-03-22T09:00Z"],
  ],
  [
    "a midnight that does not exist",
    daily("America/Santiago", "00:00", "02:00"),
    "2026-09-06T03:00Z",
    ["2026-09-06T04:00Z", "2026-09-06T05:00Z"],
  ],
  [
    "overlapping windows",
    { zone: "UTC", windows: [...OFFICE, { days: [5], from: "16:00", to: "20:00" }] },
    "2026-11-20T10:00Z",
    ["2026-11-20T10:00Z", "2026-11-20T20:00Z"],
  ],
  [
    "a holiday",
    { zone: "UTC", windows: OFFICE, closedDates: new Set(["2026-11-23"]) },
    "2026-11-21T10:00Z",
    ["2026-11-24T09:00Z", "2026-11-24T17:00Z"],
  ],
  [
    "before the start",
    { zone: "UTC", windows: OFFICE, startAt: utc("2026-11-24T12:00Z") },
    "2026-11-20T10:00Z",
    ["2026-11-24T12:00Z", "2026-11-24T17:00Z"],
  ],
  [
    "cut by the end",
    { zone: "UTC", windows: OFFICE, endAt: utc("2026-11-20T12:00Z") },
    "2026-11-20T10:00Z",
    ["2026-11-20T10:00Z", "2026-11-20T12:00Z"],
  ],
  ["at the end", { zone: "UTC", windows: OFFICE, endAt: utc("2026-11-20T12:00Z") }, "2026-11-20T12:00Z", null],
  [
    "an end before the next window",
    { zone: "UTC", windows: OFFICE, endAt: utc("2026-11-22T12:00Z") },
    "2026-11-21T12:00Z",
    null,
  ],
  ["no windows", { zone: "UTC", windows: [] }, "2026-11-20T10:00Z", null],
  ["a window of no length", daily("UTC", "10:00", "10:00"), "2026-11-20T10:00Z", null],
])("the next opening of the sending window is found at the right time: %s", (_name, calendar, from, expected) => {
  expect(opening(calendar, from)).toEqual(expected);
});

test("sending is open only while both the campaign's window and the mailbox's workday are open", () => {
  const workday = { timezone: "America/New_York", days: WORKDAYS, from: "09:00", to: "17:00" };
  const calendar = { zone: "Europe/Berlin", windows: OFFICE, workday };
  expect(opening(calendar, "2026-11-20T08:00Z")).toEqual(["2026-11-20T14:00Z", "2026-11-20T16:00Z"]);
  expect(isOpen(calendar, utc("2026-11-20T13:59Z"))).toBe(false);
  expect(isOpen(calendar, utc("2026-11-20T16:00Z"))).toBe(false);
  expect(openSeconds(calendar, "2026-11-20")).toBe(2 * 3600);
});

test("a mailbox workday that never overlaps the campaign's windows gives no opening", () => {
  const workday = { timezone: "Asia/Tokyo", days: [6], from: "09:00", to: "17:00" };
  expect(opening({ zone: "Europe/Berlin", windows: OFFICE, workday }, "2026-11-20T08:00Z")).toBeNull();
});

test("the search for the next opening ends after 400 days", () => {
  const closed = (count: number) =>
    Array.from({ length: count }, (_, day) => utcDay(utc("2026-11-20T00:00Z") + day * DAY_MS));
  const calendar = (count: number): Calendar => ({
    ...daily("UTC", "09:00", "10:00"),
    closedDates: new Set(closed(count)),
  });
  expect(opening(calendar(399), "2026-11-20T00:00Z")?.[0]).toBe("2027-12-24T09:00Z");
  expect(opening(calendar(401), "2026-11-20T00:00Z")).toBeNull();
});

test.each<[string, Calendar, string, number]>([
  ["a workday", { zone: "UTC", windows: OFFICE }, "2026-11-20", 8],
  ["a weekend", { zone: "UTC", windows: OFFICE }, "2026-11-21", 0],
  ["a whole day", daily("Europe/Berlin", "00:00", "24:00"), "2026-11-20", 24],
  ["a day of 23 hours", daily("Europe/Berlin", "00:00", "24:00"), "2026-03-29", 23],
  ["a day of 25 hours", daily("Europe/Berlin", "00:00", "24:00"), "2026-10-25", 25],
  ["a day that was left out", daily("Pacific/Apia", "00:00", "24:00"), "2011-12-30", 0],
  [
    "two windows",
    {
      zone: "UTC",
      windows: [
        { days: [5], from: "08:00", to: "10:00" },
        { days: [5], from: "12:30", to: "13:00" },
      ],
    },
    "2026-11-20",
    2.5,
  ],
  ["after the start only", { zone: "UTC", windows: OFFICE, startAt: utc("2026-11-20T16:00Z") }, "2026-11-20", 1],
])("the open hours of a day are counted correctly: %s", (_name, calendar, date, hours) => {
  expect(openSeconds(calendar, date)).toBe(hours * 3600);
});

test.each<[string, [number, DelayUnit], string, string, string]>([
  ["minutes are elapsed time", [90, "MINUTES"], "2026-03-29T00:30Z", "Europe/Berlin", "2026-03-29T02:00Z"],
  ["hours are elapsed time", [24, "HOURS"], "2026-03-28T13:10Z", "Europe/Berlin", "2026-03-29T13:10Z"],
  ["days keep the wall clock in spring", [1, "DAYS"], "2026-03-28T13:10Z", "Europe/Berlin", "2026-03-29T12:10Z"],
  ["days keep the wall clock in autumn", [1, "DAYS"], "2026-10-31T13:10Z", "America/New_York", "2026-11-01T14:10Z"],
  [
    "a skipped time moves to the next valid minute",
    [1, "DAYS"],
    "2026-03-28T01:30Z",
    "Europe/Berlin",
    "2026-03-29T01:00Z",
  ],
  ["a repeated time is its first turn", [1, "DAYS"], "2026-10-24T00:30Z", "Europe/Berlin", "2026-10-25T00:30Z"],
  ["no days from a repeated time is now", [0, "DAYS"], "2026-10-25T01:30Z", "Europe/Berlin", "2026-10-25T01:30Z"],
  ["days over the leap day", [1, "DAYS"], "2028-02-28T12:00Z", "UTC", "2028-02-29T12:00Z"],
  ["into the day Apia left out", [1, "DAYS"], "2011-12-29T22:00Z", "Pacific/Apia", "2011-12-30T10:00Z"],
  ["business days skip the weekend", [2, "BUSINESS_DAYS"], "2026-11-20T13:10Z", "Asia/Tokyo", "2026-11-25T13:10Z"],
  ["no business days is now", [0, "BUSINESS_DAYS"], "2026-11-21T13:10Z", "Asia/Tokyo", "2026-11-21T13:10Z"],
])("a delay ends at the right time: %s", (_name, [value, unit], previous, zone, expected) => {
  // Monday 23 November is a holiday of this calendar
  const calendar = { zone: "UTC", windows: OFFICE, closedDates: new Set(["2026-11-23"]) };
  expect(iso(dueAfter({ value, unit }, utc(previous), zone, calendar))).toBe(expected);
});

test("365 business days in a campaign that opens weekly last 365 weeks, and the search ends in a campaign that never opens", () => {
  const weekly = { zone: "UTC", windows: [{ days: [3], from: "09:00", to: "10:00" }] };
  const from = utc("2026-11-18T09:30Z");
  expect(dueAfter({ value: 365, unit: "BUSINESS_DAYS" }, from, "UTC", weekly)).toBe(from + 365 * 7 * DAY_MS);
  expect(dueAfter({ value: 5, unit: "BUSINESS_DAYS" }, from, "UTC", { zone: "UTC", windows: [] })).toBeGreaterThan(
    from,
  );
});

test("merged windows cover the same hours without overlaps", () => {
  expect(
    mergeWindows([
      { days: [5, 1], from: "13:00", to: "17:00" },
      { days: [1, 5, 5], from: "09:00", to: "13:00" },
      { days: [5], from: "16:30", to: "24:00" },
      { days: [2], from: "12:00", to: "12:00" },
    ]),
  ).toEqual([
    { days: [1], from: "09:00", to: "17:00" },
    { days: [5], from: "09:00", to: "24:00" },
  ]);
});

test("only names of the IANA database are accepted as time zones", () => {
  expect(["Europe/Berlin", "UTC", "Etc/GMT+5"].map(isZone)).toEqual([true, true, true]);
  expect(["", "+02:00", "Europe/Atlantis", "constructor", "Europe/Berlin "].map(isZone)).toEqual([
    false,
    false,
    false,
    false,
    false,
  ]);
});

test("the local date is the calendar date in the given time zone", () => {
  const at = utc("2026-11-20T23:30Z");
  expect([localDate(at, "Pacific/Honolulu"), localDate(at, "Europe/Berlin"), utcDay(at)]).toEqual([
    "2026-11-20",
    "2026-11-21",
    "2026-11-20",
  ]);
  expect(() => localDate(at, "Europe/Atlantis")).toThrow(RangeError);
});
