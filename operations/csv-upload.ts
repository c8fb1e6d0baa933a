import { textOf } from "../domain/csv/encoding.ts";
import { notCsv } from "../domain/csv/refusal.ts";
import { type CsvRecord, columnNames, recordsOf } from "../domain/csv/rows.ts";
import { DayOrders } from "../domain/leads/day-orders.ts";
import { MAX_FILE_ROWS } from "../domain/leads/import.ts";
import { dropChunks } from "../store/jobs.ts";
import type { Context } from "./context.ts";
import { type JsonRows, type StagedRows, stageRows } from "./jobs.ts";
import type { ArrivingFile, ReceivedFile } from "./upload.ts";

/** A CSV file whose rows are stored for a job that is not there yet. */
export interface StagedCsv {
  columns: string[];
  dayOrders: DayOrders;
  rows: StagedRows;
  /** From then on the rows are the job's. */
  isKept: boolean;
}

/** Reads a CSV file into the rows of a job (rules/leads 2.6). @throws AppError VALIDATION_FAILED, and what `stageRows` throws */
export async function receiveCsv(ctx: Context, { bytes }: ArrivingFile, maxRows = MAX_FILE_ROWS): Promise<ReceivedFile<StagedCsv>> {
  const columns: string[] = [];
  const dayOrders = new DayOrders();
  const rows = await stageRows(ctx, chunksOf(recordsOf(textOf(bytes)), { columns, dayOrders, maxRows }));
  const content: StagedCsv = { columns, dayOrders, rows, isKept: false };
  return {
    content,
    async discard() {
      if (!content.isKept) await dropChunks(ctx.workspaceId, rows.jobId);
    },
  };
}

/** Chunks as those of an import of rows (`CHUNK` in leads/import.ts), smaller where the rows are large. */
const MOST_ROWS = 400;
const MOST_CHARACTERS = 98_304;

/** The rows after the first one, which names the columns. */
async function* chunksOf(
  records: AsyncIterable<CsvRecord[]>,
  { columns, dayOrders, maxRows }: Pick<StagedCsv, "columns" | "dayOrders"> & { maxRows: number },
): AsyncGenerator<JsonRows> {
  let [total, size] = [0, 0];
  let rows: string[] = [];
  const chunk = (): JsonRows => {
    const done = { count: rows.length, json: `[${rows.join(",")}]` };
    [rows, size] = [[], 0];
    return done;
  };
  for await (const some of records) {
    for (const record of some) {
      if (columns.length === 0) {
        columns.push(...columnNames(record));
        continue;
      }
      if (++total > maxRows) throw notCsv(record.line, "TOO_BIG", `is past the ${maxRows} rows that a file may have`);
      dayOrders.see(record.cells);
      const row = JSON.stringify(storedRow(record, columns.length));
      rows.push(row);
      size += row.length;
      if (rows.length === MOST_ROWS || size >= MOST_CHARACTERS) yield chunk();
    }
  }
  if (columns.length === 0) throw notCsv(null, "EMPTY_FILE", "is empty");
  if (total === 0) throw notCsv(null, "EMPTY_FILE", "has no row after the names of its columns");
  if (rows.length > 0) yield chunk();
}

/** A row that has cells beyond the columns cannot be told from one whose cells have moved, so it is refused when its turn comes. */
function storedRow({ line, cells }: CsvRecord, width: number): string[] | { line: number; cells: number } {
  if (cells.length <= width) return cells;
  const isFilled = cells.slice(width).some((cell) => cell.trim() !== "");
  return isFilled ? { line, cells: cells.length } : cells.slice(0, width);
}
