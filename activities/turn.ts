import type { StepOutcome } from "../domain/engine.ts";
import { routeOf } from "../ledger/branch.ts";
import { releaseBooking } from "../ledger/release.ts";
import { endRecipient } from "../ledger/stop.ts";
import type { Recipient } from "../models/recipient.ts";
import { scoped } from "../models/scoped.ts";
import { inTransaction } from "../models/transaction.ts";
import { type Situation, situationOf } from "./situation.ts";

/** Sent, refused for good or passed by: nothing of it is to come. */
const BEHIND = ["SENT", "BOUNCED", "FAILED"];
const ON_ITS_WAY = ["SENDING", "UNKNOWN"];

/**
 * Where the sequence leads by now: along its branches in VISUAL mode, and past steps that an edit has put before the recipient
 * although they are behind it. Null when it waits where it should; else it has been moved there. Then `situation` is how it stands
 * there, null when it has to be looked at again.
 */
export async function turn(situation: Situation): Promise<{ kind: "moved"; situation: Situation | null } | StepOutcome | null> {
  const { sequence, recipient, send, lead } = situation;
  if (send !== null && ON_ITS_WAY.includes(send.state)) return null;
  if (sequence.mode === "DEFAULT" && (send === null || !BEHIND.includes(send.state))) return null;
  const route = await routeOf(recipient, sequence, lead);
  if (route.kind === "END") return finish(recipient);
  if (route.kind === "WAIT") {
    await moveTo(situation, route.stepId, { nextSendAt: new Date(route.until) });
    return { kind: "replan", at: route.until, why: "what its conditions ask for" };
  }
  if (route.step.stepId === recipient.nextStepId) return null;
  await moveTo(situation, route.step.stepId, { nextSendAt: new Date(), ...(sequence.mode === "VISUAL" && { passed: route.place }) });
  const moved = await situationOf({
    v: 1,
    workspaceId: recipient.workspaceId,
    campaignId: recipient.campaignId,
    recipientId: recipient._id,
  });
  return { kind: "moved", situation: moved?.step?.stepId === route.step.stepId ? moved : null };
}

/** No further step is for this recipient. */
export async function finish({ workspaceId, _id }: Recipient): Promise<StepOutcome> {
  await inTransaction(() => endRecipient(workspaceId, _id, { status: "COMPLETED", stopReason: "SEQUENCE_FINISHED", bySelf: true }));
  return { kind: "stop", reason: "SEQUENCE_FINISHED" };
}

/** Another step is what this recipient waits for; the slot of the one before is free again. */
function moveTo({ recipient, send }: Situation, nextStepId: string | null, set: Partial<Recipient>): Promise<void> {
  return inTransaction(async () => {
    const isWaiting = { _id: recipient._id, nextStepId: recipient.nextStepId };
    const moved = await scoped(recipient.workspaceId).Recipient.updateOne(isWaiting, { $set: { nextStepId, ...set } });
    if (moved > 0 && send?.state === "RESERVED" && send.stepId !== nextStepId) await releaseBooking(send);
  });
}
