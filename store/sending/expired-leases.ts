import { Send } from "../../models/send.ts";
import { trusted } from "../../mongo/collection.ts";
import { recordUnknown, takeOver } from "./record.ts";

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
    else await takeOver(send);
  }
  return rows.length;
}
