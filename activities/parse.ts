import { type Attachment as MailAttachment, type ParsedMail as SimpleParsed, type SimpleParserOptions, simpleParser } from "mailparser";
import type { Address, Inbound } from "../domain/inbound.ts";
import { addressesOf, bare, bareAddresses, headersOf, idsOf, timeOf } from "./mail-headers.ts";
import { bodyOf, normalised, withinLimits, withKnownCharsets } from "./raw-mail.ts";
import { htmlText, repliesOf } from "./reply-text.ts";

const MAX_HEADER_BLOCK = 256 * 1024;
const MAX_PARTS = 200;
const MAX_TEXT = 2 * 1024 * 1024;
const MAX_STATUS = 256 * 1024;
const MAX_FILES = 50;
const MAX_FILE_BYTES = 25 * 1024 * 1024;

/** A file of a mail. `part` counts from 0 over all its parts that are no text. */
export interface InboundFile {
  part: number;
  fileName: string;
  contentType: string;
  content: Uint8Array;
}

/** A mail that was read: what the readers of `domain/` take, and what only the inbox shows. */
export interface ParsedMail {
  message: Inbound;
  to: Address[];
  cc: Address[];
  files: InboundFile[];
}

const OPTIONS: SimpleParserOptions & { ignoreEmbedded: boolean; maxHeadSize: number; maxChildNodes: number } = {
  keepDeliveryStatus: true, // otherwise the status part is folded into the text
  ignoreEmbedded: true, // a returned message stays one raw part instead of becoming our text
  skipHtmlToText: true,
  skipTextToHtml: true,
  skipTextLinks: true,
  keepCidLinks: true,
  maxHeadSize: 2 * MAX_HEADER_BLOCK,
  maxChildNodes: 2 * MAX_PARTS, // ours are counted before
};

/**
 * Reads one raw message (RFC 5322, MIME) under the limits of mail.md 12: parts beyond them are left out, files are never unpacked.
 * Rejects when it cannot be read at all: the caller records it UNREADABLE, and `parseHead` still gives its headers.
 */
export async function parseMail(raw: Buffer): Promise<ParsedMail> {
  const mail = await simpleOf(raw);
  return mailOf(mail, repliesOf([writtenIn(mail)])[0] ?? "");
}

/** Many of them; null for each that cannot be read. */
export async function parseAll(raws: readonly Buffer[]): Promise<(ParsedMail | null)[]> {
  // Together, since the parser's streams hand every part on by a turn of the loop
  const mails = await Promise.all(raws.map((raw) => simpleOf(raw).catch(() => null)));
  const replies = repliesOf(mails.map((mail) => (mail === null ? { plain: "", html: null } : writtenIn(mail))));
  return mails.map((mail, index) => (mail === null ? null : mailOf(mail, replies[index] ?? "")));
}

async function simpleOf(raw: Buffer): Promise<SimpleParsed> {
  const message = normalised(raw);
  const mail = await simpleParser(Buffer.from(withKnownCharsets(withinLimits(message)), "latin1"), OPTIONS);
  const isEmpty = !mail.text && !mail.html && mail.attachments.length === 0;
  // A boundary that never occurs hides every part: the body as it stands says more than nothing
  return isEmpty ? { ...mail, text: bodyOf(message, MAX_TEXT) } : mail;
}

/** What there is of either form; white space alone is no text. */
function writtenIn(mail: SimpleParsed): { plain: string | null; html: string | null } {
  const html = mail.html === false || mail.html === undefined ? null : mail.html.slice(0, MAX_TEXT);
  const plain = (mail.text ?? "").slice(0, MAX_TEXT);
  return { plain: plain.trim() === "" && html !== null ? null : plain, html };
}

/** The same without files and names: what the readers of `domain/` take. */
export async function parseInbound(raw: Buffer): Promise<Inbound> {
  return (await parseMail(raw)).message;
}

/** The headers alone, for a message whose body is too big or unreadable: `text` and every part are empty. */
export async function parseHead(raw: Buffer): Promise<Inbound> {
  return (await parseHeadOf(raw)).message;
}

/** The same with the names of its addressees. */
export async function parseHeadOf(raw: Buffer): Promise<ParsedMail> {
  const head = normalised(raw.subarray(0, 2 * MAX_HEADER_BLOCK))
    .split("\n\n", 1)
    .join("");
  return mailOf(await simpleParser(Buffer.from(`${head.replace(/^content-/gim, "x-content-")}\n\n`, "latin1"), OPTIONS), "");
}

function mailOf(mail: SimpleParsed, replyText: string): ParsedMail {
  return { message: inboundOf(mail, replyText), to: addressesOf(mail.to), cc: addressesOf(mail.cc), files: filesOf(mail) };
}

/** Reports and what they return are read, not kept as files. */
function filesOf({ attachments }: SimpleParsed): InboundFile[] {
  const isReport = attachments.some(({ contentType }) => /^message\/(?:(?:global-)?delivery-status|feedback-report)$/i.test(contentType));
  let left = MAX_FILE_BYTES;
  return attachments.flatMap((file, part) => {
    const isRead = /^(?:message\/(?:(?:global-)?delivery-status|feedback-report)|text\/rfc822-headers)$/i.test(file.contentType);
    if (isRead || (isReport && /^message\//i.test(file.contentType)) || part >= MAX_FILES || file.content.length > left) return [];
    left -= file.content.length;
    const fileName = baseName(file.filename ?? "") || (file.contentType === "message/rfc822" ? "message.eml" : "attachment");
    return [{ part, fileName, contentType: file.contentType, content: new Uint8Array(file.content) }];
  });
}

function inboundOf(mail: SimpleParsed, replyText: string): Inbound {
  const headers = headersOf(mail);
  const first = (name: string) => headers.get(name)?.[0] ?? "";
  const part = (type: RegExp) => mail.attachments.find((a) => type.test(a.contentType));
  const { plain, html } = writtenIn(mail);
  const [type = "", ...parameters] = first("content-type").split(";");
  const reportType = /report-type\s*=\s*"?([\w-]+)/i.exec(parameters.join(";"))?.[1];
  const returnPath = headers.get("return-path")?.[0];
  return {
    messageId: idsOf(first("message-id"))[0] ?? null,
    inReplyTo: idsOf(first("in-reply-to"))[0] ?? null,
    references: idsOf(first("references")),
    from: addressesOf(mail.from)[0] ?? null,
    replyTo: addressesOf(mail.replyTo)[0]?.address || null,
    to: bare(mail.to),
    cc: bare(mail.cc),
    deliveredTo: ["delivered-to", "x-original-to", "x-delivered-to", "envelope-to", "x-envelope-to"].flatMap((name) =>
      (headers.get(name) ?? []).flatMap(bareAddresses),
    ),
    subject: (mail.subject ?? "").replace(/\s+/g, " ").trim(),
    date: timeOf(first("date")),
    returnPath: returnPath === undefined ? null : returnPath.includes("<>") ? "" : (bareAddresses(returnPath)[0] ?? returnPath),
    headers,
    contentType: type.trim().toLowerCase() || "text/plain",
    reportType: reportType?.toLowerCase() ?? null,
    text: plain ?? (html === null ? "" : htmlText(html)),
    html,
    replyText,
    deliveryStatus: textOf(part(/^message\/(global-)?delivery-status$/i), MAX_STATUS),
    feedbackReport: textOf(part(/^message\/feedback-report$/i), MAX_STATUS),
    returned: textOf(part(/^(message\/(rfc822|global|partial)|(text|message)\/(rfc822-|global-)headers)$/i), MAX_TEXT),
    attachments: mail.attachments.map((a) => ({
      partId: a.partId ?? null,
      fileName: a.filename === undefined ? null : baseName(a.filename),
      contentType: a.contentType,
      size: a.size,
    })),
  };
}

function textOf(part: MailAttachment | undefined, limit: number): string | null {
  return part ? part.content.subarray(0, limit).toString().replace(/\r\n?/g, "\n") : null;
}

function baseName(fileName: string): string {
  const name = fileName.split(/[/\\]/).at(-1) ?? "";
  return name
    .replace(/[\x00-\x1f\x7f\u0085\u2028\u2029\u202a-\u202e\u2066-\u2069]/g, "")
    .trim()
    .slice(0, 255);
}
