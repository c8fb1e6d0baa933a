import { z } from "zod";
import {
  answerOf,
  CsvExport,
  type CsvFile,
  csvPage,
  csvPageOf,
  fileNameOf,
  rowOffset,
  signedUrlOf,
} from "../csv-export.ts";
import { nullable, optionalTime, paging } from "../fields.ts";
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

export const exportPage = operation({
  summary: "Export a page of leads as CSV; `next` is the next page",
  scope: "leads:read",
  errors: ["LIST_NOT_FOUND"],
  audits: "leads.exportPage",
  input: z.strictObject({ ...paging, ...rowOffset, ...filters }),
  output: z.object({
    format: z.literal("CSV").describe("Always CSV"),
    fileName: z.string().describe("A name for the file"),
    ...csvPage,
    url: nullable(z.string()).describe("With `longRow`: the URL of the whole file, which needs no API key"),
    expiresAt: optionalTime.describe("When the URL expires, after 15 minutes"),
  }),
  async run({ workspaceId, services }, { page, pageSize, offset, ...asked }) {
    const columns = await columnsOf(workspaceId);
    const query = await queryOf(workspaceId, asked);
    const found = await pageOfLeads(query, { page, pageSize }, BY_CREATION.orderOf("-createdAt"));
    const lines = csvLinesOf(found.items, columns);
    const rows = found.items.map(({ _id: id }, index) => ({ id, line: lines[index] ?? "" }));
    const source = { columns, header: csvHeaderOf(columns), rows, total: found.total };
    const shown = csvPageOf(source, { page, pageSize, offset });
    const whole = shown.longRow && signedUrlOf(services, { workspaceId, kind: "leads", asked });
    return {
      format: "CSV" as const,
      fileName: fileNameOf("leads", new Date()),
      ...shown,
      url: whole?.url ?? null,
      expiresAt: whole?.expiresAt ?? null,
    };
  },
});
