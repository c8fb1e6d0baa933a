import { MailboxCursor } from "../../models/inbox/mailbox-cursor.ts";
import { scoped } from "../../models/scoped.ts";
import { trusted } from "../../mongo/collection.ts";

const ACROSS = { acrossWorkspaces: true };

/** Records that the provider reports the changes of a mailbox under this name, until an instant. */
export async function noteWatched(
  workspaceId: string,
  cursorId: string,
  { watchedAs, watchedUntil }: { watchedAs: string; watchedUntil: Date },
): Promise<void> {
  await scoped(workspaceId).MailboxCursor.updateOne({ _id: cursorId }, { $set: { watchedAs, watchedUntil } });
}

/** Records that the provider has reported changes of these mailboxes, for the processes that read them. */
export async function noteNotices(names: readonly string[], noticedAt: Date): Promise<void> {
  if (names.length === 0) return;
  await MailboxCursor.updateMany({ watchedAs: trusted({ $in: [...names] }) }, { $set: { noticedAt } }).setOptions(
    ACROSS,
  );
}

/** The mailboxes about which a notice came after an instant, with the time of the last one. */
export function findNoticed(since: Date): Promise<Pick<MailboxCursor, "mailboxId" | "noticedAt">[]> {
  return MailboxCursor.find({ noticedAt: trusted({ $gt: since }) }, { mailboxId: 1, noticedAt: 1 }, ACROSS)
    .lean<MailboxCursor[]>()
    .exec();
}

/** Forgets that notices about a mailbox come, because one was missing. */
export async function forgetNotices(workspaceId: string, cursorId: string): Promise<void> {
  await scoped(workspaceId).MailboxCursor.updateOne({ _id: cursorId }, { $set: { noticedAt: null } });
}
