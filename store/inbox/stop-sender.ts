import { type Settings, settingsOf } from "../../domain/campaigns/settings.ts";
import type { Attribution } from "../../domain/inbox/attribution.ts";
import type { ReplyIntent } from "../../domain/inbox/intent/intents.ts";
import { isOpenStatus, OPEN } from "../../domain/states.ts";
import type { Message } from "../../models/inbox/message.ts";
import type { Recipient } from "../../models/recipients/recipient.ts";
import { scoped } from "../../models/scoped.ts";
import type { Send } from "../../models/sending/send.ts";
import { trusted } from "../../mongo/collection.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import { endRecipient } from "../recipients/stop.ts";
import { findAddressBehind, shutAddress } from "../suppression/suppress.ts";
import type { Arrival } from "./arrival.ts";
import type { AttributedSend } from "./ingest-attribution.ts";

/** The newest send that a message replies to, with the current state of its recipient. */
export interface AnsweredSend {
  send: Send;
  recipient: Recipient;
  settings: Settings;
}

/** The recipient that a reply concerns, and the interpretation of the reply. */
export interface JudgedReply {
  answered: AnsweredSend;
  intent: ReplyIntent;
  /** The confidence from which the workspace accepts a suggested category. */
  acceptsFrom: number | null;
  /** Whether everyone whom the reply must stop has already been stopped. */
  isStopped: boolean;
}

/**
 * The effect of words that may be an opt-out (rules/states 5.4): the person is suppressed, or a question is asked. A
 * colleague who quotes us is another person, so their words have no effect. Words from an address that may be forged
 * suppress no one (rules/mail 10.4).
 */
export function optOutOf(
  { optOut }: ReplyIntent,
  { confidence }: Pick<Attribution<AttributedSend>, "confidence">,
  authentication: Arrival["authentication"],
): "SUPPRESS" | "ASK" | null {
  if (optOut === null || confidence !== "HIGH") return null;
  return optOut === "CLEAR" && authentication !== "FAIL" ? "SUPPRESS" : "ASK";
}

/**
 * The recipient that a message answers. `confirm` is called with each send before its recipient is read, and may change
 * it. Campaign settings in `before` are not read again.
 */
export async function findAnswered(
  { found }: Attribution<AttributedSend>,
  confirm: (send: Send) => Promise<Send> = async (send) => send,
  before: AnsweredSend | null = null,
): Promise<AnsweredSend | null> {
  for (const candidate of found) {
    const send = await confirm(candidate.send);
    const { Campaign, Recipient } = scoped(send.workspaceId);
    const recipient = await Recipient.get(candidate.recipientId);
    if (recipient !== null && recipient.campaignId === before?.recipient.campaignId)
      return { send, recipient, settings: before.settings };
    const campaign = recipient === null ? null : await Campaign.get(recipient.campaignId);
    if (recipient !== null && campaign !== null) return { send, recipient, settings: settingsOf(campaign.settings) };
  }
  return null;
}

/**
 * The other open sequences that a reply stops: those of the same person in every campaign of the workspace
 * (rules/states 5.1). An email that refers to no campaign stops all sequences of its author (rules/mail 10.3), whatever
 * scope the settings of a campaign have.
 */
export async function findAlsoStopped(
  { recipient, settings }: AnsweredSend,
  { rule, found }: Attribution<AttributedSend>,
): Promise<Recipient[]> {
  const { workspaceId, _id, leadId } = recipient;
  const { Campaign, Recipient } = scoped(workspaceId);
  const email = await findAddressBehind(workspaceId, recipient.email);
  const theirs: ({ _id: unknown } | { email: unknown } | { leadId: string })[] = [];
  // The lead may have another address in other campaigns by now
  if (settings.stopOnReply && settings.stopOnReplyScope === "WORKSPACE") theirs.push({ email }, { leadId });
  if (rule === 6) {
    const addresses = new Set([email, ...found.flatMap(({ addresses }) => addresses)]);
    for (const { send } of found) addresses.add(await findAddressBehind(workspaceId, send.to));
    const ids = [...new Set(found.map(({ recipientId }) => recipientId))];
    theirs.push({ _id: trusted({ $in: ids }) }, { email: trusted({ $in: [...addresses] }) });
  }
  if (theirs.length === 0) return [];
  const open = await Recipient.find({ status: trusted({ $in: [...OPEN] }), _id: trusted({ $ne: _id }), $or: theirs });
  const stopped: Recipient[] = [];
  for (const other of open) {
    const campaign = await Campaign.get(other.campaignId);
    if (campaign !== null && settingsOf(campaign.settings).stopOnReply) stopped.push(other);
  }
  return stopped;
}

/** The parts of an email that determine whom it stops. `unsubscribed`: the send whose unsubscribe token it contains. */
interface Judged {
  kind: Message["kind"] | null;
  reply: JudgedReply | null;
  origin: Attribution<AttributedSend> | null;
  unsubscribed: Send | null;
}

/** Whether an email may stop someone before it is stored. Failure reports do so only when they are stored. */
export function mayStop({ kind, reply, unsubscribed }: Judged): boolean {
  return reply !== null || (kind === "UNSUBSCRIBE" && unsubscribed !== null);
}

/**
 * Stops the people that a reply or an unsubscribe email must stop. Each recipient and each address has its own
 * transaction, with so few commands that it stays within the time limit of a slow database (rules/mail 5.9). All other
 * effects of the email follow in another transaction. It is safe to repeat: when an email is read again after a crash,
 * the remaining people are stopped.
 */
export async function stopSender(
  { kind, reply, origin, unsubscribed }: Judged,
  { message, receivedAt, authentication }: Arrival,
): Promise<void> {
  if (kind === "UNSUBSCRIBE" && unsubscribed !== null)
    await shutAddress(unsubscribed.workspaceId, unsubscribed.to, "UNSUBSCRIBED");
  if (reply === null || origin === null) return;
  const { recipient, settings } = reply.answered;
  if (optOutOf(reply.intent, origin, authentication) === "SUPPRESS") {
    for (const email of new Set([recipient.email, message.from?.address ?? recipient.email])) {
      await shutAddress(recipient.workspaceId, email, "OPT_OUT_REPLY");
    }
  }
  if (settings.stopOnReply && isOpenStatus(recipient.status)) {
    await stop(recipient, { repliedAt: recipient.repliedAt ?? receivedAt });
  }
  for (const other of await findAlsoStopped(reply.answered, origin)) await stop(other);
  reply.isStopped = true;
}

function stop({ workspaceId, _id }: Recipient, set: { repliedAt?: Date } = {}): Promise<Recipient | null> {
  const replied = { status: "REPLIED", stopReason: "REPLIED", set, wakesFeeder: true } as const;
  return inTransaction(() => endRecipient(workspaceId, _id, replied));
}
