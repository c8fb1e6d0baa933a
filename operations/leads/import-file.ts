import { z } from "zod";
import { invalid } from "../../domain/errors.ts";
import { type Mapping, mapColumns, readMapping } from "../../domain/leads/columns.ts";
import { textOf } from "../../domain/leads/csv-encoding.ts";
import { type CsvRecord, columnNames, recordsOf } from "../../domain/leads/csv-file.ts";
import { notCsv } from "../../domain/leads/csv-refusal.ts";
import { DayOrders } from "../../domain/leads/day-orders.ts";
import { MAX_FILE_BYTES, MAX_FILE_ROWS } from "../../domain/leads/import.ts";
import { dropChunks } from "../../store/jobs.ts";
import { loadDeclaredFields } from "../../store/leads/declared-fields.ts";
import type { ImportParameters } from "../../store/leads/import-job.ts";
import type { Context } from "../context.ts";
import { formJson, longText, yesNo } from "../fields.ts";
import { JobRecord, type JsonRows, jobView, type StagedRows, stageRows, startStaged } from "../jobs.ts";
import { operation } from "../operation.ts";
import { type ArrivingFile, type ReceivedFile, uploadField } from "../upload.ts";
import { importOptions } from "./import.ts";
import { assertStatic } from "./lead-lists.ts";

/** The rows of a file, stored for a job that is not there yet. */
interface StoredFile {
  columns: string[];
  dayOrders: DayOrders;
  rows: StagedRows;
  /** From then on the rows are the job's. */
  isKept: boolean;
}

const { fieldMapping, source, listId, keepUnmapped } = importOptions;

export const importFile = operation({
  summary: "Import the leads of a CSV file, always as a job; nothing is imported before the whole file was read",
  scope: "leads:write",
  errors: ["LIST_IS_DYNAMIC", "LIST_NOT_FOUND"],
  file: { maxBytes: MAX_FILE_BYTES, receive },
  input: z.strictObject({
    file: uploadField<StoredFile>().describe(
      "The CSV file, at most 100 MB (104,857,600 bytes), 1,000,000 rows and 1,000 columns, the first row being their names. UTF-8, UTF-16 " +
        "with its byte order mark, or Windows-1252; commas, semicolons or tabs: both are found by themselves",
    ),
    action: z.enum(["dryRun", "commit"]).describe("`dryRun` counts what `commit` would do, and changes nothing"),
    fieldMapping: formJson(fieldMapping.unwrap()).optional().describe(`${fieldMapping.description}. As JSON`),
    source,
    fileName: longText.optional().describe("The name of the file, at most 2,000 characters. Default: the name that it is sent with"),
    listId,
    keepUnmapped: yesNo.default(false).describe(keepUnmapped.description ?? ""),
  }),
  output: JobRecord,
  async run(ctx, { file, action, source, fileName = file.name, listId = null, fieldMapping, keepUnmapped }) {
    const { workspaceId, credentialId: actor } = ctx;
    const { columns, rows, dayOrders } = file.content;
    if (listId !== null) await assertStatic(workspaceId, listId);
    refuseUnknownColumns(Object.keys(fieldMapping ?? {}), columns);
    const declared = await loadDeclaredFields(workspaceId);
    const { mapping, ...ofColumns } = mapColumns(columns, declared, { fieldMapping, keepUnmapped });
    const targets = readMapping(mapping, fieldMapping !== undefined);
    if (action === "commit") refuseWithoutAddress(targets);
    const parameters: ImportParameters = {
      ...{ action, listId, source, actor, columns, mapping: Object.entries(mapping) },
      dayOrders: dayOrders.of(columns).filter(([column]) => targets.has(column)),
      suggestions: { ...ofColumns, suggestedMapping: Object.entries(ofColumns.suggestedMapping) },
    };
    const job = await startStaged(ctx, rows, { type: "LEAD_IMPORT", fileName, parameters: { ...parameters } });
    file.content.isKept = true;
    return jobView(job);
  },
});

function refuseUnknownColumns(named: readonly string[], columns: readonly string[]): void {
  const unknown = named.find((column) => !columns.includes(column));
  if (unknown !== undefined) throw invalid(`fieldMapping.${unknown}`, "is not a column of the file", "UNKNOWN_COLUMN");
}

function refuseWithoutAddress(mapping: Mapping): void {
  const hasEmail = [...mapping.values()].some(({ kind }) => kind === "email");
  if (!hasEmail) throw invalid("fieldMapping", "must map a column to email: no column of the file is known as one by its name", "REQUIRED");
}

/** Reads the file into the rows of a job. */
async function receive(ctx: Context, { bytes }: ArrivingFile): Promise<ReceivedFile<StoredFile>> {
  const columns: string[] = [];
  const dayOrders = new DayOrders();
  const rows = await stageRows(ctx, chunksOf(recordsOf(textOf(bytes)), columns, dayOrders));
  const content: StoredFile = { columns, dayOrders, rows, isKept: false };
  return {
    content,
    async discard() {
      if (!content.isKept) await dropChunks(ctx.workspaceId, rows.jobId);
    },
  };
}

/** Chunks as those of an import of rows (`CHUNK` in import.ts), smaller where the rows are large. */
const MOST_ROWS = 400;
const MOST_CHARACTERS = 98_304;

/** The rows after the first one, which names the columns. */
async function* chunksOf(records: AsyncIterable<CsvRecord[]>, columns: string[], dayOrders: DayOrders): AsyncGenerator<JsonRows> {
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
      if (++total > MAX_FILE_ROWS) throw notCsv(record.line, "TOO_BIG", `is past the ${MAX_FILE_ROWS} rows that a file may have`);
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
