import {
  type Attribution,
  type AttributionKeys,
  attribute,
  attributionKeys,
  type Candidate,
  REPLY_WINDOW_MS,
  withoutTag,
} from "../../domain/inbox/attribution.ts";
import type { Inbound } from "../../domain/mail/inbound.ts";
import { companyDomain, domainOf } from "../../domain/mail/message.ts";
import { isQuoting } from "../../domain/mail/quotes.ts";
import { isOpenStatus, OPEN } from "../../domain/states.ts";
import { scoped } from "../../models/scoped.ts";
import type { Send } from "../../models/sending/send.ts";
import { trusted } from "../../mongo/collection.ts";
import { findRelayed } from "../sending/delivery-evidence.ts";
import type { Arrival } from "./arrival.ts";

const MOST = 100;

/** The recipient for whom we sent an email. For a reply from the inbox, it is the recipient of the thread. */
export interface Person {
  recipientId: string;
  campaignId: string | null;
  leadId: string | null;
}

export type AttributedSend = Candidate & { send: Send };

/**
 * Finds which of our sends a message replies to (rules/mail 10.1). It tries, in this order: references to our emails,
 * the provider's conversation, the sender, a colleague who quotes us, and the person alone. Null when nothing matches.
 * If the sender may be forged, the last three are not tried. Reads in the running transaction.
 */
export async function findOrigin(arrival: Arrival): Promise<Attribution<AttributedSend> | null> {
  const { mailbox, message, authentication, providerThreadId } = arrival;
  const keys = attributionKeys(message);
  const isForged = authentication === "FAIL";
  const facts = {
    mailboxId: mailbox._id,
    threadId: providerThreadId,
    at: Date.now(),
    companyOf,
    isQuoted: ({ send }: AttributedSend) => isQuoting(message, send.messageIds, send.content?.text ?? null),
    isForged,
  };
  for (const candidatesOf of isForged
    ? [pointedAt, findSendsOfConversation]
    : [pointedAt, findSendsOfConversation, bySender, byCompany, byPerson]) {
    const candidates = await candidatesOf(arrival, keys);
    const origin = candidates.length === 0 ? null : attribute(keys, candidates, facts);
    // Rule 6 needs all sends to the person, and only `byPerson` returns all of them
    if (origin !== null && (origin.rule !== 6 || candidatesOf === byPerson)) return origin;
  }
  return null;
}

/** The person behind a send of a campaign, or behind a reply to a recipient of one. */
export async function loadPerson({
  workspaceId,
  recipientId,
  campaignId,
  leadId,
  threadId,
}: Send): Promise<Person | null> {
  if (recipientId !== null) return { recipientId, campaignId, leadId };
  const thread = threadId === null ? null : await scoped(workspaceId).Thread.get(threadId);
  if (thread === null || thread.recipientId === null) return null;
  return { recipientId: thread.recipientId, campaignId: thread.campaignId, leadId: thread.leadId };
}

/** Rules 1 and 2: our own sends, and emails in a thread that a person wrote from another email program. */
async function pointedAt({ mailbox }: Arrival, { refs, ids }: AttributionKeys): Promise<AttributedSend[]> {
  const { Message, Send } = scoped(mailbox.workspaceId);
  const sends: Send[] = [];
  if (refs.length > 0) sends.push(...(await Send.find({ mailRef: trusted({ $in: refs }) }, { limit: MOST })));
  if (ids.length > 0) sends.push(...(await Send.find({ messageIds: trusted({ $in: ids }) }, { limit: MOST })));
  const found = await candidatesOf(sends, {});
  for (const { send, ids: theirs } of await findRelayed(mailbox, ids)) {
    if (sends.every(({ _id }) => _id !== send._id)) found.push(...(await candidatesOf([send], { messageIds: theirs })));
  }
  if (found.length > 0 || ids.length === 0) return found;
  const theirs = { mailboxId: mailbox._id, rfcMessageId: trusted({ $in: ids }), recipientId: trusted({ $ne: null }) };
  const [mail] = await Message.find(
    { ...theirs, kind: trusted({ $in: ["MANUAL", "REPLY", "AUTO_REPLY"] }) },
    { limit: 1 },
  );
  if (mail === undefined || mail.recipientId === null) return [];
  return candidatesOf(await sendsTo(mailbox.workspaceId, [mail.recipientId]), { messageIds: ids });
}

/** Rule 3: sends in this mailbox that belong to the same conversation at the provider. */
async function findSendsOfConversation({ mailbox, providerThreadId }: Arrival): Promise<AttributedSend[]> {
  if (providerThreadId === null) return [];
  const { Message } = scoped(mailbox.workspaceId);
  const talk = { mailboxId: mailbox._id, providerThreadId, recipientId: trusted({ $ne: null }) };
  const mails = await Message.find(talk, { sort: { _id: -1 }, limit: MOST, select: { recipientId: 1 } });
  const recipientIds = [...new Set(mails.flatMap(({ recipientId }) => recipientId ?? []))];
  return candidatesOf(await sendsTo(mailbox.workspaceId, recipientIds), { threadId: providerThreadId });
}

/** Rule 4: sends from this mailbox to the sender, or to a lead that has the sender's address as a secondary address. */
async function bySender({ mailbox }: Arrival, { addresses }: AttributionKeys): Promise<AttributedSend[]> {
  if (addresses.length === 0) return [];
  const { Lead, Send } = scoped(mailbox.workspaceId);
  const leads = await Lead.find(
    { secondaryEmails: trusted({ $in: addresses }) },
    { select: { email: 1 }, limit: MOST },
  );
  const to = [...new Set([...addresses, ...leads.map(({ email }) => email)])];
  const since = new Date(Date.now() - REPLY_WINDOW_MS);
  const recent = { mailboxId: mailbox._id, to: trusted({ $in: to }), sentAt: trusted({ $gte: since }) };
  return candidatesOf(await Send.find(recent, { sort: { sentAt: -1 }, limit: MOST }), {});
}

/** Rule 5: sends from this mailbox to other people of the sender's company. */
async function byCompany(
  { mailbox, message }: Arrival,
  { addresses, baseSubject }: AttributionKeys,
): Promise<AttributedSend[]> {
  const companies = [...new Set(addresses.flatMap((address) => companyOf(address) ?? []))];
  if (companies.length === 0 || baseSubject === "" || !isAnswering(message)) return [];
  const { Recipient } = scoped(mailbox.workspaceId);
  const colleagues = { companyDomain: trusted({ $in: companies }), mailboxId: mailbox._id };
  const found = await Recipient.find(colleagues, { sort: { _id: -1 }, limit: MOST, select: { _id: 1 } });
  return candidatesOf(
    await sendsTo(
      mailbox.workspaceId,
      found.map(({ _id }) => _id),
    ),
    {},
  );
}

/**
 * Rule 6: all sends of the workspace to recipients with the author's address that are open or got their last email
 * within the reply window.
 */
async function byPerson({ mailbox }: Arrival, { addresses }: AttributionKeys): Promise<AttributedSend[]> {
  if (addresses.length === 0) return [];
  const { Lead, Recipient } = scoped(mailbox.workspaceId);
  const written = [...new Set([...addresses, ...addresses.map(withoutTag)])];
  const leads = await Lead.find({ secondaryEmails: trusted({ $in: written }) }, { select: { email: 1 }, limit: MOST });
  const own = [...new Set([...written, ...leads.map(({ email }) => email)])];
  const tagged = addresses.map((address) => ({ email: trusted(taggedForms(address)) }));
  const isWritten = [
    { status: trusted({ $in: [...OPEN] }) },
    { lastSentAt: trusted({ $gte: new Date(Date.now() - REPLY_WINDOW_MS) }) },
  ];
  const theirs = { $and: [{ $or: [{ email: trusted({ $in: own }) }, ...tagged] }, { $or: isWritten }] };
  const found = await Recipient.find(theirs, { sort: { _id: -1 }, limit: MOST, select: { _id: 1 } });
  return candidatesOf(
    await sendsTo(
      mailbox.workspaceId,
      found.map(({ _id }) => _id),
    ),
    {},
  );
}

/**
 * An index range of the addresses that have the same text before a plus sign. Other domains in the range are removed
 * later.
 */
function taggedForms(address: string): { $gt: string; $lt: string } {
  const [local = ""] = withoutTag(address).split("@");
  return { $gt: `${local}+`, $lt: `${local},` };
}

/** Whether the email quotes another one. Rule 5 does not apply to an email that quotes nothing. */
function isAnswering({ text, html, replyText }: Inbound): boolean {
  return html !== null || text.length > replyText.length;
}

async function sendsTo(workspaceId: string, recipientIds: readonly string[]): Promise<Send[]> {
  if (recipientIds.length === 0) return [];
  const { Send } = scoped(workspaceId);
  const claimed = { recipientId: trusted({ $in: [...recipientIds] }), messageId: trusted({ $ne: null }) };
  return Send.find(claimed, { sort: { claimedAt: -1 }, limit: MOST });
}

async function candidatesOf(
  sends: readonly Send[],
  more: Partial<Pick<Candidate, "threadId" | "messageIds">>,
): Promise<AttributedSend[]> {
  const found: AttributedSend[] = [];
  for (const send of sends) {
    const candidate = await candidateOf(send, more);
    if (candidate !== null) found.push(candidate);
  }
  return found;
}

async function candidateOf(
  send: Send,
  { threadId = null, messageIds = [] }: Partial<Candidate>,
): Promise<AttributedSend | null> {
  const { mailboxId } = send;
  const person = send.kind === "WARMUP" ? null : await loadPerson(send);
  if (person === null || mailboxId === null) return null;
  const { Lead, Recipient } = scoped(send.workspaceId);
  const lead = person.leadId === null ? null : await Lead.get(person.leadId);
  const recipient = await Recipient.get(person.recipientId);
  return {
    send,
    recipientId: person.recipientId,
    mailRef: send.mailRef ?? "",
    messageIds: [...send.messageIds, ...messageIds],
    threadId,
    addresses: [send.to, ...(lead?.secondaryEmails ?? [])],
    subject: send.subject ?? "",
    mailboxId,
    sentAt: (send.sentAt ?? send.claimedAt)?.getTime() ?? 0,
    isOpen: recipient !== null && isOpenStatus(recipient.status),
  };
}

function companyOf(address: string): string | null {
  return companyDomain(domainOf(address));
}
