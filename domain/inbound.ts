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
  contentType: string;
  reportType: string | null;
  text: string;
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

/** The first value of a header, or "" when it is absent. `name` in lower case. */
export function header(message: Inbound, name: string): string {
  return message.headers.get(name)?.[0] ?? "";
}
