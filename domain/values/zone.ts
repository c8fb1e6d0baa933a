import windows from "cldr-core/supplemental/windowsZones.json" with { type: "json" };
import places from "countries-and-timezones";
import { nearestName } from "../nearest-name.ts";
import { MINUTE_MS } from "../time/durations.ts";
import { wallAt } from "../time/zone.ts";
import { withoutInvisible } from "./invisible.ts";
import written from "./zone-names.json" with { type: "json" };

/** Names of time zones and cities that are in neither the IANA nor the Windows list, as "name, name" by zone. */
const COMMON = Object.entries(written.common);
/** Abbreviations with several meanings, with the zone that most people mean. It is only used as a suggestion. */
const AMBIGUOUS = new Map(Object.entries(written.ambiguous));
/**
 * Former names of zones whose spelling or continent has changed. Zones that were only merged with others keep their
 * names.
 */
const RENAMED = new Map(Object.entries(written.renamed));
const CONTINENTS = /^(?:Africa|America|Antarctica|Arctic|Asia|Atlantic|Australia|Europe|Indian|Pacific)\//;
const NOT_CITIES = /\/(?:North|South|West|East|NSW|ACT|LHI|Center|Palmer|Vostok|General)$/;

/** Every IANA name and alias that the platform knows, in its spelling. */
const ZONE_NAMES: ReadonlySet<string> = new Set([
  ...Intl.supportedValuesOf("timeZone"),
  ...Object.keys(places.getAllTimezones({ deprecated: true })).filter((name) => name !== "Factory"),
]);

/**
 * Zones by `foldZone` of their names. If two zones have one name, the later one counts: `Hong Kong` is Asia/Hong_Kong,
 * not `Hongkong`.
 */
const ZONE_BY_NAME: ReadonlyMap<string, string> = new Map([
  ...ianaNames((name) => !name.includes("/")),
  ...cities(),
  ...namesOfWindows(),
  ...ianaNames((name) => name.includes("/")),
  ...commonNames(),
]);

/** A zone's name without accents, case and other differences in spelling. A plus or minus before a digit is kept. */
function foldZone(name: string): string {
  return name
    .normalize("NFD")
    .toLowerCase()
    .replace(/\p{M}/gu, "")
    .replace(/-(?!\d)|[^\p{L}\p{N}/+-]/gu, "");
}

/** The likely zone of an abbreviation with several meanings; null for any other name. */
function meantByMost(folded: string): string | null {
  return AMBIGUOUS.get(folded) ?? null;
}

function commonNames(): [string, string][] {
  return COMMON.flatMap(([zone, names]) => names.split(", ").map((name): [string, string] => [foldZone(name), zone]));
}

function ianaNames(isTaken: (name: string) => boolean): [string, string][] {
  return [...ZONE_NAMES].filter(isTaken).map((name) => [foldZone(name), name]);
}

/** The Windows names of zones, such as `W. Europe Standard Time` and `W. Europe Daylight Time`. */
function namesOfWindows(): [string, string][] {
  return windows.supplemental.windowsZones.mapTimezones.flatMap(({ mapZone: { _other, _type, _territory } }) => {
    if (_territory !== "001" || !/ Time\b/.test(_other)) return [];
    const zone = presentName(_type.split(" ")[0] ?? "");
    return [_other, _other.replace(" Standard ", " Daylight "), _other.replace(" Standard ", " Summer ")].map(
      (name): [string, string] => [foldZone(name), zone],
    );
  });
}

/** The names of cities with the zones that are named after them: `New York` for America/New_York. */
function cities(): [string, string][] {
  const named = [...ZONE_NAMES].filter((name) => CONTINENTS.test(name) && !NOT_CITIES.test(name));
  // If a city has two names, the current one counts
  return named
    .map((name): [string, string] => [foldZone(name.split("/").at(-1) ?? ""), presentName(name)])
    .toSorted(([, one], [, other]) => Number(isPresent(one)) - Number(isPresent(other)));
}

function isPresent(name: string): boolean {
  return presentName(name) === name;
}

/**
 * The current name of a zone, such as `Asia/Kolkata` for `Asia/Calcutta`. CLDR and the platform keep the oldest name.
 */
function presentName(name: string): string {
  return RENAMED.get(name) ?? name;
}

/** The result of reading a time zone: its stored name, or a suggestion. */
export type ReadZone = { zone: string } | { zone: null; suggestion: string | null };

/** The most characters of a zone's name. */
const LONGEST = 120;
/** IANA names that mean a fixed offset, although people use them for the local time of a region. */
const US_ABBREVIATION = /^(?:EST|MST|HST)$/;
const OFFSET = String.raw`(?:UTC|GMT|Z)?\s*(?<sign>[+\-−–±])\s*(?<hours>\d{1,2})(?:(?::|\.(?=\d\d\b)|h)?(?<minutes>\d\d)|\.(?<tenths>5|25|75|0))?(?:\s*h(?:ours?|rs?)?)?`;
const OFFSET_ALONE = new RegExp(`^[([]?\\s*${OFFSET}\\s*[)\\]]?$`, "i");
/**
 * An offset followed by a name, such as `(UTC-08:00) Pacific Time (US & Canada)` or `GMT+1 Berlin`. Without a number
 * the offset is zero.
 */
const OFFSET_FIRST = new RegExp(`^[([]?\\s*(?:${OFFSET}|UTC|GMT)\\s*[)\\]]?[\\s,:|–-]+(?<name>\\p{L}.*)$`, "iu");
const OFFSET_LAST = new RegExp(`^(?<name>.*\\p{L}\\)?)[\\s,:|–-]*[([]\\s*(?:${OFFSET}|[A-Z]{2,5})\\s*[)\\]]$`, "iu");
/**
 * Zones without daylight saving whose offsets are not whole hours. Other zones with these offsets have daylight saving.
 */
const PART_HOURS: Readonly<Record<number, string>> = {
  [-570]: "Pacific/Marquesas",
  210: "Asia/Tehran",
  270: "Asia/Kabul",
  330: "Asia/Kolkata",
  345: "Asia/Kathmandu",
  390: "Asia/Yangon",
  525: "Australia/Eucla",
  570: "Australia/Darwin",
};
const WITH_SUMMER_TIME: Readonly<Record<number, string>> = {
  [-210]: "America/St_Johns",
  [-150]: "America/St_Johns",
  630: "Australia/Lord_Howe",
  765: "Pacific/Chatham",
  825: "Pacific/Chatham",
};

const read = new Map<string, ReadZone>();
const MOST_READ = 5_000;

/**
 * Reads a time zone as people write it (rules/leads 2.5): IANA and Windows names, offsets, cities, and abbreviations with
 * one meaning. An offset is stored as `Etc/GMT`, with the sign reversed, or as a zone that has this offset all year.
 */
export function readZone(written: string): ReadZone {
  if (ZONE_NAMES.has(written) && !US_ABBREVIATION.test(written)) return { zone: written };
  const cachedZone = read.get(written);
  if (cachedZone !== undefined) return cachedZone;
  const text = withoutInvisible(written.slice(0, LONGEST + 1)).replace(/^[\s"'“”„]+|[\s"'“”„;,.]+$/gu, "");
  const found: ReadZone = text.length > LONGEST ? { zone: null, suggestion: null } : findZone(text);
  if (read.size >= MOST_READ) read.clear();
  read.set(written, found);
  return found;
}

function findZone(text: string): ReadZone {
  const offset = OFFSET_ALONE.exec(text)?.groups;
  if (offset !== undefined) return zoneAt(minutesOf(offset));
  const named = zoneNamed(text);
  if (named !== null) return { zone: named };
  const both = OFFSET_FIRST.exec(text)?.groups ?? OFFSET_LAST.exec(text)?.groups;
  if (both !== undefined) return zoneOfBoth(both["name"] ?? "", both["sign"] === undefined ? null : minutesOf(both));
  return { zone: null, suggestion: suggestionFor(text) };
}

function zoneNamed(text: string): string | null {
  if (ZONE_NAMES.has(text) && !US_ABBREVIATION.test(text)) return text;
  const folded = foldZone(text);
  return meantByMost(folded) === null ? (ZONE_BY_NAME.get(folded) ?? null) : null;
}

/**
 * Reads a name with an offset next to it. The name decides. The offset only serves to detect a wrong name, because some
 * offsets have changed since the lists were written.
 */
function zoneOfBoth(name: string, minutes: number | null): ReadZone {
  const likelyZone = meantByMost(foldZone(name));
  const zones = [name, ...name.split(/[,;/]/)].flatMap((part) => zoneNamed(part.trim()) ?? []);
  const [first = likelyZone] = zones;
  if (first === null) return minutes === null ? { zone: null, suggestion: suggestionFor(name) } : zoneAt(minutes);
  if (minutes === null || offsetsOf(first).some((one) => Math.abs(one - minutes) <= 60)) return { zone: first };
  return { zone: null, suggestion: first };
}

function minutesOf({ sign, hours = "0", minutes = "0", tenths = "0" }: Record<string, string | undefined>): number {
  const total = Number(hours) * 60 + Number(minutes) + Number(`0.${tenths}`) * 60;
  return sign === "+" || sign === "±" ? total : -total;
}

function zoneAt(minutes: number): ReadZone {
  if (minutes === 0) return { zone: "UTC" };
  if (minutes % 60 === 0 && minutes >= -12 * 60 && minutes <= 14 * 60) {
    return { zone: `Etc/GMT${minutes > 0 ? "-" : "+"}${Math.abs(minutes / 60)}` };
  }
  const zone = PART_HOURS[minutes];
  return zone === undefined ? { zone: null, suggestion: WITH_SUMMER_TIME[minutes] ?? null } : { zone };
}

/** The offsets of a zone in January and July, in minutes east of UTC. */
function offsetsOf(zone: string): number[] {
  return [Date.UTC(2026, 0, 1), Date.UTC(2026, 6, 1)].map((at) => (wallAt(zone, at) - at) / MINUTE_MS);
}

function suggestionFor(text: string): string | null {
  const folded = foldZone(text);
  const likelyZone = meantByMost(folded);
  if (likelyZone !== null || folded.length < 4) return likelyZone;
  const nearest = nearestName(folded, FOLDED);
  return nearest === null ? null : (ZONE_BY_NAME.get(nearest) ?? null);
}

const FOLDED = [...ZONE_BY_NAME.keys()].filter((name) => name.length >= 4);
