import { readExport } from "../domain/access/export-token.ts";
import { linksFile, reportFile } from "./analytics/export.ts";
import type { Services } from "./context.ts";
import type { CsvFile } from "./csv-export.ts";
import { leadFile } from "./leads/export.ts";
import { recipientFile } from "./recipients/export.ts";

const FILES = { leads: leadFile, recipients: recipientFile, report: reportFile, links: linksFile };

/** The file for a signed address; null when the address is invalid or expired. */
export async function exportAt(
  { signing }: Pick<Services, "signing">,
  token: string,
): Promise<{ fileName: string; parts: AsyncIterable<string> } | null> {
  const exported = readExport(signing.export, token, Date.now());
  if (exported === null) return null;
  const { workspaceId, kind = "leads", asked } = exported;
  const file = await FILES[kind](workspaceId, asked);
  return { fileName: file.fileName, parts: textsOf(file) };
}

async function* textsOf(file: CsvFile): AsyncGenerator<string> {
  for await (const { text } of file.parts()) yield text;
}
