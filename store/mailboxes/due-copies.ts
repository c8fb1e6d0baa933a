import { randomUUID } from "node:crypto";
import {
  filingWaitMs,
  isLookDue,
  isSecondLookDue,
  learnFiling,
  SECOND_LOOK_MS,
  type SentCopySeen,
  type SentFolder,
} from "../../domain/mailboxes/sent-filing.ts";
import { isApi } from "../../domain/mailboxes/transport.ts";
import { HOUR_MS, MINUTE_MS, SECOND_MS } from "../../domain/time/durations.ts";
import { bytesIn } from "../../models/inbox/files.ts";
import type { Mailbox } from "../../models/mailboxes/mailbox.ts";
import { scoped } from "../../models/scoped.ts";
import { DueCopy } from "../../models/sending/due-copy.ts";
import type { Send } from "../../models/sending/send.ts";
import { trusted } from "../../mongo/collection.ts";

/** Milliseconds for which a process that takes a copy has it alone; longer than any attempt to file it may take. */
const TAKEN_MS = 10 * MINUTE_MS;
/** How many mailboxes are found at a time. */
const MOST = 500;

/** An email whose copy may have to be filed, and the mailbox as it was when the email was composed. */
export interface Copied {
  mailbox: Mailbox;
  bytes: Buffer;
}

/**
 * Makes the copy of a sent email due, unless the server files one itself, or has nowhere to file it. Call it in the
 * transaction that makes the send SENT. `theirs`: the Message-ID by which the server replaced our own.
 */
export async function addDueCopy(sent: Send, { mailbox, bytes }: Copied, theirs: string | null): Promise<void> {
  const now = Date.now();
  const { saveToSent, sentFolder } = mailbox;
  const sentFiling = mailbox.sentFiling ?? null;
  // An API files a copy of everything that it sends
  if (isApi(mailbox)) return;
  if (!saveToSent || sentFolder?.path === null || !isLookDue(sentFiling, now)) return;
  await scoped(sent.workspaceId).DueCopy.store({
    _id: `${sent._id}:${sent.attemptId ?? randomUUID()}`,
    mailboxId: mailbox._id,
    sendId: sent._id,
    leadId: sent.leadId,
    messageIds: [...new Set([theirs, sent.messageId])].flatMap((id) => id ?? []),
    mailRef: sent.generation === 0 ? sent.mailRef : null,
    bytes,
    dueAt: new Date(now + filingWaitMs(sentFiling)),
  });
}

/** Those of these mailboxes that have a copy due. */
export async function findMailboxesWithDueCopies(
  mailboxIds: readonly string[],
): Promise<{ workspaceId: string; mailboxId: string }[]> {
  if (mailboxIds.length === 0) return [];
  const due = { mailboxId: trusted({ $in: [...mailboxIds] }), dueAt: trusted({ $lte: new Date() }) };
  const rows = await DueCopy.find(due, { workspaceId: 1, mailboxId: 1 }, { acrossWorkspaces: true })
    .limit(MOST)
    .lean<Pick<DueCopy, "workspaceId" | "mailboxId">[]>();
  return [...new Map(rows.map(({ workspaceId, mailboxId }) => [mailboxId, { workspaceId, mailboxId }])).values()];
}

/** Takes the copy that has been due for longest, so that no one else takes it; null when none is due. */
export async function takeDueCopy({ workspaceId, _id }: Mailbox): Promise<DueCopy | null> {
  const change = { $set: { dueAt: new Date(Date.now() + TAKEN_MS) }, $inc: { tries: 1 } };
  const due = { mailboxId: _id, dueAt: trusted({ $lte: new Date() }) };
  const taken = await scoped(workspaceId).DueCopy.findOneAndUpdate(due, change, { sort: { dueAt: 1 } });
  return taken === null || taken.bytes === null ? taken : { ...taken, bytes: bytesIn(taken.bytes) };
}

/** Notes that our copy is filed from now on. False when someone else has taken the copy meanwhile, or it is gone. */
export async function beginFiling(copy: DueCopy): Promise<boolean> {
  return (
    (await scoped(copy.workspaceId).DueCopy.updateOne(sameTries(copy), { $set: { appendedAt: new Date() } })) === 1
  );
}

/**
 * Ends a copy that we have just filed; where it is not known who files copies, the folder is checked once more later.
 */
export async function endFiling(mailbox: Mailbox, copy: DueCopy): Promise<void> {
  const { DueCopy } = scoped(copy.workspaceId);
  const now = Date.now();
  if (!isSecondLookDue(mailbox.sentFiling ?? null, now)) await DueCopy.deleteOne(sameTries(copy));
  else await DueCopy.updateOne(sameTries(copy), { $set: { bytes: null, dueAt: new Date(now + SECOND_LOOK_MS) } });
}

/** Puts off a copy that could not be filed: from two seconds up to an hour. */
export async function postponeCopy(copy: DueCopy): Promise<void> {
  const waitMs = Math.min(HOUR_MS, 4 ** Math.min(copy.tries - 1, 6) * 2 * SECOND_MS);
  await scoped(copy.workspaceId).DueCopy.updateOne(sameTries(copy), { $set: { dueAt: new Date(Date.now() + waitMs) } });
}

/**
 * Ends a copy that is in the folder, and learns from it who filed it; `seen` is null where that is not known. Returns
 * the mailbox as it is then.
 */
export async function settleCopy(mailbox: Mailbox, copy: DueCopy, seen: SentCopySeen | null): Promise<Mailbox> {
  if ((await scoped(copy.workspaceId).DueCopy.deleteOne(sameTries(copy))) === 0 || seen === null) return mailbox;
  const sentFiling = learnFiling(mailbox.sentFiling ?? null, seen, new Date());
  await scoped(mailbox.workspaceId).Mailbox.updateOne({ _id: mailbox._id }, { $set: { sentFiling } });
  return { ...mailbox, sentFiling };
}

function sameTries({ _id, tries }: DueCopy): Pick<DueCopy, "_id" | "tries"> {
  return { _id, tries };
}

/** Drops what is due for a mailbox that gets no copies. */
export async function dropDueCopies(workspaceId: string, mailboxId: string): Promise<void> {
  await scoped(workspaceId).DueCopy.deleteMany({ mailboxId });
}

/**
 * Notes where the server keeps sent email; `path` is null where it has no such folder. Writes nothing where that is
 * known.
 */
export async function noteSentFolder(mailbox: Mailbox, path: string | null): Promise<void> {
  if (mailbox.sentFolder?.path === path) return;
  const sentFolder: SentFolder = { path, seenAt: new Date() };
  mailbox.sentFolder = sentFolder;
  await scoped(mailbox.workspaceId).Mailbox.updateOne({ _id: mailbox._id }, { $set: { sentFolder } });
}
