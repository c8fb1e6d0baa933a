import { utcDay } from "../../domain/time/schedule.ts";
import { scoped } from "../../models/scoped.ts";
import { WarmupMail } from "../../models/warmup/warmup-mail.ts";
import { trusted } from "../../mongo/collection.ts";
import { sessionOption } from "../../mongo/direct.ts";
import { IS_INSTANT } from "../../mongo/schema.ts";
import { freeMailbox } from "../mailboxes/faults.ts";
import { missPlanned } from "./settle.ts";

/**
 * Reserves this many emails of each day of a mailbox for warmup (rules/health 4.1). If that is fewer than before,
 * waiting recipients are woken. Call it in a transaction.
 */
export async function keepRoom(workspaceId: string, mailboxId: string, target: number): Promise<void> {
  const { Mailbox } = scoped(workspaceId);
  const $set = { warmupTarget: target };
  const fewer = await Mailbox.updateOne({ _id: mailboxId, warmupTarget: trusted({ $gt: target }) }, { $set });
  if (fewer > 0) await freeMailbox(workspaceId, mailboxId);
  else await Mailbox.updateOne({ _id: mailboxId, warmupTarget: trusted({ $ne: target }) }, { $set });
}

/**
 * Gives up all planned warmup emails of a mailbox and the emails per day that were reserved for them. Call it in a
 * transaction.
 */
export async function endWarmup(workspaceId: string, mailboxId: string): Promise<void> {
  await missPlanned(workspaceId, mailboxId);
  await keepRoom(workspaceId, mailboxId, 0);
}

/**
 * After a restore it is not known which warmup emails of this day were already sent. Therefore none is sent or planned
 * again today, and earlier emails are not answered (rules/warmup 3.4). Call it in a transaction.
 */
export async function restWarmup(workspaceId: string, mailboxId: string): Promise<void> {
  await scoped(workspaceId).WarmupEnrolment.updateOne({ _id: mailboxId }, { $set: { restDay: utcDay(Date.now()) } });
  await endWarmup(workspaceId, mailboxId);
  const open = { toMailboxId: mailboxId, engageAt: trusted(IS_INSTANT), wish: trusted({ $ne: null }) };
  await WarmupMail.updateMany(open, { $set: { "wish.answer": false } }, sessionOption());
}
