import type { Address } from "../mail/inbound.ts";
import { threadWords } from "./thread-words.ts";

const SNIPPET = 200;
/** Cuts between characters, so that none is cut in half. */
const START = new RegExp(`^.{0,${SNIPPET}}`, "su");
const MOST_PARTICIPANTS = 50;

/** The fields of a thread that a list shows. */
export interface ThreadState {
  subject: string;
  participants: Address[];
  snippet: string;
  isRead: boolean;
  isArchived: boolean;
  hasAttachments: boolean;
  messageCount: number;
  unreadCount: number;
  lastMessageAt: Date;
  lastDirection: "INBOUND" | "OUTBOUND";
  searchWords: string[];
}

/** An email that is added to a thread. */
export interface ThreadMail {
  direction: "INBOUND" | "OUTBOUND";
  at: Date;
  subject: string;
  text: string;
  /** The sender and the addressees. */
  people: readonly Address[];
  hasAttachments: boolean;
  /**
   * NEW: the email has just arrived and makes the thread unread. SEEN: our side wrote the email, so its author has read
   * the thread. Null: neither.
   */
  news: "NEW" | "SEEN" | null;
}

/** A thread without emails. */
export function emptyThread(subject: string, at: Date): ThreadState {
  return {
    subject,
    participants: [],
    snippet: "",
    isRead: true,
    isArchived: false,
    hasAttachments: false,
    messageCount: 0,
    unreadCount: 0,
    lastMessageAt: at,
    lastDirection: "INBOUND",
    searchWords: [],
  };
}

/**
 * The thread after one more email. A NEW email makes the thread unread and moves it back to the inbox. `own` is the
 * mailbox's address.
 */
export function withMail(thread: ThreadState, mail: ThreadMail, own: string): ThreadState {
  const { direction, at, news } = mail;
  const isLast = thread.messageCount === 0 || at >= thread.lastMessageAt;
  const participants = mergeParticipants(thread.participants, mail.people, own);
  return {
    ...thread,
    participants,
    searchWords: threadWords({ subject: thread.subject, participants }, mail.text, thread.searchWords),
    hasAttachments: thread.hasAttachments || mail.hasAttachments,
    messageCount: thread.messageCount + 1,
    ...(isLast && { lastMessageAt: at, lastDirection: direction, snippet: snippetOf(mail.text) }),
    ...(news === "NEW" && { isRead: false, isArchived: false, unreadCount: thread.unreadCount + 1 }),
    ...(news === "SEEN" && { isRead: true, unreadCount: 0 }),
  };
}

/** The start of an email's text, on one line. */
export function snippetOf(text: string): string {
  const line = text
    .slice(0, SNIPPET * 10)
    .replace(/[^\S ]\s*| \s+/gu, " ") // skips single spaces, because most white space is a single space
    .trim();
  return START.exec(line)?.[0].toWellFormed() ?? "";
}

function mergeParticipants(participants: readonly Address[], more: readonly Address[], own: string): Address[] {
  const byAddress = new Map(participants.map((person) => [person.address, person]));
  for (const { name, address } of more) {
    if (address === "" || address === own) continue;
    const before = byAddress.get(address);
    if (before === undefined && byAddress.size < MOST_PARTICIPANTS) byAddress.set(address, { name, address });
    else if (before?.name === "" && name !== "") byAddress.set(address, { name, address });
  }
  return [...byAddress.values()];
}
