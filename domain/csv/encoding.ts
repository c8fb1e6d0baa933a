import { isUtf8 } from "node:buffer";
import { notCsv } from "./refusal.ts";

/**
 * Decodes a file piece by piece (rules/leads 2.6). A byte order mark or zero bytes mean UTF-16. Otherwise valid UTF-8 is
 * read as UTF-8, a file with the line ends of old Macs as Mac Roman, and any other as Windows-1252. The first character
 * beyond ASCII decides for the whole file. A single invalid byte in a UTF-8 file is read as Windows-1252.
 * @throws AppError VALIDATION_FAILED for a file that is not text
 */
export async function* decodeText(bytes: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let head = Buffer.alloc(0);
  let decode: ((piece: Buffer, isLast: boolean) => string) | null = null;
  const lines = new LineCount();
  const read = (piece: Buffer, isLast: boolean) => {
    if (decode === null) {
      head = Buffer.concat([head, piece]);
      if (head.length < HEAD_BYTES && !isLast) return "";
      const { skip, kind } = markOf(head);
      decode = kind === null ? byteDecoder(lines) : wideDecoder(kind, lines);
      return lines.counted(refuseBinary(decode(head.subarray(skip), isLast), lines));
    }
    return lines.counted(refuseBinary(decode(piece, isLast), lines));
  };
  for await (const piece of bytes) {
    const text = read(piece, false);
    if (text !== "") yield text;
  }
  const rest = read(Buffer.alloc(0), true);
  if (rest !== "") yield rest;
}

/**
 * This many bytes are enough to recognise UTF-16 without a byte order mark, because most column names begin with ASCII
 * characters.
 */
const HEAD_BYTES = 16;
const ZIP = Buffer.from("PK\x03\x04");

function markOf(head: Buffer): { skip: number; kind: "utf-16le" | "utf-16be" | null } {
  if (head.subarray(0, ZIP.length).equals(ZIP))
    throw notCsv(null, "NOT_TEXT", "is a workbook (XLSX) or another ZIP file: save it as CSV (UTF-8)");
  if (head[0] === 0xff && head[1] === 0xfe) return { skip: 2, kind: "utf-16le" };
  if (head[0] === 0xfe && head[1] === 0xff) return { skip: 2, kind: "utf-16be" };
  const zeros = Array.from(head.subarray(0, HEAD_BYTES), (byte, at) => (byte === 0 ? at % 2 : null)).filter(
    (side) => side !== null,
  );
  const most = Math.floor(Math.min(head.length, HEAD_BYTES) / 2);
  // In UTF-16 every second byte is a zero here. One exception is allowed, for a letter beyond Latin-1
  if (zeros.length >= Math.max(2, most - 1) && new Set(zeros).size === 1)
    return { skip: 0, kind: zeros[0] === 1 ? "utf-16le" : "utf-16be" };
  return { skip: head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf ? 3 : 0, kind: null };
}

/** Counts the lines of the text read so far, for error messages. */
class LineCount {
  at = 1;

  counted(text: string): string {
    for (let found = text.indexOf("\n"); found >= 0; found = text.indexOf("\n", found + 1)) this.at++;
    return text;
  }
}

function refuseBinary(text: string, lines: LineCount): string {
  const found = text.indexOf("\0");
  if (found < 0) return text;
  lines.counted(text.slice(0, found));
  throw notText(lines.at);
}

function wideDecoder(kind: "utf-16le" | "utf-16be", lines: LineCount) {
  const decoder = new TextDecoder(kind, { fatal: true });
  return (piece: Buffer, isLast: boolean) => {
    try {
      return decoder.decode(piece, { stream: !isLast });
    } catch {
      throw notText(lines.at);
    }
  };
}

/** UTF-8, Mac Roman or Windows-1252. */
function byteDecoder(lines: LineCount) {
  let tail = Buffer.alloc(0);
  let kind: "ascii" | "utf-8" | "windows-1252" | "macintosh" = "ascii";
  let [hasCr, hasLf] = [false, false];
  return (piece: Buffer, isLast: boolean) => {
    const all = tail.length === 0 ? piece : Buffer.concat([tail, piece]);
    const end = isLast ? all.length : wholeCharacters(all);
    const bytes = all.subarray(0, end);
    tail = Buffer.from(all.subarray(end));
    if (kind === "macintosh") return MAC_ROMAN.decode(bytes);
    if (kind !== "windows-1252" && isUtf8(bytes)) {
      const text = bytes.toString("utf8");
      if (kind === "ascii" && text.length !== bytes.length) kind = "utf-8";
      if (kind === "ascii") [hasCr, hasLf] = [hasCr || bytes.includes(CR), hasLf || bytes.includes(LF)];
      return text;
    }
    if (kind === "ascii" && (hasCr || bytes.includes(CR)) && !hasLf && !bytes.includes(LF) && !beginsAsUtf8(bytes)) {
      kind = "macintosh";
      return MAC_ROMAN.decode(bytes);
    }
    let text = "";
    let from = 0;
    for (let at = 0; at < bytes.length; ) {
      const length = kind === "windows-1252" ? 0 : characterAt(bytes, at);
      if (length === 1 || (kind === "windows-1252" && (bytes[at] ?? 0) < 0x80)) {
        at++;
        continue;
      }
      if (length > 1) {
        kind = "utf-8";
        at += length;
        continue;
      }
      if (kind === "ascii") kind = "windows-1252";
      const one = WINDOWS_1252[(bytes[at] ?? 0) - 0x80] ?? "";
      text += bytes.toString("utf8", from, at);
      if (one === "") {
        lines.counted(text);
        throw notText(lines.at);
      }
      text += one;
      from = ++at;
    }
    return text + bytes.toString("utf8", from);
  };
}

const [CR, LF] = [0x0d, 0x0a];
const MAC_ROMAN = new TextDecoder("macintosh");

/** Whether the first character beyond ASCII is valid UTF-8. */
function beginsAsUtf8(bytes: Buffer): boolean {
  const at = bytes.findIndex((byte) => byte >= 0x80);
  return characterAt(bytes, at) > 1;
}

/** The characters of the bytes from 0x80 on. Five of these bytes have no character. */
const WINDOWS_1252 = [
  ..."€\0‚ƒ„…†‡ˆ‰Š‹Œ\0Ž\0\0‘’“”•–—˜™š›œ\0žŸ".replaceAll("\0", "\u{10ffff}"),
  ...Array.from({ length: 96 }, (_, at) => String.fromCharCode(0xa0 + at)),
].map((one) => (one === "\u{10ffff}" ? "" : one));

/** The length in bytes of the UTF-8 character that begins here; 0 if none begins here. */
function characterAt(bytes: Buffer, at: number): number {
  const length = lengthOf(bytes[at] ?? 0);
  if (length <= 1) return length;
  return at + length <= bytes.length && isUtf8(bytes.subarray(at, at + length)) ? length : 0;
}

function lengthOf(first: number): number {
  if (first < 0x80) return 1;
  if (first < 0xc2 || first > 0xf4) return 0;
  return first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
}

/** How many of the bytes form whole characters. The last character may continue in the next piece. */
function wholeCharacters(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) break;
    if (byte >= 0xc0) return lengthOf(byte) > back ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}

function notText(line: number) {
  return notCsv(
    line,
    "NOT_TEXT",
    "is not text in UTF-8, UTF-16 or Windows-1252: save the table as CSV (UTF-8) and send that file",
  );
}
