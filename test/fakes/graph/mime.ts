import MailComposer from "nodemailer/lib/mail-composer";
import { z } from "zod";
import { headersOf } from "../sent-mail.ts";

const Recipient = z.object({ emailAddress: z.object({ address: z.string(), name: z.string().optional() }) });
const Recipients = z.array(Recipient).optional();
export const Attachment = z.object({
  name: z.string(),
  contentBytes: z.string(),
  contentType: z.string().optional(),
  isInline: z.boolean().optional(),
  contentId: z.string().optional(),
});

/** A message as an app writes it in JSON. */
export const MessageJson = z.object({
  subject: z.string().optional(),
  body: z.object({ contentType: z.string().optional(), content: z.string() }).optional(),
  from: Recipient.optional(),
  toRecipients: Recipients,
  ccRecipients: Recipients,
  bccRecipients: Recipients,
  replyTo: Recipients,
  internetMessageHeaders: z.array(z.object({ name: z.string(), value: z.string() })).optional(),
  singleValueExtendedProperties: z.array(z.object({ id: z.string(), value: z.string() })).optional(),
  attachments: z.array(Attachment).optional(),
  isRead: z.boolean().optional(),
  flag: z.strictObject({ flagStatus: z.enum(["notFlagged", "complete", "flagged"]) }).optional(),
  categories: z.array(z.string()).optional(),
});
export type MessageJson = z.infer<typeof MessageJson>;

/** The headers that JSON sets only by their MAPI properties: PidTagListUnsubscribe, InReplyToId, InternetReferences. */
const BY_PROPERTY = new Map([
  ["String 0x1045", "List-Unsubscribe"],
  ["String 0x1042", "In-Reply-To"],
  ["String 0x1039", "References"],
]);

/** Builds MIME from the properties of a message; headers outside of the properties do not survive. */
export async function mimeOf(json: MessageJson, from: string, messageId: string): Promise<Buffer> {
  const addresses = (list: MessageJson["toRecipients"]) =>
    (list ?? []).map(({ emailAddress: { address, name = "" } }) => ({ address, name }));
  const isHtml = json.body?.contentType?.toLowerCase() === "html";
  const node = new MailComposer({
    from,
    to: addresses(json.toRecipients),
    cc: addresses(json.ccRecipients),
    bcc: addresses(json.bccRecipients),
    replyTo: addresses(json.replyTo),
    subject: json.subject ?? "",
    messageId,
    ...(isHtml ? { html: json.body?.content ?? "" } : { text: json.body?.content ?? "" }),
    headers: [
      ...(json.internetMessageHeaders ?? []).map(({ name, value }) => ({ key: name, value })),
      ...(json.singleValueExtendedProperties ?? []).flatMap(({ id, value }) => {
        const key = BY_PROPERTY.get(id);
        return key === undefined ? [] : [{ key, value }];
      }),
    ],
    attachments: (json.attachments ?? []).map(({ name, contentBytes, contentType, isInline, contentId }) => ({
      filename: name,
      content: Buffer.from(contentBytes, "base64"),
      ...(contentType !== undefined && { contentType }),
      ...(contentId !== undefined && { cid: contentId }),
      ...(isInline && { contentDisposition: "inline" as const }),
    })),
  }).compile();
  node.keepBcc = true;
  return node.build();
}

/** The bytes of a MIME body in base64, with CRLF line ends; null where the text is not base64 of a mail. */
export function mimeIn(body: Buffer): Buffer | null {
  const text = body.toString("latin1").trim();
  // One expression for the whole text keeps every character on a stack, which 4 MB can exhaust
  if (text === "" || /[^A-Za-z0-9+/\s]/.test(text.replace(/={1,2}$/, ""))) return null;
  return Buffer.from(Buffer.from(text, "base64").toString("latin1").replace(/\r?\n/g, "\r\n"), "latin1");
}

/** Replaces all headers of that name by one; null only removes them. */
export function withHeader(raw: Buffer, name: string, value: string | null): Buffer {
  const head = headersOf(raw);
  const start = `${name.toLowerCase()}:`;
  const fields = head
    .toString("latin1")
    .split(/\r\n(?![ \t])/)
    .filter((field) => field !== "" && !field.toLowerCase().startsWith(start));
  if (value !== null) fields.push(`${name}: ${value}`);
  return Buffer.concat([Buffer.from(`${fields.join("\r\n")}\r\n\r\n`, "latin1"), raw.subarray(head.length)]);
}

/** Every header in its order, unfolded. */
export function headerListOf(raw: Buffer): { name: string; value: string }[] {
  return headersOf(raw)
    .toString("latin1")
    .split(/\r\n(?![ \t])/)
    .filter((field) => field.includes(":"))
    .map((field) => {
      const colon = field.indexOf(":");
      return {
        name: field.slice(0, colon),
        value: field
          .slice(colon + 1)
          .replace(/\r\n/g, "")
          .trim(),
      };
    });
}
