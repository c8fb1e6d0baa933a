import { utcDay } from "../../domain/time/schedule.ts";
import { scoped } from "../../models/scoped.ts";
import { WarmupMail } from "../../models/warmup-mail.ts";
import { trusted } from "../../mongo/collection.ts";
import { sessionOption } from "../../mongo/direct.ts";
import { IS_INSTANT } from "../../mongo/schema.ts";
import { endWarmup } from "./room.ts";

/**
 * After a restore: nobody knows which mails of this day have gone out since the backup, so none of them goes out, none is planned anew
 * today, and nothing that came before is answered (rules/warmup 3.4). Call it in a transaction.
 */
export async function restWarmup(workspaceId: string, mailboxId: string): Promise<void> {
  await scoped(workspaceId).WarmupEnrolment.updateOne({ _id: mailboxId }, { $set: { restDay: utcDay(Date.now()) } });
  await endWarmup(workspaceId, mailboxId);
  const open = { toMailboxId: mailboxId, engageAt: trusted(IS_INSTANT), wish: trusted({ $ne: null }) };
  await WarmupMail.updateMany(open, { $set: { "wish.answer": false } }, sessionOption());
}
