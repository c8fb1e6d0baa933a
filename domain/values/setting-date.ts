import { DAY_MS } from "../time/durations.ts";
import { instantOf } from "../time/zone.ts";
import { parseInstant } from "./instant.ts";

const DAY = /^\d{4}-\d\d-\d\d$/;
/** Seconds may be absent, and the offset too: then it is a time of the zone. */
const TIME = /^(?<day>\d{4}-\d\d-\d\d)[T ](?<minute>\d\d:\d\d)(?<second>:\d\d(?:\.\d{1,9})?)?(?<offset>Z|[+-]\d\d:\d\d)?$/i;

/**
 * The instant that a setting names (rules/states 1.2), in UTC: an instant with its offset, or a date or local time of `zone`. A date as a
 * start is the first instant of that day, as an end the first one after it, so that the day is included. Null for anything else.
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
