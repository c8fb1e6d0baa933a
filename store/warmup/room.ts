import { utcDay } from "../../domain/time/schedule.ts";
import { scoped } from "../../models/scoped.ts";
import { WarmupMail } from "../../models/warmup/warmup-mail.ts";
import { trusted } from "../../mongo/collection.ts";
import { sessionOption } from "../../mongo/direct.ts";
import { IS_INSTANT } from "../../mongo/schema.ts";
import { freeMailbox } from "../mailboxes/faults.ts";
import { missPlanned } from "./settle.ts";

/**
 * Reserves room for this many warmup emails in each day of a mailbox (rules/health 4.1), and wakes waiting recipients
 * when that is fewer than before. Call it in a transaction.
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

/**
 * After a restore it is unknown which emails of this day were sent since the backup. So none of them is sent, none is
 * planned again today, and nothing that came before is answered (rules/warmup 3.4). Call it in a transaction.
 */
export async function restWarmup(workspaceId: string, mailboxId: string): Promise<void> {
  await scoped(workspaceId).WarmupEnrolment.updateOne({ _id: mailboxId }, { $set: { restDay: utcDay(Date.now()) } });
  await endWarmup(workspaceId, mailboxId);
  const open = { toMailboxId: mailboxId, engageAt: trusted(IS_INSTANT), wish: trusted({ $ne: null }) };
  await WarmupMail.updateMany(open, { $set: { "wish.answer": false } }, sessionOption());
}
