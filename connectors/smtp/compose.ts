import { createHash } from "node:crypto";
import MailComposer from "nodemailer/lib/mail-composer";
import { encodeWord } from "nodemailer/lib/mime-funcs";
import MimeNode from "nodemailer/lib/mime-node";
import { AppError, invalid } from "../../domain/errors.ts";
import { cleanHeader, isAddress, referencesOf } from "../../domain/mail/message.ts";

interface MailAddress {
  name?: string;
  address: string;
}

/** The values of X-Abuse, null where the operator names no contact, and of Feedback-ID (rules/mail 1.7). */
export interface AbuseMarks {
  contact: string | null;
  feedbackId: string;
}

/** The content of a message. `composeMessage` cleans every value, whatever its source (rules/mail 1.4). */
export interface Mail {
  from: MailAddress;
  to: MailAddress;
  cc?: MailAddress[];
  /** A bare address. */
  replyTo?: string;
  subject: string;
  text: string;
  /** Null sends only the text. */
  html: string | null;
  /** Includes its angle brackets. */
  messageId: string;
  inReplyTo?: string;
  references?: string[];
  listUnsubscribe?: { url: string; mailto: string };
  mailRef?: string;
  /** To whom and under which id abuse is reported; absent in emails of the service itself. */
  abuse?: AbuseMarks;
  test?: boolean;
  /** Attachments in the order in which a reader sees them. */
  files?: { fileName: string; contentType: string; content: Buffer }[];
  date: Date;
}

const MAX_BYTES = 10 * 1024 * 1024;
const NAME_CHARACTERS = 128;
const NAME_OF_FILE = 200;
/** Enough for a prefix, `[TEST] ` or `Re: `, and a subject of 255 characters. */
const SUBJECT_CHARACTERS = 270;
const MESSAGE_ID = /^<[\x21-\x3b\x3d\x3f-\x7e]{1,900}>$/;

/**
 * Builds the bytes of a message (RFC 5322, rules/mail 1). Equal input gives equal bytes. Throws VALIDATION_FAILED for
 * an address or id that must not be in a header, and LIMIT_EXCEEDED for more than 10 MiB.
 */
export async function composeMessage(mail: Mail): Promise<{ bytes: Buffer; sha256: string }> {
  const fields = {
    from: headerAddress(mail.from, "from"),
    to: headerAddress(mail.to, "to"),
    cc: (mail.cc ?? []).map((copy) => headerAddress(copy, "cc")),
    subject: cleanHeader(mail.subject, SUBJECT_CHARACTERS),
  };
  const composer = new MailComposer({
    ...fields,
    replyTo: mail.replyTo === undefined ? undefined : headerAddress({ address: mail.replyTo }, "replyTo"),
    messageId: validMessageId(mail.messageId),
    inReplyTo: mail.inReplyTo === undefined || !MESSAGE_ID.test(mail.inReplyTo) ? undefined : mail.inReplyTo,
    // the ids come from other people's messages, so anything that is not an id is left out
    references: referencesOf((mail.references ?? []).filter((id) => MESSAGE_ID.test(id))),
    date: mail.date,
    text: normaliseBody(mail.text),
    html: mail.html === null ? undefined : normaliseBody(mail.html),
    attachments: (mail.files ?? []).map(attachmentOf),
    headers: headersOf(mail),
    encoding: "quoted-printable",
    newline: "win",
    // "=_" cannot occur in quoted-printable text, so no body can contain the boundary
    boundaryPrefix: "=_",
    baseBoundary: createHash("sha256").update(mail.messageId).digest("hex").slice(0, 24),
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const message = composer.compile();
  spellLookalikes(message, fields);
  const bytes = await message.build();
  if (bytes.length > MAX_BYTES)
    throw new AppError("LIMIT_EXCEEDED", "A message cannot be larger than 10 MiB", { limitBytes: MAX_BYTES });
  return { bytes, sha256: createHash("sha256").update(bytes).digest("hex") };
}

function attachmentOf({ fileName, contentType, content }: { fileName: string; contentType: string; content: Buffer }) {
  return {
    filename: cleanHeader(fileName, NAME_OF_FILE),
    contentType,
    content,
    contentTransferEncoding: "base64" as const,
  };
}

function headersOf({
  listUnsubscribe,
  mailRef,
  abuse,
  test,
}: Mail): { key: string; value: string | { value: string; prepared: true } }[] {
  return [
    ...(listUnsubscribe ? unsubscribeHeaders(listUnsubscribe) : []),
    ...(mailRef === undefined ? [] : [{ key: "X-Mail-Ref", value: cleanHeader(mailRef, 64) }]),
    ...(abuse === undefined ? [] : [{ key: "Feedback-ID", value: cleanHeader(abuse.feedbackId, 128) }]),
    ...(abuse?.contact ? [{ key: "X-Abuse", value: cleanHeader(abuse.contact, 255) }] : []),
    ...(test === true ? [{ key: "X-Mail-Test", value: "1" }] : []),
  ];
}

/**
 * The headers List-Unsubscribe, with an https URL and a mailto URL, and List-Unsubscribe-Post for one-click (RFC 8058).
 * They are folded here, because the library would fold inside a long URL.
 */
function unsubscribeHeaders({ url, mailto }: { url: string; mailto: string }) {
  const links = [url, mailto.startsWith("mailto:") ? mailto : `mailto:${mailto}`];
  if (!links.every((link) => /^(?:https?|mailto):[\x21-\x3b\x3d\x3f-\x7e]{1,900}$/.test(link)))
    throw invalid("listUnsubscribe", "An unsubscribe address must be a plain URL");
  return [
    {
      key: "List-Unsubscribe",
      value: { value: links.map((link) => `<${link}>`).join(",\r\n "), prepared: true as const },
    },
    { key: "List-Unsubscribe-Post", value: "List-Unsubscribe=One-Click" },
  ];
}

function headerAddress({ name, address }: MailAddress, path: string): { name: string; address: string } {
  if (!isAddress(address)) throw invalid(`${path}.address`, "This is not an e-mail address");
  return { name: cleanHeader(name ?? "", NAME_CHARACTERS), address: address.trim() };
}

function validMessageId(messageId: string): string {
  if (!MESSAGE_ID.test(messageId)) throw invalid("messageId", "This is not a message id");
  return messageId;
}

/** Normalises line ends. An empty body becomes a line break, because the library would omit an empty part. */
function normaliseBody(body: string): string {
  return body.replace(/\r\n?/g, "\n") || "\n";
}

interface Named {
  name: string;
  address: string;
}

/** The header fields of an email that contain text written by people. */
interface TextFields {
  from: Named;
  to: Named;
  cc: Named[];
  subject: string;
}

/** The start of an encoded word (RFC 2047). */
const BEGINNING = "=?";
const LONGEST_WORD = 52;

/**
 * Encodes text that looks like an encoded word, so that mail readers show it literally. The library would leave such
 * text unchanged or put it in quotes that many readers ignore, so a lead's value could show another text than the one
 * that was checked. The whole header value is encoded; other values are left to the library.
 */
function spellLookalikes(head: MimeNode, { from, to, cc, subject }: TextFields): void {
  const own = new Map<string, string>();
  if (subject.includes(BEGINNING)) own.set("Subject", encodeWordQ(subject));
  for (const [key, people] of [["From", [from]] as const, ["To", [to]] as const, ["Cc", cc] as const]) {
    if (people.some(({ name }) => name.includes(BEGINNING))) own.set(key, people.map(encodeNamedAddress).join(", "));
  }
  const written = head.encodeHeaderValue.bind(head);
  head.encodeHeaderValue = (key, value) => own.get(key) ?? written(key, value);
}

function encodeNamedAddress({ name, address }: Named): string {
  if (!name.includes(BEGINNING)) return MimeNode.encodeHeaderValue("To", { name, address });
  return `${encodeWordQ(name)} <${MimeNode.encodeHeaderValue("To", { name: "", address }).replace(/^<|>$/g, "")}>`;
}

function encodeWordQ(text: string): string {
  return encodeWord(text, "Q", LONGEST_WORD);
}
