import { z } from "zod";
import { answerOf, CsvExport, type CsvFile, fileNameOf } from "../csv-export.ts";
import { nullable, paging } from "../fields.ts";
import { operation } from "../operation.ts";
import { BY_CREATION } from "../sorting.ts";
import { totalOf } from "./count-cache.ts";
import { columnsOf, csvHeaderOf, csvLinesOf, csvOf } from "./csv.ts";
import { type Filters, filters, type LeadQuery, queryOf } from "./filter.ts";
import { pageOfLeads } from "./page.ts";

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

/** The most characters of a page's lines, so that an agent receives whole lines (rules/tools 4.1). */
const MOST_CHARACTERS = 20_000;
/** The possible page sizes. With them, the next page can start where this one ends. */
const SIZES = [200, 100, 50, 40, 25, 20, 10, 8, 5, 4, 2, 1];

export const exportPage = operation({
  summary: "Export a page of leads as CSV; `next` is the next page",
  scope: "leads:read",
  errors: ["LIST_NOT_FOUND"],
  audits: "leads.exportPage",
  input: z.strictObject({ ...paging, ...filters }),
  output: z.object({
    format: z.literal("CSV").describe("Always CSV"),
    fileName: z.string().describe("A name for the file"),
    columns: z.array(z.string()).describe("The columns"),
    rowCount: z.number().int().describe("Rows in `content`"),
    total: z.number().int().describe("Rows on all pages"),
    content: z.string().describe("The header, and the rows of this page"),
    page: z.number().int().describe("Which page this is, from 1"),
    pageSize: z.number().int().describe("Rows on each page; fewer than requested if rows are long"),
    next: nullable(z.object({ page: z.number().int(), pageSize: z.number().int() })).describe(
      "The next page to request; null at the end",
    ),
  }),
  async run({ workspaceId }, { page, pageSize, ...asked }) {
    const columns = await columnsOf(workspaceId);
    const found = await pageOfLeads(
      await queryOf(workspaceId, asked),
      { page, pageSize },
      BY_CREATION.orderOf("-createdAt"),
    );
    const lines = csvLinesOf(found.items, columns);
    const offset = (page - 1) * pageSize;
    const size = fittingSize(lines, offset, pageSize);
    const kept = lines.slice(0, size);
    const isLast = offset + kept.length >= found.total || kept.length === 0;
    const at = offset / size + 1;
    const next = isLast ? null : { page: at + 1, pageSize: size };
    const head = { format: "CSV" as const, fileName: fileNameOf("leads", new Date()), columns, total: found.total };
    return {
      ...head,
      rowCount: kept.length,
      content: csvHeaderOf(columns) + kept.join(""),
      page: at,
      pageSize: size,
      next,
    };
  },
});

/** The largest page size that fits and starts at the same row. A single row that is too long is returned anyway. */
export function fittingSize(lines: readonly string[], offset: number, asked: number): number {
  const fits = (size: number) => lines.slice(0, size).reduce((sum, line) => sum + line.length, 0) <= MOST_CHARACTERS;
  if (fits(asked)) return asked;
  return SIZES.find((size) => size < asked && offset % size === 0 && fits(size)) ?? 1;
}
