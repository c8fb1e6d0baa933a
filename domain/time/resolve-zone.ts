import places from "countries-and-timezones";
import { isZone } from "./schedule.ts";
import table from "./state-zones.json" with { type: "json" };

/**
 * The time zones of states in countries with several zones, as "code name, code name" by zone. A state with several
 * zones has the one in which most of its people live. Codes are ISO 3166-2 without the country.
 */
export const STATE_ZONES: Readonly<Record<string, Readonly<Record<string, string>>>> = table;

const zonesByCountry = new Map(Object.entries(STATE_ZONES).map(([country, zones]) => [country, zonesByState(zones)]));

/** The zone of a state, by its code ("CA", "US-CA") or English name, ignoring accents and case; null when unknown. */
export function zoneOfState(country: string, state: string): string | null {
  const zones = zonesByCountry.get(country);
  if (!zones) return null;
  const name = foldPlaceName(state);
  const withoutCountry = name.startsWith(`${country.toLowerCase()} `) ? name.slice(3) : name;
  const bare = name
    .replace(/ (autonomous okrug|oblast|krai|kray|region|state|province)$/, "")
    .replace(/^(state|province|republic) of /, "");
  return zones.get(name) ?? zones.get(withoutCountry) ?? zones.get(bare) ?? null;
}

/** Lower-cases a name and removes accents and punctuation, so that different spellings compare equal. */
function foldPlaceName(name: string): string {
  return name
    .normalize("NFD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, " ")
    .trim();
}

function zonesByState(zones: Readonly<Record<string, string>>): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(zones).flatMap(([zone, states]) =>
      states.split(", ").flatMap((state): [string, string][] => {
        const [code = "", ...name] = state.split(" ");
        return [
          [foldPlaceName(code), zone],
          [foldPlaceName(name.join(" ")), zone],
        ];
      }),
    ),
  );
}

/** The fields of a lead about its location: an IANA zone, a country (ISO code or English name), a state, a city. */
export interface Whereabouts {
  leadTimezone?: string | null;
  country?: string | null;
  state?: string | null;
  city?: string | null;
}

export interface ResolvedZone {
  zone: string;
  guessedBy: "LEAD" | "PLACE" | "FALLBACK";
  /**
   * Whether the lead or a fallback has a time zone that does not exist. Such a zone is ignored, and the caller may warn
   * about it.
   */
  badZone: boolean;
}

/** Countries with several time zones in which nearly all people live in one of them. */
const MAIN_ZONE: ReadonlyMap<string, string> = new Map([
  ["CL", "America/Santiago"],
  ["CN", "Asia/Shanghai"],
  ["EC", "America/Guayaquil"],
  ["ES", "Europe/Madrid"],
  ["MN", "Asia/Ulaanbaatar"],
  ["NZ", "Pacific/Auckland"],
  ["PT", "Europe/Lisbon"],
  ["UA", "Europe/Kyiv"],
]);

const countryByName = new Map(
  Object.values(places.getAllCountries()).map(({ id, name }) => [foldPlaceName(name), String(id)]),
);
for (const [name, id] of [
  ["usa", "US"],
  ["united states", "US"],
  ["uk", "GB"],
  ["great britain", "GB"],
] as const) {
  countryByName.set(name, id);
}

/**
 * The time zone in which a recipient receives email (rules/sending 3.3): its own zone, otherwise the zone of its
 * location, otherwise the first valid fallback, otherwise UTC.
 */
export function resolveZone(lead: Whereabouts, fallbacks: (string | null | undefined)[]): ResolvedZone {
  const own = lead.leadTimezone?.trim();
  const leadIsBad = Boolean(own) && !isZone(own ?? "");
  if (own && !leadIsBad) return { zone: own, guessedBy: "LEAD", badZone: false };
  const place = zoneOfPlace(lead);
  if (place) return { zone: place, guessedBy: "PLACE", badZone: leadIsBad };
  const zones = fallbacks.filter((zone): zone is string => Boolean(zone));
  const valid = zones.findIndex(isZone);
  return {
    zone: zones[valid] ?? "UTC",
    guessedBy: "FALLBACK",
    badZone: leadIsBad || valid > 0 || (valid < 0 && zones.length > 0),
  };
}

function zoneOfPlace({ country, state, city }: Whereabouts): string | null {
  const code = country ? (countryByName.get(foldPlaceName(country)) ?? country.trim().toUpperCase()) : "";
  const zones = places.getTimezonesForCountry(code) ?? [];
  const [first] = zones;
  if (!first) return null;
  // if all zones of the country have the same offsets, any of them is correct
  const isOneClock = zones.every((zone) => zone.utcOffset === first.utcOffset && zone.dstOffset === first.dstOffset);
  const place = isOneClock
    ? first.name
    : (zoneOfState(code, state ?? "") ?? zoneOfCity(zones, city ?? "") ?? MAIN_ZONE.get(code) ?? null);
  return place !== null && isZone(place) ? place : null;
}

/**
 * The zone that is named after a city: America/Los_Angeles for "Los Angeles". The caller tries the state first, because
 * several states may have a city of the same name.
 */
function zoneOfCity(zones: { name: string }[], city: string): string | null {
  const name = foldPlaceName(city);
  return zones.find((zone) => name !== "" && foldPlaceName(zone.name.split("/").at(-1) ?? "") === name)?.name ?? null;
}
