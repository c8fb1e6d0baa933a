import { stringify } from "csv-stringify/sync";
import { isPlaceholder } from "./placeholder.ts";

/**
 * What a spreadsheet reads as the beginning of a formula, also in full-width characters, with or without quotes before it (rules/security
 * 3.2).
 */
const FORMULA = /^'*[=+\-@\t\r\n＝＋－＠]/u;
const NUMBER = /^[+-]?\d{1,15}(?:\.\d{1,15})?$/;
const PHONE = /^\+[1-9]\d{1,14}$/;
/** The characters that end a cell or a record for some reader, and the quote itself. */
const QUOTED = /[,;\t"\r\n]/;

/**
 * Writes a value as a cell of an export in such a way that no program that opens the file evaluates it, and that an import reads it as a
 * value. Plain numbers and phone numbers stay as they are.
 */
export function cellOf(value: unknown): string {
  const text = textOf(value);
  return isGuarded(text) && !NUMBER.test(text) && !PHONE.test(text) ? `'${text}` : text;
}

/** A formula, or what an import would take for nothing, with or without quotes before it. */
function isGuarded(text: string): boolean {
  return FORMULA.test(text) || isPlaceholder(text.replace(/^'+/, ""));
}

/** Reads the text of a cell back: removes the one quote that `cellOf` put before it. */
export function textOfCell(cell: string): string {
  return cell.startsWith("'") && isGuarded(cell) ? cell.slice(1) : cell;
}

/** Writes values as records of RFC 4180. Column names are written like any other values. */
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
