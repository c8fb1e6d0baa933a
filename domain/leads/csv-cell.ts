import { stringify } from "csv-stringify/sync";

/** What a spreadsheet would read as the beginning of a formula, in its full-width forms too, with or without quotes before it (security.md 4). */
const FORMULA = /^'*[=+\-@\t\r\n＝＋－＠]/u;
const NUMBER = /^[+-]?\d{1,15}(?:\.\d{1,15})?$/;
const PHONE = /^\+[1-9]\d{1,14}$/;
/** What ends a cell or a record for some reader, and the quote. */
const QUOTED = /[,;\t"\r\n]/;

/** A value as a cell of an export: no program that opens the file computes with it. Plain numbers and phones stay. */
export function cellOf(value: unknown): string {
  const text = textOf(value);
  return FORMULA.test(text) && !NUMBER.test(text) && !PHONE.test(text) ? `'${text}` : text;
}

/** The text behind a cell: the quote that `cellOf` put before a formula comes off again, one alone. */
export function textOfCell(cell: string): string {
  return cell.startsWith("'") && FORMULA.test(cell) ? cell.slice(1) : cell;
}

/** Values as records of RFC 4180, the names of columns like any other. */
export function linesOf(rows: readonly (readonly unknown[])[]): string {
  return stringify(
    rows.map((row) => row.map(cellOf)),
    { record_delimiter: "\r\n", quoted_match: QUOTED },
  );
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "string") return value;
  if (value instanceof Date) return value.toISOString();
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
