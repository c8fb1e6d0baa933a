import table from "./state-zones.json" with { type: "json" };

/**
 * The time zones of states in countries with several zones, as "code name, code name" by zone. A state with several zones has the one in
 * which most of its people live. Codes are ISO 3166-2 without the country.
 */
export const STATE_ZONES: Readonly<Record<string, Readonly<Record<string, string>>>> = table;

const zonesByCountry = new Map(Object.entries(STATE_ZONES).map(([country, zones]) => [country, zonesByState(zones)]));

/** The zone of a state, by its code ("CA", "US-CA") or English name, ignoring accents and case; null when unknown. */
export function zoneOfState(country: string, state: string): string | null {
  const zones = zonesByCountry.get(country);
  if (!zones) return null;
  const name = plain(state);
  const withoutCountry = name.startsWith(`${country.toLowerCase()} `) ? name.slice(3) : name;
  const bare = name
    .replace(/ (autonomous okrug|oblast|krai|kray|region|state|province)$/, "")
    .replace(/^(state|province|republic) of /, "");
  return zones.get(name) ?? zones.get(withoutCountry) ?? zones.get(bare) ?? null;
}

/** Lower-cases a name and removes accents and punctuation, so that different spellings compare equal. */
export function plain(name: string): string {
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
          [plain(code), zone],
          [plain(name.join(" ")), zone],
        ];
      }),
    ),
  );
}
