import type { PurposeKeys } from "../../domain/access/tokens.ts";
import type { Message } from "../../models/inbox/message.ts";
import { scoped } from "../../models/scoped.ts";
import { isDuplicateKey } from "../../mongo/duplicate.ts";
import { inTransaction, outsideTransaction } from "../../mongo/transaction.ts";
import { expireAsked } from "../campaigns/approvals.ts";
import { confirmSent } from "../sending/delivery-evidence.ts";
import type { About, Arrival, HeedArrival, HeedReply } from "./arrival.ts";
import { messageOf } from "./arrival.ts";
import { applyMail, type JudgedMail, judgeMail } from "./ingest-classify.ts";
import { acceptSuggestion } from "./ingest-consent.ts";
import { askWhetherToStop } from "./opt-out-question.ts";
import { mayStop, stopSender } from "./stop-sender.ts";
import { storeMessage } from "./threads.ts";

/**
 * The database ends a transaction after a time limit (embedded/mongod.ts). This is that limit in milliseconds, minus
 * the time that the commit needs.
 */
const TOO_LONG_MS = 9_500;

/**
 * How many milliseconds the reads of `judgeMail` may take before the database counts as slow. A reply needs about ten
 * reads there, and its transaction needs twice as many commands, so it might exceed the time limit.
 */
const STOPS_FIRST_AFTER_MS = 500;

/** Thrown when the transaction of an email took longer than the database allows. The email is read again later. */
export class TooSlowToStore extends Error {}

/**
 * Reads an email and stores it with its effects in one transaction. The effects therefore happen exactly once, even if
 * the email is read twice, in two folders or by two workers, or if the process is killed (rules/mail 5.2). While the
 * database is slow, the email stops its sender before it is stored, so that the stop does not wait for the rest
 * (rules/mail 5.9). Returns the kind of the email, or DUPLICATE when it was stored before.
 * @throws StillRecording while a send that it refers to is being recorded
 * @throws TooSlowToStore when the database was too slow to store the email; the stops are already written
 */
export async function ingest(
  arrival: Arrival,
  keys: PurposeKeys,
  heedWarmup: HeedArrival = noWarmup,
  heedReply: HeedReply = async () => {},
): Promise<string> {
  if (await isStored(arrival)) return "DUPLICATE";
  const judge = () => judgeMail(arrival, keys);
  const begunAt = performance.now();
  let judged = arrival.unreadable === null ? await judge() : null;
  const isSlow = judged !== null && mayStop(judged) && performance.now() - begunAt > STOPS_FIRST_AFTER_MS;
  try {
    if (judged !== null && isSlow) {
      if (await inTime(() => storeWarmup(arrival, heedWarmup))) return "WARMUP";
      await stopSender(judged, arrival);
    }
    const judgeAgain = async () => {
      judged &&= await judge();
    };
    const storeArrival = async () =>
      !isSlow && (await storeWarmup(arrival, heedWarmup)) ? "WARMUP" : storeMail(arrival, keys, judged, heedReply);
    return await inTime(storeArrival, judgeAgain);
  } catch (err) {
    // Another reader of the same email has committed first
    if (isDuplicateKey(err) && (await isStored(arrival))) return "DUPLICATE";
    throw err;
  }
}

/**
 * Stops the people that an email must stop, without storing the email. Used for an email that waits for another one
 * while the database is slow.
 */
export async function stopSenderOf(
  arrival: Arrival,
  keys: PurposeKeys,
  heedWarmup: HeedArrival = noWarmup,
): Promise<void> {
  if (arrival.unreadable !== null || (await isStored(arrival))) return;
  const judged = await judgeMail(arrival, keys);
  if (!mayStop(judged) || (await inTime(() => storeWarmup(arrival, heedWarmup)))) return;
  await stopSender(judged, arrival);
}

/** Without the warmup satellite, no email is a warmup email. */
const noWarmup: HeedArrival = async () => false;

/**
 * Runs one transaction. When the database ended it because of its time limit, it is not repeated, because it would end
 * again. `prepare` runs before each repetition, outside of the transaction.
 */
async function inTime<T>(work: () => Promise<T>, prepare: () => Promise<void> = async () => {}): Promise<T> {
  let begunAt: number | null = null;
  return inTransaction(async () => {
    if (begunAt !== null && performance.now() - begunAt > TOO_LONG_MS) throw new TooSlowToStore();
    if (begunAt !== null) await outsideTransaction(prepare);
    begunAt = performance.now();
    return work();
  });
}

async function storeMail(
  arrival: Arrival,
  keys: PurposeKeys,
  judged: JudgedMail | null,
  heedReply: HeedReply,
): Promise<string> {
  const { mailbox, authentication } = arrival;
  for (const send of judged?.answers ?? []) await confirmSent(send, "reply");
  const { reply, ...about }: About = judged === null ? { kind: "UNREADABLE" } : await applyMail(arrival, keys, judged);
  const message = scoped(mailbox.workspaceId).Message.draft({
    ...messageOf(mailbox._id, arrival),
    authentication,
    category: about.kind === undefined ? null : (CATEGORY_OF[about.kind] ?? null),
    ...about,
  });
  const filed = await storeMessage(message, mailbox.email);
  await expireAsked(filed);
  if (reply === undefined) return filed.kind;
  const { _id: messageId, threadId, campaignId } = filed;
  if (reply.asks !== null)
    await askWhetherToStop(mailbox.workspaceId, { ...reply.asks, threadId, messageId, campaignId });
  await acceptSuggestion(filed, judged?.reply?.acceptsFrom ?? null);
  await heedReply(filed, reply.intent);
  return filed.kind;
}

/**
 * Stores only that a warmup email was read. It belongs to no thread and no one reads it in the inbox. Returns false
 * when the email is no warmup email.
 */
async function storeWarmup(arrival: Arrival, heedWarmup: HeedArrival): Promise<boolean> {
  if (!(await heedWarmup(arrival))) return false;
  const { mailbox, authentication } = arrival;
  const nothing = {
    subject: null,
    bodyText: null,
    bodyHtml: null,
    replyText: null,
    hiddenCharacters: 0,
    attachments: [],
    to: [],
    cc: [],
  };
  const row = { ...messageOf(mailbox._id, arrival), ...nothing, authentication, kind: "WARMUP" } as const;
  await scoped(mailbox.workspaceId).Message.insert(row);
  return true;
}

/** The category that a kind implies; the code that reads the kind may set a more precise one. */
const CATEGORY_OF: Partial<Record<Message["kind"], string>> = {
  AUTO_REPLY: "AUTO_REPLY",
  BOUNCE: "BOUNCE",
  UNSUBSCRIBE: "UNSUBSCRIBE",
};

async function isStored({ mailbox, folder, uidValidity, uid, contentKey }: Arrival): Promise<boolean> {
  const either = { mailboxId: mailbox._id, $or: [{ folder, uidValidity, uid }, { contentKey }] };
  return (await scoped(mailbox.workspaceId).Message.findOne(either, { select: { _id: 1 } })) !== null;
}
