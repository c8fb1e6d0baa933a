import { randomUUID } from "node:crypto";
import { UNKNOWN_SENDER } from "../../connectors/mime/authentication.ts";
import { parseMail } from "../../connectors/mime/parse.ts";
import type { Message } from "../../models/inbox/message.ts";
import { scoped } from "../../models/scoped.ts";
import type { Send } from "../../models/sending/send.ts";
import { newId } from "../../mongo/ids.ts";
import type { Arrival } from "../../store/inbox/arrival.ts";
import { ingest } from "../../store/inbox/ingest.ts";
import { mailbox, type Person, SUBJECT, workspaceId, world } from "./listening.ts";

let uid = 0;

/** Reads an email as if it were in a folder of the mailbox, and returns the row that was stored. */
export async function take(raw: Buffer | string, more: Partial<Arrival> = {}): Promise<Message> {
  const arrival = arrivalOf(raw, more);
  await ingest(arrival, world.services.signing);
  const stored = await scoped(workspaceId).Message.findOne({ mailboxId: mailbox._id, uid: arrival.uid });
  if (stored === null) throw new Error("The mail was not stored");
  return stored;
}

/**
 * An email as a reader of the mailbox hands it over. Each call makes a new email at a new place in INBOX, unless told
 * otherwise.
 */
export function arrivalOf(raw: Buffer | string, more: Partial<Arrival> = {}): Arrival {
  const { message, to, cc } = parseMail(Buffer.from(raw));
  const place = { folder: "INBOX", uidValidity: "1", uid: ++uid };
  const came = {
    ...place,
    contentKey: randomUUID(),
    receivedAt: new Date(),
    message,
    to,
    cc,
    attachments: [],
    unreadable: null,
  };
  return {
    ...came,
    mailbox,
    providerThreadId: null,
    ...UNKNOWN_SENDER,
    folderUse: "INBOX",
    isSentFolder: false,
    ...more,
  };
}

/** A copy of an email that left the mailbox, in its Sent folder. */
export function takeSent(raw: Buffer | string, more: Partial<Arrival> = {}): Promise<Message> {
  return take(raw, { folder: "Sent", isSentFolder: true, ...more });
}

/** A plain email to our mailbox. A header that is null is left out. */
export function mail(headers: Record<string, string | null>, text = "Hello"): string {
  const all: Record<string, string | null> = {
    From: "bob@b.test",
    To: mailbox.email,
    Subject: "Something",
    "Message-ID": `<${randomUUID()}@b.test>`,
    Date: new Date().toUTCString(),
    "Content-Type": "text/plain; charset=utf-8",
    ...headers,
  };
  const lines = Object.entries(all).flatMap(([name, value]) => (value === null ? [] : [`${name}: ${value}`]));
  return [...lines, "", ...text.split("\n")].join("\r\n");
}

/** A reply that a user wrote in the inbox to a person's thread, and that went out. */
export async function answered(person: Person, threadId: string | null, more: Partial<Send> = {}): Promise<Send> {
  const messageId = `<${randomUUID()}@a.test>`;
  return scoped(workspaceId).Send.insert({
    _id: newId("snd"),
    kind: "REPLY",
    threadId,
    mailboxId: mailbox._id,
    leadId: person.recipient.leadId,
    to: person.recipient.email,
    state: "SENT",
    messageId,
    messageIds: [messageId],
    subject: `Re: ${SUBJECT}`,
    sentAt: new Date(),
    claimedAt: new Date(),
    content: { text: "Thank you for your answer.", html: null },
    ...more,
  });
}

export interface Block {
  address: string;
  status: string;
  diagnostic: string;
  action?: string;
}

/**
 * A delivery status notification (RFC 3464) about several recipients, with the returned headers of several of our
 * emails.
 */
export function deliveryReport(
  blocks: readonly Block[],
  returned: readonly Buffer[],
  headers: Record<string, string> = {},
): string {
  const status = blocks.map(({ address, status, diagnostic, action = "failed" }) =>
    [
      `Final-Recipient: rfc822; ${address}`,
      `Action: ${action}`,
      `Status: ${status}`,
      `Diagnostic-Code: smtp; ${diagnostic}`,
    ].join("\n"),
  );
  const parts = [
    "Content-Type: text/plain\n\nYour message could not be delivered.\n",
    `Content-Type: message/delivery-status\n\nReporting-MTA: dns; relay.test\n\n${status.join("\n\n")}\n`,
    `Content-Type: text/rfc822-headers\n\n${returned.map((raw) => raw.toString("latin1").replaceAll("\r\n", "\n").split("\n\n")[0]).join("\n")}\n`,
  ];
  return mail(
    {
      "Return-Path": "<>",
      From: "Mail Delivery System <MAILER-DAEMON@relay.test>",
      Subject: "Undelivered Mail Returned to Sender",
      "Content-Type": 'multipart/report; report-type=delivery-status; boundary="=_r"',
      ...headers,
    },
    `${parts.map((part) => `--=_r\n${part}\n`).join("")}--=_r--\n`,
  );
}
