import windows from "cldr-core/supplemental/windowsZones.json" with { type: "json" };
import places from "countries-and-timezones";

/** Names that people give to time zones beside those of IANA and Windows, as "zone: name, name"; cities that IANA does not name, too. */
const COMMON = [
  "UTC: UTC, GMT, Z, Zulu, UCT, Universal, Greenwich, Greenwich Mean Time, Coordinated Universal Time, Universal Time Coordinated, Weltzeit, koordinierte Weltzeit, temps universel coordonné, tiempo universal coordinado",
  "America/Los_Angeles: PT, PST, PDT, Pacific, Pacific Time, Pacific Standard Time, Pacific Daylight Time, Pacific Time US Canada, US Pacific, San Francisco, San Diego, Seattle, Las Vegas, Sacramento",
  "America/Denver: MT, MST, MDT, Mountain, Mountain Time, Mountain Daylight Time, Mountain Time US Canada, US Mountain, Salt Lake City",
  "America/Chicago: CDT, Central Time US Canada, Central Daylight Time, US Central, Dallas, Houston, Austin, San Antonio, Minneapolis, New Orleans, Nashville, Kansas City, St Louis, Milwaukee",
  "America/New_York: ET, EST, EDT, Eastern, Eastern Time, Eastern Daylight Time, Eastern Time US Canada, US Eastern, Boston, Washington, Washington DC, Philadelphia, Atlanta, Miami, Orlando, Tampa, Charlotte, Pittsburgh, Baltimore, Cleveland, New York City, NYC",
  "America/Anchorage: AKST, AKDT, Alaska, Alaska Time",
  "Pacific/Honolulu: HST, Hawaii, Hawaii Time, Hawaii Aleutian Standard Time",
  "America/Phoenix: Arizona",
  "America/Halifax: Atlantic Time, Atlantic Time Canada",
  "America/St_Johns: NDT, Newfoundland, Newfoundland Time",
  "America/Toronto: Ottawa, Quebec, Quebec City, Montréal, Montreal",
  "America/Edmonton: Calgary",
  "America/Indiana/Indianapolis: Indiana East, Indianapolis",
  "America/Guatemala: Central America",
  "America/Regina: Saskatchewan",
  "America/Tijuana: Baja California",
  "America/Mexico_City: Guadalajara, Ciudad de México",
  "America/Sao_Paulo: BRT, Brasilia, Rio de Janeiro, Belo Horizonte, Porto Alegre, Curitiba",
  "America/Argentina/Buenos_Aires: City of Buenos Aires",
  "America/Bogota: Quito, Medellin, Cali",
  "America/Santiago: CLT, CLST",
  "America/Caracas: VET",
  "America/Nuuk: Greenland",
  "Atlantic/Cape_Verde: Cabo Verde Is, Cabo Verde",
  "Europe/London: British Summer Time, British Time, UK, UK Time, Edinburgh, Manchester, Liverpool, Glasgow, Leeds, Bristol, Cardiff, Londres",
  "Europe/Lisbon: WEST, Lissabon, Lisboa, Porto",
  "Europe/Berlin: CET, CEST, MEZ, MESZ, Central European Time, Central European Summer Time, Mitteleuropäische Zeit, Mitteleuropäische Sommerzeit, Mitteleuropäische Normalzeit, heure d'Europe centrale, hora de Europa central, Munich, München, Hamburg, Frankfurt, Cologne, Köln, Stuttgart, Düsseldorf, Leipzig, Dresden, Hannover, Nürnberg",
  "Europe/Zurich: Bern, Basel, Geneva, Genf, Genève, Lausanne",
  "Europe/Vienna: Wien, Graz, Linz, Salzburg",
  "Europe/Rome: Rom, Roma, Milan, Mailand, Milano, Naples, Turin, Torino, Napoli, Florence",
  "Europe/Paris: Lyon, Marseille, Toulouse, Nice, Bordeaux, Lille, Strasbourg",
  "Europe/Madrid: Barcelona, Sevilla, Bilbao",
  "Europe/Brussels: Brüssel, Bruxelles, Brussel, Antwerp, Antwerpen",
  "Europe/Amsterdam: Rotterdam, The Hague, Den Haag, Utrecht, Eindhoven",
  "Europe/Copenhagen: Kopenhagen, København, Aarhus",
  "Europe/Stockholm: Göteborg, Gothenburg, Malmö",
  "Europe/Warsaw: Warschau, Warszawa, Krakow, Kraków",
  "Europe/Prague: Prag, Praha, Brno",
  "Europe/Bucharest: EEST, OESZ, Eastern European Time, Eastern European Summer Time, Osteuropäische Zeit, Osteuropäische Sommerzeit, Bukarest",
  "Europe/Athens: Athen, Thessaloniki",
  "Europe/Kyiv: Kyiv, Kiev, Kiew, Lviv",
  "Europe/Moscow: MSK, Moscow Time, Moskau, St Petersburg",
  "Europe/Istanbul: TRT, Ankara, Izmir",
  "Asia/Jerusalem: Israel Time, Tel Aviv",
  "Asia/Dubai: Abu Dhabi, Gulf Time, Gulf Standard Time",
  "Asia/Riyadh: Jeddah",
  "Asia/Karachi: PKT, Islamabad, Lahore",
  "Asia/Kolkata: India, India Time, Indian Standard Time, Mumbai, Bombay, Delhi, New Delhi, Bangalore, Bengaluru, Chennai, Hyderabad, Pune",
  "Asia/Bangkok: ICT, Hanoi",
  "Asia/Jakarta: WIB",
  "Asia/Manila: PHT",
  "Asia/Singapore: SGT",
  "Asia/Hong_Kong: HKT",
  "Asia/Shanghai: Beijing, Peking, Shenzhen, Guangzhou",
  "Asia/Seoul: KST, Korea Time",
  "Asia/Tokyo: JST, Japan Time, Osaka, Sapporo, Kyoto",
  "Australia/Perth: AWST",
  "Australia/Adelaide: ACDT",
  "Australia/Sydney: AEST, AEDT, Canberra",
  "Pacific/Auckland: NZST, NZDT, NZT, Wellington",
  "Africa/Johannesburg: SAST, Cape Town, Pretoria, Durban, Harare Pretoria",
  "Africa/Lagos: WAT, West Central Africa, Abuja",
  "Africa/Nairobi: EAT",
  "Africa/Maputo: CAT",
];

/** Abbreviations that mean different zones to different people: the one that most mean is only suggested. */
const AMBIGUOUS: Readonly<Record<string, string>> = {
  bst: "Europe/London",
  ist: "Asia/Kolkata",
  cst: "America/Chicago",
  ct: "America/Chicago",
  central: "America/Chicago",
  centraltime: "America/Chicago",
  ast: "America/Halifax",
  adt: "America/Halifax",
  nst: "America/St_Johns",
  sst: "Pacific/Pago_Pago",
  gst: "Asia/Dubai",
  wst: "Australia/Perth",
  acst: "Australia/Adelaide",
  aet: "Australia/Sydney",
};

/** Names whose spelling or continent has changed. Zones that were only merged keep their own. */
const RENAMED = new Map(
  [
    "Asia/Calcutta Asia/Kolkata, Asia/Katmandu Asia/Kathmandu, Asia/Rangoon Asia/Yangon, Asia/Saigon Asia/Ho_Chi_Minh",
    "Asia/Dacca Asia/Dhaka, Asia/Thimbu Asia/Thimphu, Asia/Macao Asia/Macau, Asia/Ulan_Bator Asia/Ulaanbaatar",
    "Asia/Ashkhabad Asia/Ashgabat, Asia/Ujung_Pandang Asia/Makassar, Asia/Tel_Aviv Asia/Jerusalem, Asia/Istanbul Europe/Istanbul",
    "Europe/Kiev Europe/Kyiv, Europe/Nicosia Asia/Nicosia, America/Godthab America/Nuuk, Africa/Asmera Africa/Asmara",
    "Atlantic/Faeroe Atlantic/Faroe, America/Buenos_Aires America/Argentina/Buenos_Aires, America/Jujuy America/Argentina/Jujuy",
    "America/Catamarca America/Argentina/Catamarca, America/Cordoba America/Argentina/Cordoba",
    "America/Mendoza America/Argentina/Mendoza, America/Indianapolis America/Indiana/Indianapolis",
    "America/Louisville America/Kentucky/Louisville, America/Porto_Acre America/Rio_Branco, Pacific/Enderbury Pacific/Kanton",
  ]
    .join(", ")
    .split(", ")
    .map((pair): [string, string] => [pair.split(" ")[0] ?? "", pair.split(" ")[1] ?? ""]),
);
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
  return AMBIGUOUS[folded] ?? null;
}

function commonNames(): [string, string][] {
  return COMMON.flatMap((row) => {
    const [zone = "", names = ""] = row.split(": ");
    return names.split(", ").map((name): [string, string] => [foldZone(name), zone]);
  });
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
