import type { ImapFlow } from "imapflow";
import { fetchHeads, type Head, requireAnswer, uidsAfter, uidsOfDays } from "../../connectors/imap/fetch.ts";
import type { Folder } from "../../connectors/imap/folders.ts";
import { HOUR_MS, SECOND_MS } from "../../domain/time/durations.ts";
import type { MailboxCursor } from "../../models/inbox/mailbox-cursor.ts";
import { scoped } from "../../models/scoped.ts";
import { TooSlowToStore } from "../../store/inbox/ingest.ts";
import { fileOld } from "./backfill.ts";
import {
  type FolderPlace,
  type FolderReader,
  findKnownUids,
  ingestMail,
  mailsOf,
  type ReadMail,
  stopSenderOfMail,
} from "./read.ts";

/** Days of email that are searched after the server renumbered a folder (rules/mail 5.5). */
const RESCAN_DAYS = 30;
/** Milliseconds: servers report whole seconds. */
/** Milliseconds by which the server's clock may differ from ours. */
export const CLOCKS_MS = HOUR_MS;
/** How many headers are fetched together; how many emails are held together, and how many octets at most. */
const HEADS = 200;
const GROUP = 20;
const GROUP_BYTES = 8 * 1024 * 1024;
/** Milliseconds after which one email counts as slow. */
export const SLOW_MS = 2 * SECOND_MS;
/** How often a single email may break the connection before its body is skipped, and then the whole email. */
const BODY_TRIES = 2;
const MOST_TRIES = 4;

/** A folder's state when it was opened. */
export interface Opened {
  folder: Folder;
  uidValidity: string;
  lastUid: number;
  /** Null where the server keeps none. */
  highestModseq: string | null;
}

/** Opens a folder read-only. If a server does not report its next UID, it is asked for its last one. */
export async function openFolder(client: ImapFlow, folder: Folder): Promise<Opened> {
  const { uidValidity, uidNext, highestModseq, noModseq, exists } = requireAnswer(
    client,
    await client.mailboxOpen(folder.path, { readOnly: true }),
  );
  const isNumbered = Number.isSafeInteger(uidNext) && uidNext > 0;
  const lastUid = isNumbered ? uidNext - 1 : exists > 0 ? ((await uidsAfter(client, 0)).at(-1) ?? 0) : 0;
  const isKept = highestModseq !== undefined && noModseq !== true;
  return { folder, uidValidity: String(uidValidity), lastUid, highestModseq: isKept ? String(highestModseq) : null };
}

/**
 * Reads the emails that arrived in the selected folder after the cursor, oldest first; returns how many emails were
 * new. The first look records where the folder ended before. The cursor moves after the transactions of the emails it
 * passes, and reading an email twice has no effect.
 * @throws TooSlowToStore when the database is too slow to store one; the senders of that one and of those after it are
 * stopped
 */
export async function readFolder(reader: FolderReader, opened: Opened, isJustOpened: boolean): Promise<number> {
  const { mailbox } = reader;
  const { folder, uidValidity, lastUid, highestModseq } = opened;
  const { MailboxCursor } = scoped(mailbox.workspaceId);
  const _id = `${mailbox._id}:${folder.path}`;
  const cursor = await MailboxCursor.get(_id);
  if (cursor === null) {
    const old = await lastBefore(reader, lastUid);
    const history = old > 0 ? { next: 1, last: old } : null;
    const seen = { lastUid: old, highestModseq: old === lastUid ? highestModseq : null };
    const first = await MailboxCursor.insert({
      _id,
      mailboxId: mailbox._id,
      folder: folder.path,
      uidValidity,
      ...seen,
      history,
    });
    reader.cursor[folder.path] = old;
    return old === lastUid ? 0 : readNew(reader, first, opened, isJustOpened);
  }
  const isSame = cursor.uidValidity === uidValidity;
  reader.cursor[folder.path] = isSame ? cursor.lastUid : lastUid;
  if (isSame && isJustOpened && isUnchanged(cursor, opened)) return 0;
  return isSame ? readNew(reader, cursor, opened, isJustOpened) : rescan(reader, cursor, opened);
}

/**
 * The last UID from before the mailbox was connected. A report about our first email may arrive before the first look,
 * so the present end of the folder would be too late.
 */
async function lastBefore({ client, mailbox }: FolderReader, lastUid: number): Promise<number> {
  const recent = lastUid > 0 ? (await uidsOfDays(client, 1)).filter((uid) => uid <= lastUid) : [];
  const heads = await fetchHeads(client, recent.slice(-HEADS));
  const first = heads.find(({ receivedAt }) => receivedAt.getTime() + SECOND_MS > mailbox.createdAt.getTime());
  return first === undefined ? lastUid : first.uid - 1;
}

/** CONDSTORE (RFC 7162) counts every change of the folder; without it the next UID shows only new emails. */
function isUnchanged(cursor: MailboxCursor, { highestModseq, lastUid }: Opened): boolean {
  return (highestModseq !== null && cursor.highestModseq === highestModseq) || lastUid === cursor.lastUid;
}

async function readNew(
  reader: FolderReader,
  cursor: MailboxCursor,
  { folder, highestModseq }: Opened,
  isJustOpened: boolean,
): Promise<number> {
  const { MailboxCursor } = scoped(reader.mailbox.workspaceId);
  const place = { folder, uidValidity: cursor.uidValidity };
  const uids = await uidsAfter(reader.client, cursor.lastUid);
  const passed = async (lastUid: number) => {
    if (reader.cursor[folder.path] === lastUid) return;
    reader.cursor[folder.path] = lastUid;
    await MailboxCursor.updateOne({ _id: cursor._id, uidValidity: cursor.uidValidity }, { $set: { lastUid } });
  };
  const isOld = ({ receivedAt }: Head) => receivedAt.getTime() < cursor.createdAt.getTime() - CLOCKS_MS;
  const fresh = await readAll(reader, place, uids, { cursor, isOld, passed });
  if (isJustOpened && !reader.signal.aborted && highestModseq !== cursor.highestModseq) {
    await MailboxCursor.updateOne({ _id: cursor._id, uidValidity: cursor.uidValidity }, { $set: { highestModseq } });
  }
  return fresh;
}

/** The UIDs are no longer valid: emails of the last 30 days are searched by their content. */
async function rescan(
  reader: FolderReader,
  cursor: MailboxCursor,
  { folder, uidValidity, lastUid }: Opened,
): Promise<number> {
  const { mailbox, client, log } = reader;
  log.info({ mailboxId: mailbox._id, folder: folder.path }, "the server renumbered a folder");
  const uids = await uidsOfDays(client, RESCAN_DAYS);
  // A restored folder may date everything today, so an email that its author wrote long ago is not new either
  const start = cursor.createdAt.getTime();
  const isOld = ({ receivedAt, writtenAt }: Head) =>
    receivedAt.getTime() < start - CLOCKS_MS || (writtenAt !== null && writtenAt < start - 24 * HOUR_MS);
  const passed = async () => {};
  const fresh = await readAll(reader, { folder, uidValidity }, uids, { cursor, isOld, passed });
  if (reader.signal.aborted) return fresh;
  const last = Math.max(lastUid, uids.at(-1) ?? 0);
  const renumbered = { uidValidity, lastUid: last, highestModseq: null, history: null, stuck: null };
  await scoped(mailbox.workspaceId).MailboxCursor.updateOne({ _id: cursor._id }, { $set: renumbered });
  return fresh;
}

interface Reading {
  cursor: MailboxCursor;
  /** Whether the server had the email before our first look. */
  isOld(head: Head): boolean;
  /** Called when all emails up to this one have been ingested. */
  passed(uid: number): Promise<void>;
}

async function readAll(
  reader: FolderReader,
  place: FolderPlace,
  uids: readonly number[],
  reading: Reading,
): Promise<number> {
  let fresh = 0;
  let tooSlow: TooSlowToStore | null = null;
  for (let from = 0; from < uids.length && !reader.signal.aborted; ) {
    const first = uids[from] ?? 0;
    const tries = triesOf(reading.cursor, place, first);
    const some = uids.slice(from, from + (tries > 0 ? 1 : HEADS));
    const heads =
      tries >= MOST_TRIES
        ? []
        : await noteBrokenFetch(reader, place, reading, some, () => fetchHeads(reader.client, some));
    if (tries >= MOST_TRIES)
      reader.log.error({ mailboxId: reader.mailbox._id, uid: first }, "skipped an email that cannot be fetched");
    const uidsInLedger = await findKnownUids(reader, place, heads);
    const wanted = heads.filter(({ uid, isDraft }) => !uidsInLedger.has(uid) && !isDraft);
    for (const group of groupsOf(wanted)) {
      const groupUids = group.map(({ uid }) => uid);
      const fetchGroup = () => mailsOf(reader, place.folder, group, tries >= BODY_TRIES);
      const mails = await noteBrokenFetch(reader, place, reading, groupUids, fetchGroup);
      if (tooSlow !== null) await stopSenders(reader, place, mails, reading);
      else {
        const done = await writeAll(reader, place, mails, reading);
        fresh += done.fresh;
        tooSlow = done.tooSlow;
      }
      if (reader.signal.aborted) return fresh;
      if (tooSlow === null) await reading.passed(groupUids.at(-1) ?? first);
    }
    // Also passes emails that are already known or gone
    if (tooSlow === null) await reading.passed(some.at(-1) ?? first);
    from += some.length;
  }
  if (tooSlow !== null) throw tooSlow;
  return fresh;
}

/**
 * Stores these emails one after the other. Once one has been slow, the senders of the others are stopped before the
 * next one is stored. If the database is too slow to store one, the others are left too, because a later email may need
 * an earlier one.
 */
async function writeAll(
  reader: FolderReader,
  place: FolderPlace,
  mails: readonly ReadMail[],
  reading: Reading,
): Promise<{ fresh: number; tooSlow: TooSlowToStore | null }> {
  let fresh = 0;
  let isSlow = false;
  for (const [index, mail] of mails.entries()) {
    if (reader.signal.aborted) return { fresh, tooSlow: null };
    const begunAt = performance.now();
    let tooSlow: TooSlowToStore | null = null;
    try {
      if (await ingestOrFile(reader, place, mail, reading)) fresh++;
    } catch (err) {
      if (!(err instanceof TooSlowToStore)) throw err;
      tooSlow = err;
    }
    if (!isSlow && performance.now() - begunAt > SLOW_MS) {
      isSlow = true;
      await stopSenders(reader, place, mails.slice(index + 1), reading);
    }
    if (tooSlow !== null) return { fresh, tooSlow };
  }
  return { fresh, tooSlow: null };
}

/** Stops the people that these emails stop, and stores none of the emails. */
async function stopSenders(
  reader: FolderReader,
  place: FolderPlace,
  mails: readonly ReadMail[],
  { isOld }: Reading,
): Promise<void> {
  for (const mail of mails) {
    if (reader.signal.aborted) return;
    if (!isOld(mail.head)) await stopSenderOfMail(reader, place, mail);
  }
}

async function ingestOrFile(
  reader: FolderReader,
  place: FolderPlace,
  mail: ReadMail,
  { isOld }: Reading,
): Promise<boolean> {
  return isOld(mail.head) ? (await fileOld(reader, place, [mail])) > 0 : ingestMail(reader, place, mail);
}

function groupsOf(heads: readonly Head[]): Head[][] {
  const groups: Head[][] = [];
  let bytes = 0;
  for (const head of heads) {
    const group = groups.at(-1);
    bytes += head.size;
    if (group !== undefined && group.length < GROUP && bytes <= GROUP_BYTES) group.push(head);
    else {
      groups.push([head]);
      bytes = head.size;
    }
  }
  return groups;
}

/** How often this email, or one read together with it, has broken the connection. */
function triesOf({ stuck }: MailboxCursor, { uidValidity }: FolderPlace, uid: number): number {
  if (stuck === null || stuck.uidValidity !== uidValidity || uid < stuck.uid || uid > stuck.until) return 0;
  return stuck.uid === uid ? stuck.tries : 1;
}

/**
 * Runs one fetch. If it breaks the connection, that is recorded, so that the next attempt reads these emails one by
 * one.
 */
async function noteBrokenFetch<T>(
  reader: FolderReader,
  { uidValidity }: FolderPlace,
  { cursor }: Reading,
  uids: readonly number[],
  fetch: () => Promise<T>,
): Promise<T> {
  try {
    return await fetch();
  } catch (err) {
    const [uid = 0] = uids;
    if (!reader.signal.aborted && !reader.client.usable && uid > 0) {
      const before = cursor.stuck?.uidValidity === uidValidity ? cursor.stuck : null;
      const until = Math.max(uids.at(-1) ?? uid, before?.until ?? 0);
      const stuck: MailboxCursor["stuck"] = {
        uidValidity,
        uid,
        until,
        tries: before?.uid === uid ? before.tries + 1 : 1,
      };
      await scoped(reader.mailbox.workspaceId).MailboxCursor.updateOne({ _id: cursor._id }, { $set: { stuck } });
    }
    throw err;
  }
}
