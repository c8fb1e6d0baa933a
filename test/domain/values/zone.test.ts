import { expect, test } from "@jest/globals";
import windows from "cldr-core/supplemental/windowsZones.json" with { type: "json" };
import { MINUTE_MS } from "../../../domain/time/durations.ts";
import { isZone, wallAt } from "../../../domain/time/zone.ts";
import { readZone } from "../../../domain/values/zone.ts";
import { zoneField } from "../../../domain/values/zone-field.ts";

const AT = Date.UTC(2026, 6, 1);
const names = Intl.supportedValuesOf("timeZone");

test("every IANA time zone name stays unchanged and is recognised in any case, with spaces or underscores", () => {
  for (const name of names) {
    expect(readZone(name)).toEqual({ zone: name });
    for (const other of [
      name.toLowerCase(),
      name.toUpperCase().replaceAll("_", " "),
      ` ${name.replace("/", " / ")} `,
    ]) {
      expect([other, readZone(other)]).toEqual([other, { zone: name }]);
    }
  }
});

test("every Windows time zone name maps to an IANA time zone", () => {
  const known = new Set(windows.supplemental.windowsZones.mapTimezones.map(({ mapZone }) => mapZone._other));
  expect(known.size).toBeGreaterThan(120);
  for (const name of known) expect([name, isZone(readZone(name).zone ?? "")]).toEqual([name, true]);
});

test("a UTC offset in any notation is read as a time zone with that offset all year, and only offsets with minutes may match none", () => {
  for (let minutes = -12 * 60; minutes <= 14 * 60; minutes += 15) {
    const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
    const sign = minutes < 0 ? "-" : "+";
    const [hh, mm] = [hours, rest].map((part) => String(part).padStart(2, "0"));
    const all = [
      `UTC${sign}${hh}:${mm}`,
      `GMT${sign}${hours}:${mm}`,
      `${sign}${hh}${mm}`,
      `utc ${sign} ${hours}:${mm}`,
      `(UTC${sign}${hh}:${mm})`,
    ];
    for (const written of rest === 0 ? [...all, `UTC${sign}${hours}`, `${sign}${hours}`] : all) {
      const { zone } = readZone(written);
      if (zone === null) expect(rest).not.toBe(0);
      else
        for (const at of [AT, Date.UTC(2026, 0, 1)])
          expect([written, (wallAt(zone, at) - at) / MINUTE_MS]).toEqual([written, minutes]);
    }
  }
});

test.each([
  ["W. Europe Standard Time", "Europe/Berlin"],
  ["Pacific Daylight Time", "America/Los_Angeles"],
  ["India Standard Time", "Asia/Kolkata"],
  ["(UTC-08:00) Pacific Time (US & Canada)", "America/Los_Angeles"],
  ["(UTC+01:00) Amsterdam, Berlin, Bern, Rome, Stockholm, Vienna", "Europe/Amsterdam"],
  ["(GMT+05:30) Chennai, Kolkata, Mumbai, New Delhi", "Asia/Kolkata"],
  ["(UTC+12:00) Coordinated Universal Time+12", "Etc/GMT-12"],
  ["(UTC) Coordinated Universal Time", "UTC"],
  ["Europe/Berlin (CET)", "Europe/Berlin"],
  ["GMT+1 Berlin", "Europe/Berlin"],
  ["GMT+05:30", "Asia/Kolkata"],
  ["UTC+5.5", "Asia/Kolkata"],
  ["UTC−5", "Etc/GMT+5"],
  ["UTC", "UTC"],
  ["z", "UTC"],
  ["Berlin", "Europe/Berlin"],
  ["New York", "America/New_York"],
  ["são paulo", "America/Sao_Paulo"],
  ["München", "Europe/Berlin"],
  ["Hong Kong", "Asia/Hong_Kong"],
  ["MESZ", "Europe/Berlin"],
  ["EST", "America/New_York"],
  ["\u200b“Europe/Berlin”\u00a0", "Europe/Berlin"],
])("%j is read as the time zone %s", (written, zone) => {
  expect(readZone(written)).toEqual({ zone });
  expect(zoneField.parse(written)).toBe(zone);
});

test.each([
  ["Europe/Berln", "Europe/Berlin"],
  ["Amerika/New_York", "America/New_York"],
  ["IST", "Asia/Kolkata"],
  ["bst", "Europe/London"],
  ["CST", "America/Chicago"],
  ["(UTC-08:00) Berlin", "Europe/Berlin"],
  ["UTC-03:30", "America/St_Johns"],
  ["Mars/Phobos", null],
  ["UTC+15", null],
  ["5", null],
  ["x".repeat(300), null],
])("%j is not accepted as a time zone, and the suggestion is %j", (written, suggestion) => {
  expect(readZone(written)).toEqual({ zone: null, suggestion });
  expect(zoneField.safeParse(written).success).toBe(false);
});
