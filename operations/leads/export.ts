import { z } from "zod";
import { invalid } from "../../domain/errors.ts";
import {
  answerOf,
  CsvExport,
  type CsvFile,
  csvPage,
  csvPageOf,
  csvPartOf,
  fileNameOf,
  HEADER_ROW,
  longRows,
  signedUrlOf,
} from "../csv-export.ts";
import { nullable, optionalTime, type Paging, paging, wholeNumber } from "../fields.ts";
import { operation } from "../operation.ts";
import { BY_CREATION } from "../sorting.ts";
import { totalOf } from "./count-cache.ts";
import { columnsOf, csvHeaderOf, csvLinesOf, csvOf } from "./csv.ts";
import { type Filters, filters, type LeadQuery, queryOf } from "./filter.ts";
import { leadsAfter, pageOfLeads } from "./page.ts";
import { loadLead } from "./record.ts";

/** Bytes: no row is shorter, because its id, timestamps and commas alone take as much. */
const SHORTEST_ROW = 100;

export const exportLeads = operation({
  summary: "Export leads as CSV: up to 5 MB in the response, more at a URL that is valid for 15 minutes",
  scope: "leads:read",
  errors: ["LIST_NOT_FOUND"],
  audits: "leads.export",
  stepUp: true,
  input: z.strictObject(filters),
  output: CsvExport,
  async run({ workspaceId, services }, asked) {
    const query = await queryOf(workspaceId, asked);
    const { total } = await totalOf(query);
    const file = await fileOf(query);
    return answerOf(services, file, { total, shortestRow: SHORTEST_ROW }, { workspaceId, kind: "leads", asked });
  },
});

/** Creates the lead export of a signed address. */
export async function leadFile(workspaceId: string, asked: Record<string, unknown>): Promise<CsvFile> {
  return fileOf(await queryOf(workspaceId, asked as Filters)); // only a validated request is ever signed
}

async function fileOf(query: LeadQuery): Promise<CsvFile> {
  const columns = await columnsOf(query.workspaceId);
  return { fileName: fileNameOf("leads", new Date()), columns, parts: () => csvOf(query, columns) };
}

/** Creates the export of one lead for a signed address. */
export async function leadRowFile(workspaceId: string, { leadId }: Record<string, unknown>): Promise<CsvFile> {
  const columns = await columnsOf(workspaceId);
  const { line } = await rowOf(workspaceId, String(leadId), columns);
  async function* parts() {
    yield { text: csvHeaderOf(columns), rows: 0 };
    yield { text: line, rows: 1 };
  }
  return { fileName: fileNameOf("lead", new Date()), columns, parts };
}

const { next } = csvPage;

export const exportPage = operation({
  summary: "Export a page of leads as CSV; `next` is the next page",
  scope: "leads:read",
  errors: ["LIST_NOT_FOUND", "LEAD_NOT_FOUND"],
  audits: "leads.exportPage",
  input: z.strictObject({
    ...paging,
    after: z
      .string()
      .max(64)
      .optional()
      .describe(
        "The `after` of `next`: the page starts after this lead, even if leads were added or deleted meanwhile",
      ),
    rowId: z.string().max(64).optional().describe("The `id` of the `longRow` or `longHeader` to read on"),
    offset: wholeNumber(0, 10_000_000).default(0).describe("With rowId: its `nextOffset`. Default 0"),
    ...filters,
  }),
  output: z.object({
    format: z.literal("CSV").describe("Always CSV"),
    fileName: z.string().describe("A name for the file"),
    ...csvPage,
    next: nullable(
      next
        .unwrap()
        .unwrap()
        .extend({ after: z.string().describe("The id of the last row so far") }),
    ).describe(
      "The next page to request, with the same filters. Read all of `longRow` first, because the next page starts after it. Null on the last page, and for `rowId` until its last part",
    ),
    ...longRows,
    url: nullable(z.string()).describe("With `longRow`: the URL of a file with this row, which needs no API key"),
    expiresAt: optionalTime.describe("When the URL expires, after 15 minutes"),
  }),
  async run({ workspaceId, services }, { page, pageSize, after, rowId, offset, ...asked }) {
    if (offset > 0 && rowId === undefined)
      throw invalid("rowId", "is required with offset: the id of the row to read on", "ROW_REQUIRED");
    const columns = await columnsOf(workspaceId);
    const header = csvHeaderOf(columns);
    const query = await queryOf(workspaceId, asked);
    const head = { format: "CSV" as const, fileName: fileNameOf("leads", new Date()) };
    if (rowId !== undefined) {
      const row = rowId === HEADER_ROW ? { id: HEADER_ROW, line: header } : await rowOf(workspaceId, rowId, columns);
      const { total } = await totalOf(query);
      const part = csvPartOf(row, offset);
      const isRead = part.nextOffset === null && rowId !== HEADER_ROW;
      const next = isRead ? { page: page + 1, pageSize, after: rowId } : null;
      const shown = rowId === HEADER_ROW ? { longHeader: part } : { longRow: part };
      const noRows = { columns: [], rowCount: 0, total, content: "" };
      return { ...head, ...noRows, page, pageSize, next, ...shown, url: null, expiresAt: null };
    }
    const { items, ...found } = await rowsAfter(query, { page, pageSize }, after);
    const lines = csvLinesOf(items, columns);
    const rows = items.map(({ _id: id }, index) => ({ id, line: lines[index] ?? "" }));
    const shown = csvPageOf({ columns, header, rows, ...found }, { page, pageSize });
    const last = rows[Math.max(shown.rowCount, 1) - 1]?.id ?? "";
    const { longRow } = shown;
    const file = longRow && signedUrlOf(services, { workspaceId, kind: "lead", asked: { leadId: longRow.id } });
    return {
      ...head,
      ...shown,
      url: file?.url ?? null,
      expiresAt: file?.expiresAt ?? null,
      next: shown.next && { ...shown.next, pageSize, after: last },
    };
  },
});

/** The rows of a page, or those after a row and one more, which shows whether rows follow. */
async function rowsAfter(query: LeadQuery, { page, pageSize }: Paging, after: string | undefined) {
  if (after === undefined) return pageOfLeads(query, { page, pageSize }, BY_CREATION.orderOf("-createdAt"));
  return { ...(await leadsAfter(query, after, pageSize + 1)), isAfterRow: true };
}

/** @throws AppError LEAD_NOT_FOUND */
async function rowOf(workspaceId: string, leadId: string, columns: readonly string[]) {
  const lead = await loadLead(workspaceId, leadId);
  return { id: leadId, line: csvLinesOf([lead], columns).join("") };
}
