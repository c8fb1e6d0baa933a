import type { Logger } from "pino";
import type { Mailbox } from "../../models/mailboxes/mailbox.ts";
import { noteUnread } from "../../store/inbox/unread.ts";

/** Milliseconds after which unread email is recorded in the database, for the other processes, and how often that is checked. */
const NOTED_AFTER_MS = 10_000;
const LOOKS_EVERY_MS = 5_000;

/** The emails that have arrived in the mailboxes of this process and are still unread. */
export interface UnreadArrivals {
  /** An email has arrived in the INBOX of a mailbox. */
  arrived(mailbox: Mailbox, folder: string): void;
  /** Its INBOX has been read to the end, or is not watched any more. */
  read(mailbox: Mailbox): void;
  stop(): void;
}

interface Waiting {
  mailbox: Mailbox;
  folder: string;
  since: Date;
  isNoted: boolean;
}

/** Keeps since when email waits to be read, and notes long waits in the database. */
export function createUnreadArrivals(
  log: Logger,
  { notedAfterMs, looksEveryMs } = { notedAfterMs: NOTED_AFTER_MS, looksEveryMs: LOOKS_EVERY_MS },
): UnreadArrivals {
  const waiting = new Map<string, Waiting>();
  const noteUnreadSince = ({ mailbox: { workspaceId, _id }, folder }: Waiting, since: Date | null) =>
    noteUnread(workspaceId, `${_id}:${folder}`, since).catch((err) =>
      log.warn({ err, mailboxId: _id }, "failed to record unread mail"),
    );
  const timer = setInterval(() => {
    for (const one of waiting.values()) {
      if (one.isNoted || Date.now() - one.since.getTime() < notedAfterMs) continue;
      one.isNoted = true;
      void noteUnreadSince(one, one.since);
    }
  }, looksEveryMs);
  timer.unref();
  return {
    arrived(mailbox, folder) {
      if (!waiting.has(mailbox._id)) waiting.set(mailbox._id, { mailbox, folder, since: new Date(), isNoted: false });
    },
    read({ _id }) {
      const one = waiting.get(_id);
      waiting.delete(_id);
      if (one?.isNoted === true) void noteUnreadSince(one, null);
    },
    stop: () => clearInterval(timer),
  };
}
