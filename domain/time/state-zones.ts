/**
 * The time zones of states in countries with several zones, as "zone: code name, code name". A state with several zones has the one in
 * which most of its people live. Codes are ISO 3166-2 without the country.
 */
export const STATE_ZONES: Readonly<Record<string, readonly string[]>> = {
  US: [
    "America/New_York: CT Connecticut, DE Delaware, DC District of Columbia, FL Florida, GA Georgia, KY Kentucky, ME Maine, MD Maryland, MA Massachusetts, NH New Hampshire, NJ New Jersey, NY New York, NC North Carolina, OH Ohio, PA Pennsylvania, RI Rhode Island, SC South Carolina, VT Vermont, VA Virginia, WV West Virginia",
    "America/Detroit: MI Michigan",
    "America/Indiana/Indianapolis: IN Indiana",
    "America/Chicago: AL Alabama, AR Arkansas, IL Illinois, IA Iowa, KS Kansas, LA Louisiana, MN Minnesota, MS Mississippi, MO Missouri, NE Nebraska, ND North Dakota, OK Oklahoma, SD South Dakota, TN Tennessee, TX Texas, WI Wisconsin",
    "America/Denver: CO Colorado, MT Montana, NM New Mexico, UT Utah, WY Wyoming",
    "America/Boise: ID Idaho",
    "America/Phoenix: AZ Arizona",
    "America/Los_Angeles: CA California, NV Nevada, OR Oregon, WA Washington",
    "America/Anchorage: AK Alaska",
    "Pacific/Honolulu: HI Hawaii",
    "America/Puerto_Rico: PR Puerto Rico, VI Virgin Islands",
    "Pacific/Guam: GU Guam, MP Northern Mariana Islands",
    "Pacific/Pago_Pago: AS American Samoa",
  ],
  CA: [
    "America/St_Johns: NL Newfoundland and Labrador",
    "America/Halifax: NS Nova Scotia, PE Prince Edward Island",
    "America/Moncton: NB New Brunswick",
    "America/Toronto: ON Ontario, QC Quebec",
    "America/Winnipeg: MB Manitoba",
    "America/Regina: SK Saskatchewan",
    "America/Edmonton: AB Alberta, NT Northwest Territories",
    "America/Vancouver: BC British Columbia",
    "America/Whitehorse: YT Yukon",
    "America/Iqaluit: NU Nunavut",
  ],
  AU: [
    "Australia/Sydney: NSW New South Wales, ACT Australian Capital Territory",
    "Australia/Melbourne: VIC Victoria",
    "Australia/Brisbane: QLD Queensland",
    "Australia/Adelaide: SA South Australia",
    "Australia/Perth: WA Western Australia",
    "Australia/Hobart: TAS Tasmania",
    "Australia/Darwin: NT Northern Territory",
  ],
  BR: [
    "America/Sao_Paulo: SP Sao Paulo, RJ Rio de Janeiro, MG Minas Gerais, ES Espirito Santo, PR Parana, SC Santa Catarina, RS Rio Grande do Sul, GO Goias, DF Distrito Federal",
    "America/Bahia: BA Bahia",
    "America/Recife: PE Pernambuco",
    "America/Maceio: AL Alagoas, SE Sergipe",
    "America/Fortaleza: CE Ceara, MA Maranhao, PB Paraiba, PI Piaui, RN Rio Grande do Norte",
    "America/Belem: PA Para, AP Amapa",
    "America/Araguaina: TO Tocantins",
    "America/Cuiaba: MT Mato Grosso",
    "America/Campo_Grande: MS Mato Grosso do Sul",
    "America/Manaus: AM Amazonas",
    "America/Porto_Velho: RO Rondonia",
    "America/Boa_Vista: RR Roraima",
    "America/Rio_Branco: AC Acre",
  ],
  MX: [
    "America/Mexico_City: AGU Aguascalientes, CMX Ciudad de Mexico, CMX Mexico City, CHP Chiapas, COL Colima, GRO Guerrero, GUA Guanajuato, HID Hidalgo, JAL Jalisco, MEX Mexico, MIC Michoacan, MOR Morelos, OAX Oaxaca, PUE Puebla, QUE Queretaro, SLP San Luis Potosi, TAB Tabasco, TLA Tlaxcala, VER Veracruz, ZAC Zacatecas",
    "America/Monterrey: COA Coahuila, DUR Durango, NLE Nuevo Leon, TAM Tamaulipas",
    "America/Merida: CAM Campeche, YUC Yucatan",
    "America/Cancun: ROO Quintana Roo",
    "America/Chihuahua: CHH Chihuahua",
    "America/Mazatlan: BCS Baja California Sur, NAY Nayarit, SIN Sinaloa",
    "America/Hermosillo: SON Sonora",
    "America/Tijuana: BCN Baja California",
  ],
  RU: [
    "Europe/Kaliningrad: KGD Kaliningrad",
    "Europe/Moscow: MOW Moscow, MOS Moscow Oblast, SPE Saint Petersburg, LEN Leningrad, AD Adygea, ARK Arkhangelsk, BEL Belgorod, BRY Bryansk, CE Chechnya, CU Chuvashia, DA Dagestan, IN Ingushetia, IVA Ivanovo, KB Kabardino-Balkaria, KL Kalmykia, KLU Kaluga, KC Karachay-Cherkessia, KR Karelia, KO Komi, KOS Kostroma, KDA Krasnodar, KRS Kursk, LIP Lipetsk, ME Mari El, MO Mordovia, MUR Murmansk, NEN Nenets, NIZ Nizhny Novgorod, NGR Novgorod, SE North Ossetia, ORL Oryol, PNZ Penza, PSK Pskov, ROS Rostov, RYA Ryazan, SMO Smolensk, STA Stavropol, TAM Tambov, TA Tatarstan, TUL Tula, TVE Tver, VLA Vladimir, VLG Vologda, VOR Voronezh, YAR Yaroslavl",
    "Europe/Kirov: KIR Kirov",
    "Europe/Volgograd: VGG Volgograd",
    "Europe/Astrakhan: AST Astrakhan",
    "Europe/Saratov: SAR Saratov",
    "Europe/Ulyanovsk: ULY Ulyanovsk",
    "Europe/Samara: SAM Samara, UD Udmurtia",
    "Asia/Yekaterinburg: BA Bashkortostan, CHE Chelyabinsk, KHM Khanty-Mansi, KGN Kurgan, ORE Orenburg, PER Perm, SVE Sverdlovsk, TYU Tyumen, YAN Yamalo-Nenets",
    "Asia/Omsk: OMS Omsk",
    "Asia/Novosibirsk: NVS Novosibirsk",
    "Asia/Barnaul: ALT Altai, AL Altai Republic",
    "Asia/Tomsk: TOM Tomsk",
    "Asia/Novokuznetsk: KEM Kemerovo",
    "Asia/Krasnoyarsk: KYA Krasnoyarsk, KK Khakassia, TY Tuva",
    "Asia/Irkutsk: BU Buryatia, IRK Irkutsk",
    "Asia/Chita: ZAB Zabaykalsky",
    "Asia/Yakutsk: AMU Amur, SA Sakha, SA Yakutia",
    "Asia/Vladivostok: KHA Khabarovsk, PRI Primorsky, YEV Jewish",
    "Asia/Magadan: MAG Magadan",
    "Asia/Sakhalin: SAK Sakhalin",
    "Asia/Kamchatka: KAM Kamchatka",
    "Asia/Anadyr: CHU Chukotka",
  ],
};

const zonesByCountry = new Map(Object.entries(STATE_ZONES).map(([country, rows]) => [country, readTable(rows)]));

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

function readTable(rows: readonly string[]): ReadonlyMap<string, string> {
  return new Map(
    rows.flatMap((row) => {
      const [zone = "", states = ""] = row.split(": ");
      return states.split(", ").flatMap((state): [string, string][] => {
        const [code = "", ...name] = state.split(" ");
        return [
          [plain(code), zone],
          [plain(name.join(" ")), zone],
        ];
      });
    }),
  );
}
