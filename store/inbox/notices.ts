import { MailboxCursor } from "../../models/inbox/mailbox-cursor.ts";
import { scoped } from "../../models/scoped.ts";
import { trusted } from "../../mongo/collection.ts";

const ACROSS = { acrossWorkspaces: true };

/** Under which name the provider reports the changes of a mailbox, and until when. */
export type Watched = Partial<Pick<MailboxCursor, "watchedAs" | "watchId">> & { watchedUntil: Date };

/** Records for which notices the provider was asked. */
export async function noteWatched(workspaceId: string, cursorId: string, watched: Watched): Promise<void> {
  await scoped(workspaceId).MailboxCursor.updateOne({ _id: cursorId }, { $set: watched });
}

/** Records that the provider has reported changes of these mailboxes, for the processes that read them. */
export function noteNotices(names: readonly string[], noticedAt: Date): Promise<void> {
  return setNamed(names, { noticedAt });
}

/** Records that the provider reports no more about these mailboxes. They are read, and it is asked again. */
export function noteEnded(names: readonly string[], noticedAt: Date): Promise<void> {
  return setNamed(names, { noticedAt, watchedUntil: null });
}

async function setNamed(
  names: readonly string[],
  $set: Partial<Pick<MailboxCursor, "noticedAt" | "watchedUntil">>,
): Promise<void> {
  if (names.length === 0) return;
  await MailboxCursor.updateMany({ watchedAs: trusted({ $in: [...names] }) }, { $set }).setOptions(ACROSS);
}

/** The mailboxes about which a notice came after an instant, with the time of the last one. */
export function findNoticed(since: Date): Promise<Pick<MailboxCursor, "mailboxId" | "noticedAt">[]> {
  return MailboxCursor.find({ noticedAt: trusted({ $gt: since }) }, { mailboxId: 1, noticedAt: 1 }, ACROSS)
    .lean<MailboxCursor[]>()
    .exec();
}

/** Forgets that notices about a mailbox come, because one was missing; they are asked for anew. */
export async function forgetNotices(workspaceId: string, cursorId: string): Promise<void> {
  await scoped(workspaceId).MailboxCursor.updateOne(
    { _id: cursorId },
    { $set: { noticedAt: null, watchId: null, watchedUntil: null } },
  );
}
