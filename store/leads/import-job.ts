import { isRow, type Row, readMapping } from "../../domain/leads/columns.ts";
import type { DayOrder } from "../../domain/leads/date-notation.ts";
import type { Columns } from "../../domain/leads/import.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import type { Chunk, JobAtWork, JobKind } from "../jobs.ts";
import { loadDeclaredFields } from "./declared-fields.ts";
import { noSums, type Order, RowReader, type Sums, summaryOf, workPage } from "./import-work.ts";

/** What the job of a large import stores besides its rows. */
export interface ImportParameters {
  action: "dryRun" | "commit";
  /** Columns and their targets, as pairs: a column's name may contain characters that no field name of a document may. */
  mapping: [column: string, target: string][];
  listId: string | null;
  source: string;
  actor: string;
  /** What the summary says of the columns. Absent in the commits of earlier versions. */
  suggestions: { suggestedMapping: [string, string][]; unmappedColumns: string[] } | null;
  /** Absent in jobs of earlier versions. */
  dayOrders?: [column: string, order: DayOrder][];
}

/** A large import, with one transaction per chunk: both the chunk's effects and the job's move past it are committed, or neither. */
export const leadImport: JobKind = {
  async open(job, done) {
    const reader = new RowReader(await columnsOf(job));
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
    const { action, mapping, suggestions } = parametersOf(job);
    const { suggestedMapping, unmappedColumns } = suggestions ?? { suggestedMapping: mapping, unmappedColumns: [] };
    const ofColumns = { mapping: Object.fromEntries(mapping), suggestedMapping: Object.fromEntries(suggestedMapping), unmappedColumns };
    return { action, ...summaryOf(sumsOf(job.state)), ...ofColumns };
  },
};

function rowsOf({ rows }: Chunk): Row[] {
  return rows.filter(isRow);
}

function parametersOf({ parameters }: JobAtWork): ImportParameters {
  return parameters as unknown as ImportParameters; // only `startImport` writes them
}

async function columnsOf(job: JobAtWork): Promise<Columns> {
  const { mapping, dayOrders = [] } = parametersOf(job);
  const declared = await loadDeclaredFields(job.workspaceId);
  return {
    mapping: readMapping(Object.fromEntries(mapping), false),
    declared: new Map(declared.map((field) => [field.key, field])),
    dayOrders: new Map(dayOrders),
  };
}

function orderOf(job: JobAtWork): Order {
  const { action, listId, source, actor } = parametersOf(job);
  return { action, workspaceId: job.workspaceId, listId, origin: { source, fileName: job.fileName, actor } };
}

function sumsOf(state: Record<string, unknown>): Sums {
  return "counts" in state ? { ...noSums(), ...(state as unknown as Sums) } : noSums(); // only earlier chunks of this job write it
}
