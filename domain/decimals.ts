const DIGITS = 4;

/** The exact sum of two decimals with at most four digits after the point, without zeros at its end. */
export function sumOfDecimals(one: string, other: string): string {
  return decimalText(tenThousandths(one) + tenThousandths(other));
}

/** The exact difference of two decimals with at most four digits after the point. It may be below zero. */
export function differenceOfDecimals(one: string, other: string): string {
  return decimalText(tenThousandths(one) - tenThousandths(other));
}

/** A decimal without zeros at the end of its fraction. */
export function trimmedDecimal(decimal: string): string {
  return decimal.replace(/\.0+$/, "").replace(/(\.\d*?)0+$/, "$1");
}

/** A decimal in the form of an amount of money: whole, or with at least two digits after the point. */
export function moneyText(decimal: string): string {
  const trimmed = trimmedDecimal(decimal);
  const [whole = "0", part] = trimmed.split(".");
  return part === undefined ? whole : `${whole}.${part.padEnd(2, "0")}`;
}

function decimalText(value: bigint): string {
  const digits = String(value < 0n ? -value : value).padStart(DIGITS + 1, "0");
  return `${value < 0n ? "-" : ""}${trimmedDecimal(`${digits.slice(0, -DIGITS)}.${digits.slice(-DIGITS)}`)}`;
}

function tenThousandths(decimal: string): bigint {
  const [whole = "0", part = ""] = decimal.replace("-", "").split(".");
  const value = BigInt(whole + part.slice(0, DIGITS).padEnd(DIGITS, "0"));
  return decimal.startsWith("-") ? -value : value;
}
