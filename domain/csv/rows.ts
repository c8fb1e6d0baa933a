import { CsvError, Parser } from "csv-parse";
import { delimiterOf, namedDelimiter, SAMPLE } from "./delimiter.ts";
import { notCsv } from "./refusal.ts";

export const MAX_COLUMNS = 1_000;
export const MAX_CELL = 65_536;
export const MAX_RECORD = 1_048_576;

/** One row of a file. */
export interface CsvRecord {
  /** The line where the row begins, from 1. */
  line: number;
  cells: string[];
}

/**
 * Yields the rows of a CSV file that are not blank, in order, in batches. It detects the delimiter, keeps a quote that is
 * only part of a text, and accepts every kind of line end.
 * @throws AppError VALIDATION_FAILED with the line for a quote that is never closed and for a cell that is too long
 */
export async function* recordsOf(texts: AsyncIterable<string>): AsyncGenerator<CsvRecord[]> {
  let sample = "";
  let reader: Reader | null = null;
  for await (const text of texts) {
    if (reader !== null) yield await reader.read(text);
    else {
      sample += text;
      if (sample.length < SAMPLE) continue;
      reader = new Reader(sample);
      yield await reader.begin(sample);
    }
  }
  if (reader === null) {
    reader = new Reader(sample);
    yield await reader.begin(sample);
  }
  yield await reader.end();
}

class Reader {
  readonly #parser: Parser;
  readonly #skipped: number;
  #records: CsvRecord[] = [];
  /** The line where the next record begins, apart from empty lines before it. */
  #line: number;

  constructor(sample: string) {
    const named = namedDelimiter(sample);
    this.#skipped = named?.length ?? 0;
    this.#line = named === null ? 1 : 2;
    this.#parser = new Parser({
      delimiter: named?.delimiter ?? delimiterOf(sample),
      record_delimiter: ["\r\n", "\n", "\r"],
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
      max_record_size: MAX_RECORD,
      on_record: (cells: string[], { empty_lines }) => this.#take(cells, empty_lines),
    });
    this.#parser.on("error", () => {}); // `write` passes the error to its caller
  }

  begin(sample: string): Promise<CsvRecord[]> {
    return this.read(sample.slice(this.#skipped));
  }

  read(text: string): Promise<CsvRecord[]> {
    return this.#step((done) => this.#parser.write(text, done));
  }

  end(): Promise<CsvRecord[]> {
    return this.#step((done) => this.#parser.end(done));
  }

  /** Takes rows from the parser immediately, so that no rows wait there. */
  async #step(act: (done: (error?: Error | null) => void) => void): Promise<CsvRecord[]> {
    try {
      await new Promise<void>((resolve, reject) => act((error) => (error ? reject(error) : resolve())));
    } catch (error) {
      throw error instanceof CsvError ? this.#refusalOf(error) : error;
    }
    const found = this.#records;
    this.#records = [];
    return found;
  }

  #take(cells: string[], emptyLines: number): null {
    const line = this.#line + emptyLines;
    let isBlank = true;
    for (const cell of cells) {
      if (cell.length > MAX_CELL) throw notCsv(line, "CELL_TOO_LONG", `has a cell of more than ${MAX_CELL} characters`);
      this.#line += newlinesIn(cell);
      isBlank &&= cell.trim() === "";
    }
    this.#line++;
    if (!isBlank) this.#records.push({ line, cells });
    return null;
  }

  #refusalOf({ code }: CsvError): Error {
    const line = this.#line + this.#parser.info.empty_lines;
    if (code === "CSV_QUOTE_NOT_CLOSED")
      return notCsv(line, "QUOTE_NOT_CLOSED", "begins a row with a quote that is not closed");
    if (code !== "CSV_MAX_RECORD_SIZE") return notCsv(line, "NOT_CSV", "is not CSV");
    return notCsv(
      line,
      "ROW_TOO_LONG",
      `begins a row of more than ${MAX_RECORD} characters: check for a quote that is not closed`,
    );
  }
}

/** The number of line breaks in a cell. CR, LF and CRLF each count as one. */
function newlinesIn(cell: string): number {
  if (!cell.includes("\n") && !cell.includes("\r")) return 0;
  return cell.split(/\r\n|\n|\r/).length - 1;
}
