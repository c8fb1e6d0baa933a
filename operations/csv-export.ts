import { z } from "zod";
import { type ExportAddress, signExport } from "../domain/access/address-token.ts";
import { MINUTE_MS } from "../domain/time/durations.ts";
import type { Services } from "./context.ts";
import { nullable, optionalTime, type Paging } from "./fields.ts";

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
  return { ...head, rowCount: total, total, content: null, ...signedUrlOf({ signing, settings }, address) };
}

/** The address at which the file can be downloaded without a credential. */
export function signedUrlOf(
  { signing, settings }: Pick<Services, "signing" | "settings">,
  address: Omit<ExportAddress, "until">,
): { url: string; expiresAt: Date } {
  const until = Date.now() + VALID_MS;
  const url = `${settings.publicUrl}/exports/${signExport(signing.export, { ...address, until })}`;
  return { url, expiresAt: new Date(until) };
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

/** Characters of one tool result (rules/tools 4.1), less those of the fields around a page of CSV. */
const MOST_CHARACTERS = 25_000 - 1_000;
/** The most characters of the header line and the list of columns together. */
const MOST_OF_COLUMNS = 16_000;
/** The longest header line that a page repeats before its rows. */
const LONGEST_HEADER = 12_000;
/** The most characters of a longer header on the first page. */
const HEADER_PART = 4_000;
/** The possible page sizes. With them, the next page can start where this one ends. */
const SIZES = [200, 100, 50, 40, 25, 20, 10, 8, 5, 4, 2, 1];

const LongRow = z
  .object({
    id: z.string().describe("The id of the row: the `rowId` of the next part"),
    characters: z.number().int().describe("The length of its CSV line; if it changes between parts, begin again at 0"),
    text: z.string().describe("The part of its CSV line from `offset` on"),
    nextOffset: nullable(z.number().int()).describe("The `offset` of the next part; null after the last one"),
  })
  .meta({ id: "LongCsvRow", description: "A row of an export that is too long for one result" });

/** The fields of a page of CSV that fits a tool result. */
export const csvPage = {
  columns: z.array(z.string()).describe("The columns; empty if they are so many that only the header names them"),
  rowCount: z.number().int().describe("Rows in `content`"),
  total: z.number().int().describe("Rows on all pages"),
  content: z.string().describe("The header, and the rows of this page"),
  page: z.number().int().describe("Which page this is, from 1"),
  pageSize: z.number().int().describe("Rows on each page; fewer than requested if rows are long"),
  next: nullable(
    z.object({
      page: z.number().int().describe("The number of the page"),
      pageSize: z.number().int().describe("The rows on the page"),
    }),
  ).describe("The next page to request; null at the end"),
};

/** The fields of a page of CSV whose rows may be longer than a result. */
export const longRows = {
  longRow: nullable(LongRow).describe("The only row of this page, in parts, because it does not fit; null otherwise"),
  longHeader: nullable(LongRow).describe(
    "The header in parts, if it is too long to repeat in `content`; null otherwise",
  ),
};

/** The `rowId` of a header that does not fit. */
export const HEADER_ROW = "header";

export interface CsvRow {
  id: string;
  line: string;
}

/** The rows at hand: those of the page that was requested, and possibly some after them. */
interface Source {
  columns: readonly string[];
  /** The header line. */
  header: string;
  rows: readonly CsvRow[];
  total: number;
  /** True when they are read after another row, so that the next page can begin after any of them. */
  isAfterRow?: boolean;
}

/**
 * A page of CSV with as many whole rows as fit a tool result, measured as JSON. The beginning of a row that does not fit
 * alone is in `longRow`. The page begins at the first row at hand, and `next` at the row after its last one.
 */
export function csvPageOf({ columns, header, rows, total, isAfterRow = false }: Source, { page, pageSize }: Paging) {
  // The header line names the columns too, so a long list of them leaves its room to the rows
  const listed = JSON.stringify(columns).length;
  const shown = jsonLength(header) + listed > MOST_OF_COLUMNS ? [] : [...columns];
  const isHeaderLong = jsonLength(header) > LONGEST_HEADER;
  const before = (page - 1) * pageSize;
  const longHeader = isHeaderLong && before === 0 ? partOf({ id: HEADER_ROW, line: header }, 0, HEADER_PART) : null;
  const repeated = isHeaderLong ? "" : header;
  const used = jsonLength(repeated) + jsonLength(longHeader?.text ?? "");
  const room = MOST_CHARACTERS - (shown.length === 0 ? 0 : listed) - used;
  const [first] = rows;
  const isLong = first !== undefined && jsonLength(first.line) > room;
  const size = isLong ? 1 : fittingSize(rows, isAfterRow ? 0 : before, pageSize, room);
  const kept = isLong ? [] : rows.slice(0, size);
  const at = isAfterRow ? page : before / size + 1;
  // The total may be an estimate, but rows at hand that are left out always follow
  const follows = first !== undefined && (size < rows.length || (!isAfterRow && before + size < total));
  return {
    columns: shown,
    rowCount: kept.length,
    total,
    content: repeated + kept.map(({ line }) => line).join(""),
    page: at,
    pageSize: size,
    next: follows ? { page: at + 1, pageSize: size } : null,
    longRow: isLong ? partOf(first, 0, room) : null,
    longHeader,
  };
}

/** The part of a long row, or of a long header, from `offset` on. */
export function csvPartOf(row: CsvRow, offset: number) {
  return partOf(row, offset, MOST_CHARACTERS);
}

/** The largest page size that fits and starts at the same row. */
function fittingSize(rows: readonly CsvRow[], before: number, asked: number, room: number): number {
  const fits = (size: number) => rows.slice(0, size).reduce((sum, { line }) => sum + jsonLength(line), 0) <= room;
  if (fits(asked)) return asked;
  return SIZES.find((size) => size < asked && before % size === 0 && fits(size)) ?? 1;
}

function partOf({ id, line }: CsvRow, offset: number, room: number) {
  let text = wholeCharacters(line, offset, room);
  while (jsonLength(text) > room) text = wholeCharacters(line, offset, Math.floor(text.length * 0.9));
  const end = offset + text.length;
  return { id, characters: line.length, text, nextOffset: end < line.length ? end : null };
}

/** At most `length` characters of a text from `offset` on. They never end with half of a surrogate pair. */
function wholeCharacters(text: string, offset: number, length: number): string {
  const end = offset + length;
  const isSplit = /[\uDC00-\uDFFF]/.test(text[end] ?? "") && /[\uD800-\uDBFF]/.test(text[end - 1] ?? "");
  return text.slice(offset, isSplit ? end - 1 : end);
}

/** The characters that a text takes in JSON, where quotes and line breaks take two. */
function jsonLength(text: string): number {
  return JSON.stringify(text).length - 2;
}
