const MAX_HEADER_BLOCK = 256 * 1024;
const MAX_PARTS = 200;
const MAX_DEPTH = 20;

/**
 * The message with LF alone and a header block within the limit. Bytes as latin1, so that nothing is decoded yet; the MIME parser
 * cannot read bare CR.
 */
export function normalised(raw: Buffer): string {
  const lf = raw.toString("latin1").replace(/\r\n|\r/g, "\n");
  const message = lf.replace(/^\n+/, "").replace(/^>?From .*\n/, ""); // an mbox separator is not a header
  const end = message.indexOf("\n\n");
  if (end <= MAX_HEADER_BLOCK) return message;
  const cut = message.lastIndexOf("\n", MAX_HEADER_BLOCK);
  return `${message.slice(0, cut < 0 ? MAX_HEADER_BLOCK : cut)}${message.slice(end)}`;
}

/** The message up to the part that is too deep or one too many. */
export function withinLimits(message: string): string {
  const boundaries = new Set(
    [...message.matchAll(/boundary\s*=\s*(?:"([^"\n]{1,200})"|([^\s;"]{1,200}))/gi)].map((m) => m[1] ?? m[2] ?? ""),
  );
  if (boundaries.size === 0) return message;
  const open: string[] = [];
  let parts = 0;
  for (const { 1: line = "", index } of message.matchAll(/^--([^\n]{1,200})$/gm)) {
    const end = line.trimEnd();
    const isEnd = !boundaries.has(end) && end.endsWith("--");
    const boundary = isEnd ? end.slice(0, -2) : end;
    if (!boundaries.has(boundary)) continue;
    const at = open.lastIndexOf(boundary);
    if (at >= 0) open.length = isEnd ? at : at + 1;
    else if (!isEnd) open.push(boundary);
    if (!isEnd && (++parts > MAX_PARTS - 1 || open.length > MAX_DEPTH)) return message.slice(0, index);
  }
  return message;
}

const CHARSET = /(charset\s*=\s*"?)([^\s";]+)/gi;

/** A name nobody knows says no more than that the octets are some text. */
export function withKnownCharsets(message: string): string {
  if (message.matchAll(CHARSET).every(([, , name = ""]) => isCharset(name))) return message;
  // The headers of the message, and those behind what looks like a boundary
  return message.replace(/(^|\n--[^\n]+\n)((?:[^\n]+\n)*)/g, (all, start: string, head: string) =>
    /charset/i.test(head) ? start + head.replace(/^content-type:[^\n]*(?:\n[ \t][^\n]*)*/gim, withKnownCharset) : all,
  );
}

function withKnownCharset(line: string): string {
  return line.replace(CHARSET, (all, before: string, name: string) => (isCharset(name) ? all : `${before}iso-8859-1`));
}

/** What follows the headers, as UTF-8; `limit` in octets. */
export function bodyOf(message: string, limit: number): string {
  const start = message.indexOf("\n\n");
  return start < 0 ? "" : Buffer.from(message.slice(start + 2, start + 2 + limit), "latin1").toString();
}

// There are a few hundred; to make a decoder takes longer than to read a header
const known = new Set<string>();

function isCharset(written: string): boolean {
  const name = written.toLowerCase();
  if (known.has(name)) return true;
  if (/^(?:utf-?7|(?:cp|ibm|win|windows|mac|x-mac|koi|tis|hz|iso-?2022)[\w-]*|us-ascii|ascii|ansi[\w.-]*)$/i.test(name)) return true;
  try {
    if (new TextDecoder(name).encoding === "") return false;
    known.add(name);
    return true;
  } catch {
    return false;
  }
}
