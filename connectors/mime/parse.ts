import type { Address, Inbound } from "../../domain/mail/inbound.ts";
import { countOf, withoutHidden, withoutInvisible, withoutOthers } from "../../domain/visibility/hidden-text.ts";
import {
  addressesOf,
  addressesWithoutNames,
  bareAddresses,
  firstOf,
  idsOf,
  timeOf,
  traceOf,
  wordsIn,
} from "./headers.ts";
import {
  bodyOf,
  fileTypeOf,
  isMultipart,
  MAX_HEADER_BLOCK,
  normaliseMessage,
  octetsOf,
  type Part,
  partsOf,
  textOf,
} from "./parts.ts";
import { htmlText, repliesOf } from "./reply-text.ts";
import { visibleHtml } from "./visible-html.ts";

const MAX_TEXT = 2 * 1024 * 1024;
const MAX_STATUS = 256 * 1024;
/** Octets of each text part that may belong to a report. A longer attached text is not part of it. */
const MAX_PART_TEXT = 256 * 1024;
const MAX_TEXT_PARTS = 10;
const MAX_FILES = 50;
const MAX_FILE_BYTES = 25 * 1024 * 1024;

/** An attached file. `part` is its index among all parts that are not shown as text. */
export interface InboundFile {
  part: number;
  fileName: string;
  contentType: string;
  content: Uint8Array;
}

/** A parsed email: `message` for the code in `domain/`; the other fields are only for the inbox. */
export interface ParsedMail {
  message: Inbound;
  to: Address[];
  cc: Address[];
  files: InboundFile[];
}

/**
 * Parses one raw message (RFC 5322, MIME) under the limits of rules/mail 11.2. Parts beyond the limits are left out,
 * and files are never unpacked. Throws when the message cannot be parsed at all: the caller then records it as
 * UNREADABLE and reads its headers with `parseHead`.
 */
export function parseMail(raw: Buffer): ParsedMail {
  const content = parseContent(raw);
  return parsedMailOf(content, repliesOf([content])[0] ?? "");
}

/** Parses many messages; null for each that cannot be parsed. */
export function parseAll(raws: readonly Buffer[]): (ParsedMail | null)[] {
  const contents = raws.map((raw) => {
    try {
      return parseContent(raw);
    } catch {
      return null;
    }
  });
  const replies = repliesOf(contents.map((content) => content ?? { plain: "", html: null }));
  return contents.map((content, index) => (content === null ? null : parsedMailOf(content, replies[index] ?? "")));
}

/** A message with its readable text in either form and its other parts. White space alone counts as no text. */
interface Content extends Pick<Part, "headers" | "type" | "parameters">, Pick<Inbound, "trace"> {
  plain: string | null;
  /** The parts from which `plain` is made; `attachedTexts` are texts attached as files. */
  plainParts: string[];
  attachedTexts: string[];
  html: string | null;
  hiddenCharacters: number;
  files: File[];
}

interface File extends Pick<Part, "id" | "type" | "fileName"> {
  content: Buffer;
}

interface Gathered {
  plain: string[];
  attached: string[];
  html: string[];
  files: File[];
}

function parseContent(raw: Buffer): Content {
  const message = normaliseMessage(raw);
  const root = partsOf(message);
  const { headers, type, parameters } = root;
  const found: Gathered = { plain: [], attached: [], html: [], files: [] };
  gather(root, found);
  const isEmpty = [...found.plain, ...found.html].every((text) => text === "") && found.files.length === 0;
  // If the declared boundary never occurs, no part is found, so the raw body is shown instead of nothing
  const text = isEmpty ? bodyOf(message, MAX_TEXT) : found.plain.join("\n").slice(0, MAX_TEXT);
  const html = found.html.length === 0 ? null : found.html.join("<br/>\n").slice(0, MAX_TEXT);
  const seen = seenOf(text, html, found.plain.length === 1 && hasAlternative(root));
  const plain = seen.text.trim() === "" && html !== null ? null : seen.text;
  const texts = { ...seen, plain, plainParts: found.plain, attachedTexts: found.attached };
  return { headers, trace: traceOf(headOf(message)), type, parameters, ...texts, files: found.files };
}

/**
 * The visible text of the plain and the HTML form of an email. All code that reads the email uses these (rules/mail
 * 11.5). When the two are alternatives, a reader sees only the HTML.
 */
function seenOf(
  text: string,
  html: string | null,
  isAlternative: boolean,
): { text: string; html: string | null; hiddenCharacters: number } {
  const plain = withoutInvisible(text);
  if (html === null) return { ...plain, html };
  const visibleChars = withoutInvisible(html);
  const visible = visibleHtml(visibleChars.text);
  const hidden = visible?.hidden ?? [];
  const shown = visible === null || (hidden.length === 0 && !isAlternative) ? "" : htmlText(visible.html);
  const rest = withoutHidden(plain.text, hidden, shown);
  const both =
    isAlternative && visible !== null ? withoutOthers(rest.text, shown) : { text: rest.text, hiddenCharacters: 0 };
  const counts = [plain, visibleChars, rest, both].map(({ hiddenCharacters }) => hiddenCharacters);
  return {
    text: both.text,
    html: visible?.html ?? null,
    hiddenCharacters: [...counts, ...hidden.map(countOf)].reduce((sum, count) => sum + count, 0),
  };
}

/** Whether a text part and an HTML part are alternatives (RFC 2046 5.1.4). */
function hasAlternative({ type, parts }: Part): boolean {
  const types = parts.map((part) => part.type);
  const hasBoth =
    types.includes("text/plain") && types.some((one) => one === "text/html" || one === "multipart/related");
  return (type === "multipart/alternative" && hasBoth) || (type !== "multipart/report" && parts.some(hasAlternative));
}

function gather(part: Part, found: Gathered): void {
  for (const inner of part.parts) gather(inner, found);
  if (isMultipart(part)) return;
  const { id, type, disposition, fileName } = part;
  const isRead = /^text\/(?:plain|html)$/.test(type) && /^(?:|inline)$/.test(disposition);
  if (isRead) found[type === "text/html" ? "html" : "plain"].push(textOf(part));
  else found.files.push({ id, type: fileTypeOf(part), fileName, content: octetsOf(part) });
  if (!isRead && type === "text/plain" && part.body.length <= MAX_PART_TEXT) found.attached.push(textOf(part));
}

/** Parses a message without files and names, as the readers of `domain/` need it. */
export function parseInbound(raw: Buffer): Inbound {
  return parseMail(raw).message;
}

/** Parses only the headers, for a message whose body is too big or unreadable. `text` and every part are empty. */
export function parseHead(raw: Buffer): Inbound {
  return parseHeadOf(raw).message;
}

/** Parses only the headers, like `parseHead`, and also returns the recipients with their names. */
export function parseHeadOf(raw: Buffer): ParsedMail {
  const head = headOf(normaliseMessage(raw.subarray(0, 2 * MAX_HEADER_BLOCK)));
  return parsedMailOf(
    {
      ...partsOf(head),
      trace: traceOf(head),
      plain: "",
      plainParts: [],
      attachedTexts: [],
      html: null,
      hiddenCharacters: 0,
      files: [],
    },
    "",
  );
}

function headOf(message: string): string {
  const end = message.indexOf("\n\n");
  return message.slice(0, Math.min(end < 0 ? message.length : end, MAX_HEADER_BLOCK));
}

function parsedMailOf(content: Content, replyText: string): ParsedMail {
  const [to, cc] = [addressesOf(content.headers, "to"), addressesOf(content.headers, "cc")];
  return { message: inboundOf(content, to, cc, replyText), to, cc, files: filesOf(content) };
}

/** The files of an email. Reports and the messages that they return are read but not kept as files. */
function filesOf({ files }: Content): InboundFile[] {
  const isReport = files.some(({ type }) => /^message\/(?:(?:global-)?delivery-status|feedback-report)$/.test(type));
  let left = MAX_FILE_BYTES;
  return files.flatMap(({ type, fileName, content }, part) => {
    const isRead = /^(?:message\/(?:(?:global-)?delivery-status|feedback-report)|text\/rfc822-headers)$/.test(type);
    if (isRead || (isReport && /^message\//.test(type)) || part >= MAX_FILES || content.length > left) return [];
    left -= content.length;
    const name = baseName(fileName ?? "") || (type === "message/rfc822" ? "message.eml" : "attachment");
    return [{ part, fileName: name, contentType: type, content: new Uint8Array(content) }];
  });
}

function inboundOf(content: Content, to: Address[], cc: Address[], replyText: string): Inbound {
  const { headers, type, parameters, plain, html, files } = content;
  const first = (name: string) => firstOf(headers, name);
  const part = (wanted: RegExp) => files.find((file) => wanted.test(file.type))?.content;
  const calendar = asText(part(/^text\/calendar$/), MAX_PART_TEXT);
  const returnPath = headers.get("return-path")?.[0];
  const text = plain ?? (html === null ? "" : htmlText(html));
  const parts = [...(plain === null ? [text] : content.plainParts), ...content.attachedTexts].filter(
    (one) => one.trim() !== "",
  );
  return {
    messageId: idsOf(first("message-id"))[0] ?? null,
    inReplyTo: idsOf(first("in-reply-to"))[0] ?? null,
    references: idsOf(first("references")),
    from: addressesOf(headers, "from")[0] ?? null,
    replyTo: addressesOf(headers, "reply-to")[0]?.address || null,
    to: addressesWithoutNames(to),
    cc: addressesWithoutNames(cc),
    deliveredTo: ["delivered-to", "x-original-to", "x-delivered-to", "envelope-to", "x-envelope-to"].flatMap((name) =>
      (headers.get(name) ?? []).flatMap(bareAddresses),
    ),
    subject: wordsIn(first("subject")).replace(/\s+/g, " ").trim(),
    date: timeOf(first("date")),
    returnPath:
      returnPath === undefined ? null : returnPath.includes("<>") ? "" : (bareAddresses(returnPath)[0] ?? returnPath),
    headers,
    trace: content.trace,
    contentType: type,
    reportType: /^[\w-]+/.exec(parameters["report-type"] ?? "")?.[0].toLowerCase() ?? null,
    text,
    textParts: parts.length > 1 ? parts.slice(0, MAX_TEXT_PARTS).map((one) => one.slice(0, MAX_PART_TEXT)) : [],
    html,
    hiddenCharacters: content.hiddenCharacters,
    replyText,
    deliveryStatus: asText(part(/^message\/(?:global-)?delivery-status$/), MAX_STATUS),
    feedbackReport: asText(part(/^message\/feedback-report$/), MAX_STATUS),
    ...(calendar !== null && { calendar }),
    returned: asText(
      part(/^(?:message\/(?:rfc822|global|partial)|(?:text|message)\/(?:rfc822-|global-)headers)$/),
      MAX_TEXT,
    ),
    attachments: files.map(({ id, fileName, type: contentType, content: { length: size } }) => ({
      partId: id,
      fileName: fileName === null ? null : baseName(fileName),
      contentType,
      size,
    })),
  };
}

function asText(octets: Buffer | undefined, limit: number): string | null {
  return octets?.subarray(0, limit).toString().replace(/\r\n?/g, "\n") ?? null;
}

function baseName(fileName: string): string {
  const name = fileName.split(/[/\\]/).at(-1) ?? "";
  return name
    .replace(/[\x00-\x1f\x7f\u0085\u2028\u2029\u202a-\u202e\u2066-\u2069]/g, "")
    .trim()
    .slice(0, 255);
}
