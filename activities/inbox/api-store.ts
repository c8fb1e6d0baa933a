import pLimit from "p-limit";
import type { GraphAccess } from "../../connectors/graph/call.ts";
import { headOfRaw, isKnownCopy, isTooBig } from "../../connectors/imap/fetch.ts";
import type { Folder } from "../../connectors/imap/folders.ts";
import { DAY_MS, SECOND_MS } from "../../domain/time/durations.ts";
import type { MailboxCursor } from "../../models/inbox/mailbox-cursor.ts";
import type { Mailbox } from "../../models/mailboxes/mailbox.ts";
import { scoped } from "../../models/scoped.ts";
import { trusted } from "../../mongo/collection.ts";
import { pagesOf } from "../../mongo/ids.ts";
import { TooSlowToStore } from "../../store/inbox/ingest.ts";
import { isApiTrouble } from "../mailboxes/api-trouble.ts";
import { fileOld } from "./backfill.ts";
import { CLOCKS_MS, SLOW_MS } from "./cursor.ts";
import { ingestMail, type MailReader, parseRawMails, type ReadMail, stopSenderOfMail } from "./read.ts";
import { type TroubledEmails, troubledEmails } from "./troubled-emails.ts";

/** The folders of a mailbox at a provider's API, by our own names. */
export const API_FOLDERS = {
  INBOX: { path: "INBOX", use: "INBOX" },
  SENT: { path: "Sent", use: "SENT" },
  JUNK: { path: "Junk", use: "JUNK" },
  ARCHIVE: { path: "Archive", use: "ARCHIVE" },
} as const satisfies Record<string, Folder>;

/** An email as the API returned it. */
export interface ApiMail {
  folder: Folder;
  receivedAt: Date;
  raw: Buffer;
  isDraft: boolean;
  providerThreadId: string | null;
}

/** Reads what is new in a mailbox over its provider's API. */
export interface ApiSource {
  /**
   * `hasMore`: older emails are still to be filed, so the next look need not wait longer than `olderWaitMs`, the
   * milliseconds until the limits of the API allow it.
   */
  read(access: GraphAccess): Promise<{ fresh: number; hasMore: boolean; olderWaitMs?: number }>;
}

/** How many emails are held together, and how many are fetched at once. */
const GROUP = 20;
const AT_ONCE = 3;

/**
 * The provider returned a list of emails, but not all of the emails themselves. The others have been stored, and these
 * are fetched again by the next look.
 */
export class SomeUnread extends Error {
  readonly ids: readonly string[];
  /** How many of the others were new. */
  readonly fresh: number;
  constructor(ids: readonly string[], { fresh, ...options }: ErrorOptions & { fresh: number }) {
    super(`${ids.length} emails could not be fetched`, options);
    this.ids = ids;
    this.fresh = fresh;
  }
}

export interface StoreOptions {
  /** Whether emails that were skipped for failing are tried too. */
  isCount?: boolean;
}
/** How the daily comparison reads. */
export const COUNTING: StoreOptions = { isCount: true };

/** Reads emails by their provider's ids, and stores each with all its effects, once. */
export interface ApiStore {
  /**
   * Stores the emails with these ids that the ledger does not have, in this order, those that failed before last;
   * returns how many were new. `fetch` returns null for an email that is gone.
   * @throws SomeUnread when some could not be fetched
   * @throws TooSlowToStore when the database is too slow to store one; the senders of that one and of those after it
   * are stopped
   */
  storeAll(
    ids: readonly string[],
    fetch: (id: string) => Promise<ApiMail | null>,
    isOld: (receivedAt: Date) => boolean,
    options?: StoreOptions,
  ): Promise<number>;
}

/** `cursorId`: the cursor of the mailbox that remembers which emails could not be read. */
export function createApiStore(reader: MailReader, cursorId: string): ApiStore {
  const { signal } = reader;
  const slots = pLimit(AT_ONCE);

  /**
   * One email that cannot be fetched must not hold up the others. What was fetched before the provider refused all
   * others (`refusal`) is stored, because it has been paid for.
   */
  async function readGroup(
    ids: readonly string[],
    fetch: (id: string) => Promise<ApiMail | null>,
    failed: Map<string, unknown>,
  ): Promise<{ placed: Placed[]; refusal: Error | null }> {
    const fetched = await Promise.allSettled(ids.map((id) => slots(() => fetch(id))));
    let refusal: Error | null = null;
    const mails = fetched.map((one, index) => {
      if (one.status === "fulfilled") return one.value;
      if (signal.aborted || !isApiTrouble(one.reason)) throw one.reason;
      // The other faults concern the login, or how much is asked
      if (one.reason.kind === "away" || one.reason.kind === "invalid") failed.set(ids[index] ?? "", one.reason);
      else refusal ??= one.reason;
      return null;
    });
    const read: { id: string; folder: Folder; head: ReturnType<typeof headOfRaw>; raw: Buffer }[] = [];
    for (const [index, mail] of mails.entries()) {
      const id = ids[index];
      if (id === undefined || mail === null || mail.isDraft) continue;
      const { folder, raw, ...known } = mail;
      read.push({ id, folder, raw, head: headOfRaw(raw, { ...known, isInInbox: folder.use === "INBOX" }) });
    }
    const parsed = await parseRawMails(
      read.map(({ head, raw, folder }) => ({
        head,
        raw,
        cut: isTooBig(head) ? ("TOO_BIG" as const) : isKnownCopy(head, folder) ? ("KNOWN" as const) : null,
      })),
    );
    const placed = parsed.flatMap((mail, index) => {
      const from = read[index];
      return from === undefined ? [] : [{ mail, place: { folder: from.folder, uidValidity: from.id } }];
    });
    return { placed, refusal };
  }

  async function stopSenders(placed: readonly Placed[], isOld: (receivedAt: Date) => boolean): Promise<void> {
    for (const { place, mail } of placed)
      if (!signal.aborted && !isOld(mail.head.receivedAt)) await stopSenderOfMail(reader, place, mail);
  }

  async function storeGroup(
    placed: readonly Placed[],
    isOld: (receivedAt: Date) => boolean,
  ): Promise<{ fresh: number; tooSlow: TooSlowToStore | null }> {
    let fresh = 0;
    let isSlow = false;
    for (const [index, { place, mail }] of placed.entries()) {
      if (signal.aborted) break;
      const begunAt = performance.now();
      const others = placed.slice(index + 1);
      try {
        const isNew = isOld(mail.head.receivedAt)
          ? (await fileOld(reader, place, [mail])) > 0
          : await ingestMail(reader, place, mail);
        if (isNew) fresh++;
      } catch (err) {
        if (!(err instanceof TooSlowToStore)) throw err;
        await stopSenders(others, isOld);
        return { fresh, tooSlow: err };
      }
      if (isSlow || performance.now() - begunAt <= SLOW_MS) continue;
      isSlow = true;
      await stopSenders(others, isOld);
    }
    return { fresh, tooSlow: null };
  }

  return {
    async storeAll(ids, fetch, isOld, { isCount = false } = {}) {
      const left = await withoutKnown(reader, [...new Set(ids)]);
      if (left.length === 0) return 0;
      const troubled = await troubledEmails(reader, cursorId);
      const failed = new Map<string, unknown>();
      let fresh = 0;
      let tooSlow: TooSlowToStore | null = null;
      for (const group of groupsOf(left, troubled, isCount)) {
        if (signal.aborted) break;
        await troubled.begin(group);
        const broken = new Map<string, unknown>();
        try {
          const { placed, refusal } = await readGroup(group, fetch, broken);
          if (tooSlow !== null) await stopSenders(placed, isOld);
          else {
            const stored = await storeGroup(placed, isOld);
            fresh += stored.fresh;
            tooSlow = stored.tooSlow;
          }
          signal.throwIfAborted();
          if (refusal !== null) throw refusal;
        } catch (error) {
          // Where the database is away this fails too, and the error above says more
          await troubled.giveUp(group).catch(() => {});
          throw error;
        }
        const skipped = await troubled.end(group, new Set(broken.keys()));
        for (const [id, cause] of broken) if (!skipped.includes(id)) failed.set(id, cause);
      }
      if (tooSlow !== null) throw tooSlow;
      signal.throwIfAborted();
      const [cause] = failed.values();
      if (failed.size > 0) throw new SomeUnread([...failed.keys()], { cause, fresh });
      return fresh;
    },
  };
}

/** The emails in their order, without those that are skipped. Those that failed before are last, each alone. */
function groupsOf(ids: readonly string[], { isSkipped, isTroubled }: TroubledEmails, isCount: boolean): string[][] {
  const tried = ids.filter((id) => !isSkipped(id, isCount));
  const usual = tried.filter((id) => !isTroubled(id));
  return [...pagesOf(usual, GROUP), ...tried.filter(isTroubled).map((id) => [id])];
}

interface Placed {
  mail: ReadMail;
  place: { folder: Folder; uidValidity: string };
}

/** The ids that the ledger does not have. An API has no UIDs, so the id stands in the place of the UIDVALIDITY. */
async function withoutKnown({ mailbox }: MailReader, ids: readonly string[]): Promise<string[]> {
  const known = await scoped(mailbox.workspaceId).Message.find(
    {
      mailboxId: mailbox._id,
      folder: trusted({ $in: Object.values(API_FOLDERS).map(({ path }) => path) }),
      uidValidity: trusted({ $in: [...ids] }),
      uid: 1,
    },
    { select: { uidValidity: 1 } },
  );
  const has = new Set(known.map(({ uidValidity }) => uidValidity));
  return ids.filter((id) => !has.has(id));
}

/**
 * From when on an email counts as new at the first look: it arrived after the mailbox was connected, and not more than a
 * day before that look, because a mailbox may be connected anew after years.
 */
export function firstNewAt(mailbox: Mailbox, { createdAt }: Pick<MailboxCursor, "createdAt">): number {
  return Math.max(mailbox.createdAt.getTime(), createdAt.getTime() - DAY_MS) - SECOND_MS;
}

/**
 * Until when an email that the provider reports as a change counts as old: someone has copied it into the mailbox. The
 * provider's clock may differ from ours, and a reply must never count as old.
 */
export function oldUntil({ createdAt }: Pick<MailboxCursor, "createdAt">): number {
  return createdAt.getTime() - CLOCKS_MS;
}
