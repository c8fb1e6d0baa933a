import countries from "i18n-iso-countries/index.js";
import de from "i18n-iso-countries/langs/de.json" with { type: "json" };
import en from "i18n-iso-countries/langs/en.json" with { type: "json" };
import es from "i18n-iso-countries/langs/es.json" with { type: "json" };
import fr from "i18n-iso-countries/langs/fr.json" with { type: "json" };
import it from "i18n-iso-countries/langs/it.json" with { type: "json" };
import nl from "i18n-iso-countries/langs/nl.json" with { type: "json" };
import pt from "i18n-iso-countries/langs/pt.json" with { type: "json" };

/** Country names that people write but that the standard lists do not have. */
const OTHERS = { uk: "GB", england: "GB", scotland: "GB", wales: "GB", "great britain": "GB", holland: "NL" };

const CODES = new Map(Object.entries(OTHERS));
for (const language of [nl, pt, it, fr, es, de, en]) {
  countries.registerLocale(language);
  const names = countries.getNames(language.locale, { select: "all" });
  for (const [code, all] of Object.entries(names)) for (const name of all) CODES.set(foldCountry(name), code);
}
for (const [code, longer] of Object.entries(countries.getAlpha2Codes()))
  CODES.set(foldCountry(code), code).set(foldCountry(longer), code);

/**
 * The ISO 3166 code of a country, from its code of two or three letters or its name in one of the main languages
 * (rules/leads 1.5). A text that names no country stays unchanged, because no rule depends on it.
 */
export function countryOf(written: string): string {
  return CODES.get(foldCountry(written)) ?? written;
}

/** The text in lower case, without accents, full stops and outer spaces. */
function foldCountry(text: string): string {
  return text
    .normalize("NFD")
    .replace(/[\u0300-\u036f.]/g, "")
    .trim()
    .toLowerCase();
}
