import { z } from "zod";
import { answerOf, CsvExport, type CsvFile, fileNameOf } from "../csv-export.ts";
import { operation } from "../operation.ts";
import { totalOf } from "./count-cache.ts";
import { columnsOf, csvOf } from "./csv.ts";
import { type Filters, filters, type LeadQuery, queryOf } from "./filter.ts";

/** Bytes: no row is shorter, because its id, timestamps and commas alone take as much. */
const SHORTEST_ROW = 100;

export const exportLeads = operation({
  summary: "Export leads as CSV: up to 5 MB in the answer, more at an address that is valid for 15 minutes",
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

/** The file of a signed address. */
export async function leadFile(workspaceId: string, asked: Record<string, unknown>): Promise<CsvFile> {
  return fileOf(await queryOf(workspaceId, asked as Filters)); // only a validated request is ever signed
}

async function fileOf(query: LeadQuery): Promise<CsvFile> {
  const columns = await columnsOf(query.workspaceId);
  return { fileName: fileNameOf("leads", new Date()), columns, parts: () => csvOf(query, columns) };
}
