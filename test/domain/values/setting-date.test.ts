import { expect, test } from "@jest/globals";
import { readSettingDate, readSettings } from "../../../domain/campaigns/read-settings.ts";

test.each([
  ["2026-12-25", "America/Los_Angeles", "START", "2026-12-25T08:00:00.000Z"],
  ["2026-12-25", "America/Los_Angeles", "END", "2026-12-26T08:00:00.000Z"],
  ["2026-03-29", "Europe/Berlin", "END", "2026-03-29T22:00:00.000Z"], // a day of 23 hours
  ["2026-10-25", "Europe/Berlin", "END", "2026-10-25T23:00:00.000Z"], // a day of 25 hours
  ["2018-11-04", "America/Sao_Paulo", "START", "2018-11-04T03:00:00.000Z"], // it began at 01:00
  ["2026-12-25T09:00", "Europe/Berlin", "START", "2026-12-25T08:00:00.000Z"],
  ["2026-12-25 09:00:30", "Europe/Berlin", "END", "2026-12-25T08:00:30.000Z"],
  ["2026-12-25T09:00:00+02:00", "Asia/Tokyo", "END", "2026-12-25T07:00:00.000Z"],
  ["2026-12-25T09:00Z", "Asia/Tokyo", "START", "2026-12-25T09:00:00.000Z"],
] as const)("the date %s in the time zone %s as the %s of a period is the instant %s", (text, zone, as, instant) => {
  expect(readSettingDate(text, zone, as)).toBe(instant);
});

test.each(["2026-02-30", "25.12.2026", "2026-12-25T25:00", "tomorrow", "", "12/25/2026", "2026-12"])(
  "%j is not a valid date for a setting",
  (text) => {
    expect(readSettingDate(text, "UTC", "START")).toBeNull();
  },
);

test("a date is read in the time zone of the same request, otherwise in the campaign's, otherwise in the workspace's", () => {
  const start = { startAt: "2026-12-25" };
  const read = (patch: object, stored: object) => readSettings({ ...patch }, { ...stored }, "Asia/Tokyo");
  expect(read({ ...start, timezone: "utc+2" }, { timezone: "UTC" })).toEqual({
    timezone: "Etc/GMT-2",
    startAt: "2026-12-24T22:00:00.000Z",
  });
  expect(read(start, { timezone: "UTC" })).toEqual({ startAt: "2026-12-25T00:00:00.000Z" });
  expect(read(start, {})).toEqual({ startAt: "2026-12-24T15:00:00.000Z" });
  expect(read({ ...start, timezone: null }, { timezone: "UTC" })).toEqual({
    timezone: null,
    startAt: "2026-12-24T15:00:00.000Z",
  });
});
