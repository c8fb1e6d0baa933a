/** One mail that a server accepted: a row of the ledger. */
export interface SentMail {
  /** When the content was accepted, in milliseconds since 1970. */
  at: number;
  /** The envelope sender. */
  from: string;
  /** The envelope recipients whose RCPT was accepted. */
  to: string[];
  /** The bytes as received, with dots unstuffed; only the header block where the server runs with `keepRaw: false`. */
  raw: Buffer;
  messageId: string;
  /** `X-Mail-Ref`, which names the send; absent on mail that is not ours. */
  mailRef: string | undefined;
  subject: string;
  /** The account that logged in; absent on a server without AUTH. */
  user: string | undefined;
  /** The connection over which the mail came. */
  session: string;
  /** What the client got after the final dot: a 250, a cut connection, or nothing. */
  answered: "250" | "dropped" | "silent";
}

/** The value of the first header with this name, unfolded; undefined when the mail has none (RFC 5322 section 2.2). */
export function headerOf(raw: Buffer, name: string): string | undefined {
  const unfolded = headersOf(raw)
    .toString("latin1")
    .replace(/\r?\n(?=[ \t])/g, "");
  const start = `${name.toLowerCase()}:`;
  const line = unfolded.split(/\r?\n/).find((each) => each.toLowerCase().startsWith(start));
  return line?.slice(start.length).trim();
}

/** The header block with its closing empty line. */
export function headersOf(raw: Buffer): Buffer {
  const end = raw.indexOf("\r\n\r\n");
  return end === -1 ? raw : raw.subarray(0, end + 4);
}
