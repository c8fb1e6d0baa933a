import { z } from "zod";
import { columnsOf, isRow, type Mapping, type Row, readMapping, suggestedMapping } from "../../domain/lead-columns.ts";
import {
  addCounts,
  isReadRow,
  MAX_ERRORS,
  MAX_ROWS,
  noCounts,
  type ReadRow,
  ROWS_PER_PAGE,
  type RowError,
  readRow,
} from "../../domain/lead-import.ts";
import { choice } from "../choice.ts";
import { longText, nullable } from "../fields.ts";
import { assertStatic } from "../lead-lists.ts";
import { operation } from "../operation.ts";
import { commitPage, dryRunPage, type ImportPage, type PageResult } from "./import-page.ts";

// Not z.record: it copies each of 50,000 rows, and only the mapped cells are read
const row = z
  .unknown()
  .meta({ type: "object" })
  .transform((value, context): Row => {
    if (isRow(value)) return value;
    context.addIssue({ code: "custom", message: "must be an object", params: { code: "INVALID_TYPE" } });
    return z.NEVER;
  });

const input = z.strictObject({
  rows: z.array(row).max(MAX_ROWS),
  fieldMapping: z.record(z.string(), z.string().max(300).nullable()).optional(),
  source: z.enum(["CSV", "MANUAL", "PROVIDERA_SHEETS"]).default("CSV"),
  fileName: longText.nullable().optional(),
  listId: z.string().max(64).nullable().optional(),
});

const count = z.number().int();
const summary = {
  total: count,
  created: count,
  updated: count,
  skipped: count,
  invalid: count,
  duplicateInFile: count,
  alreadyExists: count,
  blocked: count,
  suppressed: count,
  membershipsAdded: count,
  errors: z.array(z.object({ row: count, email: nullable(z.string()), code: z.string(), message: z.string() })),
};

const dryRun = operation({
  summary: "Count what an import would do, and suggest where its columns go. Nothing is changed",
  scope: "leads:write",
  input,
  output: z.object({
    action: z.literal("dryRun"),
    ...summary,
    suggestedMapping: z.record(z.string(), z.string()),
    unmappedColumns: z.array(z.string()),
  }),
  async run({ workspaceId }, { rows, fieldMapping, listId = null }) {
    if (listId !== null) await assertStatic(workspaceId, listId);
    const columns = columnsOf(rows);
    const suggested = suggestedMapping(columns);
    const mapping = readMapping(fieldMapping ?? suggested, fieldMapping !== undefined);
    const counted = await throughPages(rows, mapping, (page) => dryRunPage({ workspaceId, rows: page, listId }));
    const unmappedColumns = columns.filter((column) => !mapping.has(column));
    return { action: "dryRun" as const, ...counted, suggestedMapping: suggested, unmappedColumns };
  },
});

const commit = operation({
  summary: "Import rows as leads. A repeated commit changes nothing",
  scope: "leads:write",
  input,
  output: z.object({ action: z.literal("commit"), ...summary }),
  async run({ workspaceId, credentialId }, { rows, fieldMapping, source, fileName = null, listId = null }) {
    if (listId !== null) await assertStatic(workspaceId, listId);
    const mapping = readMapping(fieldMapping ?? suggestedMapping(columnsOf(rows)), fieldMapping !== undefined);
    const origin = { source, fileName, actor: credentialId };
    const counted = await throughPages(rows, mapping, (page) => commitPage({ workspaceId, rows: page, listId }, origin));
    return { action: "commit" as const, ...counted };
  },
});

export const importLeads = choice("leads:write", "Import leads: a dry run first, then the same rows to commit", { dryRun, commit });

/** Reads the rows page by page; the first good row of an address wins, the later ones are only counted. */
async function throughPages(rows: readonly Row[], mapping: Mapping, work: (page: ImportPage["rows"]) => Promise<PageResult>) {
  const counts = noCounts();
  const errors: RowError[] = [];
  const seen = new Set<string>();
  for (let start = 0; start < rows.length; start += ROWS_PER_PAGE) {
    const page: ReadRow[] = [];
    const wrong: RowError[] = [];
    for (const [index, cells] of rows.slice(start, start + ROWS_PER_PAGE).entries()) {
      const read = readRow(cells, start + index + 1, mapping);
      if (!isReadRow(read)) wrong.push(read);
      else if (seen.has(read.email)) counts.duplicateInFile++;
      else {
        seen.add(read.email);
        page.push(read);
      }
    }
    counts.invalid += wrong.length;
    const done = await work(page);
    addCounts(counts, done.counts);
    const found = [...wrong, ...done.errors].toSorted((one, other) => one.row - other.row);
    errors.push(...found.slice(0, MAX_ERRORS - errors.length));
  }
  return { total: rows.length, ...counts, errors };
}
