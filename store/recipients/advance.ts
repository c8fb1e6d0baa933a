import type { StepOutcome } from "../../domain/workflow-contract.ts";
import type { Recipient } from "../../models/recipients/recipient.ts";
import { scoped } from "../../models/scoped.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import { isEditedSince } from "../campaigns/gates.ts";
import { releaseBooking } from "../sending/release.ts";
import { findNextRoute } from "./eligibility.ts";
import { loadSituation, type Situation } from "./recipient-state.ts";
import { endRecipient } from "./stop.ts";

/**
 * Moves the recipient to the step that its sequence requires now; null when it already waits for the right step.
 * `situation` in the result is the recipient's new state, or null when it must be loaded again.
 */
export async function advanceRecipient(
  situation: Situation,
): Promise<{ kind: "moved"; situation: Situation | null } | StepOutcome | null> {
  const { recipient } = situation;
  const route = await findNextRoute(situation, Date.now());
  if (route === null) return null;
  if (route.kind === "END") return completeRecipient(situation);
  if (route.kind === "WAIT") {
    await moveTo(situation, route.stepId, { nextSendAt: new Date(route.until) });
    return { kind: "replan", at: route.until, why: "what its conditions ask for" };
  }
  await moveTo(situation, route.step.stepId, { nextSendAt: new Date() });
  const moved = await loadSituation({
    v: 1,
    workspaceId: recipient.workspaceId,
    campaignId: recipient.campaignId,
    recipientId: recipient._id,
  });
  return { kind: "moved", situation: moved?.step?.stepId === route.step.stepId ? moved : null };
}

/** Completes a recipient that has no further step. */
async function completeRecipient({ sequence, recipient }: Situation): Promise<StepOutcome> {
  const { workspaceId, _id } = recipient;
  const hasFinished = await inTransaction(async () => {
    if (await isEditedSince(sequence, recipient)) return null;
    await endRecipient(workspaceId, _id, { status: "COMPLETED", stopReason: "SEQUENCE_FINISHED", bySelf: true });
    return true;
  });
  return hasFinished
    ? { kind: "stop", reason: "SEQUENCE_FINISHED" }
    : { kind: "replan", at: Date.now(), why: "the sequence as it is now" };
}

/** Makes the recipient wait for another step and releases the slot of the previous one. */
function moveTo({ recipient, send }: Situation, nextStepId: string | null, set: Partial<Recipient>): Promise<void> {
  return inTransaction(async () => {
    const isWaiting = { _id: recipient._id, nextStepId: recipient.nextStepId };
    const moved = await scoped(recipient.workspaceId).Recipient.updateOne(isWaiting, { $set: { nextStepId, ...set } });
    if (moved > 0 && send?.state === "RESERVED" && send.stepId !== nextStepId) await releaseBooking(send);
  });
}
