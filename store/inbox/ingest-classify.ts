import type { PurposeKeys } from "../../domain/access/tokens.ts";
import { readBounce } from "../../domain/bounces/bounce.ts";
import type { Attribution } from "../../domain/inbox/attribution.ts";
import { kindOf } from "../../domain/inbox/kind.ts";
import { isReaction } from "../../domain/inbox/reaction.ts";
import { readAutoReply } from "../../domain/mail/auto-reply.ts";
import { probeIn } from "../../domain/mail/header-survival.ts";
import type { Message } from "../../models/inbox/message.ts";
import { scoped } from "../../models/scoped.ts";
import type { Send } from "../../models/sending/send.ts";
import { trusted } from "../../mongo/collection.ts";
import { findOpenAnswers, findRelayed } from "../sending/delivery-evidence.ts";
import type { About, Arrival } from "./arrival.ts";
import { type AttributedSend, findOrigin, loadPerson } from "./ingest-attribution.ts";
import { ingestBounce } from "./ingest-bounce.ts";
import { ingestComplaint, ingestUnsubscribe, loadAcceptedFrom } from "./ingest-consent.ts";
import { ingestOwn, isFromHere } from "./ingest-outbound.ts";
import { ingestAutoReply, ingestReply } from "./ingest-reply.ts";
import { unsubscribedSend } from "./ingest-reported.ts";
import { heedInvited } from "./meeting.ts";
import { readReply } from "./read-reply.ts";
import { type AnsweredSend, findAnswered, type JudgedReply } from "./stop-sender.ts";

/**
 * The placement test email that this email is a copy of or an automatic reply to. A placement test is sent between two
 * of our own mailboxes, so it concerns no recipient (rules/deliverability 6.3). Null when there is none.
 */
async function placementSend({ mailbox, message }: Arrival, named: readonly Send[]): Promise<Send | null> {
  const placement = named.find(({ kind }) => kind === "PLACEMENT");
  const mailRef = message.headers.get("x-mail-ref")?.[0]?.trim().toLowerCase();
  if (placement !== undefined || !mailRef) return placement ?? null;
  // A relaying server may have replaced the Message-ID
  return scoped(mailbox.workspaceId).Send.findOne({ mailRef, kind: "PLACEMENT" });
}

/**
 * The send of a probe email that has arrived: a mailbox wrote it to itself (rules/sending 5.13). Its Message-ID and its
 * own headers may have been replaced on the way.
 */
async function probeSend({ mailbox, message }: Arrival): Promise<Send | null> {
  const _id = message.from?.address === mailbox.email ? probeIn(message.subject) : null;
  return _id === null ? null : scoped(mailbox.workspaceId).Send.findOne({ _id, mailboxId: mailbox._id, kind: "TEST" });
}

/** An email that is shown in the thread of a send but has no effect. */
async function standingBeside({ found, rule, value }: Attribution<AttributedSend>): Promise<About> {
  const send = found[0]?.send;
  const person = send === undefined ? null : await loadPerson(send);
  if (send === undefined || person === null) return { kind: "OTHER" };
  return { ...person, kind: "OTHER", sendId: send._id, evidence: { rule: `attribution ${rule}`, value } };
}

/** The kind of an email and whom it concerns, determined before the transaction that applies it. */
export interface JudgedMail {
  /** Null: the email was sent from this mailbox, or belongs to a placement test or a mailbox check. */
  kind: Message["kind"] | null;
  tested: Send | null;
  isConnected: boolean;
  origin: Attribution<AttributedSend> | null;
  unsubscribed: Send | null;
  /** Those of our replies with unknown outcome that the email refers to. */
  answers: Send[];
  reply: JudgedReply | null;
}

/**
 * Determines the kind of an email (rules/mail 6.1). It only reads, and runs outside of any transaction, because the
 * database limits how long a transaction may take. The code that applies the result checks again what may have changed.
 */
export async function judgeMail(arrival: Arrival, keys: PurposeKeys): Promise<JudgedMail> {
  const { mailbox, message } = arrival;
  const answers = await findOpenAnswers(mailbox.workspaceId, message);
  const nothing = {
    kind: null,
    tested: null,
    isConnected: false,
    origin: null,
    unsubscribed: null,
    answers,
    reply: null,
  };
  if (isFromHere(arrival)) return nothing;
  const { Mailbox, Send } = scoped(mailbox.workspaceId);
  const from = message.from?.address ?? "";
  const named = [message.messageId, message.inReplyTo].filter((id) => id !== null);
  const [unsubscribed, sent, connected] = await Promise.all([
    unsubscribedSend(mailbox, message, keys),
    named.length === 0 ? [] : Send.find({ messageIds: trusted({ $in: named }) }, { limit: 10 }),
    from === "" ? 0 : Mailbox.count({ email: from }),
  ]);
  const ownId = from === mailbox.email ? message.messageId : null;
  const isRelayed = ownId !== null && (await findRelayed(mailbox, [ownId])).length > 0;
  const isOwn =
    isRelayed ||
    (from === mailbox.email &&
      sent.some(({ messageIds }) => message.messageId !== null && messageIds.includes(message.messageId)));
  const isConnected = connected > 0;
  const tested = isConnected ? ((await placementSend(arrival, sent)) ?? (await probeSend(arrival))) : null;
  if (tested !== null) return { ...nothing, tested, isConnected };
  const origin = isConnected ? null : await findOrigin(arrival);
  const kind = kindOf(message, {
    ownAddress: mailbox.email,
    isSentFolder: false,
    isOwnId: () => isOwn,
    isConnectedMailbox: () => isConnected,
    hasUnsubscribeToken: unsubscribed !== null,
    attributedBy: origin?.rule ?? null,
  });
  const answered = kind === "REPLY" && origin !== null ? await findAnswered(origin) : null;
  const reply = answered === null ? null : await judgeReply(arrival, answered);
  return { kind, tested, isConnected, origin, unsubscribed, answers, reply };
}

async function judgeReply(arrival: Arrival, answered: AnsweredSend): Promise<JudgedReply> {
  const { recipient } = answered;
  const [intent, acceptsFrom] = await Promise.all([
    readReply(arrival, recipient),
    loadAcceptedFrom(recipient.workspaceId),
  ]);
  return { answered, intent, acceptsFrom, isStopped: false };
}

/** Applies the effects of an email in the running transaction, by its kind. */
export async function applyMail(arrival: Arrival, keys: PurposeKeys, judged: JudgedMail): Promise<About> {
  const { message } = arrival;
  const { kind, tested, isConnected, origin, unsubscribed, reply } = judged;
  if (tested !== null)
    return {
      kind: "OWN",
      sendId: tested._id,
      evidence: { rule: tested.kind === "PLACEMENT" ? "placement test" : "mailbox check", value: message.messageId },
    };
  if (kind === null) return ingestOwn(arrival);
  // A match by the author alone does not prove which email an automatic reply, a report or an acceptance belongs to
  const answered = origin?.rule === 6 ? null : origin;
  const invited = answered === null && !isConnected ? await heedInvited(arrival) : null;
  if (invited !== null) return invited;
  switch (kind) {
    case "OWN":
      return ingestOwn(arrival);
    case "REPLY":
      return origin === null ? { kind: "OTHER" } : ingestReply(arrival, origin, reply);
    case "AUTO_REPLY":
      return answered === null
        ? { kind, category: readAutoReply(message)?.subKind ?? kind }
        : ingestAutoReply(arrival, answered);
    case "BOUNCE":
    case "DELAY": {
      const bounce = readBounce(message);
      if (bounce === null) return { kind: "OTHER" };
      // An out-of-office notice by a person may also say "Your mail could not be delivered to my desk"
      const from = message.from?.address ?? "";
      const isTheirs = answered?.found.some(({ addresses }) => addresses.includes(from)) === true;
      const isNotice =
        isTheirs && bounce.recipients.every(({ address }) => address === null) && readAutoReply(message) !== null;
      return isNotice ? ingestAutoReply(arrival, answered) : ingestBounce(arrival, bounce, keys);
    }
    case "COMPLAINT":
      return ingestComplaint(arrival, keys);
    case "UNSUBSCRIBE":
      return unsubscribed === null ? { kind: "OTHER" } : ingestUnsubscribe(unsubscribed);
    case "OTHER":
      return origin !== null && isReaction(message) ? standingBeside(origin) : { kind };
    default:
      return { kind };
  }
}
