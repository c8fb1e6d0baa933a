import type { TraceField } from "./own-side.ts";

/** One address of a header. `address` is trimmed and lower-case, with its domain in A-label form. */
export interface Address {
  name: string;
  address: string;
}

/**
 * A part of the email other than its text. Its content is read from the server on demand, by its IMAP part id. `size`
 * is in octets after decoding.
 */
interface Attachment {
  partId: string | null;
  fileName: string | null;
  contentType: string;
  size: number;
}

/**
 * A parsed incoming message, with all the data that the functions in `domain/` need to classify it. Line ends are LF,
 * message ids keep their angle brackets, and times are in epoch milliseconds. `returnPath` is "" for the null return
 * path and null when the header is absent.
 */
export interface Inbound {
  messageId: string | null;
  inReplyTo: string | null;
  references: string[];
  from: Address | null;
  replyTo: string | null;
  to: string[];
  cc: string[];
  /** Delivered-To, X-Original-To and similar headers, which name the addresses of the envelope. */
  deliveredTo: string[];
  subject: string;
  date: number | null;
  returnPath: string | null;
  /** Header names are lower-case. Values are unfolded; encoded words are left as they are. */
  headers: ReadonlyMap<string, readonly string[]>;
  /** The trace fields that servers added on the way, in the order of the email. */
  trace: readonly TraceField[];
  contentType: string;
  reportType: string | null;
  text: string;
  /**
   * When there are several text parts: each of them, attached texts included, because any of them may be the text of a
   * bounce report.
   */
  textParts: readonly string[];
  html: string | null;
  /** How many characters were removed from text and HTML because no reader sees them (rules/mail 11.5). */
  hiddenCharacters: number;
  /** What the person wrote, without quotes and signature (rules/mail 11.1). */
  replyText: string;
  /** The raw `message/delivery-status` (or `global-delivery-status`) part. */
  deliveryStatus: string | null;
  /** The raw `message/feedback-report` part. */
  feedbackReport: string | null;
  /** The returned message, or only its headers, as raw text. */
  returned: string | null;
  attachments: Attachment[];
  /** The `text/calendar` part: an invitation, or an answer to one. */
  calendar?: string | null;
}
