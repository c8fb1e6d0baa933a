import { scoped } from "../../models/scoped.ts";
import { trusted } from "../../mongo/collection.ts";
import { freeMailbox } from "../mailboxes/faults.ts";
import { missPlanned } from "./settle.ts";

/**
 * Keeps room for this many warmup mails in each day of a mailbox (rules/health 4.1), and wakes whoever waits for it when that is fewer than
 * before. Call it in a transaction.
 */
export async function keepRoom(workspaceId: string, mailboxId: string, target: number): Promise<void> {
  const { Mailbox } = scoped(workspaceId);
  const $set = { warmupTarget: target };
  const fewer = await Mailbox.updateOne({ _id: mailboxId, warmupTarget: trusted({ $gt: target }) }, { $set });
  if (fewer > 0) await freeMailbox(workspaceId, mailboxId);
  else await Mailbox.updateOne({ _id: mailboxId, warmupTarget: trusted({ $ne: target }) }, { $set });
}

/** Gives up what a mailbox has planned, and the room that it needed. Call it in a transaction. */
export async function endWarmup(workspaceId: string, mailboxId: string): Promise<void> {
  await missPlanned(workspaceId, mailboxId);
  await keepRoom(workspaceId, mailboxId, 0);
}
