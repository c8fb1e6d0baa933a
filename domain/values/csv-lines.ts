import { stringify } from "csv-stringify/sync";
import { cellOf } from "./cell.ts";

/** The characters that end a cell or a record for some readers, and the quote itself. */
const QUOTED = /[,;\t"\r\n]/;

/** Writes values as records of RFC 4180. Column names are written like any other values. */
export function linesOf(rows: readonly (readonly unknown[])[]): string {
  return stringify(
    rows.map((row) => row.map(cellOf)),
    { record_delimiter: "\r\n", quoted_match: QUOTED },
  );
}
