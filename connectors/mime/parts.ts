import libbase64 from "libbase64";
import libmime, { type ParsedHeaderValue } from "libmime";
import libqp from "libqp";
import { textIn } from "./charset.ts";
import { firstOf, type Headers, headersOf, wordsIn } from "./headers.ts";

/** Octets of a header block (rules/mail 11.2). */
export const MAX_HEADER_BLOCK = 256 * 1024;
const MAX_PARTS = 200;
const MAX_DEPTH = 20;
const UNNAMED = "application/octet-stream";

/** The parameters of a Content-Type that decide how a part is read. */
interface TypeParameters {
  boundary?: string;
  charset?: string;
  format?: string;
  delsp?: string;
  "report-type"?: string;
}

/** One part of a message (RFC 2045). The message itself is the first part. */
export interface Part {
  headers: Headers;
  /** The media type, such as `text/plain`. */
  type: string;
  parameters: TypeParameters;
  disposition: string;
  fileName: string | null;
  /** Still encoded as it arrived, with octets as latin1; empty for a multipart. */
  body: string;
  parts: Part[];
  /** The part number of IMAP; null for the message itself. */
  id: string | null;
}

/**
 * Returns the message with LF as its only line end and a header block within the limit. The text is latin1, so that
 * nothing is decoded yet. Line ends are normalised because MIME splits parts by lines, and some servers end lines with
 * a bare CR.
 */
export function normaliseMessage(raw: Buffer): string {
  const lf = raw.toString("latin1").replaceAll("\r\n", "\n").replaceAll("\r", "\n");
  const message = lf.replace(/^\n+/, "").replace(/^>?From .*\n/, ""); // an mbox separator is not a header
  const end = message.indexOf("\n\n");
  if (end <= MAX_HEADER_BLOCK) return message;
  const cut = message.lastIndexOf("\n", MAX_HEADER_BLOCK);
  return `${message.slice(0, cut < 0 ? MAX_HEADER_BLOCK : cut)}${message.slice(end)}`;
}

/**
 * Splits a normalised message into its parts (RFC 2046). A multipart's delimiter also ends every part nested in it,
 * because a nested part may have lost its own delimiter. When a part is nested too deeply or exceeds the number of
 * parts, everything after it is left out (rules/mail 11.2).
 */
export function partsOf(message: string): Part {
  const root = partAt(message, 0, [], null);
  const open = isMultipart(root.part) ? [root.part] : [];
  let current: Opened | null = root;
  let from = root.bodyStart;
  for (let count = 1; ; ) {
    const found = delimiterFrom(message, from, message.length, open);
    if (current !== null && !isMultipart(current.part))
      current.part.body = message.slice(current.bodyStart, found?.at ?? message.length);
    current = null;
    const parent = open[found?.depth ?? -1];
    if (found === null || parent === undefined) return root.part;
    open.length = found.isEnd ? found.depth : found.depth + 1;
    from = found.next;
    if (found.isEnd) continue;
    if (++count > MAX_PARTS || open.length > MAX_DEPTH) return root.part;
    const id = parent.id === null ? String(parent.parts.length + 1) : `${parent.id}.${parent.parts.length + 1}`;
    current = partAt(message, from, open, id);
    from = current.bodyStart;
    parent.parts.push(current.part);
    if (isMultipart(current.part)) open.push(current.part);
  }
}

/** The media type of an attached file. If the declared type is generic, the file name decides. */
export function fileTypeOf({ type, fileName }: Part): string {
  return type === UNNAMED && fileName !== null ? libmime.detectMimeType(fileName) : type;
}

/** The decoded content of a part. Encodings other than those of RFC 2045 are left unchanged. */
export function octetsOf({ headers, body }: Part): Buffer {
  const encoding = structured(headers, "content-transfer-encoding").value.toLowerCase();
  if (encoding === "base64") return libbase64.decode(body.replace(/[^a-z0-9+/=]/gi, ""));
  return encoding === "quoted-printable" ? libqp.decode(body) : Buffer.from(body, "latin1");
}

/**
 * The content of a part as text, with LF as its only line end and without the soft line breaks of `format=flowed` (RFC
 * 3676).
 */
export function textOf(part: Part): string {
  const { charset = "", format = "", delsp = "" } = part.parameters;
  const text = textIn(charset, octetsOf(part)).replace(/\r\n?/g, "\n");
  return format.trim().toLowerCase() === "flowed"
    ? libmime.decodeFlowed(text, delsp.trim().toLowerCase() === "yes")
    : text;
}

/** The body of a message as UTF-8. `limit` is in octets. */
export function bodyOf(message: string, limit: number): string {
  const start = message.indexOf("\n\n");
  return start < 0 ? "" : Buffer.from(message.slice(start + 2, start + 2 + limit), "latin1").toString();
}

export function isMultipart({ type }: Part): boolean {
  return type.startsWith("multipart/");
}

interface Opened {
  part: Part;
  bodyStart: number;
}

interface Delimiter {
  /** The position of the line break before the delimiter, which belongs to the delimiter. */
  at: number;
  /** The index in `open` of the multipart that the delimiter belongs to. The innermost one is tried first. */
  depth: number;
  isEnd: boolean;
  /** The start of the next line. */
  next: number;
}

/** What may follow a boundary in its line: `--` after the last part, and white space. */
const LINE_END = /(--)?[^\S\n]*(?:\n|$)/y;

/** The first delimiter of an open multipart in the lines from `start` on; null when none begins before `end`. */
function delimiterFrom(message: string, start: number, end: number, open: readonly Part[]): Delimiter | null {
  if (open.length === 0) return null;
  for (let at = message.indexOf("\n--", start - 1); at >= 0 && at < end; at = message.indexOf("\n--", at + 1)) {
    for (let depth = open.length - 1; depth >= 0; depth--) {
      const boundary = open[depth]?.parameters.boundary;
      if (!boundary || !message.startsWith(boundary, at + 3)) continue;
      LINE_END.lastIndex = at + 3 + boundary.length;
      const rest = LINE_END.exec(message);
      if (rest !== null) return { at, depth, isEnd: rest[1] !== undefined, next: LINE_END.lastIndex };
    }
  }
  return null;
}

/**
 * Reads the part whose headers start at `start`. They end at an empty line, or at the next delimiter if the empty line
 * is missing.
 */
function partAt(message: string, start: number, open: readonly Part[], id: string | null): Opened {
  const block = message.slice(start, start + MAX_HEADER_BLOCK);
  const end = start + (block.startsWith("\n") ? 0 : block.indexOf("\n\n") + 1 || block.length);
  const lost = delimiterFrom(message, start, end, open);
  const headers = headersOf(message.slice(start, lost?.at ?? end));
  const disposition = structured(headers, "content-disposition");
  const type = structured(headers, "content-type");
  const [{ filename }, { name }] = [disposition.params, type.params];
  const fileName = filename || name || null;
  const part: Part = {
    headers,
    type: type.value.toLowerCase() || typeBy(fileName, disposition.value),
    parameters: type.params,
    disposition: disposition.value.toLowerCase(),
    fileName: fileName === null ? null : wordsIn(fileName),
    body: "",
    parts: [],
    id,
  };
  return { part, bodyStart: lost === null ? Math.min(end + 1, message.length) : lost.at + 1 };
}

const NOTHING: Pick<ParsedHeaderValue, "value" | "params"> = { value: "", params: {} };

/** Reads a header that has a value and parameters (RFC 2045, 2231), without its comments. */
function structured(headers: Headers, name: string): typeof NOTHING {
  const value = firstOf(headers, name);
  return value === "" ? NOTHING : libmime.parseHeaderValue(value, { stripComments: true });
}

/** The media type of a part without a Content-Type. */
function typeBy(fileName: string | null, disposition: string): string {
  if (fileName?.includes(".")) return libmime.detectMimeType(fileName);
  return /^attachment$/i.test(disposition) ? UNNAMED : "text/plain";
}
