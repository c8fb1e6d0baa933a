import { Send } from "../../models/send.ts";
import { trusted } from "../../mongo/collection.ts";
import { recordUnknown, takeOver } from "./record.ts";

/**
 * Settles sends whose worker died and whose recipient has ended since, so that no run will ever look at them again: CLAIMED is known not
 * sent, DATA becomes UNKNOWN and is visible (rules/sending 8.4). In all workspaces; returns how many it found.
 */
export async function settleExpiredLeases(limit: number): Promise<number> {
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
