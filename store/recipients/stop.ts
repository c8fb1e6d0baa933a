import { OPEN, type RecipientPauseReason, type RecipientStatus, type StopReason } from "../../domain/states.ts";
import type { Recipient } from "../../models/recipients/recipient.ts";
import { scoped } from "../../models/scoped.ts";
import { trusted } from "../../mongo/collection.ts";
import { dropApprovals } from "../campaigns/approvals.ts";
import { nudge, nudgeAll } from "../outbox.ts";
import { releaseBookings } from "../sending/release.ts";

export interface Ending {
  status: Exclude<RecipientStatus, "PENDING" | "IN_PROGRESS" | "PAUSED">;
  stopReason: StopReason;
  /** The statuses from which the recipient may end; by default the open ones. */
  from?: readonly RecipientStatus[];
  /** Further fields of the recipient, such as `repliedAt`. */
  set?: Partial<Omit<Recipient, "_id" | "workspaceId" | "createdAt" | "updatedAt">>;
  /** Whether the recipient's own workflow ends it, so that no signal is needed. */
  bySelf?: boolean;
  /** Whether the campaign's workflow is woken too, because this may have been its last open recipient. */
  wakesFeeder?: boolean;
}

/** The values of fields that an ended recipient no longer needs. */
export const NOTHING_AHEAD = {
  pauseReason: null,
  missingVariables: [],
  pausedUntil: null,
  nextStepId: null,
  nextSendAt: null,
  admittedAt: null,
  parkedEpoch: null,
  awaitedMailboxId: null,
} as const;

/**
 * Ends a recipient, releases its slot and stops its workflow. If it was the last open recipient, the dispatcher wakes
 * the campaign's workflow. This writes the same document as a claim, so once it has committed, no claim for the
 * recipient can commit. Returns the recipient as it was before, or null when it had already ended. Call it in a
 * transaction.
 */
export async function endRecipient(
  workspaceId: string,
  recipientId: string,
  { status, stopReason, from = OPEN, set = {}, bySelf = false, wakesFeeder = false }: Ending,
): Promise<Recipient | null> {
  const { Recipient } = scoped(workspaceId);
  const ending = { _id: recipientId, status: trusted({ $in: [...from] }) };
  const before = await Recipient.findBeforeUpdate(ending, { $set: { ...set, status, stopReason, ...NOTHING_AHEAD } });
  if (before === null) return null;
  await releaseBookings(workspaceId, [recipientId]);
  await dropApprovals(workspaceId, [recipientId]);
  const { campaignId } = before;
  const payload = {
    recipientId,
    campaignId,
    signal: bySelf ? ("ended" as const) : ("stop" as const),
    reason: stopReason,
  };
  await nudgeAll(workspaceId, [
    { kind: "RECIPIENT", payload },
    ...(wakesFeeder ? [{ kind: "CAMPAIGN" as const, payload: { campaignId } }] : []),
  ]);
  return before;
}

/**
 * Pauses an open recipient until an instant, or with null until someone resumes it. `missingVariables` are the
 * variables that it waits for. Returns false when the recipient is not open. Call it in a transaction.
 */
export async function pauseRecipient(
  workspaceId: string,
  recipientId: string,
  pauseReason: RecipientPauseReason,
  until: Date | null,
  missingVariables: string[] = [],
): Promise<boolean> {
  const { Recipient } = scoped(workspaceId);
  const stands = {
    pauseReason,
    missingVariables,
    pausedUntil: until,
    nextSendAt: until,
    parkedEpoch: null,
    awaitedMailboxId: null,
  };
  const paused = await Recipient.findOneAndUpdate(
    { _id: recipientId, status: trusted({ $in: [...OPEN] }) },
    { $set: { status: "PAUSED", ...stands } },
  );
  if (paused === null) return false;
  await releaseBookings(workspaceId, [recipientId]);
  await dropApprovals(workspaceId, [recipientId]);
  await nudge(workspaceId, "RECIPIENT", { recipientId, campaignId: paused.campaignId, signal: "replan" });
  return true;
}
