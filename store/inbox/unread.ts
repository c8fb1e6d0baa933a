import { YIELDS_AFTER_MS } from "../../domain/sending/yield.ts";
import { MailboxCursor } from "../../models/inbox/mailbox-cursor.ts";
import { scoped } from "../../models/scoped.ts";
import { trusted } from "../../mongo/collection.ts";

/**
 * Records since when an email in the INBOX of a mailbox has been waiting to be read, or null when none waits. Processes
 * that send read this to slow down.
 */
export async function noteUnread(workspaceId: string, cursorId: string, unreadSince: Date | null): Promise<void> {
  await scoped(workspaceId).MailboxCursor.updateOne({ _id: cursorId }, { $set: { unreadSince } });
}

/**
 * Milliseconds after which a record counts as left behind by a process that died, because reading is restarted by then.
 */
const FORGOTTEN_MS = 600_000;

/** How long the longest unread email has waited, in any workspace, in milliseconds; 0 when none has waited long. */
export async function longestUnreadMs(now: number): Promise<number> {
  const since = trusted({ $gt: new Date(now - FORGOTTEN_MS), $lte: new Date(now - YIELDS_AFTER_MS) });
  const [oldest] = await MailboxCursor.find({ unreadSince: since }, { unreadSince: 1 }, { acrossWorkspaces: true })
    .sort({ unreadSince: 1 })
    .limit(1)
    .lean<MailboxCursor[]>();
  return oldest?.unreadSince ? now - oldest.unreadSince.getTime() : 0;
}
