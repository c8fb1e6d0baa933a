import type { LeadActor } from "../../domain/lead-source.ts";
import { isRow, type Mapping, type Row, readMapping } from "../../domain/leads/columns.ts";
import { type Columns, UNREADABLE } from "../../domain/leads/import-row.ts";
import type { DayOrder } from "../../domain/values/date.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import type { Chunk, JobAtWork, JobKind } from "../jobs.ts";
import { loadDeclaredFields } from "./declared-fields.ts";
import { noSums, type Order, RowReader, type Sums, summaryOf, workPage } from "./import-work.ts";

/** The parameters that the job of a large import stores, besides the rows. */
export interface ImportParameters {
  action: "dryRun" | "commit";
  /**
   * The columns of a file, whose rows are stored as lists of cells; null when each row contains its own column names.
   */
  columns: string[] | null;
  /**
   * Pairs of a column and its target. It is no object, because a column's name may contain characters that a document's
   * field name must not.
   */
  mapping: [column: string, target: string][];
  listId: string | null;
  source: string;
  actor: string;
  /** Whether the leads that the job creates name it, so that it can be undone. Absent in jobs of earlier versions. */
  isTraced?: true;
  /** The actor as the audit log names it. Absent in jobs of earlier versions. */
  by?: LeadActor;
  /** The part of the summary about columns. Absent in commits of earlier versions. */
  suggestions: { suggestedMapping: [string, string][]; unmappedColumns: string[] } | null;
  /** Absent in jobs of earlier versions. */
  dayOrders?: [column: string, order: DayOrder][];
  /** The first text in the file whose quotes are escaped by backslashes. Absent when there is none. */
  escapedQuotes?: string;
}

/** A large import with one transaction per chunk: the chunk's effects and the job's progress are committed together. */
export const leadImport: JobKind = {
  async open(job, done) {
    const columns = await columnsOf(job);
    const reader = new RowReader(columns);
    const rowsOf = rowsBy(parametersOf(job).columns ?? [], columns.mapping); // Absent in jobs of earlier versions
    for await (const chunk of done) reader.done(reader.read(rowsOf(chunk), chunk.firstRow));
    const order = orderOf(job);
    return async (chunk, record) => {
      const page = reader.read(rowsOf(chunk), chunk.firstRow);
      const before = sumsOf(chunk.state);
      await inTransaction(async () => {
        const { sums, outcomes } = await workPage(order, page, before);
        const failed = outcomes.filter(({ status }) => status === "FAILED").length;
        const items = outcomes.map((outcome) => ({ ...outcome, mailboxId: null }));
        await record({ succeeded: outcomes.length - failed, failed, items, state: { ...sums } });
      });
      reader.done(page);
    };
  },
  resultOf(job) {
    const { action, mapping, suggestions, escapedQuotes } = parametersOf(job);
    const { suggestedMapping, unmappedColumns } = suggestions ?? { suggestedMapping: mapping, unmappedColumns: [] };
    const ofColumns = {
      mapping: Object.fromEntries(mapping),
      suggestedMapping: Object.fromEntries(suggestedMapping),
      unmappedColumns,
    };
    return { action, ...summaryOf(sumsOf(job.state), escapedQuotes), ...ofColumns };
  },
};

/** Converts the rows of a chunk to objects by column name. For a file, only cells of mapped columns are included. */
function rowsBy(columns: readonly string[], mapping: Mapping): (chunk: Chunk) => Row[] {
  const used = columns.flatMap((column, place): [string, number][] => (mapping.has(column) ? [[column, place]] : []));
  const cellsByColumn = (cells: readonly unknown[]) =>
    Object.fromEntries(used.map(([column, place]): [string, unknown] => [column, cells[place]]));
  const why = (line: unknown, cells: unknown) =>
    `line ${line} has ${cells} cells, but the file has ${columns.length} columns: a cell that holds a delimiter must be quoted`;
  if (columns.length === 0) return ({ rows }) => rows.filter(isRow);
  return ({ rows }) =>
    rows.flatMap((row) => {
      if (Array.isArray(row)) return [cellsByColumn(row)];
      return isRow(row) ? [{ [UNREADABLE]: why(row["line"], row["cells"]) }] : [];
    });
}

function parametersOf({ parameters }: JobAtWork): ImportParameters {
  return parameters as unknown as ImportParameters; // only `startImport` writes them
}

async function columnsOf(job: JobAtWork): Promise<Columns> {
  const { mapping, dayOrders = [] } = parametersOf(job);
  const declared = await loadDeclaredFields(job.workspaceId);
  return {
    mapping: readMapping(Object.fromEntries(mapping), false, () => null), // The request has already checked that no two columns
    // have the same target field
    declared: new Map(declared.map((field) => [field.key, field])),
    dayOrders: new Map(dayOrders),
  };
}

function orderOf(job: JobAtWork): Order {
  const { action, listId, source, actor, isTraced = false, by = null } = parametersOf(job);
  return {
    action,
    importId: job._id,
    isTraced,
    workspaceId: job.workspaceId,
    listId,
    origin: { source, fileName: job.fileName, actor },
    createdFrom: { kind: "IMPORT", actor: by, name: job.fileName, id: null },
  };
}

function sumsOf(state: Record<string, unknown>): Sums {
  return "counts" in state ? { ...noSums(), ...(state as unknown as Sums) } : noSums(); // Written only by earlier chunks of this job
}
