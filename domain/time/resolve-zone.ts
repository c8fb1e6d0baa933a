import places from "countries-and-timezones";
import { isZone } from "./schedule.ts";
import { plain, zoneOfState } from "./state-zones.ts";

/** What a lead says about its location: an IANA zone, a country (ISO code or English name), a state, a city. */
export interface Whereabouts {
  leadTimezone?: string | null;
  country?: string | null;
  state?: string | null;
  city?: string | null;
}

export interface ResolvedZone {
  zone: string;
  guessedBy: "LEAD" | "PLACE" | "FALLBACK";
  /** A zone was given that does not exist. It was ignored, and deserves a warning. */
  badZone: boolean;
}

/** Countries with several zones in which nearly everybody lives in one. */
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

const countryByName = new Map(Object.values(places.getAllCountries()).map(({ id, name }) => [plain(name), String(id)]));
for (const [name, id] of [
  ["usa", "US"],
  ["united states", "US"],
  ["uk", "GB"],
  ["great britain", "GB"],
] as const) {
  countryByName.set(name, id);
}

/**
 * The time zone in which a recipient receives mail (rules/sending 3.3): its own zone, otherwise the zone of its place, otherwise the first
 * valid
 * fallback, otherwise UTC.
 */
export function resolveZone(lead: Whereabouts, fallbacks: (string | null | undefined)[]): ResolvedZone {
  const own = lead.leadTimezone?.trim();
  const leadIsBad = Boolean(own) && !isZone(own ?? "");
  if (own && !leadIsBad) return { zone: own, guessedBy: "LEAD", badZone: false };
  const place = zoneOfPlace(lead);
  if (place) return { zone: place, guessedBy: "PLACE", badZone: leadIsBad };
  const given = fallbacks.filter((zone): zone is string => Boolean(zone));
  const valid = given.findIndex(isZone);
  return { zone: given[valid] ?? "UTC", guessedBy: "FALLBACK", badZone: leadIsBad || valid > 0 || (valid < 0 && given.length > 0) };
}

function zoneOfPlace({ country, state, city }: Whereabouts): string | null {
  const code = country ? (countryByName.get(plain(country)) ?? country.trim().toUpperCase()) : "";
  const zones = places.getTimezonesForCountry(code) ?? [];
  const [first] = zones;
  if (!first) return null;
  // when all zones of the country follow the same rules, any of them will do
  const isOneClock = zones.every((zone) => zone.utcOffset === first.utcOffset && zone.dstOffset === first.dstOffset);
  const place = isOneClock ? first.name : (zoneOfState(code, state ?? "") ?? zoneOfCity(zones, city ?? "") ?? MAIN_ZONE.get(code) ?? null);
  return place !== null && isZone(place) ? place : null;
}

/** Zones are named after cities: "Los Angeles" is America/Los_Angeles. The state is tried first, because many states have a Louisville. */
function zoneOfCity(zones: { name: string }[], city: string): string | null {
  const name = plain(city);
  return zones.find((zone) => name !== "" && plain(zone.name.split("/").at(-1) ?? "") === name)?.name ?? null;
}
