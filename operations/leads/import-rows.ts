import { setImmediate as pause } from "node:timers/promises";
import { z } from "zod";
import { FileColumns } from "../../domain/csv/columns.ts";
import { CsvRefusal, notCsv } from "../../domain/csv/refusal.ts";
import { openTable } from "../../domain/csv/table.ts";
import { invalid } from "../../domain/errors.ts";
import { mustBe } from "../../domain/issue-words.ts";
import { isRow, type Row } from "../../domain/leads/columns.ts";
import { MAX_ROWS } from "../../domain/leads/import.ts";

/** The rows of a request. They are parsed page by page, so that 50,000 rows never become objects at the same time. */
export interface Rows {
  readonly length: number;
  /** Returns `count` rows from index `start`. */
  page(start: number, count: number): unknown[];
  /** Returns the same rows as a JSON array. */
  json(start: number, count: number): string;
}

export function isRows(value: unknown): value is Rows {
  return typeof value === "object" && value !== null && "page" in value && typeof value.page === "function";
}

/**
 * The field `rows` of an import. It does not use z.record, which would copy each of 50,000 rows although only the
 * mapped cells are read.
 */
export const rows = z
  .unknown()
  .meta({ type: "array", maxItems: MAX_ROWS, items: { type: "object" } })
  .transform((value, context): Rows => {
    const refuse = ({ code, message }: { code: string; message: string }) => {
      context.addIssue({ code: "custom", message, params: { code } });
      return z.NEVER;
    };
    const given = isRows(value) ? value : Array.isArray(value) ? inMemory(value) : null;
    if (given === null) return refuse(mustBe(["a list"], value));
    if (given.length > MAX_ROWS) return refuse({ code: "TOO_BIG", message: `must have at most ${MAX_ROWS} items` });
    return given;
  })
  .describe("1 to 50,000 rows, by column name");

function inMemory(all: unknown[]): Rows {
  return {
    length: all.length,
    page: (start, count) => all.slice(start, start + count),
    json: (start, count) => JSON.stringify(all.slice(start, start + count)),
  };
}

const PAGE = 250;

/** All rows, page by page. @throws AppError VALIDATION_FAILED with the path of the first row that is not an object */
export function* pagesOf(all: Rows, size = PAGE): Generator<{ start: number; page: Row[] }> {
  for (let start = 0; start < all.length; start += size) {
    const page = all.page(start, size);
    const wrong = page.findIndex((row) => !isRow(row));
    if (wrong >= 0) throw invalid(`rows.${start + wrong}`, "must be an object", "INVALID_TYPE");
    yield { start, page: page.filter(isRow) };
  }
}

/**
 * The rows of a request: its `rows`, or those of its `csv`, whose first line names the columns.
 * @throws AppError VALIDATION_FAILED unless exactly one of the two is given, and for a text that is no CSV
 */
export async function rowsAsked({ rows, csv }: { rows?: Rows | undefined; csv?: string | undefined }): Promise<Rows> {
  if (rows !== undefined && csv !== undefined)
    throw invalid("csv", "must not be given together with rows", "TYPE_MISMATCH");
  if (rows !== undefined) return rows;
  if (csv === undefined) throw invalid("rows", "is required, or csv", "REQUIRED");
  return inMemory(
    await rowsOfCsv(csv).catch((err: unknown) => {
      throw refusalOfText(err);
    }),
  );
}

/**
 * The most cells of a text, counted as rows times columns. Only a text with short rows under many columns can exceed
 * it, because every other cell takes a character.
 */
const MAX_CELLS = 5_000_000;

/** Only the first row has every column, so that short rows under many columns take no more memory than their text. */
async function rowsOfCsv(csv: string): Promise<Record<string, string>[]> {
  const { records } = await openTable(bytesOf(csv));
  let columns: FileColumns | null = null;
  const rows: Record<string, string>[] = [];
  for await (const some of records) {
    for (const record of some) {
      if (columns === null) {
        columns = new FileColumns(record);
        continue;
      }
      const { names } = columns;
      const { cells, line } = record;
      if (cells.slice(names.length).some((cell) => cell.trim() !== ""))
        throw notCsv(line, "TOO_MANY_CELLS", `has ${cells.length} cells, and the header ${names.length}`);
      const filled =
        rows.length === 0 ? names.map((name, place) => [name, cells[place] ?? ""]) : filledOf(names, cells);
      rows.push(Object.fromEntries(filled));
      if (rows.length > MAX_ROWS) throw invalid("csv", `must have at most ${MAX_ROWS} rows`, "TOO_BIG");
      if (rows.length * names.length > MAX_CELLS)
        throw invalid("csv", `must have at most ${MAX_CELLS} cells, counted as rows times columns`, "TOO_BIG");
    }
  }
  if (rows.length === 0) throw notCsv(null, "EMPTY_FILE", "has no row below the header");
  return rows;
}

function filledOf(names: readonly string[], cells: readonly string[]): [string, string][] {
  return cells.flatMap((cell, place): [string, string][] => {
    const name = names[place];
    return name === undefined || cell === "" ? [] : [[name, cell]];
  });
}

const SLICE_BYTES = 65_536;

/** The text in slices, between which the process serves other calls. */
async function* bytesOf(text: string): AsyncGenerator<Buffer> {
  const all = Buffer.from(text);
  for (let start = 0; start < all.length; start += SLICE_BYTES) {
    yield all.subarray(start, start + SLICE_BYTES);
    await pause();
  }
}

/** Reasons that apply to a text as to a file. All others say that the text is no CSV. */
const OF_TEXT = new Set([
  "EMPTY_FILE",
  "TOO_MANY_COLUMNS",
  "TOO_MANY_CELLS",
  "QUOTE_NOT_CLOSED",
  "CELL_TOO_LONG",
  "ROW_TOO_LONG",
]);

/** The refusal of a file as that of the field `csv`, without advice about files. */
function refusalOfText(err: unknown): unknown {
  if (!(err instanceof CsvRefusal)) return err;
  const { line, reason, words } = err;
  if (OF_TEXT.has(reason)) return notCsv(line, reason, words, "csv");
  return invalid("csv", "must be CSV: one row a line, its cells separated by commas, semicolons or tabs", "NOT_CSV");
}
