import { isDeepStrictEqual } from "node:util";
import type { SequenceChange } from "../sequences/changes.ts";
import { DAY_MS } from "../time/durations.ts";
import { instantOf } from "../time/zone.ts";
import { readOneAddress } from "../values/address.ts";
import { parseInstant } from "../values/instant.ts";
import { readZone } from "../values/zone.ts";
import { type Settings, settingsOf } from "./settings.ts";

const DATES = { startAt: "START", endAt: "END" } as const;

const LISTS = ["ccList", "bccList"] as const;

/**
 * The patch with addresses in stored form, the time zone as an IANA name and dates as instants. Dates are read in the
 * zone that the campaign has after the patch, otherwise in the workspace's. A value that cannot be read stays
 * unchanged, and the schema refuses it.
 */
export function readSettings(
  patch: Readonly<Record<string, unknown>>,
  stored: Readonly<Record<string, unknown>>,
  workspaceZone: string,
): Record<string, unknown> {
  const timezone = typeof patch["timezone"] === "string" ? readZone(patch["timezone"]).zone : null;
  const own = timezone ?? ("timezone" in patch ? null : stored["timezone"]);
  const zone = typeof own === "string" ? own : workspaceZone;
  const dates = Object.entries(DATES).flatMap(([key, as]): [string, string][] => {
    const written = patch[key];
    const read = typeof written === "string" ? readSettingDate(written.trim(), zone, as) : null;
    return read === null ? [] : [[key, read]];
  });
  const lists = LISTS.flatMap((key): [string, unknown[]][] => {
    const written = patch[key];
    return Array.isArray(written)
      ? [[key, written.map((one) => (typeof one === "string" ? (readOneAddress(one)?.address ?? one) : one))]]
      : [];
  });
  return {
    ...patch,
    ...Object.fromEntries(lists),
    ...(timezone !== null && { timezone }),
    ...Object.fromEntries(dates),
  };
}

const DAY = /^\d{4}-\d\d-\d\d$/;
/** A date with a time. Seconds may be absent. Without an offset it is a local time of the zone. */
const TIME =
  /^(?<day>\d{4}-\d\d-\d\d)[T ](?<minute>\d\d:\d\d)(?<second>:\d\d(?:\.\d{1,9})?)?(?<offset>Z|[+-]\d\d:\d\d)?$/i;

/**
 * The instant that a setting names (rules/states 1.2), in UTC: an instant with its offset, or a date or local time of
 * `zone`. As a start, a date is the first instant of that day. As an end, it is the first instant after that day, so
 * that the day is included. Null for anything else.
 */
export function readSettingDate(text: string, zone: string, as: "START" | "END"): string | null {
  const { day, minute, second = ":00", offset } = TIME.exec(text)?.groups ?? {};
  const isDay = day === undefined && DAY.test(text);
  const at = parseInstant(isDay ? text : `${day}T${minute}${second}${offset?.toUpperCase() ?? "Z"}`);
  if (at === null) return null;
  const isLocal = isDay || offset === undefined;
  const wall = isDay && as === "END" ? at + DAY_MS : at;
  return new Date(isLocal ? instantOf(zone, wall) : at).toISOString();
}

/** The settings that decide when a campaign's emails may be sent, and how many a day. */
const PACE: readonly (keyof Settings)[] = [
  ...(["timezone", "useRecipientTimezone", "windows", "startAt", "endAt"] as const),
  ...(["skipHolidays", "holidayCountry", "customHolidays"] as const),
  ...(["dailyLimit", "maxNewLeadsPerDay", "prioritizeNewLeads", "rampEnabled", "rampStart", "rampIncrement"] as const),
  ...(["companyDailyLimit", "companyLimitScope", "recipientDomainHourlyLimit", "senderDomainHourlyLimit"] as const),
  ...(["perMailboxDailyLimit", "minGapSeconds", "maxGapSeconds"] as const),
];

/** Whether changing these settings may let an email be sent earlier than it is booked. */
export function changesPace(patch: Record<string, unknown>): boolean {
  return PACE.some((name) => name in patch);
}

/** The settings that differ, with their names. A setting that is not set counts with its default. */
export function settingChanges(before: Record<string, unknown>, after: Record<string, unknown>): SequenceChange[] {
  const [old, present] = [new Map(Object.entries(settingsOf(before))), new Map(Object.entries(settingsOf(after)))];
  return [...new Set([...old.keys(), ...present.keys()])].flatMap((name) => {
    const [from, to] = [old.get(name) ?? null, present.get(name) ?? null];
    return isDeepStrictEqual(from, to)
      ? []
      : [{ stepId: null, variantId: null, field: `settings.${name}`, before: from, after: to }];
  });
}

/** The first setting of a campaign that needs tracked email; null when none does. */
export function trackingWishOf(settings: Settings): keyof Settings | null {
  for (const key of ["trackOpens", "trackClicks", "stopOnOpen", "stopOnClick"] as const) if (settings[key]) return key;
  return settings.conversionLinks && settings.conversionDomains.length > 0 ? "conversionDomains" : null;
}
