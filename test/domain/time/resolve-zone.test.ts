import { expect, test } from "@jest/globals";
import { closedDates } from "../../../domain/time/holidays.ts";
import {
  type ResolvedZone,
  resolveZone,
  STATE_ZONES,
  type Whereabouts,
  zoneOfState,
} from "../../../domain/time/resolve-zone.ts";
import { isZone } from "../../../domain/time/schedule.ts";

test.each<[Whereabouts, ResolvedZone["zone"], ResolvedZone["guessedBy"], boolean]>([
  [{ leadTimezone: "Asia/Kathmandu", country: "DE" }, "Asia/Kathmandu", "LEAD", false],
  [{ leadTimezone: " Europe/Berlin " }, "Europe/Berlin", "LEAD", false],
  [{ leadTimezone: "Mars/Olympus", country: "FR" }, "Europe/Paris", "PLACE", true],
  [{ leadTimezone: "+02:00" }, "Asia/Tokyo", "FALLBACK", true],
  [{ country: "de" }, "Europe/Berlin", "PLACE", false],
  [{ country: "Germany" }, "Europe/Berlin", "PLACE", false],
  [{ country: "US", state: "CA" }, "America/Los_Angeles", "PLACE", false],
  [{ country: "USA", state: "us-tx" }, "America/Chicago", "PLACE", false],
  [{ country: "US", state: "Colorado", city: "Louisville" }, "America/Denver", "PLACE", false],
  [{ country: "US", city: "los angeles" }, "America/Los_Angeles", "PLACE", false],
  [{ country: "US" }, "Asia/Tokyo", "FALLBACK", false],
  [{ country: "CA", state: "Québec" }, "America/Toronto", "PLACE", false],
  [{ country: "AU", state: "WA" }, "Australia/Perth", "PLACE", false],
  [{ country: "BR", state: "São Paulo" }, "America/Sao_Paulo", "PLACE", false],
  [{ country: "MX", state: "Quintana Roo" }, "America/Cancun", "PLACE", false],
  [{ country: "RU", state: "Sverdlovsk Oblast" }, "Asia/Yekaterinburg", "PLACE", false],
  [{ country: "ES" }, "Europe/Madrid", "PLACE", false],
  [{ country: "ES", city: "Ceuta" }, "Africa/Ceuta", "PLACE", false],
  [{ country: "ZZ" }, "Asia/Tokyo", "FALLBACK", false],
  [{ country: "", state: "CA", city: null }, "Asia/Tokyo", "FALLBACK", false],
])("the lead %j is in the time zone %s, found by %s (invalid zone reported: %s)", (lead, zone, guessedBy, badZone) => {
  expect(resolveZone(lead, [null, "Asia/Tokyo", "UTC"])).toEqual({ zone, guessedBy, badZone });
});

test.each<[(string | null | undefined)[], ResolvedZone]>([
  [[], { zone: "UTC", guessedBy: "FALLBACK", badZone: false }],
  [[null, undefined, ""], { zone: "UTC", guessedBy: "FALLBACK", badZone: false }],
  [["Nowhere", "Asia/Tokyo"], { zone: "Asia/Tokyo", guessedBy: "FALLBACK", badZone: true }],
  [["Nowhere"], { zone: "UTC", guessedBy: "FALLBACK", badZone: true }],
])("an invalid fallback time zone is skipped and reported: %j", (fallbacks, expected) => {
  expect(resolveZone({}, fallbacks)).toEqual(expected);
});

test("every state in the table has an existing time zone, found by code and by name", () => {
  for (const [country, zones] of Object.entries(STATE_ZONES)) {
    for (const [zone, states] of Object.entries(zones)) {
      expect([zone, isZone(zone)]).toEqual([zone, true]);
      for (const state of states.split(", ")) {
        const [code = "", ...name] = state.split(" ");
        expect([state, zoneOfState(country, code), zoneOfState(country, name.join(" "))]).toEqual([state, zone, zone]);
      }
    }
  }
});

test("the closed dates contain the country's public holidays of this year and the next, and the dates that the user closed", () => {
  const closed = closedDates("de", 2026, ["2026-08-08"]);
  expect([...closed]).toEqual(
    expect.arrayContaining(["2026-01-01", "2026-04-03", "2026-12-25", "2027-01-01", "2026-08-08"]),
  );
  expect(closed.has("2026-12-24")).toBe(false);
  expect([...closedDates(null, 2026, ["2026-08-08"])]).toEqual(["2026-08-08"]);
  expect([...closedDates("ZZ", 2026, [])]).toEqual([]);
});

test("a public holiday of several days closes each day", () => {
  const closed = closedDates("SA", 2026, []);
  expect(
    ["2026-03-18", "2026-03-19", "2026-03-20", "2026-03-22", "2026-03-23"].map((date) => closed.has(date)),
  ).toEqual([false, true, true, true, false]);
});
