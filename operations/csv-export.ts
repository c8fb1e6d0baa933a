import { z } from "zod";
import { type ExportAddress, signExport } from "../domain/access/address-token.ts";
import { MINUTE_MS } from "../domain/time/durations.ts";
import type { Services } from "./context.ts";
import { nullable, optionalTime } from "./fields.ts";

const MOST_BYTES = 5 * 1_048_576;
const VALID_MS = 15 * MINUTE_MS;

export interface CsvPart {
  text: string;
  rows: number;
}

/** An export, ready to be written. */
export interface CsvFile {
  fileName: string;
  columns: readonly string[];
  /** The content, a few hundred rows at a time; the first part is the header. */
  parts(): AsyncIterable<CsvPart>;
}

export const CsvExport = z
  .object({
    format: z.literal("CSV").describe("Always CSV"),
    fileName: z.string().describe("The file name"),
    columns: z.array(z.string()).describe("The columns"),
    rowCount: z.number().int().describe("Rows in `content`"),
    total: z.number().int().describe("All rows of the export"),
    content: nullable(z.string()).describe("The content of the file, up to 5 MB; null above that"),
    url: nullable(z.string()).describe("The URL to download the file without a key; null when `content` has it"),
    expiresAt: optionalTime.describe("When the URL expires, after 15 minutes"),
  })
  .meta({ id: "CsvExport", description: "An export as CSV: the content, or a URL to download it" });

/**
 * Responds to a request for a file of about `total` rows, each of at least `shortestRow` bytes: with the file itself,
 * or with a signed address when the file is too large for a response.
 */
export async function answerOf(
  { signing, settings }: Pick<Services, "signing" | "settings">,
  file: CsvFile,
  { total, shortestRow }: { total: number; shortestRow: number },
  address: Omit<ExportAddress, "until">,
) {
  const head = { format: "CSV" as const, fileName: file.fileName, columns: [...file.columns] };
  const whole = total * shortestRow > MOST_BYTES ? null : await inMemory(file.parts());
  if (whole !== null)
    return { ...head, rowCount: whole.rows, total: whole.rows, content: whole.text, url: null, expiresAt: null };
  const until = Date.now() + VALID_MS;
  const url = `${settings.publicUrl}/exports/${signExport(signing.export, { ...address, until })}`;
  return { ...head, rowCount: total, total, content: null, url, expiresAt: new Date(until) };
}

/** The whole file; null when it is too large for a response. */
async function inMemory(parts: AsyncIterable<CsvPart>): Promise<{ text: string; rows: number } | null> {
  const texts: string[] = [];
  let [bytes, count] = [0, 0];
  for await (const { text, rows } of parts) {
    bytes += Buffer.byteLength(text);
    if (bytes > MOST_BYTES) return null;
    texts.push(text);
    count += rows;
  }
  return { text: texts.join(""), rows: count };
}

export function fileNameOf(what: string, now: Date): string {
  return `${what}-${now.toISOString().slice(0, 10)}.csv`;
}
