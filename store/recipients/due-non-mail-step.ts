import type { Step } from "../../domain/sequences/sequence.ts";
import type { StepOutcome, StepVerb } from "../../domain/workflow-contract.ts";
import { scoped } from "../../models/scoped.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import { releaseBooking } from "../sending/release.ts";
import { dueOf } from "./eligibility.ts";
import type { Situation } from "./recipient-state.ts";

/** Whether a step that is no mail is due: it waits only for its delay, whatever the hour. */
export async function scheduleNonMailStep(situation: Situation, step: Step): Promise<StepOutcome> {
  const { recipient, send } = situation;
  // Before an edit the step was an e-mail, and a booking of it is left
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

/** Which activity executes a step of this type. */
export function verbOf({ type }: Step): StepVerb {
  if (type === "EMAIL") return "mail";
  return type === "WEBHOOK" ? "post" : "act";
}

/** The text of the timer that an operator reads. */
export function dueText({ step }: Situation): string {
  return step === null ? "the end" : `step ${step.order} due`;
}
