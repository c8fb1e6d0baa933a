import type { AddressObject } from "mailparser";
import type { GraphItem, GraphMailbox } from "./mailbox.ts";
import { headerListOf, type MessageJson } from "./mime.ts";

/** How a message is asked for. */
interface ResourceOptions {
  isImmutable: boolean;
  select: readonly string[] | null;
  /** The extended property that is asked for; none unless set. */
  expand?: string | null;
}

const LAST_VERB = "Integer 0x1081";

/** A message as Graph shows it. Headers come only where they are selected; the id comes always. */
export function resourceOf(
  item: GraphItem,
  { isImmutable, select, expand = null }: ResourceOptions,
): Record<string, unknown> {
  const { parsed } = item;
  const text = parsed.text ?? "";
  const all: Record<string, unknown> = {
    id: isImmutable ? item.immutableId : item.id,
    createdDateTime: instant(item.createdAt),
    lastModifiedDateTime: instant(item.changedAt),
    changeKey: item.changeKey,
    categories: item.categories,
    receivedDateTime: instant(item.receivedAt),
    sentDateTime: instant(item.isReceived ? (parsed.date ?? item.receivedAt) : item.createdAt),
    hasAttachments: parsed.attachments.some(({ related }) => !related),
    internetMessageId: parsed.messageId ?? null,
    subject: parsed.subject ?? "",
    bodyPreview: text.slice(0, 255),
    importance: "normal",
    parentFolderId: item.folderId,
    conversationId: item.conversationId,
    isDeliveryReceiptRequested: null,
    isReadReceiptRequested: false,
    isRead: item.isRead,
    isDraft: item.isDraft,
    webLink: `https://outlook.office365.com/owa/?ItemID=${encodeURIComponent(item.id)}&exvsurl=1&viewmodel=ReadMessageItem`,
    inferenceClassification: "focused",
    body: parsed.html ? { contentType: "html", content: parsed.html } : { contentType: "text", content: text },
    sender: recipientsOf(parsed.from)[0] ?? null,
    from: recipientsOf(parsed.from)[0] ?? null,
    toRecipients: recipientsOf(parsed.to),
    ccRecipients: recipientsOf(parsed.cc),
    bccRecipients: recipientsOf(parsed.bcc),
    replyTo: recipientsOf(parsed.replyTo),
    flag: { flagStatus: item.flagStatus },
  };
  const shown = select === null ? all : Object.fromEntries(Object.entries(all).filter(([key]) => select.includes(key)));
  const headers = select?.includes("internetMessageHeaders") ? headersShown(item) : [];
  return {
    "@odata.etag": `W/"${item.changeKey}"`,
    id: all["id"],
    ...shown,
    ...(headers.length > 0 && { internetMessageHeaders: headers }),
    // A property that the message does not have is left out, and so is the empty list
    ...(expand === LAST_VERB &&
      item.lastVerb !== null && {
        singleValueExtendedProperties: [{ id: LAST_VERB, value: String(item.lastVerb) }],
      }),
  };
}

/** A draft and its Sent copy show only headers that start with `x-`; received mail shows all. */
function headersShown(item: GraphItem): { name: string; value: string }[] {
  const headers = headerListOf(item.raw);
  return item.isReceived ? headers : headers.filter(({ name }) => name.toLowerCase().startsWith("x-"));
}

function recipientsOf(addresses: AddressObject | AddressObject[] | undefined) {
  return [addresses ?? []]
    .flat()
    .flatMap(({ value }) => value)
    .map(({ address = "", name }) => ({ emailAddress: { name: name || address, address } }));
}

/** The envelope: everyone in To, Cc and Bcc. */
export function envelopeOf({ parsed: { to, cc, bcc } }: GraphItem): string[] {
  return [to, cc, bcc].flatMap(recipientsOf).map(({ emailAddress }) => emailAddress.address);
}

/** The properties of a draft that was stored as MIME: all that survives when the content is changed. */
export function jsonOf(item: GraphItem): MessageJson {
  const { subject = "", html, text = "", to, cc, bcc, replyTo, attachments } = item.parsed;
  return {
    subject,
    body: html ? { contentType: "html", content: html } : { contentType: "text", content: text },
    toRecipients: recipientsOf(to),
    ccRecipients: recipientsOf(cc),
    bccRecipients: recipientsOf(bcc),
    replyTo: recipientsOf(replyTo),
    internetMessageHeaders: headersShown(item),
    attachments: attachments.map(({ filename = "", content, contentType, related, cid }) => ({
      name: filename,
      contentBytes: content.toString("base64"),
      contentType,
      isInline: related,
      contentId: cid,
    })),
  };
}

export function folderResourceOf(mailbox: GraphMailbox, { id, displayName }: GraphMailbox["folders"][number]) {
  const items = mailbox.in(id);
  return {
    id,
    displayName,
    parentFolderId: `${mailbox.userId}-root`,
    childFolderCount: 0,
    unreadItemCount: items.filter(({ isRead }) => !isRead).length,
    totalItemCount: items.length,
    sizeInBytes: items.reduce((sum, { raw }) => sum + raw.length, 0),
    isHidden: false,
  };
}

/** Whole seconds: two emails of one second have the same time. */
function instant(date: Date): string {
  return `${date.toISOString().slice(0, 19)}Z`;
}
