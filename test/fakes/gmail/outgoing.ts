import { randomBytes } from "node:crypto";
import type { GmailMailbox } from "./mailbox.ts";
import { addressesIn, fieldOf, readMime, withHeader, withOwnText } from "./mime.ts";
import { invalidArgument, PROJECT_NUMBER } from "./refusals.ts";

/** What Gmail makes of an email that it is given to send. */
export interface Outgoing {
  /** The copy in the mailbox, with the text as it was given. */
  kept: Buffer;
  /** The bytes that the recipient's server gets. */
  wire: Buffer;
  messageId: string;
  from: string;
  recipients: string[];
}

/** @throws GmailRefusal when nobody would get the email. */
export function outgoingOf(
  raw: Buffer,
  mailbox: GmailMailbox,
  { rewritesText, drops }: { rewritesText: boolean; drops: readonly string[] },
  at: number,
): Outgoing {
  const { head } = readMime(raw);
  const recipients = addressesIn(head, "To", "Cc", "Bcc");
  if (recipients.length === 0) throw invalidArgument("Recipient address required");
  const messageId = `<CA${randomBytes(36).toString("base64url")}@mail.gmail.com>`;
  const from = senderOf(head, mailbox);
  const date = fieldOf(head, "Date") ?? new Date(at).toUTCString().replace("GMT", "+0000");
  const named = withHeader(withHeader(withHeader(head, "From", from.header), "Message-ID", messageId), "Date", date);
  const body = raw.subarray(bodyStart(raw));
  const kept = Buffer.concat([Buffer.from(`${named}\r\n\r\n`, "latin1"), body]);
  const hop = `Received: from ${PROJECT_NUMBER} named unknown by gmailapi.google.com with HTTPREST; ${date}`;
  const left = ["Bcc", ...drops].reduce((rest, name) => withHeader(rest, name, null), named);
  const open = Buffer.concat([Buffer.from(`${hop}\r\n${left}\r\n\r\n`, "latin1"), body]);
  const wire = rewritesText ? Buffer.from(withOwnText(readMime(open)), "latin1") : open;
  return { kept, wire, messageId, from: from.address, recipients };
}

/** An address that is no accepted alias is replaced by the default one, and nothing says so. */
function senderOf(head: string, mailbox: GmailMailbox): { address: string; header: string } {
  const [asked = ""] = addressesIn(head, "From");
  const isAccepted = mailbox.sendAs.some(
    ({ sendAsEmail, verificationStatus }) =>
      sendAsEmail.toLowerCase() === asked && (verificationStatus ?? "accepted") === "accepted",
  );
  if (isAccepted) return { address: asked, header: fieldOf(head, "From") ?? asked };
  const standard = mailbox.sendAs.find(({ isDefault }) => isDefault);
  const address = standard?.sendAsEmail ?? mailbox.address;
  return { address, header: standard?.displayName ? `${standard.displayName} <${address}>` : address };
}

function bodyStart(raw: Buffer): number {
  const crlf = raw.indexOf("\r\n\r\n");
  const lf = raw.indexOf("\n\n");
  if (crlf === -1 && lf === -1) return raw.length;
  return crlf !== -1 && (lf === -1 || crlf < lf) ? crlf + 4 : lf + 2;
}
