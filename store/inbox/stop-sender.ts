import { isOpenStatus } from "../../domain/states.ts";
import type { Recipient } from "../../models/recipient.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import { endRecipient } from "../recipients/stop.ts";
import { findAlsoStopped } from "./answered.ts";
import type { Judgement } from "./ingest-classify.ts";

/**
 * Stops whom a reply stops, each recipient in a transaction of its own with so few commands that it ends in time however slow the database
 * is (rules/mail 5.9). Everything else of the reply follows in another transaction. Repeated, it changes nothing; an email that is read again
 * after a kill continues there.
 */
export async function stopSender({ reply, origin }: Pick<Judgement, "reply" | "origin">, repliedAt: Date): Promise<void> {
  if (reply === null || origin === null) return;
  const { recipient, settings } = reply.answered;
  if (settings.stopOnReply && isOpenStatus(recipient.status)) {
    await stop(recipient, { repliedAt: recipient.repliedAt ?? repliedAt });
  }
  for (const other of await findAlsoStopped(reply.answered, origin)) await stop(other);
  reply.isStopped = true;
}

function stop({ workspaceId, _id }: Recipient, set: { repliedAt?: Date } = {}): Promise<Recipient | null> {
  const replied = { status: "REPLIED", stopReason: "REPLIED", set, wakesFeeder: true } as const;
  return inTransaction(() => endRecipient(workspaceId, _id, replied));
}
