import { randomUUID } from "node:crypto";
import { pino } from "pino";
import { sentCopies } from "../../activities/inbox/sent-copies.ts";
import type { Mailbox } from "../../models/mailboxes/mailbox.ts";
import { scoped } from "../../models/scoped.ts";
import { newId } from "../../mongo/ids.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import { addDueCopy } from "../../store/mailboxes/due-copies.ts";
import { activitiesOf, mailbox, workspaceId } from "../listening/listening.ts";

export interface SentOnce {
  messageId: string;
  raw: string;
}

/** The mailbox as it is now. */
export async function mailboxNow(): Promise<Mailbox> {
  const now = await scoped(workspaceId).Mailbox.get(mailbox._id);
  if (now === null) throw new Error("The mailbox is gone");
  return now;
}

/** An email that the server has taken, recorded with its copy as a worker records it. */
export async function sendsOne(theirs: string | null = null): Promise<SentOnce> {
  const messageId = `<${randomUUID()}@a.test>`;
  const raw = `From: ${mailbox.email}\r\nTo: bob@b.test\r\nSubject: x\r\nMessage-ID: ${messageId}\r\n\r\nHello\r\n`;
  const send = {
    _id: newId("snd"),
    kind: "REPLY",
    to: "bob@b.test",
    mailboxId: mailbox._id,
    state: "SENT",
    messageId,
  } as const;
  const stored = await scoped(workspaceId).Send.insert({ ...send, messageIds: [messageId], attemptId: randomUUID() });
  await inTransaction(async () => addDueCopy(stored, { mailbox: await mailboxNow(), bytes: Buffer.from(raw) }, theirs));
  return { messageId, raw };
}

/** Lets the time of every copy come. */
export const copiesComeDue = () => scoped(workspaceId).DueCopy.updateMany({}, { $set: { dueAt: new Date(0) } });

/** Lets the time of every copy come, and files the due copies as the mailbox's sync does. */
export async function filesCopies(): Promise<void> {
  await copiesComeDue();
  await filesDue();
}

/** A worker files the due copies. */
export async function filesDue(): Promise<void> {
  await sentCopies(activitiesOf().openOf, pino({ level: "silent" })).fileDue(workspaceId, mailbox._id);
}

export const countDue = () => scoped(workspaceId).DueCopy.count({});
