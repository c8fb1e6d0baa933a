import { z } from "zod";
import { readExport } from "../domain/access/address-token.ts";
import { openFile } from "../models/inbox/files.ts";
import { isStanding } from "../store/workspace-stands.ts";
import { linksFile, reportFile } from "./analytics/export.ts";
import type { Services } from "./context.ts";
import type { CsvFile } from "./csv-export.ts";
import { linesOfExport } from "./evidence/exported-workspace.ts";
import { leadFile, leadRowFile } from "./leads/export.ts";
import { personFile } from "./privacy/export.ts";
import { recipientFile } from "./recipients/export.ts";

const FILES = { leads: leadFile, lead: leadRowFile, recipients: recipientFile, report: reportFile, links: linksFile };
const CSV = "text/csv; charset=utf-8";
const NDJSON = "application/x-ndjson; charset=utf-8";
const XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";
/**
 * The file that the signed address of a workbook, or of a workspace export, refers to. It was created at the time of
 * the request.
 */
const MadeFile = z.object({ fileId: z.string(), fileName: z.string() });

export interface ExportedFile {
  fileName: string;
  contentType: string;
  parts: AsyncIterable<unknown>;
}

/** The file for a signed address; null when the address is invalid or expired. */
export async function exportAt(
  services: Pick<Services, "signing" | "keyRing">,
  token: string,
): Promise<ExportedFile | null> {
  const exported = readExport(services.signing.export, token, Date.now());
  if (exported === null) return null;
  const { workspaceId, kind = "leads", asked } = exported;
  // The data of a deleted workspace is unavailable as soon as the deletion is confirmed (rules/access 1.5)
  if (!(await isStanding(workspaceId))) return null;
  if (kind === "workspace") {
    const { fileId, fileName } = MadeFile.parse(asked);
    const parts = await linesOfExport(workspaceId, fileId);
    return parts === null ? null : { fileName, contentType: NDJSON, parts };
  }
  if (kind === "workbook") {
    const { fileId, fileName } = MadeFile.parse(asked);
    const parts = await openFile(workspaceId, fileId);
    return parts === null ? null : { fileName, contentType: XLSX, parts };
  }
  if (kind === "person") return personFile(services, workspaceId, asked);
  const file = await FILES[kind](workspaceId, asked);
  return { fileName: file.fileName, contentType: CSV, parts: textsOf(file) };
}

async function* textsOf(file: CsvFile): AsyncGenerator<string> {
  for await (const { text } of file.parts()) yield text;
}
