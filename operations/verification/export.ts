import { z } from "zod";
import { signExport } from "../../domain/access/address-token.ts";
import { AppError } from "../../domain/errors.ts";
import { MINUTE_MS } from "../../domain/time/durations.ts";
import { linesOf } from "../../domain/values/csv-lines.ts";
import { VERIFICATION_RESULTS, type VerificationResultName } from "../../domain/verification/results.ts";
import { saveFile } from "../../models/inbox/files.ts";
import { scoped } from "../../models/scoped.ts";
import type { VerificationResult } from "../../models/verification/verification-result.ts";
import { newId } from "../../mongo/ids.ts";
import { outsideTransaction } from "../../mongo/transaction.ts";
import { csvPageOf } from "../csv-export.ts";
import { describedIds } from "../described-ids.ts";
import { nullable, optionalTime, pageFrom, paging } from "../fields.ts";
import { loadJobOf } from "../jobs.ts";
import { operation } from "../operation.ts";
import { sorting } from "../sorting.ts";
import { workbookOf } from "./workbook.ts";

const { jobId } = describedIds;

const COLUMNS = [
  "email",
  "result",
  "reason",
  "isDisposable",
  "isRole",
  "isFreeMail",
  "suggestion",
  "mailHost",
  "smtpCode",
  "enhancedCode",
  "foundAt",
  "leadId",
] as const;

/** Addresses are unique within a job, so the order has no ties. */
const BY_EMAIL = sorting({ email: "email" }, "email");
/** The most rows of a workbook, which is created in memory. */
const MOST_ROWS = 20_000;
const VALID_MS = 15 * MINUTE_MS;
const XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";

export const exportResults = operation({
  summary:
    "Export the results of a verification job: one page as CSV, or all as a workbook at a URL that is valid for 15 minutes",
  scope: "verification:read",
  errors: ["JOB_NOT_FOUND", "LIMIT_EXCEEDED"],
  audits: "verification.export",
  input: z.strictObject({
    jobId,
    format: z
      .enum(["CSV", "XLSX"])
      .default("CSV")
      .describe("CSV: one page. XLSX: a workbook of at most 20,000 rows. Default CSV"),
    result: z.enum(VERIFICATION_RESULTS).optional().describe("Only addresses with this result"),
    ...paging,
    sort: BY_EMAIL.sort,
  }),
  output: z.object({
    format: z.enum(["CSV", "XLSX"]).describe("The format of the export"),
    fileName: z.string().describe("A name for the file"),
    columns: z.array(z.string()).describe("The columns"),
    rowCount: z.number().int().describe("Rows of this page, or of the workbook"),
    total: z.number().int().describe("Rows on all pages"),
    totalIsExact: z.boolean().default(true).describe("Always true"),
    content: nullable(z.string()).describe("CSV: the header, and the rows of this page"),
    page: nullable(z.number().int()).describe("CSV: the number of this page, from 1"),
    pageSize: nullable(z.number().int()).describe("CSV: rows on each page"),
    next: nullable(
      z.object({
        page: z.number().int().describe("The number of the page"),
        pageSize: z.number().int().describe("The rows on the page"),
      }),
    ).describe("CSV: the next page to request; null at the end"),
    size: nullable(z.number().int()).describe("XLSX: the file size in bytes"),
    downloadUrl: nullable(z.string()).describe("XLSX: the URL, which needs no API key"),
    expiresAt: optionalTime.describe("XLSX: when the URL expires, after 15 minutes"),
  }),
  async run({ workspaceId, services }, { jobId, format, result, sort, ...page }) {
    await loadJobOf(workspaceId, jobId, "VERIFICATION");
    const filter = filterOf(jobId, result);
    const { VerificationResult } = scoped(workspaceId);
    const name = `verification-${jobId}`;
    if (format === "CSV") {
      const found = await pageFrom(VerificationResult, filter, page, { sort: BY_EMAIL.orderOf(sort) });
      const rows = found.items.map((row) => ({ id: row._id, line: linesOf([cellsOf(row)]) }));
      const source = { columns: COLUMNS, header: linesOf([COLUMNS]), rows, total: found.total };
      const { longRow: _, longHeader: __, ...shown } = csvPageOf(source, page);
      return { format, fileName: `${name}.csv`, ...shown, expiresAt: null };
    }
    const total = await VerificationResult.count(filter);
    if (total > MOST_ROWS)
      throw new AppError("LIMIT_EXCEEDED", `A workbook has at most ${MOST_ROWS} rows: request one result, or CSV`, {
        limit: MOST_ROWS,
      });
    const rows = (await VerificationResult.find(filter, { sort: BY_EMAIL.orderOf(sort) })).map(cellsOf);
    const content = await workbookOf([COLUMNS, ...rows].map((cells) => cells.map(textOf)));
    const fileId = newId("xls");
    const fileName = `${name}.xlsx`;
    await outsideTransaction(() => saveFile(workspaceId, fileId, { fileName, contentType: XLSX }, content));
    const until = Date.now() + VALID_MS;
    const token = signExport(services.signing.export, {
      workspaceId,
      until,
      kind: "workbook",
      asked: { fileId, fileName },
    });
    const head = { format, fileName, columns: [...COLUMNS], rowCount: rows.length, total };
    const downloadUrl = `${services.settings.publicUrl}/exports/${token}`;
    return { ...head, size: content.length, downloadUrl, expiresAt: new Date(until) };
  },
});

/** Addresses that have a result; those still waiting for their mail server have none. */
function filterOf(jobId: string, result: VerificationResultName | undefined) {
  return { jobId, ...(result === undefined ? { state: "DONE" as const } : { result }) };
}

function cellsOf({ email, result, evidence, leadId }: VerificationResult): unknown[] {
  const of: Record<string, unknown> = { ...evidence, email, result, leadId };
  return COLUMNS.map((column) => (column === "foundAt" && evidence !== null ? new Date(evidence.foundAt) : of[column]));
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return "";
  return value instanceof Date ? value.toISOString() : String(value);
}
