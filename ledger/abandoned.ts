import { isOpenStatus } from "../domain/states.ts";
import { trusted } from "../models/collection.ts";
import { scoped } from "../models/scoped.ts";
import { Send } from "../models/send.ts";
import { inTransaction } from "../models/transaction.ts";
import { recordUnknown, takeOver } from "./record.ts";
import { releaseBookings } from "./release.ts";

/**
 * Settles the sends whose holder died and whose recipient has ended since, so that no run will ever look at them again: CLAIMED
 * is known not sent, DATA is UNKNOWN and visible (security.md 8.4). Over all workspaces; answers how many it found.
 */
export async function settleAbandoned(limit: number): Promise<number> {
  const rows = await Send.find({ state: "SENDING", leaseUntil: trusted({ $lt: new Date() }) })
    .setOptions({ acrossWorkspaces: true })
    .limit(limit)
    .lean<Send[]>();
  for (const send of rows) {
    if (send.phase === "DATA") await recordUnknown(send, send.attemptId ?? "");
    else if (await takeOver(send)) await giveBack(send);
  }
  return rows.length;
}

/** An open recipient's run claims the row again; nobody does for one that has ended. */
async function giveBack({ workspaceId, recipientId }: Send): Promise<void> {
  if (recipientId === null) return;
  const recipient = await scoped(workspaceId).Recipient.get(recipientId);
  if (recipient !== null && isOpenStatus(recipient.status)) return;
  await inTransaction(() => releaseBookings(workspaceId, [recipientId]));
}
