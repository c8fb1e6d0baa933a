import { randomUUID } from "node:crypto";
import { isOpenStatus } from "../../domain/states.ts";
import { utcDay } from "../../domain/time/schedule.ts";
import type { Mailbox } from "../../models/mailboxes/mailbox.ts";
import type { Recipient } from "../../models/recipients/recipient.ts";
import { scoped } from "../../models/scoped.ts";
import { Send } from "../../models/sending/send.ts";
import { trusted } from "../../mongo/collection.ts";
import { newId } from "../../mongo/ids.ts";
import { awaitEvidence, recordUnknown, takeOver } from "./record.ts";
import { freeReleased, freeSlot, releaseBookings } from "./release.ts";

/** An email that was sent, or may have been, without a record of it. */
export interface Unrecorded {
  mailbox: Mailbox;
  /** When it was sent, or was due. */
  at: Date;
  /** Our Message-ID, and the provider's if the provider replaced ours. */
  messageIds: string[];
  mailRef: string | null;
  subject: string | null;
}

export interface UnrecordedStep extends Unrecorded {
  recipient: Recipient;
  stepId: string;
  variantId: string | null;
  generation: number;
  /** The id of the lost send, if it is known. */
  sendId: string | null;
}

/**
 * Records a step's send as UNKNOWN, and creates the send if it is missing. It counts in the day of its mailbox and is
 * never sent again automatically. A recipient that may have got the email has reached its step, so an open recipient
 * waits at that step for evidence. Call it in a transaction.
 */
export async function recordUncertainStep(mail: UnrecordedStep): Promise<Send> {
  const { mailbox, recipient, stepId, at, generation, variantId, sendId } = mail;
  const { workspaceId, _id: recipientId, campaignId, leadId, email: to } = recipient;
  const { Recipient, Send } = scoped(workspaceId);
  const existing = await Send.findOne({ recipientId, stepId });
  await releaseBookings(workspaceId, [recipientId]);
  if (existing !== null) await freeSlot({ ...existing, sentAt: at });
  if (existing?.state !== "SENDING" && existing?.state !== "UNKNOWN") await countDay(mailbox, campaignId, at);
  const messageIds = [...new Set([...(existing?.messageIds ?? []), ...mail.messageIds])];
  const facts = {
    ...unknownSendFields(mail),
    messageIds,
    generation,
    variantId,
    day: utcDay(at.getTime()),
    slotAt: existing?.slotAt ?? at,
  };
  const isFree = sendId !== null && (await Send.get(sendId)) === null;
  const _id = isFree ? sendId : newId("snd");
  const row =
    existing === null
      ? await Send.store({ _id, kind: "CAMPAIGN", campaignId, recipientId, leadId, stepId, to, ...facts })
      : await Send.findOneAndUpdate({ _id: existing._id }, { $set: facts });
  if (row === null) throw new Error(`The send ${existing?._id} is gone`);
  await freeReleased(workspaceId, recipientId);
  if (isOpenStatus(recipient.status)) {
    const here = { nextStepId: stepId, mailboxId: mailbox._id, admittedAt: recipient.admittedAt ?? at };
    await Recipient.updateOne({ _id: recipientId }, { $set: here });
    await awaitEvidence(row);
  }
  return row;
}

/**
 * Records a reply, or another email that belongs to no recipient's step, as UNKNOWN. Null when its send is no longer
 * RESERVED or SENDING. Call it in a transaction.
 */
export function recordUncertainMail(sendId: string, mail: Unrecorded): Promise<Send | null> {
  const { Send } = scoped(mail.mailbox.workspaceId);
  const waits = { _id: sendId, state: { $in: ["RESERVED", "SENDING"] } };
  return Send.changeOne(waits, { $set: { ...unknownSendFields(mail), updatedAt: new Date() } });
}

function unknownSendFields({ mailbox, at, messageIds, mailRef, subject }: Unrecorded) {
  return {
    ...({ state: "UNKNOWN", phase: null, attemptId: randomUUID(), leaseUntil: null, failure: null } as const),
    mailboxId: mailbox._id,
    claimedAt: at,
    unknownAt: new Date(),
    messageId: messageIds.at(-1) ?? null,
    messageIds,
    ...(mailRef !== null && { mailRef }),
    ...(subject !== null && { subject }),
  };
}

async function countDay({ workspaceId, _id: mailboxId }: Mailbox, campaignId: string, at: Date): Promise<void> {
  const day = utcDay(at.getTime());
  await scoped(workspaceId).MailboxDay.updateOne(
    { _id: `${mailboxId}:${day}` },
    { $inc: { sent: 1, [`sentBy.${campaignId}`]: 1 }, $setOnInsert: { mailboxId, day } },
    { upsert: true },
  );
}

/**
 * Settles sends whose worker died, including those whose recipient has ended, because no workflow checks them again. A
 * send in phase CLAIMED is known to be unsent; one in phase DATA becomes visible as UNKNOWN (rules/sending 8.4). Covers
 * all workspaces and returns how many it found.
 */
export async function settleExpiredLeases(limit: number): Promise<number> {
  const rows = await Send.find({ state: "SENDING", leaseUntil: trusted({ $lt: new Date() }) })
    .setOptions({ acrossWorkspaces: true })
    .limit(limit)
    .lean<Send[]>();
  for (const send of rows) {
    if (send.phase === "DATA") await recordUnknown(send, send.attemptId ?? "");
    else await takeOver(send);
  }
  return rows.length;
}
