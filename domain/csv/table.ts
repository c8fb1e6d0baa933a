import { AppError } from "../errors.ts";
import { decodeText } from "./encoding.ts";
import { MAX_WORKBOOK_BYTES } from "./file-limits.ts";
import { BackslashQuotes } from "./quotes.ts";
import { notCsv } from "./refusal.ts";
import { type CsvRecord, recordsOf } from "./rows.ts";

/** The table of a file. */
export interface Table {
  /** The rows that are not blank, in order. The first row names the columns. */
  records: AsyncIterable<CsvRecord[]>;
  /**
   * Whether the file stores the column of each cell, as workbooks do. In a CSV file, a delimiter within an unquoted
   * text moves the cells after it.
   */
  isPlaced: boolean;
  /** The first text with quotes escaped by backslashes; null without one. It is known after all rows are read. */
  escapedQuotes(): string | null;
}

const ZIP = Buffer.from("PK\x03\x04");
const OLE = Buffer.from("d0cf11e0a1b11ae1", "hex");
const HEAD_BYTES = 8;
/** A name that only the file of a workbook with a password contains. */
const ENCRYPTED = Buffer.from("EncryptedPackage", "utf16le");

/**
 * The table of a CSV file or a workbook (.xlsx). The content decides between the two, because file names and content
 * types are often wrong.
 * @throws AppError VALIDATION_FAILED for a file of another kind, with advice, and PAYLOAD_TOO_LARGE for a workbook that
 * is too large
 */
export async function openTable(bytes: AsyncIterable<Buffer>): Promise<Table> {
  const { head, all } = await readHead(bytes);
  if (head.subarray(0, ZIP.length).equals(ZIP)) {
    const file = await collectBytes(all);
    const { workbookRecords } = await import("./workbook.ts"); // few files are workbooks, and the libraries take a while to load
    return { records: workbookRecords(file), isPlaced: true, escapedQuotes: () => null };
  }
  if (head.equals(OLE)) throw oldWorkbook(await collectBytes(all));
  if (head.toString("latin1").startsWith("%PDF-")) {
    for await (const _rest of all);
    throw unsupportedFormat("is a PDF file");
  }
  const quotes = new BackslashQuotes();
  return {
    records: recordsOf(rightQuotes(refuseMarkup(decodeText(all)), quotes)),
    isPlaced: false,
    escapedQuotes: () => quotes.example,
  };
}

/** The first bytes of a file, and a stream of all its bytes. */
async function readHead(bytes: AsyncIterable<Buffer>): Promise<{ head: Buffer; all: AsyncIterable<Buffer> }> {
  const iterator = bytes[Symbol.asyncIterator]();
  let first = Buffer.alloc(0);
  let isDone = false;
  while (first.length < HEAD_BYTES && !isDone) {
    const next = await iterator.next();
    if (next.done === true) isDone = true;
    else first = Buffer.concat([first, next.value]);
  }
  const all = async function* () {
    try {
      yield first;
      for (;;) {
        const next = await iterator.next();
        if (next.done === true) return;
        yield next.value;
      }
    } finally {
      await iterator.return?.();
    }
  };
  return { head: first.subarray(0, HEAD_BYTES), all: all() };
}

async function collectBytes(bytes: AsyncIterable<Buffer>): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of bytes) {
    size += piece.length;
    if (size > MAX_WORKBOOK_BYTES) {
      throw new AppError(
        "PAYLOAD_TOO_LARGE",
        `A workbook must have at most ${MAX_WORKBOOK_BYTES} bytes: save the table as CSV`,
        {
          limit: MAX_WORKBOOK_BYTES,
        },
      );
    }
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

function oldWorkbook(file: Buffer): AppError {
  if (!file.includes(ENCRYPTED)) return unsupportedFormat("is an old Excel file (.xls)");
  return notCsv(
    null,
    "ENCRYPTED_FILE",
    "is protected by a password: save it without one as .xlsx or CSV, and send that file",
  );
}

function unsupportedFormat(what: string): AppError {
  return notCsv(null, "UNSUPPORTED_FORMAT", `${what}: save it as .xlsx or CSV, and send that file`);
}

/** Beginnings of web pages and XML files, which some programs save as `.xls`. Column names do not begin like this. */
const MARKUP: readonly [RegExp, string][] = [
  [/^<(?:\w+:)?Workbook[\s>]/, "is an XML spreadsheet"],
  [/^<(?:!doctype html|html|head|meta|body|table|style|div|script)[\s>]/i, "is a web page (HTML)"],
  [/^<\?xml\s/i, "is an XML file"],
  [/^MIME-Version:\s/i, "is a web page (MHTML)"],
  [/^\{\\rtf/i, "is an RTF document"],
];
const PROLOGUE = /<!--[\s\S]*?-->|<\?(?:xml|mso-application)\s[^>]*>/gi;
const LONGEST_PROLOGUE = 4_096;

async function* refuseMarkup(texts: AsyncIterable<string>): AsyncGenerator<string> {
  let head: string | null = "";
  for await (const text of texts) {
    if (head === null) {
      yield text;
      continue;
    }
    head += text;
    if (head.length < LONGEST_PROLOGUE) continue;
    refuseIfMarkup(head);
    yield head;
    head = null;
  }
  if (head === null) return;
  refuseIfMarkup(head);
  if (head !== "") yield head;
}

function refuseIfMarkup(head: string): void {
  const begin = head.slice(0, LONGEST_PROLOGUE).trimStart();
  if (!/^[<M{]/i.test(begin)) return;
  const content = begin.startsWith("<") ? begin.replaceAll(PROLOGUE, "").trimStart() : begin;
  const what = MARKUP.find(([pattern]) => pattern.test(content) || pattern.test(begin))?.[1];
  if (what !== undefined) throw unsupportedFormat(what);
}

/**
 * Corrects the quotes of each piece. Each piece waits for the next one, because the last piece must be marked as such.
 */
async function* rightQuotes(texts: AsyncIterable<string>, quotes: BackslashQuotes): AsyncGenerator<string> {
  let lastPiece = "";
  for await (const text of texts) {
    const right = quotes.read(lastPiece, false);
    if (right !== "") yield right;
    lastPiece = text;
  }
  const rest = quotes.read(lastPiece, true);
  if (rest !== "") yield rest;
}
