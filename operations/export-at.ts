import { z } from "zod";
import { readExport } from "../domain/access/export-token.ts";
import { openFile } from "../models/files.ts";
import { linksFile, reportFile } from "./analytics/export.ts";
import type { Services } from "./context.ts";
import type { CsvFile } from "./csv-export.ts";
import { leadFile } from "./leads/export.ts";
import { recipientFile } from "./recipients/export.ts";

const FILES = { leads: leadFile, recipients: recipientFile, report: reportFile, links: linksFile };
const CSV = "text/csv; charset=utf-8";
const XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";
/** What the address of a workbook names: the file that was made when it was asked for. */
const Workbook = z.object({ fileId: z.string(), fileName: z.string() });

export interface ExportedFile {
  fileName: string;
  contentType: string;
  parts: AsyncIterable<unknown>;
}

/** The file for a signed address; null when the address is invalid or expired. */
export async function exportAt({ signing }: Pick<Services, "signing">, token: string): Promise<ExportedFile | null> {
  const exported = readExport(signing.export, token, Date.now());
  if (exported === null) return null;
  const { workspaceId, kind = "leads", asked } = exported;
  if (kind === "workbook") {
    const { fileId, fileName } = Workbook.parse(asked);
    const parts = await openFile(workspaceId, fileId);
    return parts === null ? null : { fileName, contentType: XLSX, parts };
  }
  const file = await FILES[kind](workspaceId, asked);
  return { fileName: file.fileName, contentType: CSV, parts: textsOf(file) };
}

async function* textsOf(file: CsvFile): AsyncGenerator<string> {
  for await (const { text } of file.parts()) yield text;
}
