import { type Attribution, attribute, attributionKeys, type Candidate } from "../domain/attribution.ts";
import { ownEvidence } from "../domain/bounce.ts";
import type { Inbound } from "../domain/inbound.ts";
import { companyDomain } from "../domain/message.ts";
import { type PurposeKeys, readToken } from "../domain/tokens.ts";
import { trusted } from "../models/collection.ts";
import type { Mailbox } from "../models/mailbox.ts";
import { scoped } from "../models/scoped.ts";
import type { Send } from "../models/send.ts";

const DAY_MS = 86_400_000;
const REPLY_WINDOW_MS = 30 * DAY_MS;
const BOUNCE_WINDOW_MS = 7 * DAY_MS;
const MOST = 100;

export type Found = Candidate & { send: Send };

/** Which of our sends a message answers (mail.md 11), rules 1, 2 and 4; null when none. Reads in the running transaction. */
export async function originOf(mailbox: Mailbox, message: Inbound): Promise<Attribution<Found> | null> {
  const keys = attributionKeys(message);
  const { Send } = scoped(mailbox.workspaceId);
  const pointed: { [K in "mailRef" | "messageIds"]?: unknown }[] = [];
  if (keys.refs.length > 0) pointed.push({ mailRef: trusted({ $in: keys.refs }) });
  if (keys.ids.length > 0) pointed.push({ messageIds: trusted({ $in: keys.ids }) });
  const sends: Send[] = [];
  for (const filter of pointed) sends.push(...(await Send.find(filter, { limit: MOST })));
  if (sends.length === 0) sends.push(...(await recentSends(mailbox, keys.addresses)));
  const candidates: Found[] = [];
  for (const send of sends) {
    const candidate = await candidateOf(send);
    if (candidate !== null) candidates.push(candidate);
  }
  return attribute(keys, candidates, {
    mailboxId: mailbox._id,
    threadId: null,
    at: Date.now(),
    companyOf: (address) => companyDomain(address.slice(address.lastIndexOf("@") + 1)),
    isQuoted: () => false,
    isForged: false,
  });
}

/** Mails that went from this mailbox to the sender, or to a lead that also writes from that address. */
async function recentSends(mailbox: Mailbox, addresses: string[]): Promise<Send[]> {
  if (addresses.length === 0) return [];
  const { Lead, Send } = scoped(mailbox.workspaceId);
  const leads = await Lead.find({ secondaryEmails: trusted({ $in: addresses }) }, { select: { email: 1 }, limit: MOST });
  const to = [...new Set([...addresses, ...leads.map(({ email }) => email)])];
  const since = new Date(Date.now() - REPLY_WINDOW_MS);
  return Send.find(
    { mailboxId: mailbox._id, to: trusted({ $in: to }), sentAt: trusted({ $gte: since }) },
    { sort: { sentAt: -1 }, limit: MOST },
  );
}

async function candidateOf(send: Send): Promise<Found | null> {
  const { recipientId, leadId, mailboxId } = send;
  if (recipientId === null || mailboxId === null || send.kind === "WARMUP") return null;
  const lead = leadId === null ? null : await scoped(send.workspaceId).Lead.get(leadId);
  return {
    send,
    recipientId,
    mailRef: send.mailRef ?? "",
    messageIds: send.messageIds,
    threadId: null,
    addresses: [send.to, ...(lead?.secondaryEmails ?? [])],
    subject: send.subject ?? "",
    mailboxId,
    sentAt: (send.sentAt ?? send.claimedAt)?.getTime() ?? 0,
  };
}

/** A send that a report speaks of. `isByOurId`: by the Message-ID of its last attempt, which is proof of that attempt. */
export interface Reported {
  send: Send;
  rule: string;
  isByOurId: boolean;
}

/** Which sends a bounce or complaint is about (mail.md 8.3), by what only our mails carry. */
export async function reportedSends(mailbox: Mailbox, message: Inbound, keys: PurposeKeys): Promise<Reported[]> {
  const { Send } = scoped(mailbox.workspaceId);
  const { refs } = attributionKeys(message);
  const evidence = ownEvidence(message);
  const bySend = new Map<string, Reported>();
  const note = (sends: Send[], rule: string) => {
    for (const send of sends) {
      const isByOurId = send.messageId !== null && evidence.messageIds.includes(send.messageId);
      if (send.recipientId !== null && !bySend.has(send._id)) bySend.set(send._id, { send, rule, isByOurId });
    }
  };
  if (refs.length > 0) note(await Send.find({ mailRef: trusted({ $in: refs }) }), "plus token");
  if (evidence.mailRefs.length > 0) note(await Send.find({ mailRef: trusted({ $in: evidence.mailRefs }) }), "X-Mail-Ref");
  if (evidence.messageIds.length > 0) note(await Send.find({ messageIds: trusted({ $in: evidence.messageIds }) }), "Message-ID");
  const named = evidence.tokens.flatMap((token) => (["u", "o", "c"] as const).flatMap((use) => readToken(keys, use, token)?.sendId ?? []));
  if (named.length > 0) note(await Send.find({ _id: trusted({ $in: named }) }), "token");
  return [...bySend.values()];
}

/** The last resort: the failed address was written to from this mailbox within 7 days. */
export async function lastSendTo(mailbox: Mailbox, address: string): Promise<Send | null> {
  const since = new Date(Date.now() - BOUNCE_WINDOW_MS);
  return scoped(mailbox.workspaceId).Send.findOne(
    { mailboxId: mailbox._id, to: address, sentAt: trusted({ $gte: since }), recipientId: trusted({ $type: "string" }) },
    { sort: { sentAt: -1 } },
  );
}

/** The send whose unsubscribe token stands in subject or address (mail.md 3.4); null without a valid one of this workspace. */
export async function unsubscribedSend(mailbox: Mailbox, message: Inbound, keys: PurposeKeys): Promise<Send | null> {
  const places = [message.subject, message.subject.replaceAll(" ", ""), ...message.to, ...message.cc, ...message.deliveredTo];
  for (const place of places) {
    for (const [token] of place.matchAll(/v1\.[\w-]{1,40}\.[\w-]{4,200}\.[\w-]{22}(?![\w-])/g)) {
      const read = readToken(keys, "u", token);
      const send = read === null ? null : await scoped(mailbox.workspaceId).Send.get(read.sendId);
      if (send !== null) return send;
    }
  }
  return null;
}
