import { withoutInvisible } from "./invisible.ts";

/**
 * The beginning of a formula in a spreadsheet, also in full-width characters, with or without quotes before it
 * (rules/security 3.2).
 */
const FORMULA = /^'*[=+\-@\t\r\n＝＋－＠]/u;
/**
 * `'01067`: a spreadsheet's quote before digits that are text. Other texts may begin with a quote that belongs to them.
 */
const MARKED_DIGITS = /^'+\d[\d .,/()-]*$/;
const NUMBER = /^[+-]?\d{1,15}(?:\.\d{1,15})?$/;
const PHONE = /^\+[1-9]\d{1,14}$/;

/**
 * Writes a value as a cell of an export. No program that opens the file evaluates the cell, and an import reads the same
 * value back. Plain numbers and phone numbers stay unchanged.
 */
export function cellOf(value: unknown): string {
  const text = valueText(value);
  return isGuarded(text) && !NUMBER.test(text) && !PHONE.test(text) ? `'${text}` : text;
}

/**
 * Whether a text needs a quote before it to be read back unchanged, with or without quotes that it already has: a
 * formula, a text that an import would read as empty or as lost digits, or digits after the quote that marks a text.
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

/** The text of an exported cell, without the quote that `cellOf` added. */
export function textOfCell(cell: string): string {
  return cell.startsWith("'") && isGuarded(cell) ? cell.slice(1) : cell;
}

/**
 * Why a cell has no value: it contains a formula or a formula's error, or the spreadsheet dropped digits of its number.
 */
export type CellLoss = "FORMULA" | "DIGITS_LOST";

/** Cells that need more than plain reading. All others are read unchanged. */
const UNUSUAL = /^[=']|^\s*#|^\s*[+-]?\d[\d.,]*[eE][+-]?\d/;
/** `="01067"`, `=T("01067")`, `=HYPERLINK("mailto:ada@x.example";"ada@x.example")`: formulas whose value is a text. */
const TEXT_FORMULA =
  /^=\s*(?:"(?<text>(?:[^"]|"")*)"|(?:T|TRIM|CLEAN)\s*\(\s*"(?<inner>(?:[^"]|"")*)"\s*\)|HYPERLINK\s*\(\s*"(?<link>(?:[^"]|"")*)"\s*(?:[,;]\s*"(?<name>(?:[^"]|"")*)"\s*)?\))$/i;
const CALCULATED = /^=\s*[\p{L}\p{N}("'+\-@$#[{.]/u;
/** The content of a cell whose column was too narrow for its number. */
const TOO_NARROW = /^#{2,}$/;
/**
 * How spreadsheets write numbers with more digits than they show. A text without a sign or decimals does not count,
 * because it may be a code, such as `12E4`.
 */
const SCIENTIFIC = /^[+-]?\d(?:[.,]\d{1,15}E[+-]?|E[+-])\d{1,3}$/i;

/**
 * The text of a spreadsheet's cell (rules/leads 2.5), or the reason why it has none. A number in scientific notation has
 * lost its digits as a text, but can be read as a number.
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

function valueText(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "string") return value;
  if (value instanceof Date) return value.toISOString();
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

/**
 * Texts that programs write for an unknown value (rules/leads 2.5). `Null` and `None` are also names of people and
 * companies, so only the spelling of programs counts. `NA` is not in the list, because it is a country.
 */
const PLACEHOLDER = /^(?:NULL|null|\(null\)|\\N|undefined|NaN|[nN]\/[aA]|[nN]\.[aA]\.?|[-–—]+|\?+|Err:5\d\d)$/;
/** The errors of formulas, as spreadsheets write them in the main languages. They are not values. */
const ERRORS = new Set(
  [
    "#N/A #NULL! #REF! #VALUE! #NAME? #DIV/0! #NUM! #ERROR! #SPILL! #CALC! #FIELD! #BUSY! #BLOCKED! #CONNECT! #UNKNOWN! #GETTING_DATA",
    "#NV #BEZUG! #WERT! #ZAHL! #ÜBERLAUF! #N/D #VALEUR! #NOM? #NOMBRE! #¡REF! #¡VALOR! #¿NOMBRE? #¡DIV/0! #¡NUM! #¡NULO!",
    "#RIF! #VALORE! #NOME? #NULLO! #REF! #VALOR! #NULO! #VERW! #WAARDE! #NAAM? #DEEL/0! #GETAL! #LEEG! #N/B",
  ].flatMap((line) => line.split(" ")),
);

/** Whether an import would read a text as empty. */
function isPlaceholder(text: string): boolean {
  const bare = text.trim();
  return (
    PLACEHOLDER.test(bare) ||
    (bare.startsWith("#") && ERRORS.has(bare)) ||
    (bare !== "" && withoutInvisible(bare).trim() === "")
  );
}

/** Whether a cell is empty or stands for an unknown value. */
export function isEmptyCell(cell: unknown): boolean {
  return (
    cell === null || cell === undefined || (typeof cell === "string" && (cell.trim() === "" || isPlaceholder(cell)))
  );
}
