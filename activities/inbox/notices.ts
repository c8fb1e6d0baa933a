import type { Logger } from "pino";
import type { BearerAccess } from "../../connectors/bearer-call.ts";
import { readProfile } from "../../connectors/gmail/history.ts";
import { watchChanges } from "../../connectors/gmail/notices.ts";
import { GmailTrouble } from "../../connectors/gmail/trouble.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../domain/time/durations.ts";
import type { Mailbox } from "../../models/mailboxes/mailbox.ts";
import { scoped } from "../../models/scoped.ts";
import { findNoticed, forgetNotices, noteWatched } from "../../store/inbox/notices.ts";

/** Milliseconds: a watch of Gmail lives seven days and is renewed each day; after a failure it is tried again. */
const RENEW_BEFORE_MS = 6 * DAY_MS;
const TRY_AGAIN_MS = HOUR_MS;
/** Milliseconds for which a notice proves that notices about the mailbox come. */
const TRUSTED_MS = DAY_MS;
/** Milliseconds by which the clock of the process that recorded a notice may differ from ours. */
const CLOCKS_MS = MINUTE_MS;

/** The notices about one mailbox at Gmail. */
export interface MailboxNotices {
  /** Asks Gmail for notices where that is due. A failure is logged: the mailbox is polled as before. */
  renew(access: BearerAccess): Promise<void>;
  /** Whether notices about the mailbox come, so that it may be polled less often. */
  areTrusted(): Promise<boolean>;
  /** A notice is missing: they are trusted again when the next one comes. */
  forget(): Promise<void>;
}

export function gmailNotices(mailbox: Mailbox, topic: string, log: Logger): MailboxNotices {
  const { workspaceId, _id: mailboxId } = mailbox;
  const cursorId = gmailCursorId(mailbox);
  let renewAt: number | null = null;
  return {
    async renew(access) {
      if (renewAt === null) {
        const cursor = await scoped(workspaceId).MailboxCursor.get(cursorId);
        renewAt = (cursor?.watchedUntil?.getTime() ?? 0) - RENEW_BEFORE_MS;
      }
      if (Date.now() < renewAt) return;
      try {
        const { emailAddress } = await readProfile(access);
        const watchedUntil = await watchChanges(access, topic);
        await noteWatched(workspaceId, cursorId, { watchedAs: emailAddress.toLowerCase(), watchedUntil });
        renewAt = watchedUntil.getTime() - RENEW_BEFORE_MS;
      } catch (error) {
        // Another token may help, and the next look asks with one
        if (!(error instanceof GmailTrouble) || error.kind === "expired") throw error;
        renewAt = Date.now() + TRY_AGAIN_MS;
        log.warn({ err: error, mailboxId, topic, reason: error.reason }, "Gmail gives no notices about a mailbox");
      }
    },
    async areTrusted() {
      const cursor = await scoped(workspaceId).MailboxCursor.get(cursorId);
      // Cursors of earlier versions have neither
      const [noticedAt, watchedUntil] = [cursor?.noticedAt ?? null, cursor?.watchedUntil ?? null];
      if (noticedAt === null || watchedUntil === null) return false;
      return noticedAt.getTime() > Date.now() - TRUSTED_MS && watchedUntil > new Date();
    },
    forget: () => forgetNotices(workspaceId, cursorId),
  };
}

export function gmailCursorId({ _id }: Mailbox): string {
  return `${_id}:gmail`;
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
