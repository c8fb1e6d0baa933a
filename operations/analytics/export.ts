import { z } from "zod";
import { GROUPS } from "../../domain/analytics/groups.ts";
import { linesOf } from "../../domain/values/csv-lines.ts";
import { answerOf, CsvExport, type CsvFile, csvPage, csvPageOf, fileNameOf } from "../csv-export.ts";
import { paging, skipOf } from "../fields.ts";
import { operation } from "../operation.ts";
import { daysAsked } from "./asked-days.ts";
import { type LinksAsked, linksAsked, sortedLinks } from "./links.ts";
import { grouping, ids, METRICS, type ReportAsked, readReport } from "./report.ts";

export const exportReport = operation({
  summary: "Export a report as CSV, one line a group, with the figures of the report",
  scope: "analytics:read",
  errors: ["CAMPAIGN_NOT_FOUND"],
  input: z.strictObject({ ...daysAsked, ...ids, ...grouping }),
  output: CsvExport,
  async run({ workspaceId, services }, asked) {
    const { rows } = await readReport(workspaceId, asked);
    const size = { total: rows.length, shortestRow: 0 };
    return answerOf(services, reportOf(rows, asked), size, { workspaceId, kind: "report", asked: { ...asked } });
  },
});

export const reportPage = operation({
  summary: "The report as a page of CSV, one line a group; `next` is the next page",
  scope: "analytics:read",
  errors: ["CAMPAIGN_NOT_FOUND"],
  input: z.strictObject({ ...daysAsked, ...ids, ...grouping, ...paging }),
  output: z.object({
    format: z.literal("CSV").describe("Always CSV"),
    fileName: z.string().describe("A name for the file"),
    ...csvPage,
  }),
  async run({ workspaceId }, { page, pageSize, ...asked }) {
    const { rows } = await readReport(workspaceId, asked);
    const { fileName, columns } = reportOf(rows, asked);
    const before = skipOf({ page, pageSize });
    const lines = rows
      .slice(before, before + pageSize)
      .map((row) => ({ id: row.key ?? "", line: lineOf(columns, row) }));
    const source = { columns, header: linesOf([columns]), rows: lines, total: rows.length };
    const { longRow: _, longHeader: __, ...shown } = csvPageOf(source, { page, pageSize });
    return { format: "CSV" as const, fileName, ...shown };
  },
});

export const exportLinks = operation({
  summary: "Export the report on links as CSV, one line a link",
  scope: "analytics:read",
  errors: ["CAMPAIGN_NOT_FOUND"],
  input: z.strictObject(linksAsked),
  output: CsvExport,
  async run({ workspaceId, services }, asked) {
    const rows = await sortedLinks(workspaceId, asked);
    const size = { total: rows.length, shortestRow: 0 };
    return answerOf(services, linksOf(rows), size, { workspaceId, kind: "links", asked: { ...asked } });
  },
});

const texts = z.array(z.string()).optional();
const date = z.string().optional();
/** The parameters inside a signed address: the validated request. */
const SignedReport = z.object({
  from: date,
  to: date,
  campaignIds: texts,
  mailboxIds: texts,
  groupBy: z.enum(GROUPS),
  metrics: texts,
});
const SignedLinks = z.object({ from: date, to: date, campaignId: z.string().optional(), sort: z.string() });

/** Creates the report of a signed address. */
export async function reportFile(workspaceId: string, signed: Record<string, unknown>): Promise<CsvFile> {
  const asked = SignedReport.parse(signed);
  return reportOf((await readReport(workspaceId, asked)).rows, asked);
}

/** Creates the link report of a signed address. */
export async function linksFile(workspaceId: string, signed: Record<string, unknown>): Promise<CsvFile> {
  return linksOf(await sortedLinks(workspaceId, SignedLinks.parse(signed) satisfies LinksAsked));
}

const LINK_COLUMNS = ["url", "campaignId", "stepId", "clicks", "uniqueClicks", "conversions"] as const;

function reportOf(
  rows: readonly Record<string, unknown>[],
  { groupBy, metrics }: Pick<ReportAsked, "groupBy" | "metrics">,
): CsvFile {
  const ofSteps = groupBy === "STEP" || groupBy === "VARIANT" ? ["campaignId", "stepId"] : [];
  const columns = ["key", "name", ...ofSteps, ...METRICS.filter((metric) => metrics?.includes(metric) ?? true)];
  return fileOf("report", columns, rows);
}

function linksOf(rows: readonly Record<(typeof LINK_COLUMNS)[number], unknown>[]): CsvFile {
  return fileOf("links", LINK_COLUMNS, rows);
}

function fileOf(what: string, columns: readonly string[], rows: readonly Record<string, unknown>[]): CsvFile {
  return {
    fileName: fileNameOf(what, new Date()),
    columns,
    async *parts() {
      yield { text: linesOf([columns]), rows: 0 };
      for (const row of rows) yield { text: lineOf(columns, row), rows: 1 };
    },
  };
}

function lineOf(columns: readonly string[], row: Record<string, unknown>): string {
  return linesOf([columns.map((column) => cellOf(row[column]))]);
}

/** Formats amounts like `12.50 EUR`, separated by semicolons. */
function cellOf(value: unknown): unknown {
  if (!Array.isArray(value)) return value;
  return value.map(({ currency, amount }: { currency: string; amount: string }) => `${amount} ${currency}`).join("; ");
}
