import { convert } from "html-to-text";
import libmime from "libmime";
import libqp from "libqp";
import addressparser from "nodemailer/lib/addressparser";

export interface HeaderLine {
  name: string;
  value: string;
}

/** One part of an email, with octets as latin1. */
export interface MimePart {
  /** The header block as it came, without the empty line. */
  head: string;
  /** Still encoded; empty for a multipart. */
  body: string;
  type: string;
  charset: string;
  boundary: string;
  /** Empty where the part is no attachment. */
  filename: string;
  parts: MimePart[];
}

export function readMime(raw: Buffer): MimePart {
  return readPart(raw.toString("latin1"));
}

function readPart(text: string): MimePart {
  const [head, body] = split(text);
  const type = libmime.parseHeaderValue(fieldOf(head, "Content-Type") ?? "text/plain");
  const { params } = libmime.parseHeaderValue(fieldOf(head, "Content-Disposition") ?? "");
  const boundary = type.params["boundary"] ?? "";
  const part = {
    head,
    body,
    type: type.value.toLowerCase(),
    charset: type.params["charset"] ?? "utf-8",
    boundary,
    filename: libmime.decodeWords(params["filename"] ?? type.params["name"] ?? ""),
    parts: [],
  };
  if (!part.type.startsWith("multipart/") || boundary === "") return part;
  // One boundary may be the beginning of another
  const delimiter = new RegExp(`\\n--${RegExp.escape(boundary)}(?=--|[ \\t]*\\r?\\n)`);
  const [, ...pieces] = `\r\n${body}`.split(delimiter);
  const end = pieces.findIndex((piece) => piece.startsWith("--"));
  const inside = end === -1 ? pieces : pieces.slice(0, end);
  const parts = inside.map((piece) => readPart(piece.replace(/^[ \t]*\r?\n/, "").replace(/\r$/, "")));
  return { ...part, body: "", parts };
}

function split(text: string): [string, string] {
  const end = /\r?\n\r?\n/.exec(text);
  if (/^\r?\n/.test(text)) return ["", text.replace(/^\r?\n/, "")];
  return end === null ? [text, ""] : [text.slice(0, end.index), text.slice(end.index + end[0].length)];
}

/** The header fields in their order, unfolded, with their names as they came. */
export function headerLines(head: string): HeaderLine[] {
  const unfolded = Buffer.from(head, "latin1")
    .toString()
    .replace(/\r?\n(?=[ \t])/g, "");
  return unfolded.split(/\r?\n/).flatMap((line) => {
    const colon = line.indexOf(":");
    return colon < 1 ? [] : [{ name: line.slice(0, colon), value: line.slice(colon + 1).trim() }];
  });
}

export function fieldOf(head: string, name: string): string | undefined {
  return headerLines(head).find((line) => line.name.toLowerCase() === name.toLowerCase())?.value;
}

/** The header block with one field replaced where it stood, or put at its end; null takes it away. */
export function withHeader(head: string, name: string, value: string | null): string {
  const fields = head.split(/\r?\n(?![ \t])/).filter((field) => field !== "");
  const isIt = (field: string) => field.toLowerCase().startsWith(`${name.toLowerCase()}:`);
  const at = fields.findIndex(isIt);
  const rest = fields.filter((field, index) => index === at || !isIt(field));
  if (value === null) return rest.filter((field) => !isIt(field)).join("\r\n");
  rest.splice(at === -1 ? rest.length : at, at === -1 ? 0 : 1, `${name}: ${value}`);
  return rest.join("\r\n");
}

/** The bare addresses of all fields with these names, in lower case. */
export function addressesIn(head: string, ...names: string[]): string[] {
  const wanted = names.map((name) => name.toLowerCase());
  const values = headerLines(head).filter(({ name }) => wanted.includes(name.toLowerCase()));
  const found = values.flatMap(({ value }) => addressparser(value, { flatten: true }));
  return [...new Set(found.map(({ address }) => address.toLowerCase()).filter((address) => address.includes("@")))];
}

/** The ids in the first field of each name. */
export function idsIn(head: string, ...names: string[]): string[] {
  return names.flatMap((name) => fieldOf(head, name)?.match(/<[^<>\s]+>/g) ?? []);
}

/** A subject without "Re:" and the like, for comparing. */
export function bareSubject(head: string): string {
  const subject = libmime.decodeWords(fieldOf(head, "Subject") ?? "");
  return subject.replace(/^(\s*(re|fwd?|aw|wg)\s*:)+/i, "").trim();
}

export function octetsOf({ head, body }: MimePart): Buffer {
  const encoding = fieldOf(head, "Content-Transfer-Encoding")?.toLowerCase();
  if (encoding === "base64") return Buffer.from(body, "base64");
  return encoding === "quoted-printable" ? libqp.decode(body) : Buffer.from(body, "latin1");
}

function textIn(part: MimePart): string {
  return new TextDecoder(part.charset).decode(octetsOf(part));
}

/** The text that a reader sees first: the plain part, or the HTML without its tags. */
export function snippetOf(part: MimePart): string {
  const leaves = leavesOf(part).filter(({ filename }) => filename === "");
  const plain = leaves.find(({ type }) => type === "text/plain");
  const html = leaves.find(({ type }) => type === "text/html");
  const text = plain ? textIn(plain) : html ? convert(textIn(html)) : "";
  return text.replace(/\s+/g, " ").trim().slice(0, 200);
}

function leavesOf(part: MimePart): MimePart[] {
  return part.parts.length === 0 ? [part] : part.parts.flatMap(leavesOf);
}

/**
 * The email with a plain text made anew from each HTML part: it replaces the plain part beside it, and HTML alone gets
 * one.
 */
export function withOwnText(part: MimePart, isChoice = false): string {
  if (part.parts.length > 0) {
    const html =
      part.type === "multipart/alternative" ? part.parts.find(({ type }) => type === "text/html") : undefined;
    const parts = part.parts.map((each) =>
      html !== undefined && each.type === "text/plain" ? plainOf(html) : withOwnText(each, html !== undefined),
    );
    return `${part.head}\r\n\r\n${joined(part.boundary, parts)}`;
  }
  if (part.type !== "text/html" || part.filename !== "" || isChoice) return `${part.head}\r\n\r\n${part.body}`;
  const fields = part.head.split(/\r?\n(?![ \t])/);
  const own = fields.filter((field) => /^content-/i.test(field)).join("\r\n");
  const rest = fields.filter((field) => !/^(content-|mime-version)/i.test(field));
  const boundary = "000000000000a1b2c30612345678";
  const head = [...rest, "MIME-Version: 1.0", `Content-Type: multipart/alternative; boundary="${boundary}"`];
  return `${head.join("\r\n")}\r\n\r\n${joined(boundary, [plainOf(part), `${own}\r\n\r\n${part.body}`])}`;
}

function plainOf(html: MimePart): string {
  const text = libqp.wrap(libqp.encode(convert(textIn(html))));
  return `Content-Type: text/plain; charset="UTF-8"\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n${text}`;
}

function joined(boundary: string, parts: string[]): string {
  return `${parts.map((part) => `--${boundary}\r\n${part}\r\n`).join("")}--${boundary}--\r\n`;
}
