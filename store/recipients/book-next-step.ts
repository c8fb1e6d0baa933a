import { hadOf } from "../../domain/recipients/had.ts";
import { BOOK_AHEAD_MS } from "../../domain/sending/pacing.ts";
import { type Follower, followerOf } from "../../domain/sequences/graph.ts";
import { stepOf } from "../../domain/sequences/sequence.ts";
import { HORIZON_MS } from "../../domain/time/durations.ts";
import { dueAfter } from "../../domain/time/schedule.ts";
import type { StepOutcome } from "../../domain/workflow-contract.ts";
import type { Mailbox } from "../../models/mailboxes/mailbox.ts";
import type { Recipient } from "../../models/recipients/recipient.ts";
import { scoped } from "../../models/scoped.ts";
import type { Send } from "../../models/sending/send.ts";
import type { Sequence } from "../../models/sequences/sequence.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import { isEditedSince } from "../campaigns/gates.ts";
import { bookStep } from "../sending/book.ts";
import { calendarOf } from "../sending/calendar.ts";
import { rebook } from "../sending/record.ts";
import { releaseBooking } from "../sending/release.ts";
import { UNKNOWN } from "./after-sent.ts";
import { bookingFor } from "./eligibility.ts";
import type { Situation } from "./recipient-state.ts";
import { endRecipient } from "./stop.ts";

export const bookNext = { after, afterSkipping };

/**
 * Books the step after the one that was just sent: after its delay, counted from that send, and in the next open window
 * (rules/sending 3.1). Where conditions or an edit determine the next step, the recipient is checked again immediately.
 * A step that is no email needs no slot. Call it in a transaction.
 */
async function after(
  { campaign, settings, sequence, lead }: Situation,
  mailbox: Mailbox,
  recipient: Recipient,
  { stepId, isDecided }: Follower,
): Promise<Date | null> {
  const next = stepOf(sequence.steps, stepId);
  const sentAt = recipient.lastSentAt?.getTime() ?? Date.now();
  if (next === null || !isDecided) return new Date();
  const calendar = await calendarOf(settings, mailbox, recipient.timezone, lead.country, sentAt);
  const due = dueAfter(next.delay, sentAt, recipient.timezone ?? settings.timezone, calendar);
  if (next.type !== "EMAIL" || due > sentAt + BOOK_AHEAD_MS) return new Date(due);
  const request = {
    campaign,
    settings,
    recipient,
    mailbox,
    calendar,
    stepId: next.stepId,
    earliest: due,
    latest: due + HORIZON_MS,
    isNewLead: false,
  };
  const booked = await bookStep(request);
  // If no window opens before the end date, the recipient wakes at that date and ends
  return booked?.slotAt ?? new Date(calendar.endAt ?? due);
}

/** Skips a step that lacks a variable; the recipient continues with the next step. */
async function afterSkipping(
  situation: Situation,
  send: Send,
  sequence: Sequence,
  names: string[],
): Promise<StepOutcome> {
  const { recipient, mailbox } = situation;
  const now = new Date();
  const skipped = send.stepId === null ? [] : [{ stepId: send.stepId, at: now.getTime() }];
  const had = [...hadOf(recipient), ...skipped];
  const next = followerOf(sequence.steps, had);
  const { Recipient, Send } = scoped(send.workspaceId);
  const failure = { reason: "MISSING_VARIABLE", code: null, text: names.join(", ").slice(0, 500) };
  const nextAt = await inTransaction(async () => {
    await releaseBooking(send);
    await Send.updateOne({ _id: send._id }, { $set: { state: "FAILED", failure } });
    await Recipient.updateOne({ _id: recipient._id }, { $set: { had } });
    const isAtEnd = next === null && !(await isEditedSince(sequence, recipient));
    if (isAtEnd || mailbox === null) {
      await endRecipient(send.workspaceId, recipient._id, {
        status: "COMPLETED",
        stopReason: "SEQUENCE_FINISHED",
        bySelf: true,
      });
      return null;
    }
    const at = await after(
      situation,
      mailbox,
      { ...recipient, had, lastSentAt: recipient.lastSentAt ?? now },
      next ?? UNKNOWN,
    );
    await Recipient.updateOne({ _id: recipient._id }, { $set: { nextStepId: next?.stepId ?? null, nextSendAt: at } });
    return at;
  });
  return nextAt === null
    ? { kind: "stop", reason: "SEQUENCE_FINISHED" }
    : { kind: "replan", at: nextAt.getTime(), why: "the step after one that was passed by" };
}

/**
 * Books the step that a recipient waits for again, not before an instant (epoch milliseconds), and frees its old slot.
 * Null when there is no slot, or the send can no longer be booked.
 */
export async function rebookStep(
  situation: Situation,
  send: Send | null,
  mailbox: Mailbox,
  earliest: number,
): Promise<Date | null> {
  const { recipient, step } = situation;
  if (step === null) return null;
  const planned = await bookingFor(situation, mailbox, step, earliest);
  const book = async () => {
    const { Mailbox, Recipient } = scoped(recipient.workspaceId);
    // The mailbox may have sent meanwhile, so the earliest time of its next email is read again
    const current = (await Mailbox.get(mailbox._id)) ?? mailbox;
    const slotAt = (await bookStep({ ...planned, mailbox: current }))?.slotAt ?? null;
    await Recipient.updateOne({ _id: recipient._id, nextStepId: step.stepId }, { $set: { nextSendAt: slotAt } });
    return slotAt;
  };
  return send === null ? inTransaction(book) : rebook(send, book);
}
