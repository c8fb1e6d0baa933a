import type { StepOutcome, StepVerb } from "../domain/engine.ts";
import { dueAfter } from "../domain/schedule.ts";
import type { Step } from "../domain/sequence.ts";
import { calendarOf } from "../ledger/calendar.ts";
import { releaseBooking } from "../ledger/release.ts";
import { scoped } from "../models/scoped.ts";
import { inTransaction } from "../models/transaction.ts";
import type { Situation } from "./situation.ts";

/** A step that is no mail waits for its delay alone, whatever the hour. */
export async function actDue(situation: Situation, step: Step): Promise<StepOutcome> {
  const { recipient, send } = situation;
  // It was an e-mail before an edit, and has left a booking
  if (send?.state === "RESERVED") await inTransaction(() => releaseBooking(send));
  const by = verbOf(step);
  const at = await dueOf(situation, step);
  if (at <= Date.now()) return { kind: "over", to: by };
  await scoped(recipient.workspaceId).Recipient.updateOne(
    { _id: recipient._id, nextStepId: step.stepId },
    { $set: { nextSendAt: new Date(at) } },
  );
  return { kind: "replan", at, why: dueText(situation), by };
}

/** When a step's own delay has passed: since the step before it, since admission for the first. */
export async function dueOf({ recipient, sequence, settings, mailbox, lead }: Situation, step: Step): Promise<number> {
  const { passed, lastSentAt, admittedAt } = recipient;
  const from = (sequence.mode === "VISUAL" ? passed?.at : undefined) ?? (lastSentAt ?? admittedAt ?? new Date()).getTime();
  const calendar = await calendarOf(settings, mailbox, recipient.timezone, lead.country, from);
  return dueAfter(step.delay, from, recipient.timezone ?? settings.timezone, calendar);
}

/** Who does a step of this type. */
export function verbOf({ type }: Step): StepVerb {
  if (type === "EMAIL") return "mail";
  return type === "WEBHOOK" ? "post" : "act";
}

/** What an operator reads on the timer. */
export function dueText({ step }: Situation): string {
  return step === null ? "the end" : `step ${step.order} due`;
}
