import { delimiterOf, namedDelimiter, SAMPLE } from "../../../domain/csv/delimiter.ts";
import { MAILBOX_COLUMNS, MAX_IMPORT, mailboxColumn } from "../../../domain/mailboxes/import.ts";
import { oneOf } from "../../kit/view.ts";
import { importWords as says } from "../../words/en/mailboxes/import.ts";

const MAX_BYTES = 5_000_000;

export type MailboxColumn = (typeof MAILBOX_COLUMNS)[number];
type MailboxRow = Partial<Record<MailboxColumn, string>>;

export interface MailboxFile {
  name: string;
  columns: readonly MailboxColumn[];
  /** The names of the columns that the import does not use. */
  ignored: readonly string[];
  rows: readonly MailboxRow[];
}

/**
 * Reads a file of mailboxes in the browser, because the endpoint takes rows. Cells stay as they are: a password may begin
 * or end with a space. Returns a sentence if the file cannot be used.
 */
export async function readMailboxFile(file: File): Promise<MailboxFile | string> {
  if (file.size > MAX_BYTES) return says.tooLarge;
  let bytes: ArrayBuffer;
  try {
    bytes = await file.arrayBuffer();
  } catch {
    return says.unreadable;
  }
  const text = decode(new Uint8Array(bytes));
  const records = text.includes("\0") ? null : await recordsOf(text);
  if (records === null) return says.notCsv;
  const [headers = [], ...cells] = records;
  if (cells.length === 0) return says.noRows;
  if (cells.length > MAX_IMPORT) return says.tooMany;
  return rowsOf(file.name, headers, cells);
}

function rowsOf(name: string, headers: readonly string[], cells: readonly string[][]): MailboxFile | string {
  const all = headers.map((header) => oneOf(MAILBOX_COLUMNS, mailboxColumn(header)));
  const columns = all.filter((column) => column !== null);
  const twice = columns.find((column, index) => columns.indexOf(column) !== index);
  if (twice !== undefined) return says.twice(twice);
  if (!columns.includes("email")) return says.noEmail;
  if (!columns.includes("password") && !columns.includes("apppassword")) return says.noPassword;
  return {
    name,
    columns,
    ignored: headers.filter((header, index) => all[index] === null && header.trim() !== ""),
    rows: cells.map((record) =>
      Object.fromEntries(all.flatMap((column, index) => (column === null ? [] : [[column, record[index] ?? ""]]))),
    ),
  };
}

/** UTF-16 with its mark, else UTF-8, else Windows-1252, in which spreadsheets on Windows save. */
function decode(bytes: Uint8Array): string {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return new TextDecoder("utf-16le").decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder("utf-16be").decode(bytes);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}

/** Null for a text that is no CSV. */
async function recordsOf(text: string): Promise<string[][] | null> {
  const { parse } = await import("csv-parse/browser/esm/sync");
  const named = namedDelimiter(text.slice(0, SAMPLE));
  const body = text.slice(named?.length ?? 0);
  const delimiter = named?.delimiter ?? delimiterOf(body.slice(0, SAMPLE));
  try {
    return parse(body, {
      delimiter,
      relaxColumnCount: true,
      skipEmptyLines: true,
      skipRecordsWithEmptyValues: true,
      to: MAX_IMPORT + 2,
    });
  } catch {
    return null;
  }
}
