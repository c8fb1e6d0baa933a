import { readBounce } from "../../domain/bounces/bounce.ts";
import { ownEvidence } from "../../domain/bounces/own-evidence.ts";
import { isBounce } from "../../domain/bounces/signs.ts";
import { readAutoReply } from "../../domain/mail/auto-reply.ts";
import type { Inbound } from "../../domain/mail/inbound.ts";
import { baseSubject } from "../../domain/mail/message.ts";
import type { FolderUse } from "../../domain/mailboxes/sync.ts";
import { isApi } from "../../domain/mailboxes/transport.ts";
import { DAY_MS } from "../../domain/time/durations.ts";
import { utcDay } from "../../domain/time/schedule.ts";
import { readAt, WARMUP_WAITS, type WarmupWaits, wishFor } from "../../domain/warmup/engagement.ts";
import { DEFAULT_CONFIG } from "../../domain/warmup/enrolment.ts";
import { scoped } from "../../models/scoped.ts";
import { Send } from "../../models/sending/send.ts";
import type { WarmupEnrolment } from "../../models/warmup/warmup-enrolment.ts";
import { WarmupMail } from "../../models/warmup/warmup-mail.ts";
import { trusted } from "../../mongo/collection.ts";
import { sessionOption } from "../../mongo/direct.ts";
import type { Arrival } from "../inbox/arrival.ts";
import { noteFact } from "../mailboxes/facts.ts";
import { nudge } from "../outbox.ts";
import { confirmSent } from "../sending/delivery-evidence.ts";
import { countOnDay } from "./days.ts";
import { groundOf, zoneOf } from "./ground.ts";
import { changeWarmupMail, loadWarmupMail, mailIdOf, replyId } from "./mails.ts";
import { applySend, noteAnswered } from "./settle.ts";
import { wakesBefore } from "./turn.ts";

/**
 * For how many days a warmup email whose Message-ID was replaced is still recognised by its two addresses and its
 * subject.
 */
const KNOWN_DAYS = 4;
const MOST = 50;
const LANDING: Record<FolderUse, "INBOX" | "SPAM" | "OTHER"> = {
  INBOX: "INBOX",
  JUNK: "SPAM",
  ARCHIVE: "OTHER",
  SENT: "OTHER",
};

/**
 * Applies an email that belongs to warmup (rules/warmup 5): an email from a partner, a copy that the provider stored,
 * or a bounce. Stores where a partner's email landed and what to do with it. Returns false for every other email, which
 * it ignores. Call it in the transaction that stores the email.
 */
export async function heedWarmup(arrival: Arrival, waits: WarmupWaits = WARMUP_WAITS): Promise<boolean> {
  const { mailbox, message } = arrival;
  const mail = (await findByIds([message.messageId])) ?? (await findByDraft(arrival));
  const from = message.from?.address ?? "";
  if (mail !== null && mail.send.mailboxId === mailbox._id && (arrival.isSentFolder || from === mailbox.email)) {
    await noteCopy(arrival, mail, waits);
    return true;
  }
  if (mail !== null && mail.send.to === mailbox.email && from === mail.mail.fromAddress) {
    await storeLanding(arrival, mail, waits);
    return true;
  }
  if (arrival.isSentFolder || (await scoped(mailbox.workspaceId).WarmupEnrolment.get(mailbox._id)) === null)
    return false;
  const renamed = await findBySubject(arrival, from);
  if (renamed !== null) {
    await storeLanding(arrival, renamed, waits);
    return true;
  }
  return (await heedAnswer(arrival, from)) || heedReturned(arrival);
}

/** Those of these Message-IDs that belong to warmup emails. */
export async function knownWarmupIds(messageIds: readonly string[]): Promise<Set<string>> {
  const sends = await findWarmupSends([...messageIds]);
  return new Set(sends.flatMap(({ messageIds }) => messageIds));
}

/** Whether an email comes from a warmup partner, by its Message-ID and its sender. */
export async function isFromWarmupPartner({ messageId, from }: Pick<Inbound, "messageId" | "from">): Promise<boolean> {
  const found = messageId === null ? null : await findByIds([messageId]);
  return found !== null && found.mail.fromAddress === from?.address;
}

interface Found {
  mail: WarmupMail;
  send: Send;
}

async function findByIds(ids: readonly (string | null)[]): Promise<Found | null> {
  const named = ids.filter((id) => id !== null);
  const [send] = named.length === 0 ? [] : await findWarmupSends(named);
  const mailId = send === undefined ? null : mailIdOf(send.sendKey);
  const mail = mailId === null ? null : await loadWarmupMail(mailId);
  return send === undefined || mail === null ? null : { mail, send };
}

/**
 * The sends of these warmup emails. The Message-IDs are stored before transmission begins, so even an immediate bounce
 * is recognised.
 */
function findWarmupSends(ids: readonly string[]): Promise<Send[]> {
  return Send.find({ messageIds: trusted({ $in: [...ids] }), kind: "WARMUP" }, null, {
    acrossWorkspaces: true,
    ...sessionOption(),
  })
    .limit(MOST)
    .lean<Send[]>()
    .exec();
}

/**
 * Finds an email whose Message-ID a server has replaced, by its two addresses and the subject, unless the sender is
 * forged.
 */
async function findBySubject({ mailbox, message, authentication }: Arrival, from: string): Promise<Found | null> {
  if (from === "" || authentication === "FAIL") return null;
  const since = utcDay(Date.now() - KNOWN_DAYS * DAY_MS);
  const awaited = { toMailboxId: mailbox._id, day: trusted({ $gte: since }), fromAddress: from, landed: null };
  const mails = await WarmupMail.find(awaited, null, sessionOption()).limit(MOST).lean<WarmupMail[]>();
  const subject = baseSubject(message.subject);
  for (const mail of mails) {
    const send = await scoped(mail.fromWorkspaceId).Send.get(mail.sendId);
    if (send?.subject && baseSubject(send.subject) === subject) return { mail, send };
  }
  return null;
}

/**
 * Finds the email of a copy in Sent whose Message-ID the provider's API has replaced, by the draft that was sent: Graph
 * keeps its id, and Gmail its thread.
 */
async function findByDraft(arrival: Arrival): Promise<Found | null> {
  const { mailbox, isSentFolder, to, uidValidity, providerThreadId } = arrival;
  if (!isSentFolder || !isApi(mailbox)) return null;
  const since = utcDay(Date.now() - KNOWN_DAYS * DAY_MS);
  const recipients = trusted({ $in: to.map(({ address }) => address) });
  const open = { fromMailboxId: mailbox._id, day: trusted({ $gte: since }), toAddress: recipients, sentCopy: null };
  const mails = await WarmupMail.find(open, null, sessionOption()).limit(MOST).lean<WarmupMail[]>();
  for (const mail of mails) {
    const send = await scoped(mail.fromWorkspaceId).Send.get(mail.sendId);
    const draft = send?.draft ?? null;
    if (send === null || draft === null) continue;
    const isFrom = draft.transport === "GRAPH" ? draft.draftId === uidValidity : draft.threadId === providerThreadId;
    if (isFrom) return { mail, send };
  }
  return null;
}

/**
 * Applies a copy in the sender's own mailbox. It proves that the email was sent and contains the provider's Message-ID.
 * The copy is archived later.
 */
async function noteCopy(
  { mailbox, message, folder, uidValidity, uid }: Arrival,
  { mail: { _id: mailId, state }, send }: Found,
  { tidyMs }: WarmupWaits,
): Promise<void> {
  await confirm(send, state, "sent copy");
  await learnMessageId(send, message.messageId);
  const tidyAt = new Date(Date.now() + tidyMs);
  const noted = await changeWarmupMail(mailId, { sentCopy: null }, { sentCopy: { folder, uidValidity, uid }, tidyAt });
  if (noted !== null) await nudge(mailbox.workspaceId, "WARMUP", { mailboxId: mailbox._id, signal: "changed" });
}

/** Records where a partner's email landed, once, and what to do with it. */
async function storeLanding(arrival: Arrival, { mail, send }: Found, waits: WarmupWaits): Promise<void> {
  const { mailbox, folderUse, folder, uidValidity, uid, receivedAt } = arrival;
  await confirm(send, mail.state, "warmup arrival");
  if (mail.landed !== null) return;
  await learnMessageId(send, arrival.message.messageId);
  const mailId = mail._id;
  const enrolment = await scoped(mailbox.workspaceId).WarmupEnrolment.get(mailbox._id);
  const opener = await scoped(mail.fromWorkspaceId).WarmupEnrolment.get(mail.fromMailboxId);
  const where = LANDING[folderUse];
  const facts = { id: mailId, turn: mail.turn, isInSpam: where === "SPAM" };
  const wish = enrolment === null ? null : wishFor(facts, enrolment.config, opener?.config ?? DEFAULT_CONFIG);
  const treats = enrolment !== null && enrolment.status !== "STOPPED";
  const hours = enrolment === null ? null : groundOf(enrolment, mailbox, await zoneOf(mailbox)).hours;
  const engageAt = treats && hours !== null ? new Date(readAt(mailId, receivedAt.getTime(), hours, waits)) : null;
  const now = new Date();
  const landed = { folder: where, provider: mailbox.provider, at: now };
  const set = { landed, place: { folder, uidValidity, uid }, wish, engageAt };
  if ((await changeWarmupMail(mailId, { landed: null }, set)) === null) return;
  const inSpam = where === "SPAM" ? 1 : 0;
  await countOnDay(mail.fromWorkspaceId, mail.fromMailboxId, { seen: 1, ...(inSpam > 0 && { inSpam }) }, now);
  await noteFact(mail.fromWorkspaceId, mail.fromMailboxId, { seen: 1, inSpam }, now);
  await countOnDay(mailbox.workspaceId, mailbox._id, { received: 1 }, now, mailbox);
  if (enrolment !== null && engageAt !== null) await tellOf(enrolment, engageAt);
}

/** Stores a Message-ID with which a server has replaced ours: the email is found by it, and answers refer to it. */
async function learnMessageId({ workspaceId, _id, messageIds }: Send, theirs: string | null): Promise<void> {
  if (theirs === null || messageIds.includes(theirs)) return;
  await scoped(workspaceId).Send.updateOne({ _id }, { $addToSet: { messageIds: theirs } });
}

/** Applies evidence that an email was sent, unless that was already known. */
async function confirm(send: Send, state: WarmupMail["state"], evidence: string): Promise<void> {
  const confirmed = await confirmSent(send, evidence);
  if (state !== "SENT") await applySend(confirmed);
}

/**
 * Signals the warmup workflow that there is something to do with an email, unless it wakes earlier anyway, because it
 * then handles everything that is due. If the workflow misses the signal while it is already checking, the email waits
 * for the next check, at most until the end of the day.
 */
async function tellOf(enrolment: WarmupEnrolment, engageAt: Date): Promise<void> {
  if (wakesBefore(enrolment, engageAt.getTime())) return;
  const { workspaceId, _id: mailboxId } = enrolment;
  // Moved forward, so that a lost workflow run is noticed in time
  await scoped(workspaceId).WarmupEnrolment.updateOne(
    { _id: mailboxId, wakeAt: trusted({ $gt: engageAt }) },
    { $set: { wakeAt: engageAt } },
  );
  await nudge(workspaceId, "WARMUP", { mailboxId, signal: "due", at: engageAt.getTime() });
}

/**
 * Handles a reply to our warmup email: the partner's planned reply under another Message-ID, a reply from a person, or
 * an automatic notice. Returns false when it is none of these.
 */
async function heedAnswer({ message }: Arrival, from: string): Promise<boolean> {
  const answered = await findByIds([message.inReplyTo, ...message.references]);
  if (answered === null || answered.send.to !== from) return false;
  const isPlanned = (await loadWarmupMail(replyId(answered.mail._id))) !== null;
  if (!isPlanned && readAutoReply(message) === null && !isBounce(message))
    await noteAnswered(answered.mail._id, new Date());
  return true;
}

/** Handles a report that one of our warmup emails could not be delivered. Returns false when it is none. */
async function heedReturned({ mailbox, message }: Arrival): Promise<boolean> {
  if (!isBounce(message)) return false;
  const { messageIds } = ownEvidence(message);
  const found = await findByIds(messageIds);
  if (found === null || found.send.mailboxId !== mailbox._id) return false;
  await confirm(found.send, found.mail.state, "bounce");
  if (readBounce(message)?.kind !== "BOUNCE") return true;
  const now = new Date();
  const returned = await changeWarmupMail(found.mail._id, { bouncedAt: null }, { bouncedAt: now });
  if (returned !== null) await countOnDay(mailbox.workspaceId, mailbox._id, { bounced: 1 }, now, mailbox);
  return true;
}
