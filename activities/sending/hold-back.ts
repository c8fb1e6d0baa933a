import { DRAWS, draw } from "../../domain/draw.ts";
import { heldBackMs } from "../../domain/sending/last-look.ts";
import type { StepOutcome } from "../../domain/workflow-contract.ts";
import type { Recipient } from "../../models/recipients/recipient.ts";
import { scoped } from "../../models/scoped.ts";
import type { Send } from "../../models/sending/send.ts";
import { noteLook } from "../../store/recipients/due-step.ts";
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

/**
 * Undoes the claim of a campaign's email whose content did not begin in time. The next look books it again, because a
 * stop that came meanwhile must not leave a booking behind.
 */
export async function holdBackClaimed({ recipient }: Situation, send: Send, attemptId: string): Promise<StepOutcome> {
  const heldBack = heldBackNow(send);
  await recordWithdrawn(send, attemptId, heldBack);
  return waitUntil(recipient, heldBack);
}

/**
 * Undoes the claim of a campaign's email for which the mailbox has to wait at its provider (rules/sending 5.14). The
 * database is not slow then, so no alert counts it.
 */
export async function holdBackForProvider(
  { recipient }: Situation,
  send: Send,
  attemptId: string,
  waitMs: number,
): Promise<StepOutcome> {
  await recordWithdrawn(send, attemptId);
  const at = Date.now() + waitMs;
  await noteLook(recipient, at);
  return { kind: "replan", at, why: "the limits of the mailbox's provider" };
}

/** Lets a campaign's email that was not claimed wait; its slot stays. */
export async function holdBackUnclaimed({ recipient }: Situation, send: Send): Promise<StepOutcome> {
  const heldBack = heldBackNow(send);
  await scoped(send.workspaceId).Send.updateOne({ _id: send._id, state: "RESERVED" }, { $set: { heldBack } });
  return waitUntil(recipient, heldBack);
}

async function waitUntil(recipient: Recipient, { until }: NonNullable<Send["heldBack"]>): Promise<StepOutcome> {
  const at = until.getTime();
  await noteLook(recipient, at);
  return { kind: "replan", at, why: WHY };
}
