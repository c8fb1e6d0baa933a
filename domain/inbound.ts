import { readAutoReply } from "./auto-reply.ts";
import { readBounce } from "./bounce.ts";
import { isBounce } from "./bounce-signs.ts";
import { readComplaint } from "./complaint.ts";
import type { TraceField } from "./own-side.ts";

/** One address of a header. `address` is trimmed and lower-case, its domain in A-label form. */
export interface Address {
  name: string;
  address: string;
}

/** A part that is not the text: known by its IMAP part id, read on demand. `size` in octets after decoding. */
export interface Attachment {
  partId: string | null;
  fileName: string | null;
  contentType: string;
  size: number;
}

/**
 * A parsed incoming message, all that the readers of `domain/` need. Line ends are LF, message ids keep their angle
 * brackets, times are epoch milliseconds. `returnPath` is "" for the null return path and null when the header is absent.
 */
export interface Inbound {
  messageId: string | null;
  inReplyTo: string | null;
  references: string[];
  from: Address | null;
  replyTo: string | null;
  to: string[];
  cc: string[];
  /** Delivered-To, X-Original-To and their kin: where the envelope really went. */
  deliveredTo: string[];
  subject: string;
  date: number | null;
  returnPath: string | null;
  /** Lower-case names; values unfolded, encoded words left as they are. */
  headers: ReadonlyMap<string, readonly string[]>;
  /** What servers wrote on the way, in the order of the mail. */
  trace: readonly TraceField[];
  contentType: string;
  reportType: string | null;
  text: string;
  /** The text parts one by one, attached texts among them, where there is more than one: a report's transcript may be any. */
  textParts: readonly string[];
  html: string | null;
  /** What the person wrote: no quotes, no signature (mail.md 12). */
  replyText: string;
  /** The raw `message/delivery-status` (or `global-delivery-status`) part. */
  deliveryStatus: string | null;
  /** The raw `message/feedback-report` part. */
  feedbackReport: string | null;
  /** The returned message, or only its headers, as raw text. */
  returned: string | null;
  attachments: Attachment[];
}

export type Kind =
  | "OWN"
  | "WARMUP"
  | "COMPLAINT"
  | "BOUNCE"
  | "DELAY"
  | "REPORT"
  | "UNSUBSCRIBE"
  | "AUTO_REPLY"
  | "BULK"
  | "REPLY"
  | "OTHER";

/** What only a database knows about a message. */
export interface KindFacts {
  /** The address of the mailbox it was read from. */
  ownAddress: string;
  isSentFolder: boolean;
  isOwnId(messageId: string): boolean;
  /** A warmup send, an answer to one, or both ends enrolled under the expected subject. */
  isWarmup: boolean;
  isConnectedMailbox(address: string): boolean;
  /** A valid unsubscribe token stands in the subject or the address. */
  hasUnsubscribeToken: boolean;
  /** The rule of mail.md 11 that found our send, or null. */
  attributedBy: 1 | 2 | 3 | 4 | 5 | null;
}

/** The facts of a mail of which nothing is known but where it came in. */
export function nothingKnown(ownAddress: string): KindFacts {
  return {
    ownAddress,
    isSentFolder: false,
    isOwnId: () => false,
    isWarmup: false,
    isConnectedMailbox: () => false,
    hasUnsubscribeToken: false,
    attributedBy: null,
  };
}

/** What an incoming message is: the ordered table of mail.md 7, first match wins. Never throws. */
export function kindOf(message: Inbound, facts: KindFacts): Kind {
  const from = message.from?.address ?? "";
  if (facts.isSentFolder || (from === facts.ownAddress && message.messageId !== null && facts.isOwnId(message.messageId))) return "OWN";
  if (facts.isWarmup) return "WARMUP";
  if (readComplaint(message) !== null) return "COMPLAINT";
  // Whoever answers us and passes a report on is a person; from anybody else it is the report itself
  const bounce = isBounce(message) || facts.attributedBy === null ? readBounce(message) : null;
  if (bounce !== null) return bounce.kind;
  if (isBounce(message) || isReport(message)) return "REPORT"; // a DSN that tells of a delivery is a receipt
  if (facts.hasUnsubscribeToken) return "UNSUBSCRIBE";
  if (readAutoReply(message) !== null) return "AUTO_REPLY";
  if (isBulk(message) && (facts.attributedBy === null || facts.attributedBy > 3)) return "BULK";
  return facts.attributedBy !== null && !facts.isConnectedMailbox(from) ? "REPLY" : "OTHER";
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
