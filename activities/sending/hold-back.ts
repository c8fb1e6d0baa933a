import { DRAWS, draw } from "../../domain/draw.ts";
import { heldBackMs } from "../../domain/sending/last-look.ts";
import type { StepOutcome } from "../../domain/workflow-contract.ts";
import type { Mailbox } from "../../models/mailboxes/mailbox.ts";
import { scoped } from "../../models/scoped.ts";
import type { Send } from "../../models/sending/send.ts";
import { noteLook, rebookAt } from "../../store/recipients/due-step.ts";
import type { Situation } from "../../store/recipients/recipient-state.ts";
import { recordWithdrawn } from "../../store/sending/record.ts";

/** Why an email is held back: its last look would come or came too late, or its turn did not come in time. */
export type HeldBackWhy = "LATE_LOOK" | "NO_TURN";

const WHY = "the database, which is slow";

/** The note on a send that the slow database holds back now (rules/sending 5.9). */
export function heldBackNow(send: Pick<Send, "_id" | "heldBack">): NonNullable<Send["heldBack"]> {
  const times = (send.heldBack?.times ?? 0) + 1;
  const now = Date.now();
  return {
    times,
    at: new Date(now),
    until: new Date(now + heldBackMs(times - 1, draw(send._id, "held back", times) / DRAWS)),
  };
}

/** Undoes the claim of a campaign's email whose content did not begin in time, and books it for later. */
export async function holdBackClaimed(
  situation: Situation,
  send: Send,
  mailbox: Mailbox,
  attemptId: string,
): Promise<StepOutcome> {
  const heldBack = heldBackNow(send);
  await recordWithdrawn(send, attemptId, heldBack);
  return rebookAt(situation, { ...send, heldBack }, mailbox, heldBack.until.getTime(), WHY);
}

/** Lets a campaign's email that was not claimed wait; its slot stays. */
export async function holdBackUnclaimed({ recipient }: Situation, send: Send): Promise<StepOutcome> {
  const heldBack = heldBackNow(send);
  await scoped(send.workspaceId).Send.updateOne({ _id: send._id, state: "RESERVED" }, { $set: { heldBack } });
  const at = heldBack.until.getTime();
  await noteLook(recipient, at);
  return { kind: "replan", at, why: WHY };
}
