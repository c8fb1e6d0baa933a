import { expect, test } from "@jest/globals";
import { keyOf, timesOf } from "../../../domain/analytics/groups.ts";
import { partsOfRevenue } from "../../../domain/analytics/revenue.ts";
import { differenceOfDecimals, moneyText } from "../../../domain/decimals.ts";
import { dayOf } from "../../../domain/time/zone.ts";

test.each([
  ["2026-01-01", "2026-W01"],
  ["2026-12-31", "2026-W53"],
  ["2027-01-03", "2026-W53"],
  ["2027-01-04", "2027-W01"],
  ["2024-12-30", "2025-W01"],
  ["2020-02-29", "2020-W09"],
])("%s is in the ISO week %s", (date, week) => {
  expect(keyOf("WEEK", { day: dayOf(date) })).toBe(week);
});

test("time groups have no gaps, the hours of a week begin on Monday, and other groups have no times", () => {
  expect(timesOf("DAY", dayOf("2026-02-27"), dayOf("2026-03-01"))).toEqual(["2026-02-27", "2026-02-28", "2026-03-01"]);
  expect(timesOf("WEEK", dayOf("2026-11-22"), dayOf("2026-11-30"))).toEqual(["2026-W47", "2026-W48", "2026-W49"]);
  expect(timesOf("MONTH", dayOf("2026-11-30"), dayOf("2027-01-01"))).toEqual(["2026-11", "2026-12", "2027-01"]);
  const hours = timesOf("HOUR_OF_WEEK", 0, 0);
  expect([hours?.length, hours?.[0], hours?.at(-1)]).toEqual([168, "MON-00", "SUN-23"]);
  expect(timesOf("STEP", 0, 10)).toBeNull();
});

const bought = (at: number, value: string | null, currency: string | null = "EUR") => ({ at, value, currency });
const parts = (amount: string, counted: string | null, ...purchases: ReturnType<typeof bought>[]) =>
  partsOfRevenue({ amount, currency: "EUR", counted, toldAt: 9 }, purchases).map(({ at, amount: part }) => [at, part]);

test("revenue is counted at the time of each payment, and the parts add up to the total", () => {
  expect(parts("30.5", "30.5", bought(1, "10"), bought(2, "20.5"))).toEqual([
    [2, "20.5"],
    [1, "10"],
  ]);
  expect(parts("50", "30.5", bought(1, "10"), bought(2, "20.5"))).toEqual([[9, "50"]]);
  expect(parts("20.5", "20.5", bought(1, "10"), bought(2, "20.5"), bought(3, "7", "USD"), bought(4, null))).toEqual([
    [2, "20.5"],
  ]);
  expect(parts("25", "25", bought(1, "10"), bought(2, "20.5"))).toEqual([
    [2, "20.5"],
    [9, "4.5"],
  ]);
});

test("decimals are exact, and money has no decimals or at least two", () => {
  expect([
    differenceOfDecimals("0.3", "0.1"),
    differenceOfDecimals("1", "2.5"),
    differenceOfDecimals("2", "2"),
  ]).toEqual(["0.2", "-1.5", "0"]);
  expect(["20.00", "1200.5", "0.1234", "7"].map(moneyText)).toEqual(["20", "1200.50", "0.1234", "7"]);
});
