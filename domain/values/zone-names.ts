import windows from "cldr-core/supplemental/windowsZones.json" with { type: "json" };
import places from "countries-and-timezones";
import written from "./zone-names.json" with { type: "json" };

/** Names that people give to time zones beside those of IANA and Windows, as "name, name" by zone; cities that IANA does not name, too. */
const COMMON = Object.entries(written.common);
/** Abbreviations that mean different zones to different people: the one that most mean is only suggested. */
const AMBIGUOUS = new Map(Object.entries(written.ambiguous));
/** Names whose spelling or continent has changed. Zones that were only merged keep their own. */
const RENAMED = new Map(Object.entries(written.renamed));
const CONTINENTS = /^(?:Africa|America|Antarctica|Arctic|Asia|Atlantic|Australia|Europe|Indian|Pacific)\//;
const NOT_CITIES = /\/(?:North|South|West|East|NSW|ACT|LHI|Center|Palmer|Vostok|General)$/;

/** Every name and alias of IANA that the platform knows, as it is written there. */
export const ZONE_NAMES: ReadonlySet<string> = new Set([
  ...Intl.supportedValuesOf("timeZone"),
  ...Object.keys(places.getAllTimezones({ deprecated: true })).filter((name) => name !== "Factory"),
]);

/** Zones by `foldZone` of their names. Of two zones with one name the later one counts: `Hong Kong` is Asia/Hong_Kong, not `Hongkong`. */
export const ZONE_BY_NAME: ReadonlyMap<string, string> = new Map([
  ...ianaNames((name) => !name.includes("/")),
  ...cities(),
  ...namesOfWindows(),
  ...ianaNames((name) => name.includes("/")),
  ...commonNames(),
]);

/** Without accents, case and everything else in which two spellings of a name differ; a sign before a digit stays. */
export function foldZone(name: string): string {
  return name
    .normalize("NFD")
    .toLowerCase()
    .replace(/\p{M}/gu, "")
    .replace(/-(?!\d)|[^\p{L}\p{N}/+-]/gu, "");
}

/** What an abbreviation with several meanings probably means; null for any other name. */
export function meantByMost(folded: string): string | null {
  return AMBIGUOUS.get(folded) ?? null;
}

function commonNames(): [string, string][] {
  return COMMON.flatMap(([zone, names]) => names.split(", ").map((name): [string, string] => [foldZone(name), zone]));
}

function ianaNames(isTaken: (name: string) => boolean): [string, string][] {
  return [...ZONE_NAMES].filter(isTaken).map((name) => [foldZone(name), name]);
}

/** `W. Europe Standard Time`, `W. Europe Daylight Time`. */
function namesOfWindows(): [string, string][] {
  return windows.supplemental.windowsZones.mapTimezones.flatMap(({ mapZone: { _other, _type, _territory } }) => {
    if (_territory !== "001" || !/ Time\b/.test(_other)) return [];
    const zone = presentName(_type.split(" ")[0] ?? "");
    return [_other, _other.replace(" Standard ", " Daylight "), _other.replace(" Standard ", " Summer ")].map((name): [string, string] => [
      foldZone(name),
      zone,
    ]);
  });
}

/** Zones are named after cities: `New York` is America/New_York. */
function cities(): [string, string][] {
  const named = [...ZONE_NAMES].filter((name) => CONTINENTS.test(name) && !NOT_CITIES.test(name));
  // Of two names of one city the present one counts
  return named
    .map((name): [string, string] => [foldZone(name.split("/").at(-1) ?? ""), presentName(name)])
    .toSorted(([, one], [, other]) => Number(isPresent(one)) - Number(isPresent(other)));
}

function isPresent(name: string): boolean {
  return presentName(name) === name;
}

/** `Asia/Kolkata` for `Asia/Calcutta`: CLDR and the platform keep the first name that a zone ever had. */
function presentName(name: string): string {
  return RENAMED.get(name) ?? name;
}
