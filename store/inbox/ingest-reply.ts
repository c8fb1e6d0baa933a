import type { Settings } from "../../domain/campaigns/settings.ts";
import type { Attribution } from "../../domain/inbox/attribution.ts";
import { DATA_REQUEST, suggestedCategory } from "../../domain/inbox/category.ts";
import type { ReplyIntent } from "../../domain/inbox/intent/intents.ts";
import { isDoubtful, readAutoReply } from "../../domain/mail/auto-reply.ts";
import { leadStatusesBelow, OPEN } from "../../domain/states.ts";
import { DAY_MS } from "../../domain/time/durations.ts";
import { isZone } from "../../domain/time/schedule.ts";
import { dayOf, instantOf } from "../../domain/time/zone.ts";
import type { Message } from "../../models/inbox/message.ts";
import type { Recipient } from "../../models/recipients/recipient.ts";
import { scoped } from "../../models/scoped.ts";
import { trusted } from "../../mongo/collection.ts";
import { noteLate } from "../changed-days.ts";
import { emit } from "../outbox.ts";
import { heedEvent } from "../recipients/route.ts";
import { endRecipient, pauseRecipient } from "../recipients/stop.ts";
import { confirmSent } from "../sending/delivery-evidence.ts";
import { erasedAddressOf } from "../suppression/guard-id.ts";
import { findAddressBehind, suppressAddress } from "../suppression/suppress.ts";
import type { About, Arrival } from "./arrival.ts";
import type { AttributedSend } from "./ingest-attribution.ts";
import { heedAcceptance } from "./meeting.ts";
import { readReply } from "./read-reply.ts";
import { type AnsweredSend, findAlsoStopped, findAnswered, type JudgedReply, optOutOf } from "./stop-sender.ts";

/**
 * Applies a person's reply (rules/states 5.1 to 5.4). The event contains the newest send. The reply stops the recipient
 * in every campaign whose settings require it.
 */
export async function ingestReply(
  arrival: Arrival,
  origin: Attribution<AttributedSend>,
  judged: JudgedReply | null,
): Promise<About> {
  const { message, receivedAt } = arrival;
  const answered = await answeredBy(origin, "reply", judged?.answered);
  if (answered === null) return { kind: "OTHER" };
  const { send, recipient, settings } = answered;
  const { workspaceId, _id: recipientId, campaignId, leadId, email } = recipient;
  const isFirst = await isFirstOf(workspaceId, recipientId, "REPLY", message.messageId);
  await stopRecipientOf(recipient, settings, receivedAt);
  for (const { _id } of judged?.isStopped ? [] : await findAlsoStopped(answered, origin)) {
    await endRecipient(workspaceId, _id, { status: "REPLIED", stopReason: "REPLIED", wakesFeeder: true });
  }
  if (settings.stopOnReply && settings.stopForCompany) await pauseColleagues(recipient);
  const from = message.from?.address ?? email;
  // A colleague who quotes us is another person, whose address is not added to the lead (rules/mail 10.2)
  await touchLead(recipient, origin.confidence === "HIGH" ? from : email, receivedAt);
  if (isFirst) {
    const data = { stepId: send.stepId, from, confidence: origin.confidence, matchedBy: origin.matchedBy };
    await emit(workspaceId, {
      type: "REPLIED",
      at: receivedAt,
      leadId,
      campaignId,
      recipientId,
      data,
      webhook: { recipientId, email: await findAddressBehind(workspaceId, email) },
    });
  }
  // Without any of our content in the email, the accepted invitation may come from someone else
  const isBooked = origin.rule !== 6 && (await heedAcceptance(recipient, arrival, origin.confidence, settings));
  const intent = judged?.answered.recipient._id === recipientId ? judged.intent : await readReply(arrival, recipient);
  const optOut = optOutOf(intent, origin, arrival.authentication);
  const isClear = optOut === "SUPPRESS";
  if (isClear) await suppressBoth(recipient, from);
  const isForged = arrival.authentication === "FAIL";
  const asks = optOut === "ASK" ? { recipient, from, stepId: send.stepId, ...questionAbout(intent, isForged) } : null;
  const category = isBooked ? "MEETING_BOOKED" : categoryOf(intent, isClear);
  return {
    kind: "REPLY",
    isDoubtful: isDoubtful(message),
    recipientId,
    campaignId,
    leadId,
    sendId: send._id,
    category,
    suggestion: category === null ? suggestionOf(intent) : null,
    evidence: evidenceOf(origin),
    reply: { intent, asks },
  };
}

/** The category that a reply gets automatically. */
function categoryOf({ clauses }: ReplyIntent, isOptOut: boolean): string | null {
  // By law, anyone who asks for their data must get an answer, also when they are suppressed already
  if (clauses.some(({ intent }) => intent === "DATA_REQUEST")) return DATA_REQUEST;
  return isOptOut ? "UNSUBSCRIBE" : null;
}

function suggestionOf(intent: ReplyIntent): NonNullable<Message["suggestion"]> | null {
  const suggested = suggestedCategory(intent);
  return suggested === null ? null : { category: suggested.category, confidence: suggested.confidence };
}

/** The question to a person about words that may be an opt-out. */
function questionAbout({ clauses, optOut }: ReplyIntent, isForged: boolean) {
  const asking = clauses.filter(({ intent }) => intent === "OPT_OUT");
  const reason =
    isForged && optOut === "CLEAR"
      ? "The words ask us to stop, but the sender's address could not be authenticated"
      : "The words may ask us to stop writing";
  const words = asking.map((clause) => clause.words).join(" ");
  return { words, reason, confidence: Math.max(0.5, ...asking.map(({ confidence }) => confidence)) };
}

/** The rule that attributed the message, in the form in which it is stored. */
function evidenceOf({ rule, value }: Attribution<AttributedSend>): NonNullable<About["evidence"]> {
  return { rule: `attribution ${rule}`, value };
}

/**
 * Applies an automatic reply (rules/states 5.5). It does not count as a reply and stops no one, unless the campaign
 * requires that. An out-of-office notice pauses the recipient until its end.
 */
export async function ingestAutoReply(arrival: Arrival, origin: Attribution<AttributedSend>): Promise<About> {
  const { message, receivedAt } = arrival;
  const answered = await answeredBy(origin, "auto-reply");
  if (answered === null) return { kind: "AUTO_REPLY", category: readAutoReply(message)?.subKind ?? "AUTO_REPLY" };
  const { send, recipient, settings } = answered;
  const { workspaceId, _id: recipientId, campaignId, leadId } = recipient;
  const given = recipient.timezone ?? settings.timezone;
  const timeZone = isZone(given) ? given : "UTC";
  const read = readAutoReply(message, { at: receivedAt.getTime(), timeZone });
  const subKind = read?.subKind ?? "AUTO_REPLY";
  if (await isFirstOf(workspaceId, recipientId, "AUTO_REPLY", message.messageId)) {
    const data = {
      subKind,
      proof: read?.proof ?? null,
      returnDate: read?.returnDate ?? null,
      contactLeft: read?.contactLeft ?? false,
      stepId: send.stepId,
    };
    await emit(workspaceId, { type: "AUTO_REPLIED", at: receivedAt, leadId, campaignId, recipientId, data });
  }
  await scoped(workspaceId).Recipient.updateOne(
    { _id: recipientId },
    { $set: { autoRepliedAt: recipient.autoRepliedAt ?? receivedAt } },
  );
  await noteLate(workspaceId, campaignId, [recipient.autoRepliedAt ?? receivedAt]);
  // When a person clicks "Accept", their calendar sends the reply, which looks like an automatic one
  if (await heedAcceptance(recipient, arrival, origin.confidence, settings)) {
    const about = { recipientId, campaignId, leadId, sendId: send._id, evidence: evidenceOf(origin) };
    return { kind: "AUTO_REPLY", category: "MEETING_BOOKED", ...about };
  }
  const isAbsent = subKind === "OUT_OF_OFFICE";
  if (settings.stopOnAutoReply || (isAbsent && settings.outOfOfficeMode === "STOP")) {
    await endRecipient(workspaceId, recipientId, {
      status: "COMPLETED",
      stopReason: "AUTO_REPLIED",
      wakesFeeder: true,
    });
  } else if (read?.contactLeft && mayPause(recipient)) {
    await pauseRecipient(workspaceId, recipientId, "APPROVAL_REQUIRED", null);
  } else if (isAbsent && settings.outOfOfficeMode === "PAUSE_AND_RESUME" && mayPause(recipient)) {
    const fallback = new Date(receivedAt.getTime() + settings.outOfOfficeFallbackDays * DAY_MS);
    const until = read?.returnDate ? new Date(instantOf(timeZone, (dayOf(read.returnDate) + 1) * DAY_MS)) : fallback;
    if (until > new Date()) await pauseRecipient(workspaceId, recipientId, "OUT_OF_OFFICE", until);
  }
  return {
    kind: "AUTO_REPLY",
    category: subKind,
    recipientId,
    campaignId,
    leadId,
    sendId: send._id,
    evidence: evidenceOf(origin),
  };
}

/**
 * The person whom the message answers, in the running transaction. The reply proves that the email was sent, unless
 * only the sender connects the two.
 */
function answeredBy(
  origin: Attribution<AttributedSend>,
  evidence: string,
  before: AnsweredSend | null = null,
): Promise<AnsweredSend | null> {
  return findAnswered(
    origin,
    async (send) => (origin.matchedBy === "SENDER" ? send : confirmSent(send, evidence)),
    before,
  );
}

/**
 * Whether this is the first event of its kind for the recipient and Message-ID. An email that was copied to two
 * mailboxes emits only one event (rules/mail 5.7).
 */
async function isFirstOf(
  workspaceId: string,
  recipientId: string,
  kind: string,
  rfcMessageId: string | null,
): Promise<boolean> {
  if (rfcMessageId === null) return true;
  return (
    (await scoped(workspaceId).Message.findOne({ recipientId, kind, rfcMessageId }, { select: { _id: 1 } })) === null
  );
}

async function stopRecipientOf(recipient: Recipient, { stopOnReply }: Settings, at: Date): Promise<void> {
  const { workspaceId, _id } = recipient;
  const repliedAt = recipient.repliedAt ?? at;
  const from = [...OPEN, "COMPLETED" as const];
  const before =
    stopOnReply && from.some((status) => status === recipient.status)
      ? await endRecipient(workspaceId, _id, {
          status: "REPLIED",
          stopReason: "REPLIED",
          from,
          set: { repliedAt },
          wakesFeeder: true,
        })
      : null;
  await noteLate(workspaceId, recipient.campaignId, [repliedAt]);
  // Written in every case, so that two copies of one reply conflict here
  if (before === null)
    await scoped(workspaceId).Recipient.updateOne({ _id }, { $set: { repliedAt }, $inc: { touches: 1 } });
  await dispute(recipient, at);
  if (before === null) await heedEvent(recipient);
}

/**
 * Marks a hard bounce as disputed for the operator, because a person who replies does receive email. The bounce itself
 * stays (rules/mail 7.7).
 */
async function dispute({ workspaceId, _id, bounce }: Recipient, at: Date): Promise<void> {
  if (bounce?.type !== "HARD" || bounce.disputedAt) return;
  await scoped(workspaceId).Recipient.updateOne({ _id }, { $set: { bounce: { ...bounce, disputedAt: at } } });
}

/** Pauses the colleagues of the person who replied, in the same campaign (rules/states 5.2). */
async function pauseColleagues({ workspaceId, _id, campaignId, companyDomain }: Recipient): Promise<void> {
  if (companyDomain === null) return;
  const open = { status: trusted({ $in: [...OPEN] }), _id: trusted({ $ne: _id }) };
  for (const colleague of await scoped(workspaceId).Recipient.find({ ...open, campaignId, companyDomain })) {
    if (mayPause(colleague)) await pauseRecipient(workspaceId, colleague._id, "COMPANY_REPLIED", null);
  }
}

/**
 * Whether a recipient may be paused. A pause that a person or another rule has set is not replaced by one that ends
 * automatically.
 */
function mayPause({ status, pauseReason }: Recipient): boolean {
  return status === "PENDING" || status === "IN_PROGRESS" || (status === "PAUSED" && pauseReason === "OUT_OF_OFFICE");
}

async function touchLead({ workspaceId, leadId, email }: Recipient, from: string, at: Date): Promise<void> {
  const updatedAt = new Date();
  const written = {
    $max: { lastRepliedAt: at },
    // The recipient's address may be a hash
    ...(erasedAddressOf(workspaceId, from) !== erasedAddressOf(workspaceId, email) && {
      $addToSet: { secondaryEmails: from },
    }),
    $set: { updatedAt },
  };
  await scoped(workspaceId).Lead.wroteAll([
    { filter: { _id: leadId }, change: written },
    {
      filter: { _id: leadId, status: { $in: leadStatusesBelow("REPLIED") } },
      change: { $set: { status: "REPLIED", updatedAt } },
    },
  ]);
}

/** Suppresses both addresses of a person whose reply says "Stop" (rules/states 5.3, 5.4). */
async function suppressBoth({ workspaceId, _id, email }: Recipient, from: string): Promise<void> {
  await suppressAddress(workspaceId, email, "OPT_OUT_REPLY", { named: _id });
  if (from !== email) await suppressAddress(workspaceId, from, "OPT_OUT_REPLY");
}
