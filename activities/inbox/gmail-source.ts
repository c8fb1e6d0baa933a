import { type BearerAccess, QuotaWait } from "../../connectors/bearer-call.ts";
import { historySince, readProfile } from "../../connectors/gmail/history.ts";
import { listMessages, readRaw } from "../../connectors/gmail/messages.ts";
import { GmailTrouble } from "../../connectors/gmail/trouble.ts";
import { DAY_MS, SECOND_MS } from "../../domain/time/durations.ts";
import type { MailboxCursor } from "../../models/inbox/mailbox-cursor.ts";
import { scoped } from "../../models/scoped.ts";
import {
  API_FOLDERS,
  type ApiMail,
  type ApiSource,
  COUNTING,
  createApiStore,
  firstNewAt,
  oldUntil,
  SomeUnread,
} from "./api-store.ts";
import { CLOCKS_MS } from "./cursor.ts";
import { countDaily } from "./daily-count.ts";
import { gmailCursorId } from "./notices.ts";
import type { MailReader } from "./read.ts";

/** Days of email that are read for the threads at the first look, and after Gmail has forgotten the history. */
const FIRST_DAYS = 7;
const RESCAN_DAYS = 30;
/** How many older emails are filed between two looks for new ones. */
const SLICE = 60;

/**
 * Reads a Gmail mailbox by its history, which shows each new message once whatever its label (rules/mail 5). All pages
 * of a run start from the same id, and the cursor moves after the last of them.
 */
export function gmailSource(reader: MailReader): ApiSource {
  const { mailbox, log } = reader;
  const { MailboxCursor } = scoped(mailbox.workspaceId);
  const _id = gmailCursorId(mailbox);
  const store = createApiStore(reader, _id);
  let older: string[] | null = null;

  /** Its cursor is stored last, so that a look that fails is made again. */
  async function readFirst(access: BearerAccess): Promise<number> {
    const from = firstNewAt(mailbox, { createdAt: new Date() });
    const { historyId } = await readProfile(access);
    const fresh = await readSince(access, from, from);
    const place = { _id, mailboxId: mailbox._id, folder: "gmail", uidValidity: "gmail", lastUid: 0 };
    await MailboxCursor.insert({ ...place, highestModseq: historyId, history: { next: 0, last: 0 } });
    return fresh;
  }

  /** Also what arrived between the connection of the mailbox and the first look. */
  async function readSince(access: BearerAccess, since: number, oldUntil: number, until?: Date): Promise<number> {
    const before = until === undefined ? "" : ` before:${Math.floor(until.getTime() / SECOND_MS)}`;
    const ids = await idsOf(access, `after:${Math.floor(since / SECOND_MS)}${before}`);
    const isOld = (receivedAt: Date) => receivedAt.getTime() < oldUntil;
    return store.storeAll(ids.reverse(), fetchAt(access), isOld, until === undefined ? {} : COUNTING);
  }

  async function readNew(access: BearerAccess, cursor: MailboxCursor): Promise<number> {
    const ids: string[] = [];
    const changes = historySince(access, cursor.highestModseq ?? "", { type: "messageAdded" });
    let historyId: string;
    for (;;) {
      const { value, done } = await changes.next();
      if (done) {
        historyId = value;
        break;
      }
      const added = value.messagesAdded.filter(({ message }) => !message.labelIds.includes("DRAFT"));
      ids.push(...added.map(({ message }) => message.id));
    }
    const fresh = await store.storeAll(ids, fetchAt(access), (receivedAt) => receivedAt.getTime() < oldUntil(cursor));
    if (historyId !== cursor.highestModseq)
      await MailboxCursor.updateOne({ _id }, { $set: { highestModseq: historyId } });
    return fresh;
  }

  /** Gmail no longer has the history since the cursor: the emails of the last days are compared by their ids. */
  async function rescan(access: BearerAccess, cursor: MailboxCursor): Promise<number> {
    log.info({ mailboxId: mailbox._id }, "Gmail has forgotten the history of a mailbox");
    const { historyId } = await readProfile(access);
    const fresh = await readSince(access, Date.now() - RESCAN_DAYS * DAY_MS, oldUntil(cursor));
    await MailboxCursor.updateOne({ _id }, { $set: { highestModseq: historyId } });
    return fresh;
  }

  /**
   * Files a slice of what was there before the first look, newest first, so that new emails need not wait for it. The
   * list may name emails that have arrived since: they are left to the history, and so is the hour before, because the
   * provider's clock may differ from ours.
   */
  async function readOlder(access: BearerAccess, cursor: MailboxCursor): Promise<void> {
    const until = firstNewAt(mailbox, cursor) - CLOCKS_MS;
    const patient = { ...access, quota: access.quota.as("OLDER") };
    const fetch = fetchAt(patient);
    const fetchOld = async (id: string) => {
      const mail = await fetch(id);
      return mail !== null && mail.receivedAt.getTime() < until ? mail : null;
    };
    older ??= await idsOf(patient, afterDays(FIRST_DAYS));
    await store
      .storeAll(older.slice(0, SLICE), fetchOld, () => true)
      .catch((error: unknown) => {
        // Emails that cannot be fetched are tried again after all others
        if (error instanceof SomeUnread) older = [...(older ?? []).slice(SLICE), ...error.ids];
        throw error;
      });
    older = older.slice(SLICE);
    if (older.length > 0) return;
    await MailboxCursor.updateOne({ _id }, { $set: { history: null } });
    older = null;
  }

  function countAll(access: BearerAccess, cursor: MailboxCursor): Promise<number> {
    return countDaily(reader, cursor, ({ since, until }) =>
      readSince(access, since.getTime(), oldUntil(cursor), until),
    );
  }

  return {
    async read(access) {
      const cursor = await MailboxCursor.get(_id);
      if (cursor === null) return { fresh: await readFirst(access), hasMore: true };
      const fresh = await readNew(access, cursor).catch((error: unknown) => {
        if (error instanceof GmailTrouble && error.kind === "gone") return rescan(access, cursor);
        throw error;
      });
      if (cursor.history === null) return { fresh: fresh + (await countAll(access, cursor)), hasMore: false };
      const olderWaitMs = await readOlder(access, cursor).then(
        () => 0,
        (error: unknown) => {
          if (error instanceof GmailTrouble && error.cause instanceof QuotaWait) return error.cause.waitMs;
          throw error;
        },
      );
      return { fresh, hasMore: olderWaitMs > 0 || older !== null, olderWaitMs };
    },
  };
}

/** A search for the emails of the last days. */
function afterDays(days: number): string {
  return `after:${Math.floor((Date.now() - days * DAY_MS) / SECOND_MS)}`;
}

async function idsOf(access: BearerAccess, query: string): Promise<string[]> {
  const ids: string[] = [];
  let next: string | null = null;
  do {
    const page = await listMessages(access, query, next);
    ids.push(...page.ids);
    next = page.next;
  } while (next !== null);
  return ids;
}

function fetchAt(access: BearerAccess): (id: string) => Promise<ApiMail | null> {
  return async (id) => {
    try {
      const { labels, receivedAt, bytes: raw, threadId } = await readRaw(access, id);
      const isDraft = labels.includes("DRAFT");
      return { folder: gmailFolder(labels), receivedAt, raw, isDraft, providerThreadId: threadId };
    } catch (error) {
      if (error instanceof GmailTrouble && error.kind === "gone") return null;
      throw error;
    }
  };
}

/** The folder that stands for the labels of an email. */
export function gmailFolder(labels: readonly string[]): (typeof API_FOLDERS)[keyof typeof API_FOLDERS] {
  if (labels.includes("SENT")) return API_FOLDERS.SENT;
  if (labels.includes("INBOX")) return API_FOLDERS.INBOX;
  return labels.includes("SPAM") ? API_FOLDERS.JUNK : API_FOLDERS.ARCHIVE;
}
