import { stringify } from "csv-stringify/sync";
import { withoutInvisible } from "./invisible.ts";

/**
 * What a spreadsheet reads as the beginning of a formula, also in full-width characters, with or without quotes before
 * it (rules/security 3.2).
 */
const FORMULA = /^'*[=+\-@\t\r\n＝＋－＠]/u;
/**
 * `'01067`: a spreadsheet's quote before digits that are text. Other texts may begin with a quote that belongs to them.
 */
const MARKED_DIGITS = /^'+\d[\d .,/()-]*$/;
const NUMBER = /^[+-]?\d{1,15}(?:\.\d{1,15})?$/;
const PHONE = /^\+[1-9]\d{1,14}$/;
/** The characters that end a cell or a record for some readers, and the quote itself. */
const QUOTED = /[,;\t"\r\n]/;

/**
 * Writes a value as a cell of an export in such a way that no program that opens the file evaluates it, and that an
 * import reads it as a value. Plain numbers and phone numbers stay unchanged.
 */
export function cellOf(value: unknown): string {
  const text = valueText(value);
  return isGuarded(text) && !NUMBER.test(text) && !PHONE.test(text) ? `'${text}` : text;
}

/**
 * A formula, a text that an import would read as nothing or as lost, or digits after the quote that marks a text, with
 * or without quotes before it.
 */
function isGuarded(text: string): boolean {
  const bare = text.replace(/^'+/, "").trim();
  return (
    FORMULA.test(text) ||
    MARKED_DIGITS.test(text) ||
    isPlaceholder(bare) ||
    TOO_NARROW.test(bare) ||
    SCIENTIFIC.test(bare)
  );
}

/** Reads the text of a cell back: removes the one quote that `cellOf` put before it. */
export function textOfCell(cell: string): string {
  return cell.startsWith("'") && isGuarded(cell) ? cell.slice(1) : cell;
}

/** Why a cell is not read: a formula or its error; a number whose digits the spreadsheet dropped. */
export type CellLoss = "FORMULA" | "DIGITS_LOST";

/** Cells that need more than plain reading. All others are read unchanged. */
const UNUSUAL = /^[=']|^\s*#|^\s*[+-]?\d[\d.,]*[eE][+-]?\d/;
/** `="01067"`, `=T("01067")`, `=HYPERLINK("mailto:ada@x.example";"ada@x.example")`: formulas whose value is a text. */
const TEXT_FORMULA =
  /^=\s*(?:"(?<text>(?:[^"]|"")*)"|(?:T|TRIM|CLEAN)\s*\(\s*"(?<inner>(?:[^"]|"")*)"\s*\)|HYPERLINK\s*\(\s*"(?<link>(?:[^"]|"")*)"\s*(?:[,;]\s*"(?<name>(?:[^"]|"")*)"\s*)?\))$/i;
const CALCULATED = /^=\s*[\p{L}\p{N}("'+\-@$#[{.]/u;
/** A column that was too narrow for its numbers. */
const TOO_NARROW = /^#{2,}$/;
/**
 * How spreadsheets write numbers with more digits than they show. Without a sign or decimals it may be a code, such as
 * `12E4`.
 */
const SCIENTIFIC = /^[+-]?\d(?:[.,]\d{1,15}E[+-]?|E[+-])\d{1,3}$/i;

/**
 * The text of a spreadsheet's cell (rules/leads 2.5), or why there is none. A number in scientific notation is lost
 * only as a text; as a number it is read.
 */
export function readCell(cell: string, isNumber: boolean): { text: string } | { code: CellLoss } {
  if (!UNUSUAL.test(cell)) return { text: cell };
  const text = cell.startsWith("=") ? cell.trimEnd() : cell.trim();
  const { text: own, inner, link, name } = TEXT_FORMULA.exec(text)?.groups ?? {};
  const written = own ?? inner ?? name ?? link;
  if (written !== undefined) return { text: written.replaceAll('""', '"') };
  if (CALCULATED.test(text)) return { code: "FORMULA" };
  if (TOO_NARROW.test(text) || (!isNumber && SCIENTIFIC.test(text))) return { code: "DIGITS_LOST" };
  return { text: textOfCell(cell) };
}

/** Writes values as records of RFC 4180. Column names are written like any other values. */
export function linesOf(rows: readonly (readonly unknown[])[]): string {
  return stringify(
    rows.map((row) => row.map(cellOf)),
    { record_delimiter: "\r\n", quoted_match: QUOTED },
  );
}

function valueText(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "string") return value;
  if (value instanceof Date) return value.toISOString();
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

/**
 * What programs write for an unknown value (rules/leads 2.5). `Null` and `None` are names of people and companies, so
 * they count only as programs write them, and `NA` is a country.
 */
const PLACEHOLDER = /^(?:NULL|null|\(null\)|\\N|undefined|NaN|[nN]\/[aA]|[nN]\.[aA]\.?|[-–—]+|\?+|Err:5\d\d)$/;
/** The errors of formulas, which have no value, as spreadsheets write them in the main languages. */
const ERRORS = new Set(
  [
    "#N/A #NULL! #REF! #VALUE! #NAME? #DIV/0! #NUM! #ERROR! #SPILL! #CALC! #FIELD! #BUSY! #BLOCKED! #CONNECT! #UNKNOWN! #GETTING_DATA",
    "#NV #BEZUG! #WERT! #ZAHL! #ÜBERLAUF! #N/D #VALEUR! #NOM? #NOMBRE! #¡REF! #¡VALOR! #¿NOMBRE? #¡DIV/0! #¡NUM! #¡NULO!",
    "#RIF! #VALORE! #NOME? #NULLO! #REF! #VALOR! #NULO! #VERW! #WAARDE! #NAAM? #DEEL/0! #GETAL! #LEEG! #N/B",
  ].flatMap((line) => line.split(" ")),
);

/** Whether a text would be read as nothing. */
function isPlaceholder(text: string): boolean {
  const bare = text.trim();
  return (
    PLACEHOLDER.test(bare) ||
    (bare.startsWith("#") && ERRORS.has(bare)) ||
    (bare !== "" && withoutInvisible(bare).trim() === "")
  );
}

/** Whether a cell is empty or says nothing. */
export function isEmptyCell(cell: unknown): boolean {
  return (
    cell === null || cell === undefined || (typeof cell === "string" && (cell.trim() === "" || isPlaceholder(cell)))
  );
}
