/** A number in the notation of programs. */
export const PLAIN_NUMBER = /^-?\d{1,15}(?:\.\d{1,15})?$/;
/** The most characters of a number. */
const LONGEST = 40;
/** A currency by its sign or its code of three letters. */
const CURRENCY = String.raw`(?:\p{Sc}|[A-Z]{3}(?![A-Za-z]))`;
const AMOUNT = new RegExp(
  String.raw`^${CURRENCY}?\s*(?<sign>[+-]?)\s*${CURRENCY}?\s*(?<digits>[\d.,'’\s]+?)\s*(?:%|${CURRENCY})?$`,
  "u",
);
/** One to three digits, then groups of three after one separator, and decimals after another. */
const GROUPED = /^\d{1,3}(?<group>[.,'’ \u00a0\u202f])\d{3}(?:\k<group>\d{3})*(?:(?!\k<group>)[.,]\d+)?$/;
/** A number in scientific notation, such as `1.5E+3`. */
const SCIENTIFIC = /^[+-]?\d{1,15}(?:[.,]\d{1,14})?E[+-]?\d{1,3}$/i;
const WITH_COMMA = /^\d{1,15},\d{1,15}$/;

/**
 * The number in a cell of a file (rules/leads 2.5): plain, with separators of thousands, with a decimal comma, or in
 * brackets if it is negative. A currency or a percent sign is dropped. A single comma before three digits separates
 * thousands. A single full stop separates thousands in an amount of money and is the decimal point elsewhere. Null if
 * the text is not a number.
 */
export function numberIn(text: string): number | null {
  const trimmed = text.trim();
  if (PLAIN_NUMBER.test(trimmed)) return Number(trimmed);
  if (trimmed.length > LONGEST) return null;
  if (SCIENTIFIC.test(trimmed)) return finiteOrNull(Number(trimmed.replace(",", ".")));
  const inBrackets = /^\((.+)\)$/.exec(trimmed)?.[1];
  const { sign = "", digits = "" } = AMOUNT.exec(inBrackets ?? trimmed)?.groups ?? {};
  const plain = plainDigits(digits, /[^\d.,'’\s()%+-]/.test(trimmed));
  if (plain === null || (inBrackets !== undefined && sign !== "")) return null;
  return sign === "-" || inBrackets !== undefined ? -Number(plain) : Number(plain);
}

function finiteOrNull(number: number): number | null {
  return Number.isFinite(number) ? number : null;
}

function plainDigits(digits: string, isMoney: boolean): string | null {
  const { group } = GROUPED.exec(digits)?.groups ?? {};
  // A single full stop before three digits is a decimal point, because programs write numbers like this. Amounts of
  // money rarely have three decimals, so there the full stop separates thousands
  const isGrouped = group !== undefined && (isMoney || !(group === "." && /^\d{1,3}\.\d{3}$/.test(digits)));
  const plain = isGrouped
    ? digits.replaceAll(group, "").replace(",", ".")
    : WITH_COMMA.test(digits)
      ? digits.replace(",", ".")
      : digits;
  return PLAIN_NUMBER.test(plain) ? plain : null;
}
