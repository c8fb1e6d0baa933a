import { domainToASCII } from "node:url";
import { type AddressObject, type Attachment as MailAttachment, type ParsedMail, type SimpleParserOptions, simpleParser } from "mailparser";
import type { Address, Inbound } from "../domain/inbound.ts";
import { htmlText, replyOf } from "./reply-text.ts";

const MAX_HEADER_BLOCK = 256 * 1024;
const MAX_HEADER = 64 * 1024;
const MAX_HEADERS = 10_000;
const MAX_PARTS = 200;
const MAX_TEXT = 2 * 1024 * 1024;
const MAX_ADDRESSES = 1_000;
const MAX_STATUS = 256 * 1024;

const OPTIONS: SimpleParserOptions & { ignoreEmbedded: boolean; maxHeadSize: number; maxChildNodes: number } = {
  keepDeliveryStatus: true, // otherwise the status part is folded into the text
  ignoreEmbedded: true, // a returned message stays one raw part instead of becoming our text
  skipHtmlToText: true,
  skipTextToHtml: true,
  skipTextLinks: true,
  keepCidLinks: true,
  maxHeadSize: 2 * MAX_HEADER_BLOCK,
  maxChildNodes: MAX_PARTS,
};

/**
 * Reads one raw message (RFC 5322, MIME) into what the readers of `domain/` take, under the limits of mail.md 12.
 * Rejects when the structure is beyond them: the caller records it UNREADABLE, and `parseHead` still gives its headers.
 */
export async function parseInbound(raw: Buffer): Promise<Inbound> {
  const message = normalised(raw);
  const mail = await simpleParser(Buffer.from(message, "latin1"), OPTIONS);
  const isEmpty = !mail.text && !mail.html && mail.attachments.length === 0;
  // A boundary that never occurs hides every part: the body as it stands says more than nothing
  return inboundOf(isEmpty ? { ...mail, text: bodyOf(message) } : mail);
}

/** The headers alone, for a message whose body is too big or unreadable: `text` and every part are empty. */
export async function parseHead(raw: Buffer): Promise<Inbound> {
  const head = normalised(raw.subarray(0, 2 * MAX_HEADER_BLOCK))
    .split("\n\n", 1)
    .join("");
  return inboundOf(await simpleParser(Buffer.from(`${head.replace(/^content-/gim, "x-content-")}\n\n`, "latin1"), OPTIONS));
}

// Bytes as latin1, so that nothing is decoded yet. The MIME parser cannot read bare CR
function normalised(raw: Buffer): string {
  const lf = raw.toString("latin1").replace(/\r\n|\r/g, "\n");
  const message = lf.replace(/^\n+/, "").replace(/^>?From .*\n/, ""); // an mbox separator is not a header
  const end = message.indexOf("\n\n");
  if (end <= MAX_HEADER_BLOCK) return message;
  const cut = message.lastIndexOf("\n", MAX_HEADER_BLOCK);
  return `${message.slice(0, cut < 0 ? MAX_HEADER_BLOCK : cut)}${message.slice(end)}`;
}

function bodyOf(message: string): string {
  const start = message.indexOf("\n\n");
  return start < 0 ? "" : Buffer.from(message.slice(start + 2, start + 2 + MAX_TEXT), "latin1").toString();
}

function inboundOf(mail: ParsedMail): Inbound {
  const headers = headersOf(mail);
  const first = (name: string) => headers.get(name)?.[0] ?? "";
  const part = (type: RegExp) => mail.attachments.find((a) => type.test(a.contentType));
  const html = mail.html === false || mail.html === undefined ? null : mail.html.slice(0, MAX_TEXT);
  const plain = (mail.text ?? "").slice(0, MAX_TEXT);
  const [type = "", ...parameters] = first("content-type").split(";");
  const reportType = /report-type\s*=\s*"?([\w-]+)/i.exec(parameters.join(";"))?.[1];
  const hasPlain = plain.trim() !== "";
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
    text: hasPlain || html === null ? plain : htmlText(html),
    html,
    replyText: replyOf(hasPlain ? plain : null, html),
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

function headersOf(mail: ParsedMail): Map<string, string[]> {
  const headers = new Map<string, string[]>();
  for (const { key, line } of (mail.headerLines ?? []).slice(0, MAX_HEADERS)) {
    if (line.length > MAX_HEADER) continue;
    const folded = Buffer.from(line.slice(line.indexOf(":") + 1), "latin1")
      .toString()
      .split(/[\r\n]+/);
    const value = folded
      .map((part) => part.trim())
      .join(" ")
      .trim();
    const values = headers.get(key);
    if (values) values.push(value);
    else headers.set(key, [value]);
  }
  return headers;
}

function addressesOf(header: AddressObject | AddressObject[] | undefined): Address[] {
  const found = [header ?? []].flat().flatMap((h) => h.value.flatMap((entry) => entry.group ?? [entry]));
  // `MAILER-DAEMON <>` has a name only
  return found.slice(0, MAX_ADDRESSES).map(({ name, address }) => ({ name: name ?? "", address: canonical(address ?? "") }));
}

function bare(header: AddressObject | AddressObject[] | undefined): string[] {
  return addressesOf(header).flatMap(({ address }) => (address === "" ? [] : [address]));
}

function bareAddresses(value: string): string[] {
  return (value.match(/[^\s<>,;:"()]+@[^\s<>,;:"()]+/g) ?? []).slice(0, MAX_ADDRESSES).map(canonical);
}

function canonical(address: string): string {
  const at = address.lastIndexOf("@");
  if (at < 0) return address.trim().toLowerCase();
  const domain = address.slice(at + 1).trim();
  return `${address.slice(0, at).trim().toLowerCase()}@${(domainToASCII(domain) || domain).toLowerCase()}`;
}

function idsOf(value: string): string[] {
  const ids = value.match(/<[^<>\s]+>/g);
  if (ids) return ids.slice(0, MAX_ADDRESSES);
  const bare = /^[^\s<>]+@[^\s<>]+$/.exec(value.trim()); // some servers forget the brackets
  return bare ? [`<${bare[0]}>`] : [];
}

function timeOf(value: string): number | null {
  const time = Date.parse(value.replace(/\([^()]*\)/g, " ").trim());
  return Number.isNaN(time) ? null : time;
}

function textOf(part: MailAttachment | undefined, limit: number): string | null {
  return part ? part.content.subarray(0, limit).toString().replace(/\r\n?/g, "\n") : null;
}

function baseName(fileName: string): string {
  return (fileName.split(/[/\\]/).at(-1) ?? "").replace(/[\x00-\x1f\x7f]/g, "").slice(0, 255);
}
