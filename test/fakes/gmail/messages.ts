import { addressesIn, type HeaderLine, headerLines, type MimePart, octetsOf, readMime, snippetOf } from "./mime.ts";
import { invalidArgument } from "./refusals.ts";

/** One message of a mailbox. */
export interface GmailMessage {
  id: string;
  threadId: string;
  labelIds: string[];
  raw: Buffer;
  /** As the header has it; two messages may have the same. */
  messageId: string;
  /** Without "Re:". */
  subject: string;
  internalDate: number;
  /** The last change of this message. */
  historyId: bigint;
  /** History names it already, while `messages.get` and `messages.list` do not find it yet. */
  isHidden: boolean;
}

/** An alias from which a mailbox may send. */
export interface GmailAlias {
  sendAsEmail: string;
  displayName?: string;
  isPrimary?: boolean;
  isDefault?: boolean;
  /** Absent for the primary address and for aliases of the same Workspace domain. */
  verificationStatus?: "accepted" | "pending";
}

export const CHANGES = {
  messagesAdded: "messageAdded",
  messagesDeleted: "messageDeleted",
  labelsAdded: "labelAdded",
  labelsRemoved: "labelRemoved",
} as const;
export type GmailChange = keyof typeof CHANGES;

/** One change, with the labels that the message had after it. */
export interface GmailHistoryRecord {
  id: bigint;
  change: GmailChange;
  message: { id: string; threadId: string; labelIds: string[] };
  labelIds: string[];
}

export const SYSTEM_LABELS = [
  "CHAT",
  "SENT",
  "INBOX",
  "IMPORTANT",
  "TRASH",
  "DRAFT",
  "SPAM",
  "CATEGORY_FORUMS",
  "CATEGORY_UPDATES",
  "CATEGORY_PERSONAL",
  "CATEGORY_PROMOTIONS",
  "CATEGORY_SOCIAL",
  "STARRED",
  "UNREAD",
];

export interface Relabelling {
  addLabelIds?: string[] | undefined;
  removeLabelIds?: string[] | undefined;
}

export const FORMATS = ["minimal", "full", "raw", "metadata"] as const;
export type GmailFormat = (typeof FORMATS)[number];

/** A message as `messages.get` answers it. */
export function rendered(message: GmailMessage, format: GmailFormat, metadataHeaders: string[] = []): object {
  const { id, threadId, labelIds, raw } = message;
  const part = readMime(raw);
  const common = {
    id,
    threadId,
    ...(labelIds.length > 0 && { labelIds }),
    snippet: snippetOf(part).replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll("'", "&#39;"),
    sizeEstimate: raw.length,
    historyId: String(message.historyId),
    internalDate: String(message.internalDate),
  };
  if (format === "minimal") return common;
  if (format === "raw") return { ...common, raw: raw.toString("base64url") };
  if (format === "full") return { ...common, payload: payloadOf(part, "") };
  const wanted = metadataHeaders.map((name) => name.toLowerCase());
  const isWanted = ({ name }: HeaderLine) => wanted.length === 0 || wanted.includes(name.toLowerCase());
  return { ...common, payload: { mimeType: part.type, headers: headerLines(part.head).filter(isWanted) } };
}

function payloadOf(part: MimePart, partId: string): object {
  const { type: mimeType, filename, head, parts } = part;
  const common = { partId, mimeType, filename, headers: headerLines(head) };
  if (parts.length === 0) return { ...common, body: bodyOf(part, partId) };
  const below = parts.map((each, index) => payloadOf(each, partId === "" ? `${index}` : `${partId}.${index}`));
  return { ...common, body: { size: 0 }, parts: below };
}

function bodyOf(part: MimePart, partId: string): object {
  const octets = octetsOf(part);
  const size = octets.length;
  return part.filename === ""
    ? { size, data: octets.toString("base64url") }
    : { attachmentId: `ANGjdJ_${partId}`, size };
}

/** The body of an attachment; null when the message has none with that id. */
export function attachmentOf({ raw }: GmailMessage, attachmentId: string): object | null {
  const path = attachmentId.replace("ANGjdJ_", "");
  const indexes = path === "" ? [] : path.split(".").map(Number);
  const part = indexes.reduce<MimePart | undefined>((each, index) => each?.parts[index], readMime(raw));
  if (part === undefined || part.filename === "") return null;
  const octets = octetsOf(part);
  return { size: octets.length, data: octets.toString("base64url") };
}

const ANYWHERE = ["anywhere", "spam", "trash"];

/** Whether a search looks into spam and trash by itself. */
export function looksIntoTrash(q: string): boolean {
  return ANYWHERE.some((place) => q.toLowerCase().split(/\s+/).includes(`in:${place}`));
}

/** Whether a message matches every word of a search. Only the words below are known. */
export function matches(message: GmailMessage, q: string): boolean {
  return q.split(/\s+/).every((word) => {
    const [, key = "", value = ""] = /^([a-z0-9]+):(.+)$/.exec(word.toLowerCase()) ?? [];
    if (word === "") return true;
    if (key === "rfc822msgid") return message.messageId.toLowerCase() === `<${value.replace(/^<|>$/g, "")}>`;
    if (key === "after") return message.internalDate >= timeOf(value);
    if (key === "before") return message.internalDate < timeOf(value);
    if (key === "is") return message.labelIds.includes(value.toUpperCase());
    if (key === "in")
      return value === "anywhere" || message.labelIds.includes(value.replace(/^drafts$/, "draft").toUpperCase());
    if (key === "from") return addressesIn(readMime(message.raw).head, "From").includes(value);
    throw invalidArgument(`The stand-in does not know how to search for ${word}`);
  });
}

/** Seconds, or a day such as 2026/11/29. */
function timeOf(value: string): number {
  return value.includes("/") ? Date.parse(`${value.replaceAll("/", "-")}T00:00:00Z`) : Number(value) * 1_000;
}
