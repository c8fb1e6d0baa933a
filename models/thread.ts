import type { Address } from "../domain/inbound.ts";
import { counter, flag, IS_TEXT, type Owned, oneOf, required, tenantModel, text, texts } from "./schema.ts";

/** A conversation of one mailbox: with a recipient, or with whoever else wrote to it. */
export interface Thread extends Owned {
  mailboxId: string;
  campaignId: string | null;
  recipientId: string | null;
  leadId: string | null;
  subject: string;
  participants: Address[];
  /** The start of what the newest message says. */
  snippet: string;
  /** Of the newest inbound message that has one. */
  category: string | null;
  sentiment: "POSITIVE" | "NEUTRAL" | "NEGATIVE" | null;
  isRead: boolean;
  isStarred: boolean;
  isArchived: boolean;
  hasAttachments: boolean;
  messageCount: number;
  /** Inbound messages since it was last read. */
  unreadCount: number;
  lastMessageAt: Date;
  lastDirection: "INBOUND" | "OUTBOUND";
  /** Words of subject and participants, folded: what a search may begin with. */
  searchWords: string[];
}

const list = { workspaceId: 1, isArchived: 1, lastMessageAt: -1, _id: -1 } as const;

export const Thread = tenantModel<Thread>(
  "Thread",
  "threads",
  {
    mailboxId: required,
    campaignId: text,
    recipientId: text,
    leadId: text,
    subject: { type: String, default: "" },
    participants: { type: [{ _id: false, name: String, address: String }], required: true, default: [] },
    snippet: { type: String, default: "" },
    category: text,
    sentiment: oneOf(["POSITIVE", "NEUTRAL", "NEGATIVE"]),
    isRead: flag,
    isStarred: flag,
    isArchived: flag,
    hasAttachments: flag,
    messageCount: counter,
    unreadCount: counter,
    lastMessageAt: { type: Date, required: true },
    lastDirection: oneOf(["INBOUND", "OUTBOUND"], "INBOUND"),
    searchWords: texts,
  },
  [
    { fields: { mailboxId: 1, recipientId: 1 }, unique: true, where: { recipientId: IS_TEXT } },
    { fields: list },
    { fields: { workspaceId: 1, leadId: 1 }, where: { leadId: IS_TEXT } },
  ],
);
