import type { Sentiment } from "../../domain/inbox/category.ts";
import type { ThreadState } from "../../domain/inbox/thread.ts";
import { counter, flag, IS_TEXT, type Owned, oneOf, required, tenantModel, text, texts } from "../../mongo/schema.ts";

/**
 * A conversation of one mailbox, with a recipient or with anyone else who wrote to it. `unreadCount` counts the inbound
 * messages since it was last read. `searchWords` come from subject, participants and the texts of its emails
 * (rules/mail 12).
 */
export interface Thread extends Owned, ThreadState {
  mailboxId: string;
  campaignId: string | null;
  recipientId: string | null;
  leadId: string | null;
  /** The category of the newest inbound message that has one. */
  category: string | null;
  sentiment: Sentiment | null;
  isStarred: boolean;
}

/** The index for each filter of the list. Each index sorts by last message, except the search index. */
export const THREAD_INDEX = {
  newest: "inbox_newest",
  unread: "inbox_unread",
  starred: "inbox_starred",
  attachments: "inbox_attachments",
  campaign: "inbox_campaign",
  mailbox: "inbox_mailbox",
  category: "inbox_category",
  search: "inbox_search",
} as const;

const last = { lastMessageAt: -1, _id: -1 } as const;
const shelf = { workspaceId: 1, isArchived: 1 } as const;

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
    { fields: { ...shelf, ...last }, name: THREAD_INDEX.newest },
    // The index key contains the flag as well, because the planner does not see that all documents of the partial index
    // have it. It contains `unreadCount` so that the summary can be added up from index keys alone
    { fields: { ...shelf, isRead: 1, ...last, unreadCount: 1 }, name: THREAD_INDEX.unread, where: { isRead: false } },
    { fields: { ...shelf, isStarred: 1, ...last }, name: THREAD_INDEX.starred, where: { isStarred: true } },
    {
      fields: { ...shelf, hasAttachments: 1, ...last },
      name: THREAD_INDEX.attachments,
      where: { hasAttachments: true },
    },
    { fields: { ...shelf, campaignId: 1, ...last }, name: THREAD_INDEX.campaign, where: { campaignId: IS_TEXT } },
    { fields: { ...shelf, mailboxId: 1, ...last }, name: THREAD_INDEX.mailbox },
    { fields: { ...shelf, category: 1, ...last }, name: THREAD_INDEX.category, where: { category: IS_TEXT } },
    // The key leaves out `isArchived`. A thread may have a thousand words, and archiving it would rewrite the index key
    // of each
    { fields: { workspaceId: 1, searchWords: 1 }, name: THREAD_INDEX.search },
    { fields: { workspaceId: 1, leadId: 1 }, where: { leadId: IS_TEXT } },
    { fields: { workspaceId: 1, campaignId: 1, sentiment: 1, recipientId: 1 }, where: { sentiment: "POSITIVE" } },
  ],
);
