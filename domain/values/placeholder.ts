import { withoutInvisible } from "./invisible.ts";

/**
 * What programs write where nothing is known (rules/leads 2.5). `Null` and `None` are names of people and companies, so they count only as
 * programs write them, and `NA` is a country.
 */
const PLACEHOLDER = /^(?:NULL|null|\(null\)|\\N|undefined|NaN|[nN]\/[aA]|[nN]\.[aA]\.?|[-–—]+|\?+|Err:5\d\d)$/;
/** The errors of formulas, which hold nothing, as spreadsheets write them in the main languages. */
const ERRORS = new Set(
  [
    "#N/A #NULL! #REF! #VALUE! #NAME? #DIV/0! #NUM! #ERROR! #SPILL! #CALC! #FIELD! #BUSY! #BLOCKED! #CONNECT! #UNKNOWN! #GETTING_DATA",
    "#NV #BEZUG! #WERT! #ZAHL! #ÜBERLAUF! #N/D #VALEUR! #NOM? #NOMBRE! #¡REF! #¡VALOR! #¿NOMBRE? #¡DIV/0! #¡NUM! #¡NULO!",
    "#RIF! #VALORE! #NOME? #NULLO! #REF! #VALOR! #NULO! #VERW! #WAARDE! #NAAM? #DEEL/0! #GETAL! #LEEG! #N/B",
  ].flatMap((line) => line.split(" ")),
);

/** Whether a text would be read as nothing. */
export function isPlaceholder(text: string): boolean {
  const bare = text.trim();
  return PLACEHOLDER.test(bare) || (bare.startsWith("#") && ERRORS.has(bare)) || (bare !== "" && withoutInvisible(bare).trim() === "");
}

/** Whether a cell says nothing. */
export function isEmptyCell(cell: unknown): boolean {
  return cell === null || cell === undefined || (typeof cell === "string" && (cell.trim() === "" || isPlaceholder(cell)));
}
