import { domainOf, mailRef, messageId } from "../../domain/mail/message.ts";
import { stepOf } from "../../domain/sequences/sequence.ts";
import { variantFor } from "../../domain/sequences/variant.ts";
import type { Mailbox } from "../../models/mailboxes/mailbox.ts";
import type { Recipient } from "../../models/recipients/recipient.ts";
import { scoped } from "../../models/scoped.ts";
import type { Send } from "../../models/sending/send.ts";
import { trusted } from "../../mongo/collection.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import { pauseRecipient } from "../recipients/stop.ts";
import { confirmSent } from "./delivery-evidence.ts";
import { recordUncertainStep, type UnrecordedStep } from "./record-uncertain.ts";

/**
 * The keys from which the Message-IDs and mail references of our emails are derived, newest first. They identify copies
 * of our own emails.
 */
export interface CopyKeys {
  messageId: { key: Buffer }[];
  reference: { key: Buffer }[];
}

/** The headers of an email in a Sent folder. */
export interface SentCopy {
  messageId: string | null;
  /** Our mark, the `X-Mail-Ref` header. */
  mailRef: string | null;
  /** The id in the unsubscribe link. */
  sendId: string | null;
  to: string[];
  subject: string;
  at: Date;
}

/**
 * How many generations a copy may be ahead of the restored database, because a step is repeated at most this often
 * after proven failures (rules/mail 7.8).
 */
const REPEATS = 3;

/**
 * Applies a copy of a campaign email to a restored database. RECORDED: the email was recorded as sent, with all
 * consequences. KNOWN: it was already recorded. UNCLEAR: it is our email, but its step cannot be determined, so its
 * open recipients become PAUSED until someone resumes them. FOREIGN: it is not our email.
 */
export async function learnFrom(
  mailbox: Mailbox,
  keys: CopyKeys,
  copy: SentCopy,
): Promise<"RECORDED" | "KNOWN" | "UNCLEAR" | "FOREIGN"> {
  const { Recipient, Send } = scoped(mailbox.workspaceId);
  const recipients = copy.to.length === 0 ? [] : await Recipient.find({ email: trusted({ $in: copy.to }) });
  for (const recipient of recipients) {
    const step = await stepSent(mailbox, keys, copy, recipient);
    if (step !== null) return (await inTransaction(() => recordCopy(step))) ? "RECORDED" : "KNOWN";
  }
  if (copy.mailRef === null) return "FOREIGN";
  const send = await Send.findOne(
    { $or: [{ mailRef: copy.mailRef }, { messageIds: copy.messageId }] },
    { select: { _id: 1 } },
  );
  if (send !== null) return "KNOWN";
  for (const { _id } of recipients)
    await inTransaction(() => pauseRecipient(mailbox.workspaceId, _id, "RESTORED", null));
  return "UNCLEAR";
}

/**
 * The step of this email, found by the Message-ID that it must have (rules/mail 2.1), otherwise by the mail reference
 * of a send that existed at the time of the backup.
 */
async function stepSent(
  mailbox: Mailbox,
  keys: CopyKeys,
  copy: SentCopy,
  recipient: Recipient,
): Promise<UnrecordedStep | null> {
  const { Send, Sequence } = scoped(mailbox.workspaceId);
  const [sequence, rows] = await Promise.all([
    Sequence.findOne({ campaignId: recipient.campaignId }),
    Send.find({ recipientId: recipient._id }, { select: { stepId: 1, generation: 1, messageIds: 1 } }),
  ]);
  const steps = sequence?.steps ?? [];
  const emails = steps.flatMap(({ type, stepId }) => (type === "EMAIL" ? stepId : []));
  const stepIds = new Set([...emails, ...rows.flatMap(({ stepId }) => stepId ?? [])]);
  for (const stepId of stepIds) {
    const row = rows.find((send) => send.stepId === stepId);
    const ids = messageIdsOfStep(mailbox, keys, recipient._id, stepId, row?.generation ?? 0);
    const generation = ids.find(({ id }) => id === copy.messageId)?.generation ?? markedGeneration(row, keys, copy);
    if (generation === null) continue;
    const step = stepOf(steps, stepId);
    const variantId = step === null ? null : (variantFor(step, recipient._id)?.variantId ?? null);
    const ours = ids.find((one) => one.generation === generation)?.id;
    const messageIds = [...new Set([ours, copy.messageId])].flatMap((id) => id ?? []);
    return { mailbox, recipient, stepId, generation, variantId, messageIds, ...copy };
  }
  return null;
}

/**
 * The generation of a copy with the mail reference of this send; null when it does not match. All generations share one
 * reference, so a copy whose Message-ID is already stored belongs to an earlier generation.
 */
function markedGeneration(
  row: Pick<Send, "_id" | "messageIds" | "generation"> | undefined,
  keys: CopyKeys,
  copy: SentCopy,
): number | null {
  if (row === undefined || row.messageIds.includes(copy.messageId ?? "")) return null;
  return keys.reference.some(({ key }) => mailRef(key, row._id) === copy.mailRef) ? row.generation : null;
}

/** The possible Message-IDs of a step's email from this mailbox, and of its repetitions. */
export function messageIdsOfStep(
  { email, workspaceId }: Mailbox,
  keys: CopyKeys,
  recipientId: string,
  stepId: string,
  from: number,
) {
  const domain = domainOf(email);
  const generations = Array.from({ length: REPEATS + 1 }, (_, index) => from + index);
  return generations.flatMap((generation) =>
    keys.messageId.map(({ key }) => ({
      generation,
      id: messageId(key, { workspaceId, recipientId, stepId, generation }, domain),
    })),
  );
}

/** Records the email of a copy as sent. Returns false if it was already recorded. */
async function recordCopy(mail: UnrecordedStep): Promise<boolean> {
  const { workspaceId, _id } = mail.recipient;
  const { Recipient, Send } = scoped(workspaceId);
  const recipient = await Recipient.get(_id);
  const existing = await Send.findOne({ recipientId: _id, stepId: mail.stepId });
  if (recipient === null || (existing !== null && existing.generation >= mail.generation && isSettled(existing)))
    return false;
  // A recipient that was paused because its state was unknown is resumed
  const isFreed = recipient.status === "PAUSED" && recipient.pauseReason === "RESTORED";
  const resume = { status: "IN_PROGRESS", pauseReason: null } as const;
  if (isFreed) await Recipient.updateOne({ _id }, { $set: resume });
  await confirmSent(
    await recordUncertainStep({ ...mail, recipient: { ...recipient, ...(isFreed && resume) } }),
    "sent copy",
  );
  return true;
}

/** Whether the outcome of this send is final: it was sent, or is known to be unsent. */
export function isSettled({ state, failure }: Send): boolean {
  return state === "SENT" || state === "BOUNCED" || (state === "FAILED" && failure?.reason !== "SEND_UNKNOWN");
}
