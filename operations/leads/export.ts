import { z } from "zod";
import { readExport, signExport } from "../../domain/access/export-token.ts";
import { MINUTE_MS } from "../../domain/time/durations.ts";
import type { Services } from "../context.ts";
import { nullable, optionalTime } from "../fields.ts";
import { operation } from "../operation.ts";
import { totalOf } from "./count-cache.ts";
import { columnsOf, csvOf } from "./csv.ts";
import { type Filters, filters, type LeadQuery, queryOf } from "./filter.ts";

const MOST_BYTES = 5 * 1_048_576;
/** Bytes: no row is shorter, because its id, timestamps and commas alone take as much. */
const SHORTEST_ROW = 100;
const VALID_MS = 15 * MINUTE_MS;

export const exportLeads = operation({
  summary: "Export leads as CSV: up to 5 MB in the answer, more at an address that is valid for 15 minutes",
  scope: "leads:read",
  errors: ["LIST_NOT_FOUND"],
  audits: "leads.export",
  input: z.strictObject(filters),
  output: z.object({
    format: z.literal("CSV").describe("Always CSV"),
    fileName: z.string().describe("A name for the file"),
    columns: z.array(z.string()).describe("The columns"),
    rowCount: z.number().int().describe("Rows in `content`"),
    total: z.number().int().describe("Rows in all"),
    content: nullable(z.string()).describe("The file, up to 5 MB; null above it"),
    url: nullable(z.string()).describe("Where the file can be read without a key; null when `content` has it"),
    expiresAt: optionalTime.describe("Until when, 15 minutes"),
  }),
  async run({ workspaceId, services }, asked) {
    const query = await queryOf(workspaceId, asked);
    const columns = await columnsOf(workspaceId);
    const { total } = await totalOf(query);
    const file = { format: "CSV" as const, fileName: fileNameAt(new Date()), columns };
    const whole = total * SHORTEST_ROW > MOST_BYTES ? null : await inMemory(query, columns);
    if (whole !== null) return { ...file, rowCount: whole.rows, total: whole.rows, content: whole.text, url: null, expiresAt: null };
    const until = Date.now() + VALID_MS;
    const token = signExport(services.signing.export, { workspaceId, until, asked });
    const url = `${services.settings.publicUrl}/exports/${token}`;
    return { ...file, rowCount: total, total, content: null, url, expiresAt: new Date(until) };
  },
});

/** The whole file; null when it is larger than a response may be. */
async function inMemory(query: LeadQuery, columns: readonly string[]): Promise<{ text: string; rows: number } | null> {
  const texts: string[] = [];
  let [bytes, count] = [0, 0];
  for await (const { text, rows } of csvOf(query, columns)) {
    bytes += Buffer.byteLength(text);
    if (bytes > MOST_BYTES) return null;
    texts.push(text);
    count += rows;
  }
  return { text: texts.join(""), rows: count };
}

/** The file for a signed address; null when the address is invalid or expired. */
export async function exportAt(
  { signing }: Pick<Services, "signing">,
  token: string,
): Promise<{ fileName: string; parts: AsyncIterable<string> } | null> {
  const exported = readExport(signing.export, token, Date.now());
  if (exported === null) return null;
  const { workspaceId } = exported;
  const asked = exported.asked as Filters; // only a validated request is ever signed
  const query = await queryOf(workspaceId, asked);
  return { fileName: fileNameAt(new Date()), parts: textsOf(query, await columnsOf(workspaceId)) };
}

async function* textsOf(query: LeadQuery, columns: readonly string[]): AsyncGenerator<string> {
  for await (const { text } of csvOf(query, columns)) yield text;
}

function fileNameAt(now: Date): string {
  return `leads-${now.toISOString().slice(0, 10)}.csv`;
}
