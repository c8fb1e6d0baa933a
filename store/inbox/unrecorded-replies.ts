import { domainOf, messageId } from "../../domain/mail/message.ts";
import type { Mailbox } from "../../models/mailboxes/mailbox.ts";
import { scoped } from "../../models/scoped.ts";
import { trusted } from "../../mongo/collection.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import { confirmSent } from "../sending/delivery-evidence.ts";
import { recordUncertainMail } from "../sending/record-uncertain.ts";
import type { CopyKeys, SentCopy } from "../sending/sent-copy.ts";
import { beginScheduled, scheduledKey, settleScheduled } from "./reply.ts";

/**
 * Replies that are unsent according to the restored database, by the Message-ID that their email must have (rules/mail
 * 2.1).
 */
export type WaitingAnswers = ReadonlyMap<string, { sendId: string; isScheduled: boolean }>;

/**
 * The unsent replies of a mailbox that could have been sent after the backup: created before `until`, and due by then.
 */
export async function waitingAnswers(mailbox: Mailbox, keys: CopyKeys, until: Date): Promise<WaitingAnswers> {
  const { ScheduledReply, Send } = scoped(mailbox.workspaceId);
  const createdAt = trusted({ $lte: until });
  const kind = trusted({ $in: ["REPLY", "SCHEDULED"] });
  const sends = await Send.find({
    mailboxId: mailbox._id,
    kind,
    state: trusted({ $in: ["RESERVED", "SENDING"] }),
    createdAt,
  });
  const scheduled = await ScheduledReply.find({
    mailboxId: mailbox._id,
    status: "PENDING",
    createdAt,
    sendAt: trusted({ $lte: until }),
  });
  const waiting = [
    ...sends.map(({ _id, sendKey }) => ({ sendId: _id, sendKey: sendKey ?? _id, isScheduled: false })),
    ...scheduled.map(({ _id }) => ({ sendId: _id, sendKey: scheduledKey(_id), isScheduled: true })),
  ];
  const domain = domainOf(mailbox.email);
  const replyMessageIdOf = (key: Buffer, idempotencyKey: string) =>
    messageId(key, { workspaceId: mailbox.workspaceId, idempotencyKey }, domain);
  return new Map(
    waiting.flatMap(({ sendKey, ...answer }) =>
      keys.messageId.map(({ key }) => [replyMessageIdOf(key, sendKey), answer] as const),
    ),
  );
}

/**
 * Whether this is the copy of one of those replies. If it is, the reply was sent; it is recorded as sent and added to
 * its thread.
 */
export async function learnOfAnswer(mailbox: Mailbox, answers: WaitingAnswers, copy: SentCopy): Promise<boolean> {
  const answer = answers.get(copy.messageId ?? "");
  if (answer === undefined || copy.messageId === null) return false;
  const { messageId: id, mailRef, subject, at } = copy;
  if (answer.isScheduled) await beginScheduled(mailbox.workspaceId, answer.sendId);
  return inTransaction(async () => {
    const row = await recordUncertainMail(answer.sendId, { mailbox, at, messageIds: [id], mailRef, subject });
    if (row !== null) await confirmSent(row, "sent copy");
    return row !== null;
  });
}

/**
 * For a mailbox that stores no copies of sent email: all its unsent replies may have been sent, so none is sent again.
 * Returns how many.
 */
export async function settleAnswers(mailbox: Mailbox, answers: WaitingAnswers): Promise<number> {
  let settled = 0;
  for (const [id, { sendId, isScheduled }] of answers) {
    if (isScheduled) await beginScheduled(mailbox.workspaceId, sendId);
    const isOurs = await inTransaction(async () => {
      const row = await recordUncertainMail(sendId, {
        mailbox,
        at: new Date(),
        messageIds: [id],
        mailRef: null,
        subject: null,
      });
      if (row?.kind === "SCHEDULED") await settleScheduled(row);
      return row !== null;
    });
    if (isOurs) settled++;
  }
  return settled;
}
