/** What a spreadsheet would read as the beginning of a formula, in its full-width forms too (security.md 4). */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/u;
const NUMBER = /^[+-]?\d{1,15}(?:\.\d{1,15})?$/;
const PHONE = /^\+[1-9]\d{1,14}$/;

/** A value as a cell of an export: no program that opens the file computes with it. Plain numbers and phones stay. */
export function cellOf(value: unknown): string {
  const text = textOf(value);
  return FORMULA.test(text) && !NUMBER.test(text) && !PHONE.test(text) ? `'${text}` : text;
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "string") return value;
  if (value instanceof Date) return value.toISOString();
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
