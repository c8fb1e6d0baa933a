import { CsvError, Parser } from "csv-parse";
import { delimiterOf } from "../csv/delimiter.ts";
import { decodeText } from "../csv/encoding.ts";
import { AppError } from "../errors.ts";
import { fieldOfColumn, type ProspectRefusal, type ProspectRow, readProspect } from "./import-row.ts";

/** One row of a file of people: a person, or why the row is left out. Lines count from 1. */
export type FileRow = { line: number; read: ProspectRow | ProspectRefusal };

/**
 * The most characters of a row; a longer row is left out. Beyond the second limit the file is refused, because the end
 * of the row may never come.
 */
const LONGEST_ROW = 1_048_576;
const NEVER_ENDS = 16 * LONGEST_ROW;
const SAMPLE = 65_536;

/**
 * The rows of a CSV or NDJSON file, in order. A file whose first character is a brace is NDJSON. A row with an error is
 * left out.
 * @throws Error for a file that is not text, or whose first row names no known column
 */
export async function* peopleIn(bytes: AsyncIterable<Buffer>): AsyncGenerator<FileRow[]> {
  try {
    yield* rowsOf(decodeText(bytes));
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const [issue] = [error.details?.["issues"]].flat();
    const isTold = typeof issue === "object" && issue !== null && "message" in issue;
    throw new Error(`The file ${isTold ? String(issue.message) : "cannot be read"}`, { cause: error });
  }
}

async function* rowsOf(texts: AsyncIterable<string>): AsyncGenerator<FileRow[]> {
  let sample = "";
  let reader: RowReader | null = null;
  for await (const text of texts) {
    if (reader !== null) yield await reader(text, false);
    else {
      sample += text;
      if (sample.length < SAMPLE) continue;
      reader = readerOf(sample);
      yield await reader(sample, false);
    }
  }
  if (sample.trim() === "") throw new Error("The file is empty");
  reader ??= readerOf(sample);
  yield await reader(sample.length < SAMPLE ? sample : "", true);
}

type RowReader = (text: string, isLast: boolean) => Promise<FileRow[]>;

function readerOf(sample: string): RowReader {
  return sample.trimStart().startsWith("{") ? jsonReader() : csvReader(delimiterOf(sample));
}

/** Lines of JSON objects. */
function jsonReader(): RowReader {
  let [rest, line, isTooLong] = ["", 0, false];
  return async (text, isLast) => {
    const lines = `${rest}${text}`.split("\n");
    rest = isLast ? "" : (lines.pop() ?? "");
    const rows: FileRow[] = [];
    for (const one of lines) {
      line++;
      const isCut = isTooLong;
      isTooLong = false;
      if (isCut || one.length > LONGEST_ROW) rows.push({ line, read: tooLong() });
      else if (one.trim() !== "") rows.push({ line, read: personInJson(one) });
    }
    // The text of a row that is already too long is dropped, even before its end is read
    if (rest.length > LONGEST_ROW) [rest, isTooLong] = ["", true];
    return rows;
  };
}

function personInJson(text: string): ProspectRow | ProspectRefusal {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { code: "MALFORMED_JSON", message: "is no JSON" };
  }
  if (typeof value !== "object" || value === null || Array.isArray(value))
    return { code: "INVALID_TYPE", message: "is no object" };
  return readProspect(cellsOf(Object.entries(value)));
}

function csvReader(delimiter: string): RowReader {
  let columns: (string | null)[] | null = null;
  let rows: FileRow[] = [];
  let line = 1;
  const parser = new Parser({
    delimiter,
    record_delimiter: ["\r\n", "\n", "\r"],
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    max_record_size: NEVER_ENDS,
    on_record: (cells: string[]) => {
      take(cells);
      return null;
    },
  });
  parser.on("error", () => {}); // `write` passes the error to its caller

  function take(cells: string[]): void {
    const at = line;
    line = parser.info.lines + 1;
    if (columns === null) columns = personColumns(cells);
    else if (cells.some((cell) => cell.trim() !== "")) rows.push({ line: at, read: personInCells(cells, columns) });
  }

  return async (text, isLast) => {
    try {
      await asPromise((done) => parser.write(text, done));
      if (isLast) await asPromise((done) => parser.end(done));
    } catch (error) {
      if (!(error instanceof CsvError)) throw error;
      throw new Error(`Line ${line} begins a row that never ends: is there a quote that is not closed?`);
    }
    const found = rows;
    rows = [];
    return found;
  };
}

function asPromise(act: (done: (error?: Error | null) => void) => void): Promise<void> {
  return new Promise((resolve, reject) => act((error) => (error ? reject(error) : resolve())));
}

function personColumns(cells: readonly string[]): (string | null)[] {
  const columns = cells.map((cell) => fieldOfColumn(cell));
  if (columns.every((column) => column === null))
    throw new Error("The first row names no column that is known, such as name, title or company");
  // If two columns map to the same field, the first counts
  return columns.map((column, at) => (columns.indexOf(column) === at ? column : null));
}

function personInCells(cells: readonly string[], columns: readonly (string | null)[]): ProspectRow | ProspectRefusal {
  if (cells.slice(columns.length).some((cell) => cell.trim() !== "")) {
    return { code: "TOO_MANY_CELLS", message: `has ${cells.length} cells, but there are ${columns.length} columns` };
  }
  return readProspect(cellsOf(cells.map((cell, at): [string | null, string] => [columns[at] ?? null, cell])));
}

function cellsOf(entries: readonly (readonly [string | null, unknown])[]): Record<string, unknown> {
  const cells: Record<string, unknown> = {};
  for (const [name, value] of entries) {
    const field = name === null ? null : fieldOfColumn(name);
    if (field !== null && !Object.hasOwn(cells, field)) cells[field] = value;
  }
  return cells;
}

function tooLong(): ProspectRefusal {
  return { code: "TOO_BIG", message: `is longer than ${LONGEST_ROW} characters` };
}
