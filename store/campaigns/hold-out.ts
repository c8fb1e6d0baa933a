import { isHeldOut } from "../../domain/campaigns/hold-out.ts";
import type { Settings } from "../../domain/campaigns/settings.ts";
import type { SendState } from "../../domain/states.ts";
import type { Recipient } from "../../models/recipients/recipient.ts";
import { scoped } from "../../models/scoped.ts";
import { trusted } from "../../mongo/collection.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import { endRecipient } from "../recipients/stop.ts";

type Undrawn = Pick<Recipient, "_id" | "campaignId" | "assignedAt" | "sentCount">;

/**
 * Whether the recipient would be put into the hold-out group if it were admitted now. After the recipient was admitted
 * or got an email, its group never changes.
 */
export function wouldBeHeldOut(
  { _id, campaignId, assignedAt, sentCount }: Undrawn,
  { holdOut }: Pick<Settings, "holdOut">,
): boolean {
  return sentCount === 0 && (assignedAt ?? null) === null && isHeldOut(campaignId, _id, holdOut);
}

/**
 * Fields that an admission also writes: when the recipient was assigned to its group, and with which hold-out share.
 * Empty when the recipient was assigned before.
 */
export function assignmentOf({ assignedAt }: Pick<Recipient, "assignedAt">, { holdOut }: Pick<Settings, "holdOut">) {
  return (assignedAt ?? null) === null ? { assignedAt: new Date(), assignedShare: holdOut } : {};
}

/** The states of an email that was sent, or may have been. */
const MAY_BE_OUT: readonly SendState[] = ["SENDING", "SENT", "UNKNOWN", "BOUNCED"];

/**
 * Puts a recipient into the hold-out group instead of admitting it, so it ends before any email. This writes the same
 * document as an admission and as every stop, so only one of them succeeds. GONE: the recipient no longer waits.
 * MAILED: an email may have been sent to it, so it belongs to neither group and continues normally.
 */
export function holdOut(
  { workspaceId, _id: recipientId }: Recipient,
  share: number,
): Promise<"HELD_OUT" | "MAILED" | "GONE"> {
  const { Recipient, Send } = scoped(workspaceId);
  return inTransaction(async () => {
    const waits = { _id: recipientId, status: "PENDING", admittedAt: null, assignedAt: null, sentCount: 0 } as const;
    if ((await Recipient.findOne(waits)) === null) return "GONE";
    const set = { assignedAt: new Date() };
    if ((await Send.findOne({ recipientId, state: trusted({ $in: [...MAY_BE_OUT] }) })) !== null) {
      await Recipient.updateOne({ _id: recipientId }, { $set: { ...set, assignedShare: 0 } });
      return "MAILED";
    }
    const ending = { status: "SKIPPED", stopReason: "HOLD_OUT", from: ["PENDING"], bySelf: true } as const;
    const ended = await endRecipient(workspaceId, recipientId, { ...ending, set: { ...set, assignedShare: share } });
    return ended === null ? "GONE" : "HELD_OUT";
  });
}

/**
 * The ids of the recipients that would be put into the hold-out group if they were admitted now. Without a hold-out
 * share, no recipients are read.
 */
export async function findWouldBeHeldOut(
  workspaceId: string,
  campaignId: string,
  settings: Pick<Settings, "holdOut">,
): Promise<Set<string>> {
  if (settings.holdOut === 0) return new Set();
  const waiting = { campaignId, status: "PENDING", admittedAt: null, sentCount: 0, assignedAt: null };
  const people = await scoped(workspaceId).Recipient.read(waiting, { select: { _id: 1 } });
  return new Set(people.flatMap(({ _id }) => (isHeldOut(campaignId, _id, settings.holdOut) ? [_id] : [])));
}
