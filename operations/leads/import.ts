import { z } from "zod";
import type { FileColumns } from "../../domain/csv/columns.ts";
import { MAX_FILE_BYTES } from "../../domain/csv/file-limits.ts";
import { AppError, type ErrorCode, invalid, STATUS_OF } from "../../domain/errors.ts";
import { listOf } from "../../domain/issue-words.ts";
import {
  columnsOf,
  type Mapping,
  mapColumns,
  type Row,
  readMapping,
  suggestedMapping,
  type WhyNotBoth,
} from "../../domain/leads/columns.ts";
import { MAX_INLINE } from "../../domain/leads/import.ts";
import { CELL_WARNINGS, dayOrdersIn } from "../../domain/leads/import-row.ts";
import { nearestName } from "../../domain/nearest-name.ts";
import { newId } from "../../mongo/ids.ts";
import { withinCap } from "../../store/daily-caps.ts";
import { loadDeclaredFields } from "../../store/leads/declared-fields.ts";
import { type ImportParameters, leadImport } from "../../store/leads/import-job.ts";
import { noSums, type Order, RowReader, summaryOf, workPage } from "../../store/leads/import-work.ts";
import { choice } from "../choice.ts";
import { actorOf, type Context } from "../context.ts";
import { receiveCsv, type SampledCsv, type StagedCsv, sampleCsv } from "../csv-upload.ts";
import { describedIds } from "../described-ids.ts";
import { formJson, longText, nullable, yesNo } from "../fields.ts";
import { cancelJob, getJob, JobRecord, jobView, startJob, startStaged, whenDone } from "../jobs.ts";
import { operation } from "../operation.ts";
import { anyHasBegun, enrols } from "../sending/causes.ts";
import { uploadField } from "../upload.ts";
import { pagesOf, type Rows, rows, rowsAsked } from "./import-rows.ts";
import { assertStatic } from "./lead-lists.ts";
import { googleSheet } from "./sheet.ts";

const { listId } = describedIds;

/** The options of an import besides its rows. */
const options = {
  fieldMapping: z
    .record(z.string(), z.string().nullable())
    .optional()
    .describe(
      "Maps each column to a lead field, `tags` or `customFields.<key>`; null leaves it out. By default columns are matched by name: lead fields, keys and labels of custom fields, and names from common exports",
    ),
  source: z
    .enum(["CSV", "MANUAL", "PROVIDERA_SHEETS"])
    .default("CSV")
    .describe("Where the rows come from. Default CSV"),
  fileName: longText.nullable().optional().describe("The name of the file, at most 2,000 characters"),
  listId: listId.nullable().optional().describe("A STATIC list to add the leads to"),
  keepUnmapped: z
    .boolean()
    .default(false)
    .describe(
      "Whether each unmapped column becomes a custom field with its name; a column that `fieldMapping` sets to null is left out. Default false: unmapped columns are left out and listed in `unmappedColumns`",
    ),
};
const input = z.strictObject({
  rows: rows.optional().describe("1 to 50,000 rows, by column name"),
  csv: z
    .string()
    .min(1)
    .max(5_000_000)
    .optional()
    .describe("Instead of `rows`: CSV whose first line names the columns, at most 5,000,000 characters"),
  ...options,
});
/** A call needs one of these fields. */
const ROWS_OR_CSV = ["rows", "csv"];
type Asked = z.output<typeof input>;

const count = z.number().int();
const summary = {
  total: count.describe("All rows of the import"),
  created: count.describe("Leads that were created"),
  updated: count.describe("Leads that changed"),
  skipped: count.describe("Rows that change nothing or are blocked"),
  invalid: count.describe("Rows that cannot be imported"),
  duplicateInFile: count.describe("Rows that repeat an earlier row's address"),
  alreadyExists: count.describe("Rows with an existing lead's address"),
  blocked: count.describe("Rows with an address on the block list"),
  suppressed: count.describe("Rows whose lead is and stays suppressed"),
  membershipsAdded: count.describe("Leads added to the list"),
  errors: z
    .array(
      z.object({
        row: count.describe("The row, from 1"),
        email: nullable(z.string()).describe("The address in the row"),
        code: z.string().describe("The error code"),
        message: z.string().describe("The error as a sentence"),
      }),
    )
    .describe("The rows with errors, at most 1,000"),
  warnings: z
    .array(
      z.object({
        row: count.describe("The row, from 1; 0 for the whole file"),
        column: z.string().describe("The column; empty for the whole file"),
        code: z
          .enum(CELL_WARNINGS)
          .describe(
            'Why the cell was left out. ROLE_ADDRESS, SEVERAL_ADDRESSES (the first is used), ADDRESS_TYPO: imported, but check it. ESCAPED_QUOTES: the file writes quotes as \\"',
          ),
        value: z.string().describe("The text of the cell, at most 100 characters"),
        suggestion: nullable(z.string()).describe("The probably intended value, for a time zone or an address"),
      }),
    )
    .describe("Cells that were left out of imported leads, and addresses to check, at most 1,000"),
  warningCount: count.describe("The number of all warnings"),
  mapping: z.record(z.string(), z.string()).describe("The lead field of each column"),
  suggestedMapping: z.record(z.string(), z.string()).describe("The lead field that each column's name suggests"),
  unmappedColumns: z.array(z.string()).describe("Columns that are not imported"),
};

const dryRun = operation({
  summary: "Count what an import would do, and suggest a mapping of its columns. Changes nothing",
  scope: "leads:write",
  errors: ["LIST_IS_DYNAMIC", "LIST_NOT_FOUND"],
  input,
  needsOneOf: ROWS_OR_CSV,
  output: z.union([z.object({ action: z.literal("dryRun").describe("The action that ran"), ...summary }), JobRecord]),
  run: (ctx, asked) => importRows(ctx, "dryRun", asked),
});

const commit = operation({
  summary: "Import rows as leads. Repeating a commit changes nothing",
  scope: "leads:write",
  errors: ["LIMIT_EXCEEDED", "LIST_IS_DYNAMIC", "LIST_NOT_FOUND"],
  effects: { SENDS: enrols, CHANGES_SENDING: anyHasBegun },
  input,
  needsOneOf: ROWS_OR_CSV,
  output: z.union([z.object({ action: z.literal("commit").describe("The action that ran"), ...summary }), JobRecord]),
  run: (ctx, asked) => importRows(ctx, "commit", asked),
});

export const importLeads = choice(
  "leads:write",
  "Import leads: a dry run first, then a commit of the same rows; or read the rows of a spreadsheet",
  {
    dryRun,
    commit,
    googleSheet,
  },
);

/** The files that are read. */
const FILE =
  "A CSV file of at most 100 MB (104,857,600 bytes), or the first sheet of an .xlsx workbook of at most 20 MB (20,971,520 bytes, 256 MB " +
  "unpacked). At most 1,000,000 rows and 1,000 columns; the first row names them. CSV: UTF-8, UTF-16, Windows-1252 or Mac Roman; commas, " +
  "semicolons or tabs. The content decides the format, not the file name. If two columns share a name, the second becomes `name 2`. " +
  "Errors that name the line: NOT_TEXT, EMPTY_FILE, TOO_MANY_COLUMNS, QUOTE_NOT_CLOSED, CELL_TOO_LONG, ROW_TOO_LONG. Errors that say what to do: " +
  "UNSUPPORTED_FORMAT, ENCRYPTED_FILE, WORKBOOK_DAMAGED, WORKBOOK_TOO_LARGE. A row with more cells than columns is a row error in the result";

export const importColumns = operation({
  summary:
    "Read the columns of a CSV file or an .xlsx workbook, with sample cells and the lead field that each name suggests. Stores nothing",
  scope: "leads:write",
  file: { maxBytes: MAX_FILE_BYTES, receive: async (_ctx, file) => ({ content: await sampleCsv(file) }) },
  input: z.strictObject({ file: uploadField<SampledCsv>().describe(FILE) }),
  output: z.object({
    fileName: z.string().describe("The name of the file in the upload"),
    rows: count.describe("The number of rows below the names of the columns"),
    columns: z
      .array(
        z.object({
          name: z.string().describe("The column, as `fieldMapping` names it"),
          samples: z
            .array(z.string())
            .describe("Up to 3 different cells of its first rows, at most 100 characters each"),
          suggestedField: nullable(z.string()).describe(
            "The lead field, `tags` or `customFields.<key>` that the name suggests",
          ),
        }),
      )
      .describe("The columns in the order of the file"),
  }),
  async run({ workspaceId }, { file }) {
    const { columns, rows } = file.content;
    const names = columns.map(({ name }) => name);
    const suggested = suggestedMapping(names, await loadDeclaredFields(workspaceId));
    const withField = columns.map((column) => ({ ...column, suggestedField: suggested[column.name] ?? null }));
    return { fileName: file.name, rows, columns: withField };
  },
});

export const importFile = operation({
  summary:
    "Import leads from a CSV file or an .xlsx workbook, always as a job; the import starts after the whole file was read",
  scope: "leads:write",
  errors: ["LIMIT_EXCEEDED", "LIST_IS_DYNAMIC", "LIST_NOT_FOUND"],
  effects: {
    SENDS: (ctx, { action }) => action === "commit" && enrols(ctx),
    CHANGES_SENDING: (ctx, { action }) => action === "commit" && anyHasBegun(ctx),
  },
  file: { maxBytes: MAX_FILE_BYTES, receive: receiveCsv },
  input: z.strictObject({
    file: uploadField<StagedCsv>().describe(FILE),
    action: z.enum(["dryRun", "commit"]).describe("`dryRun` counts what `commit` would do, and changes nothing"),
    fieldMapping: formJson(options.fieldMapping.unwrap())
      .optional()
      .describe(`${options.fieldMapping.description}. As JSON`),
    source: options.source,
    fileName: longText
      .optional()
      .describe("The name of the file, at most 2,000 characters. Default: the name in the upload"),
    listId: options.listId,
    keepUnmapped: yesNo.default(false).describe(options.keepUnmapped.description ?? ""),
  }),
  output: JobRecord,
  async run(ctx, { file, action, source, fileName = file.name, listId = null, fieldMapping, keepUnmapped }) {
    const { workspaceId, credentialId: actor } = ctx;
    const { rows, dayOrders, escapedQuotes } = file.content;
    const columns = file.content.columns.names;
    if (listId !== null) await assertStatic(workspaceId, listId);
    refuseUnknownColumns(Object.keys(fieldMapping ?? {}), columns);
    const declared = await loadDeclaredFields(workspaceId);
    const { mapping, ...ofColumns } = mapColumns(file.content.columns.filled(), declared, {
      fieldMapping,
      keepUnmapped,
    });
    const targets = readMapping(mapping, fieldMapping !== undefined, whyNotBoth(file.content.columns));
    if (action === "commit") refuseWithoutAddress(targets);
    const parameters: ImportParameters = {
      action,
      listId,
      source,
      actor,
      isTraced: true,
      by: actorOf(ctx),
      columns: [...columns],
      mapping: Object.entries(mapping),
      dayOrders: dayOrders.of(columns).filter(([column]) => targets.has(column)),
      ...(escapedQuotes !== null && { escapedQuotes }),
      suggestions: { ...ofColumns, suggestedMapping: Object.entries(ofColumns.suggestedMapping) },
    };
    const order = { type: "LEAD_IMPORT" as const, fileName, parameters: { ...parameters } };
    const job = await withinCap(workspaceId, usedBy(action, rows.total, "file"), () => startStaged(ctx, rows, order));
    file.content.isKept = true;
    return jobView(job);
  },
});

export const importJob = getJob(
  "LEAD_IMPORT",
  "leads:write",
  "Read the progress of a large import, and its summary once it has ended",
);
export const cancelImport = cancelJob(
  leadImport,
  "LEAD_IMPORT",
  "leads:write",
  "Stop a large import: imported leads stay, and once this call has returned no further lead is imported",
);

/** Milliseconds to wait for the import to return its result; after that the caller reads the job. */
const WAIT_MS = 25_000;
/**
 * Rows per chunk. Encrypted, a chunk of ordinary rows stays below 128 kB, above which V8 treats it as a large object.
 */
const CHUNK = 400;

/**
 * @throws AppError LIST_NOT_FOUND, and SERVICE_UNAVAILABLE before any effect for many rows while Temporal is
 * unreachable
 */
async function importRows(ctx: Context, action: "dryRun" | "commit", asked: Asked) {
  const { workspaceId, credentialId: actor } = ctx;
  const { fieldMapping, source, fileName = null, listId = null } = asked;
  const rows = await rowsAsked(asked);
  if (listId !== null) await assertStatic(workspaceId, listId);
  const declared = await loadDeclaredFields(workspaceId);
  const columns = columnsOf(allOf(rows));
  const { mapping, ...ofColumns } = mapColumns(columns, declared, asked);
  const targets = readMapping(mapping, fieldMapping !== undefined);
  const byKey = new Map(declared.map((field) => [field.key, field]));
  const dayOrders = dayOrdersIn(allOf(rows), targets, byKey);
  if (rows.length <= MAX_INLINE) {
    const order: Order = {
      action,
      importId: newId("vrq"),
      workspaceId,
      listId,
      origin: { source, fileName, actor },
      createdFrom: { kind: "IMPORT", actor: actorOf(ctx), name: fileName, id: null },
    };
    const page = new RowReader({ mapping: targets, declared: byKey, dayOrders }).read([...allOf(rows)], 1);
    const { sums } = await withinCap(workspaceId, usedBy(action, rows.length, "rows"), () =>
      workPage(order, page, noSums()),
    );
    return { action, ...summaryOf(sums), mapping, ...ofColumns };
  }
  const parameters: ImportParameters = {
    action,
    listId,
    source,
    actor,
    isTraced: true,
    by: actorOf(ctx),
    columns: null,
    mapping: Object.entries(mapping),
    dayOrders: [...dayOrders],
    suggestions: { ...ofColumns, suggestedMapping: Object.entries(ofColumns.suggestedMapping) },
  };
  const newJob = { type: "LEAD_IMPORT" as const, fileName, parameters: { ...parameters }, chunks: chunksOf(rows) };
  const started = await withinCap(workspaceId, usedBy(action, rows.length, "rows"), () => startJob(ctx, newJob));
  const job = await whenDone(ctx, started._id, WAIT_MS);
  if (job.status === "FAILED" && job.error !== null) throw failureOf(job.error);
  return job.result !== null && job.status !== "CANCELLED" ? job.result : jobView(job);
}

/** A dry run uses nothing of the rows that a workspace may import on a day. */
function usedBy(action: "dryRun" | "commit", rows: number, path: "rows" | "file") {
  return { what: "IMPORTED_ROWS" as const, count: action === "commit" ? rows : 0, path };
}

function* allOf(rows: Rows): Generator<Row> {
  for (const { page } of pagesOf(rows)) yield* page;
}

function* chunksOf(rows: Rows): Generator<{ count: number; json: string }> {
  for (let start = 0; start < rows.length; start += CHUNK) {
    yield { count: Math.min(CHUNK, rows.length - start), json: rows.json(start, CHUNK) };
  }
}

/** The error that ended the job, as a small import would have returned it. */
function failureOf({ code, message }: { code: string; message: string }): AppError {
  const isKnown = (text: string): text is ErrorCode => Object.hasOwn(STATUS_OF, text);
  return new AppError(isKnown(code) ? code : "INTERNAL_ERROR", message);
}

function refuseUnknownColumns(named: readonly string[], columns: readonly string[]): void {
  const unknown = named.find((column) => !columns.includes(column));
  if (unknown === undefined) return;
  const meant = nearestName(unknown, columns);
  const hint = meant === null ? `it has ${listOf(columns)}` : `is ${meant} meant?`;
  throw invalid(`fieldMapping.${unknown}`, `is not a column of the file: ${hint}`, "UNKNOWN_COLUMN");
}

/** Two columns with the same name may fill one field only if they never differ. */
function whyNotBoth(columns: FileColumns): WhyNotBoth {
  return (column, before) => {
    const { agree, line } = columns.agreementOf(column, before);
    return agree ? null : line === null ? "" : `, and they differ in line ${line}: map one of them`;
  };
}

function refuseWithoutAddress(mapping: Mapping): void {
  const hasEmail = [...mapping.values()].some(({ kind }) => kind === "email");
  if (!hasEmail)
    throw invalid(
      "fieldMapping",
      "must map a column to email: no column of the file has a name that suggests one",
      "REQUIRED",
    );
}
