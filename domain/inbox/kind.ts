import { readBounce } from "../bounces/bounce.ts";
import { readComplaint } from "../bounces/complaint.ts";
import { isBounce, readsAsBounce } from "../bounces/signs.ts";
import { isAutoReply, isProvenAutoReply } from "../mail/auto-reply.ts";
import type { Inbound } from "../mail/inbound.ts";
import { readIntent } from "./intent/read.ts";
import { isReaction } from "./reaction.ts";

export type Kind =
  | "OWN"
  | "COMPLAINT"
  | "BOUNCE"
  | "DELAY"
  | "REPORT"
  | "UNSUBSCRIBE"
  | "AUTO_REPLY"
  | "BULK"
  | "REPLY"
  | "OTHER";

/** The facts about a message that the caller loads from the database. */
export interface KindFacts {
  /** The address of the mailbox from which the message was read. */
  ownAddress: string;
  isSentFolder: boolean;
  isOwnId(messageId: string): boolean;
  isConnectedMailbox(address: string): boolean;
  /** The subject or the address contains a valid unsubscribe token. */
  hasUnsubscribeToken: boolean;
  /** The rule of rules/mail 10.1 that found our send; null when none did. */
  attributedBy: 1 | 2 | 3 | 4 | 5 | 6 | null;
}

/** The facts to use for an email of which only the mailbox is known. */
export function defaultKindFacts(ownAddress: string): KindFacts {
  return {
    ownAddress,
    isSentFolder: false,
    isOwnId: () => false,
    isConnectedMailbox: () => false,
    hasUnsubscribeToken: false,
    attributedBy: null,
  };
}

/** The kind of a message: the first match in the ordered table of rules/mail 6.1. Never throws. */
export function kindOf(message: Inbound, facts: KindFacts): Kind {
  const from = message.from?.address ?? "";
  if (
    facts.isSentFolder ||
    (from === facts.ownAddress && message.messageId !== null && facts.isOwnId(message.messageId))
  )
    return "OWN";
  if (readComplaint(message) !== null) return "COMPLAINT";
  // A message that is attributed to one of our sends may be a person's reply with a forwarded report. Any other message
  // is read as a report itself, also one that only its sender's address attributes
  const isKnown = facts.attributedBy !== null && !(facts.attributedBy === 6 && readsAsBounce(message));
  const bounce = isBounce(message) || !isKnown ? readBounce(message) : null;
  if (bounce !== null) return bounce.kind;
  if (isBounce(message) || isReport(message)) return "REPORT"; // a DSN about a successful delivery is only a receipt
  if (facts.hasUnsubscribeToken) return "UNSUBSCRIBE";
  if (isReaction(message)) return "OTHER";
  if (isByMachine(message)) return "AUTO_REPLY";
  if (isBulk(message) && (facts.attributedBy === null || facts.attributedBy > 3)) return "BULK";
  return facts.attributedBy !== null && !facts.isConnectedMailbox(from) ? "REPLY" : "OTHER";
}

/**
 * A clear request for no more email comes from a person, unless there is proof that a machine wrote it (rules/mail 9.3).
 */
function isByMachine(message: Inbound): boolean {
  if (!isAutoReply(message)) return false;
  return isProvenAutoReply(message) || readIntent({ words: message.replyText }).optOut !== "CLEAR";
}

// Read receipts, DMARC aggregate reports (RFC 7489 7.2.1.1) and TLS reports (RFC 8460)
function isReport(message: Inbound): boolean {
  if (message.reportType === "disposition-notification" || message.reportType === "tlsrpt") return true;
  if (message.headers.has("tls-report-domain")) return true;
  const hasArchive = message.attachments.some(({ contentType }) => /zip|xml/.test(contentType));
  return hasArchive && /^\s*report domain:.{1,300}submitter:/i.test(message.subject);
}

function isBulk(message: Inbound): boolean {
  if (["list-unsubscribe", "feedback-id", "list-id"].some((name) => message.headers.has(name))) return true;
  return /^(?:bulk|list|junk)$/i.test(message.headers.get("precedence")?.[0] ?? "");
}
