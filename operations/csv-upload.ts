import { FileColumns } from "../domain/csv/columns.ts";
import { MAX_FILE_ROWS } from "../domain/csv/file-limits.ts";
import { notCsv } from "../domain/csv/refusal.ts";
import type { CsvRecord } from "../domain/csv/rows.ts";
import { openTable, type Table } from "../domain/csv/table.ts";
import { DayOrders } from "../domain/values/day-orders.ts";
import { dropChunks } from "../store/jobs.ts";
import type { Context } from "./context.ts";
import { type JsonRows, type StagedRows, stageRows } from "./jobs.ts";
import type { ArrivingFile, ReceivedFile } from "./upload.ts";

/** A CSV file or workbook whose rows are stored for a job that does not exist yet. */
export interface StagedCsv {
  columns: FileColumns;
  dayOrders: DayOrders;
  rows: StagedRows;
  /** The first text of the file that escapes quotes by backslashes, or null. */
  escapedQuotes: string | null;
  /** True once the rows belong to a job. */
  isKept: boolean;
}

/**
 * Stores the rows of a file for a job (rules/leads 2.6). @throws AppError VALIDATION_FAILED, and errors of `openTable`
 * and `stageRows`
 */
export async function receiveCsv(
  ctx: Context,
  { bytes }: ArrivingFile,
  maxRows = MAX_FILE_ROWS,
): Promise<ReceivedFile<StagedCsv>> {
  const dayOrders = new DayOrders();
  const table = await openTable(bytes);
  const reader = new TableReader(table, maxRows, dayOrders);
  const rows = await stageRows(ctx, reader.chunks());
  const content: StagedCsv = {
    columns: reader.columns(),
    dayOrders,
    rows,
    escapedQuotes: table.escapedQuotes(),
    isKept: false,
  };
  return {
    content,
    async discard() {
      if (!content.isKept) await dropChunks(ctx.workspaceId, rows.jobId);
    },
  };
}

/** The columns of a CSV file or workbook with sample cells, of which nothing is stored. */
export interface SampledCsv {
  columns: { name: string; samples: string[] }[];
  /** The number of rows below the names of the columns. */
  rows: number;
}

/** Different cells of a column that are shown, the rows in which they are looked for, and the longest cell shown. */
const [SAMPLES, SAMPLED_ROWS, LONGEST_SAMPLE] = [3, 200, 100];

/** Reads the columns of a file. @throws AppError VALIDATION_FAILED, and errors of `openTable` */
export async function sampleCsv({ bytes }: ArrivingFile, maxRows = MAX_FILE_ROWS): Promise<SampledCsv> {
  const reader = new TableReader(await openTable(bytes), maxRows);
  const samples: Set<string>[] = [];
  let rows = 0;
  for await (const some of reader.records()) {
    for (const { cells } of some) {
      if (++rows > SAMPLED_ROWS) continue;
      for (const [place, cell] of cells.entries()) {
        samples[place] ??= new Set();
        if (samples[place].size < SAMPLES && cell.trim() !== "") samples[place].add(shortened(cell.trim()));
      }
    }
  }
  const { names } = reader.columns();
  const filled = new Set(reader.columns().filled());
  const columns = names.map((name, place) => ({ name, samples: [...(samples[place] ?? [])] }));
  return { columns: columns.filter(({ name }) => filled.has(name)), rows };
}

function shortened(cell: string): string {
  return cell.length > LONGEST_SAMPLE ? `${cell.slice(0, LONGEST_SAMPLE - 1)}…` : cell;
}

/** The size of chunks, like those of an import of rows (`CHUNK` in leads/import.ts); fewer rows if they are large. */
const MOST_ROWS = 400;
const MOST_CHARACTERS = 98_304;

/** Reads the rows after the first one, which contains the column names. */
class TableReader {
  readonly #table: Table;
  readonly #dayOrders: DayOrders;
  readonly #maxRows: number;
  #columns: FileColumns | null = null;

  constructor(table: Table, maxRows: number, dayOrders = new DayOrders()) {
    [this.#table, this.#maxRows, this.#dayOrders] = [table, maxRows, dayOrders];
  }

  columns(): FileColumns {
    if (this.#columns === null) throw notCsv(null, "EMPTY_FILE", "is empty");
    return this.#columns;
  }

  async *chunks(): AsyncGenerator<JsonRows> {
    let size = 0;
    let rows: string[] = [];
    const chunk = (): JsonRows => {
      const done = { count: rows.length, json: `[${rows.join(",")}]` };
      [rows, size] = [[], 0];
      return done;
    };
    for await (const some of this.records()) {
      for (const record of some) {
        this.#dayOrders.see(record.cells);
        const row = JSON.stringify(storedRow(record, this.columns().names.length));
        rows.push(row);
        size += row.length;
        if (rows.length === MOST_ROWS || size >= MOST_CHARACTERS) yield chunk();
      }
    }
    if (rows.length > 0) yield chunk();
  }

  /** The rows below the names of the columns, as they arrive. */
  async *records(): AsyncGenerator<CsvRecord[]> {
    let total = 0;
    for await (const some of this.#table.records) {
      const below = this.#columns === null ? some.slice(1) : some;
      const [first] = some;
      if (first === undefined) continue;
      this.#columns ??= new FileColumns(first);
      for (const record of below) {
        if (++total > this.#maxRows)
          throw notCsv(record.line, "TOO_BIG", `exceeds the limit of ${this.#maxRows} rows in a file`);
        if (this.#table.isPlaced) this.#columns.widen(record.cells.length);
        this.#columns.see(record);
      }
      yield below;
    }
    this.columns();
    if (total === 0) throw notCsv(null, "EMPTY_FILE", "has no row below the header");
  }
}

/**
 * A row as it is stored. If it has more cells than columns, its cells may be shifted, so only its line and number of
 * cells are stored, and the job refuses it.
 */
function storedRow({ line, cells }: CsvRecord, width: number): string[] | { line: number; cells: number } {
  if (cells.length <= width) return cells;
  const isFilled = cells.slice(width).some((cell) => cell.trim() !== "");
  return isFilled ? { line, cells: cells.length } : cells.slice(0, width);
}
