import { ANSWERABLE } from "../../domain/inbox/answerable.ts";
import { addresseeOf, headersOfAnswer } from "../../domain/inbox/reply.ts";
import type { OutgoingFile } from "../../domain/mail/outgoing-file.ts";
import type { Message } from "../../models/inbox/message.ts";
import type { OutgoingMail } from "../../models/inbox/outgoing-mail.ts";
import type { Thread } from "../../models/inbox/thread.ts";
import type { Mailbox } from "../../models/mailboxes/mailbox.ts";
import { scoped } from "../../models/scoped.ts";
import { trusted } from "../../mongo/collection.ts";

/** The content of a reply that a person wants to send. Addresses are normalised. */
export interface Wording {
  text: string;
  html: string | null;
  subject: string;
  cc: string[];
  bcc: string[];
  attachments: OutgoingFile[];
}

/** A reply, ready to be composed. */
export interface Letter extends Omit<OutgoingMail, "_id" | "workspaceId" | "createdAt" | "updatedAt" | "kind"> {
  threadId: string;
  leadId: string | null;
}

/** The newest message in a thread that can be answered; null when there is none. */
export function newestAnswerable(workspaceId: string, threadId: string): Promise<Message | null> {
  const { Message } = scoped(workspaceId);
  const written = { threadId, direction: "INBOUND", kind: trusted({ $in: [...ANSWERABLE] }) };
  return Message.findOne(written, { sort: { receivedAt: -1, _id: -1 } });
}

/** A reply to this message, from the mailbox that received it. Null when its sender has no address to reply to. */
export async function draftLetter(
  thread: Thread,
  answered: Message,
  mailbox: Mailbox,
  wording: Wording,
): Promise<Letter | null> {
  const addressee = addresseeOf(answered, mailbox.email);
  if (addressee === null) return null;
  const lead = thread.leadId === null ? null : await scoped(thread.workspaceId).Lead.get(thread.leadId);
  const { address: to, name: toName } = addressee;
  const copies = (addresses: string[]) => [...new Set(addresses)].filter((address) => address !== to);
  const cc = copies(wording.cc);
  const persons = [answered.from ?? "", lead?.email ?? ""].filter((address) => address !== "" && address !== to);
  return {
    ...wording,
    ...headersOfAnswer(answered),
    threadId: thread._id,
    leadId: thread.leadId,
    mailboxId: mailbox._id,
    to,
    toName,
    cc,
    bcc: copies(wording.bcc).filter((address) => !cc.includes(address)),
    persons: [...new Set(persons)],
  };
}

/** All addresses whose suppression stops a reply: the recipient, the copies, and the person's other known addresses. */
export function concernedAddressesOf({
  to,
  cc,
  bcc,
  persons,
}: Pick<Letter, "to" | "cc" | "bcc" | "persons">): string[] {
  return [...new Set([to, ...cc, ...bcc, ...persons])];
}
