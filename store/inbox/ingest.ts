import type { PurposeKeys } from "../../domain/access/tokens.ts";
import type { Message } from "../../models/message.ts";
import { scoped } from "../../models/scoped.ts";
import { isDuplicateKey } from "../../mongo/duplicate.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import { expireAsked } from "../campaigns/approvals.ts";
import { confirmAnswers } from "../sending/delivery-evidence.ts";
import { acceptSuggestion } from "./accept-suggestion.ts";
import type { About, Arrival, HeedArrival, HeedReply } from "./arrival.ts";
import { classifyMail } from "./ingest-classify.ts";
import { askWhetherToStop } from "./opt-out-question.ts";
import { messageOf } from "./received.ts";
import { fileMessage } from "./threads.ts";

/**
 * Stores one mail: its row and every effect in one transaction. Thus a mail that is read twice, in two folders or by two workers, or whose
 * reading is cut short by a kill, has its effects exactly once (rules/mail 5.2). Returns its kind, or DUPLICATE when it was stored before.
 * @throws StillRecording while a send that it refers to is being recorded
 */
export async function ingest(
  arrival: Arrival,
  keys: PurposeKeys,
  heedWarmup: HeedArrival = nobody,
  heedReply: HeedReply = async () => {},
): Promise<string> {
  try {
    return await inTransaction(() => write(arrival, keys, heedWarmup, heedReply));
  } catch (err) {
    // Another reader of the same mail has committed first
    if (isDuplicateKey(err) && (await isStored(arrival))) return "DUPLICATE";
    throw err;
  }
}

/** Without a warmup no mail belongs to it. */
const nobody: HeedArrival = async () => false;

async function write(arrival: Arrival, keys: PurposeKeys, heedWarmup: HeedArrival, heedReply: HeedReply): Promise<string> {
  const { mailbox, message, unreadable, authentication } = arrival;
  if (await isStored(arrival)) return "DUPLICATE";
  if (await heedWarmup(arrival)) return storeWarmup(arrival);
  await confirmAnswers(mailbox.workspaceId, message);
  const { reply, ...about }: About = unreadable === null ? await classifyMail(arrival, keys) : { kind: "UNREADABLE" };
  const stored = await scoped(mailbox.workspaceId).Message.insert({
    ...messageOf(mailbox._id, arrival),
    authentication,
    category: about.kind === undefined ? null : (CATEGORY_OF[about.kind] ?? null),
    ...about,
  });
  await fileMessage(stored);
  const filed = (await scoped(mailbox.workspaceId).Message.get(stored._id)) ?? stored;
  await expireAsked(filed);
  if (reply === undefined) return stored.kind;
  const { _id: messageId, threadId, campaignId } = filed;
  if (reply.asks !== null) await askWhetherToStop(mailbox.workspaceId, { ...reply.asks, threadId, messageId, campaignId });
  await acceptSuggestion(filed);
  await heedReply(filed, reply.intent);
  return stored.kind;
}

/** Only that it was read is kept of a warmup mail: it is in no thread, and nobody reads it here. */
async function storeWarmup(arrival: Arrival): Promise<string> {
  const { mailbox, authentication } = arrival;
  const nothing = { subject: null, bodyText: null, bodyHtml: null, replyText: null, hiddenCharacters: 0, attachments: [], to: [], cc: [] };
  const row = { ...messageOf(mailbox._id, arrival), ...nothing, authentication, kind: "WARMUP" } as const;
  return (await scoped(mailbox.workspaceId).Message.insert(row)).kind;
}

/** The category that a kind implies; the code that reads the kind may set a more precise one. */
const CATEGORY_OF: Partial<Record<Message["kind"], string>> = { AUTO_REPLY: "AUTO_REPLY", BOUNCE: "BOUNCE", UNSUBSCRIBE: "UNSUBSCRIBE" };

async function isStored({ mailbox, folder, uidValidity, uid, contentKey }: Arrival): Promise<boolean> {
  const either = { mailboxId: mailbox._id, $or: [{ folder, uidValidity, uid }, { contentKey }] };
  return (await scoped(mailbox.workspaceId).Message.findOne(either, { select: { _id: 1 } })) !== null;
}
