import type { Mailbox } from "../../models/mailbox.ts";
import { scoped } from "../../models/scoped.ts";
import type { Send } from "../../models/send.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import { bookStep } from "../sending/book.ts";
import { rebook } from "../sending/record.ts";
import { bookingFor } from "./eligibility.ts";
import type { Situation } from "./recipient-state.ts";

/**
 * Books the step that a recipient waits for again, not before an instant (epoch milliseconds), and frees its old slot. Null when there is
 * no slot, or the send can no longer be booked.
 */
export async function rebookStep(situation: Situation, send: Send | null, mailbox: Mailbox, earliest: number): Promise<Date | null> {
  const { recipient, step } = situation;
  if (step === null) return null;
  const planned = await bookingFor(situation, mailbox, step, earliest);
  const book = async () => {
    const { Mailbox, Recipient } = scoped(recipient.workspaceId);
    // The mailbox may have sent since, so its next free instant is read again
    const current = (await Mailbox.get(mailbox._id)) ?? mailbox;
    const slotAt = (await bookStep({ ...planned, mailbox: current }))?.slotAt ?? null;
    await Recipient.updateOne({ _id: recipient._id, nextStepId: step.stepId }, { $set: { nextSendAt: slotAt } });
    return slotAt;
  };
  return send === null ? inTransaction(book) : rebook(send, book);
}
