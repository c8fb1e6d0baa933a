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
