import { randomBytes } from "node:crypto";
import type { Logger } from "pino";
import { readProfile } from "../../connectors/gmail/history.ts";
import { watchChanges } from "../../connectors/gmail/notices.ts";
import { renewSubscription, subscribe } from "../../connectors/graph/notices.ts";
import { isShared, type MailApi, noticeNameOf } from "../../domain/mailboxes/transport.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../domain/time/durations.ts";
import type { MailboxCursor } from "../../models/inbox/mailbox-cursor.ts";
import type { Mailbox } from "../../models/mailboxes/mailbox.ts";
import { scoped } from "../../models/scoped.ts";
import { findNoticed, forgetNotices, noteWatched, type Watched } from "../../store/inbox/notices.ts";
import type { ApiAccess } from "../mailboxes/api-access.ts";
import { isApiTrouble } from "../mailboxes/api-trouble.ts";

/** Milliseconds until a provider that gives no notices is asked again, and when that is, by mailbox of this process. */
const TRY_AGAIN_MS = HOUR_MS;
const tryAt = new Map<string, number>();
/** Milliseconds for which a notice proves that notices about the mailbox come. */
const TRUSTED_MS = DAY_MS;
/** Milliseconds by which the clock of the process that recorded a notice may differ from ours. */
const CLOCKS_MS = MINUTE_MS;

/** The notices about one mailbox at its provider. */
export interface MailboxNotices {
  /**
   * Asks the provider for notices where that is due; a failure is logged, and the mailbox is polled as before. Returns
   * whether notices come, so that the mailbox may be polled less often.
   */
  keep(access: ApiAccess): Promise<boolean>;
  /** A notice is missing: they are trusted again when the next one comes. */
  forget(): Promise<void>;
}

/** How a provider is asked for notices. */
interface Asking {
  cursorId: string;
  /** Milliseconds before the end of what was asked for last. */
  renewBeforeMs: number;
  ask(access: ApiAccess, cursor: MailboxCursor): Promise<Watched>;
}

/** Returns null where the provider reports nothing about the mailbox. */
export function noticesOf(
  mailbox: Mailbox,
  notices: NonNullable<MailApi["notices"]>,
  log: Logger,
): MailboxNotices | null {
  // The consent of a user does not include notices about the mailbox of someone else
  if (notices.by === "HTTP")
    return isShared(mailbox) ? null : noticesBy(atGraph(mailbox, notices.postTo), mailbox, log);
  return noticesBy(atGmail(mailbox, notices.topic), mailbox, log);
}

function noticesBy({ cursorId, renewBeforeMs, ask }: Asking, mailbox: Mailbox, log: Logger): MailboxNotices {
  const { workspaceId, _id: mailboxId } = mailbox;
  return {
    async keep(access) {
      const cursor = await scoped(workspaceId).MailboxCursor.get(cursorId);
      if (cursor === null) return false;
      // Cursors of earlier versions have neither
      let watchedUntil = cursor.watchedUntil?.getTime() ?? 0;
      if (watchedUntil - renewBeforeMs <= Date.now() && (tryAt.get(mailboxId) ?? 0) <= Date.now()) {
        try {
          const watched = await ask(access, cursor);
          await noteWatched(workspaceId, cursorId, watched);
          tryAt.delete(mailboxId);
          watchedUntil = watched.watchedUntil.getTime();
        } catch (error) {
          if (!isApiTrouble(error)) throw error;
          tryAt.set(mailboxId, Date.now() + TRY_AGAIN_MS);
          log.warn({ err: error, mailboxId }, "the provider gives no notices about a mailbox");
        }
      }
      const noticedAt = cursor.noticedAt?.getTime() ?? 0;
      return noticedAt > Date.now() - TRUSTED_MS && watchedUntil > Date.now();
    },
    forget: () => forgetNotices(workspaceId, cursorId),
  };
}

/** A watch of Gmail lives seven days and is renewed each day. */
function atGmail(mailbox: Mailbox, topic: string): Asking {
  return {
    cursorId: gmailCursorId(mailbox),
    renewBeforeMs: 6 * DAY_MS,
    async ask(access) {
      const { emailAddress } = await readProfile(access);
      return { watchedAs: emailAddress.toLowerCase(), watchedUntil: await watchChanges(access, topic) };
    },
  };
}

/** A subscription of Graph is asked for 60 hours, and renewed with a day left. */
function atGraph(mailbox: Mailbox, postTo: string): Asking {
  return {
    cursorId: graphCursorId(mailbox, "inbox"),
    renewBeforeMs: DAY_MS,
    async ask(access, { watchId }) {
      const until = new Date(Date.now() + 60 * HOUR_MS);
      const renewed = watchId ? await renewSubscription(access, watchId, until) : null;
      if (renewed !== null) return { watchedUntil: renewed };
      const secret = randomBytes(32).toString("base64url");
      const { id, expiresAt } = await subscribe(access, { postTo, secret, until });
      return { watchedAs: noticeNameOf(secret), watchId: id, watchedUntil: expiresAt };
    },
  };
}

export function gmailCursorId({ _id }: Mailbox): string {
  return `${_id}:gmail`;
}

export function graphCursorId({ _id }: Mailbox, folder: string): string {
  return `${_id}:graph/${folder}`;
}

export interface NoticeLook {
  stop(): void;
}

/** Tells mailboxes that their provider has reported a change, by one query per look for all mailboxes of the process. */
export function startNoticeLook(tell: (mailboxId: string) => void, everyMs: number, log: Logger): NoticeLook {
  const startedAt = Date.now();
  let told = new Map<string, number>();
  const look = async () => {
    const seen = new Map<string, number>();
    for (const { mailboxId, noticedAt } of await findNoticed(new Date(Date.now() - 2 * CLOCKS_MS))) {
      const at = noticedAt?.getTime() ?? 0;
      seen.set(mailboxId, at);
      // A mailbox is read when its watch begins, so an earlier notice says nothing new
      if (at !== told.get(mailboxId) && at > startedAt - CLOCKS_MS) tell(mailboxId);
    }
    told = seen;
  };
  let isLooking = false;
  const timer = setInterval(() => {
    if (isLooking) return;
    isLooking = true;
    look()
      .catch((err) => log.warn({ err }, "could not look for notices of mail providers"))
      .finally(() => {
        isLooking = false;
      });
  }, everyMs);
  timer.unref();
  return { stop: () => clearInterval(timer) };
}
