import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../domain/time/durations.ts";
import type { MailboxCursor } from "../../models/inbox/mailbox-cursor.ts";
import type { Mailbox } from "../../models/mailboxes/mailbox.ts";
import { scoped } from "../../models/scoped.ts";
import { SomeUnread } from "./api-store.ts";
import type { MailReader } from "./read.ts";

/**
 * Milliseconds by which a count reaches back before the one before it, and before its end: what arrived within the last
 * minutes may not be in the list of changes yet.
 */
const OVERLAP_MS = 2 * HOUR_MS;
const RECENT_MS = 5 * MINUTE_MS;
const MOST_MS = 30 * DAY_MS;

/** The emails that a count is about, by when the provider received them. */
export interface CountedSpan {
  since: Date;
  until: Date;
}

/**
 * Once a day, compares the emails that the provider lists with those that were read, because a list of changes may omit
 * one (rules/mail 5.11). `readListed` reads the listed ones that were never read and returns their number.
 */
export async function countDaily(
  { mailbox, log }: MailReader,
  cursor: MailboxCursor,
  readListed: (span: CountedSpan) => Promise<number>,
): Promise<number> {
  const now = Date.now();
  const last = (cursor.counted?.at ?? cursor.createdAt).getTime();
  if (now < last + DAY_MS) return 0;
  // An email that could not be read is compared until it is, or until it is too old
  const from = Math.min(last, await firstTroubleAt(mailbox));
  const span = {
    since: new Date(Math.max(from - OVERLAP_MS, now - MOST_MS)),
    until: new Date(now - RECENT_MS),
  };
  const missed = await readListed(span).catch((error: unknown) => {
    // The others were read, and an email that cannot be fetched is tried again by the next count
    if (!(error instanceof SomeUnread)) throw error;
    log.warn({ mailboxId: mailbox._id, ids: error.ids, err: error }, "the daily count could not read some emails");
    return error.fresh;
  });
  const counted = { at: new Date(now), missed };
  await scoped(mailbox.workspaceId).MailboxCursor.updateOne({ _id: cursor._id }, { $set: { counted } });
  if (missed > 0)
    log.warn(
      { mailboxId: mailbox._id, folder: cursor.folder, missed, ...span },
      "the daily count read emails that the provider's list of changes had omitted",
    );
  return missed;
}

/** Since when an email of the mailbox cannot be read, in epoch milliseconds; infinite without one. */
async function firstTroubleAt({ workspaceId, _id: mailboxId }: Mailbox): Promise<number> {
  const cursors = await scoped(workspaceId).MailboxCursor.find({ mailboxId }, { select: { troubled: 1 } });
  const instants = cursors.flatMap(({ troubled }) => (troubled ?? []).map(({ since }) => since.getTime()));
  return Math.min(Number.POSITIVE_INFINITY, ...instants);
}
