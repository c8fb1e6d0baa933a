import { type Folder, watchedFolders } from "../../connectors/imap/folders.ts";
import { type News, newsOf } from "../../connectors/imap/news.ts";
import { MINUTE_MS } from "../../domain/time/durations.ts";
import type { Mailbox } from "../../models/mailboxes/mailbox.ts";
import { scoped } from "../../models/scoped.ts";
import { TooSlowToStore } from "../../store/inbox/ingest.ts";
import { noteSentFolder } from "../../store/mailboxes/due-copies.ts";
import { readHistory, type Searched } from "./backfill.ts";
import { type Opened, openFolder, readFolder } from "./cursor.ts";
import type { FolderReader } from "./read.ts";
import { seekCopies, type UnknownSend } from "./sent-evidence.ts";
import type { UnreadArrivals } from "./unread.ts";

/**
 * Milliseconds: how long one watch lasts, how often the other folders and a server without IDLE are polled, and after
 * how long a silence the connection counts as dead.
 */
export interface WatchLimits {
  watchMs: number;
  resyncMs: number;
  pollMs: number;
  silenceMs: number;
  /** Milliseconds between looks for sends of unknown outcome. */
  lookMs: number;
  /** Milliseconds between looks for copies of sent emails that are due. */
  copiesMs: number;
  /** Milliseconds between looks at a mailbox that is read over its provider's API. */
  apiPollMs: number;
  /** Milliseconds after which our draft that was not sent counts as left, and between looks for such drafts. */
  leftDraftMs: number;
  /** The same while notices about the mailbox come. */
  noticedPollMs: number;
  /** Milliseconds between looks for notices. */
  noticesMs: number;
}

const SLICE_MS = 1_000;
const LONG_SLICE_MS = MINUTE_MS;
const NOTED_MS = MINUTE_MS;
/** Milliseconds until the emails are read again that the database was too slow to store. */
export const AGAIN_MS = 10_000;

/** A watch in progress, with the means to replace it or to give it work. */
export interface Watch {
  controller: AbortController;
  unknown: UnknownSend[];
  wake(): void;
  /** The provider has reported a change of the mailbox. */
  notice(): void;
}

/** Reads all folders, then waits for new email in INBOX until the time is up. Returns how many emails were new. */
export async function listen(
  reader: FolderReader,
  watch: Watch,
  limits: WatchLimits,
  unread: UnreadArrivals,
): Promise<number> {
  const { client, signal } = reader;
  const end = Date.now() + limits.watchMs;
  const folders = await watchedFolders(client);
  await noteSentFolder(reader.mailbox, folders.find(({ use }) => use === "SENT")?.path ?? null);
  const [inbox, ...others] = folders;
  if (inbox === undefined) return 0;
  const news = newsOf(client, limits.pollMs, () => unread.arrived(reader.mailbox, inbox.path));
  watch.wake = news.wake;
  const searched: Searched = new Map();
  let old = byHistory(folders);
  let opened: Opened | null = null;
  let resyncAt = 0;
  let ingested = 0;
  while (!signal.aborted && Date.now() < end) {
    const isResync = Date.now() >= resyncAt;
    let isStored = true;
    const readFresh = async (opened: Opened, isJustOpened: boolean) => {
      const fresh = await readInTime(reader, opened, isJustOpened);
      isStored &&= fresh !== null;
      return fresh ?? 0;
    };
    if (isResync) {
      for (const folder of others) ingested += await readFresh(await openFolder(client, folder), true);
      opened = null;
      resyncAt = Date.now() + limits.resyncMs;
    }
    const isJustOpened = opened === null;
    news.taken();
    opened ??= await openFolder(client, inbox);
    const fresh = await readFresh(opened, isJustOpened);
    if (isStored) unread.read(reader.mailbox);
    if (!isStored || news.hasCome()) unread.arrived(reader.mailbox, inbox.path);
    ingested += fresh;
    if (isResync || fresh > 0) await noteSync(reader.mailbox);
    if (watch.unknown.length > 0) {
      await seekCopies(client, folders, watch.unknown.splice(0));
      opened = null;
      continue;
    }
    const [folder] = old;
    if (!isStored) await news.wait(Math.min(AGAIN_MS, end - Date.now()), signal);
    else if (folder === undefined) await news.wait(Math.min(resyncAt, end) - Date.now(), signal);
    else {
      if (!(await readOld(reader, folder, searched, news))) old = old.slice(1);
      opened = null;
    }
  }
  return ingested;
}

/**
 * Reads the emails that arrived in a folder. Null when the database was too slow to store all of them: the rest is left
 * for the next time.
 */
async function readInTime(reader: FolderReader, opened: Opened, isJustOpened: boolean): Promise<number | null> {
  try {
    return await readFolder(reader, opened, isJustOpened);
  } catch (err) {
    if (!(err instanceof TooSlowToStore)) throw err;
    reader.log.warn(
      { mailboxId: reader.mailbox._id, folder: opened.folder.path },
      "the database is too slow to store mail",
    );
    return null;
  }
}

/**
 * Reads a slice of what a folder contained before its first look, so that new emails need not wait for all of it. True
 * while there is more.
 */
async function readOld(reader: FolderReader, folder: Folder, searched: Searched, news: News): Promise<boolean> {
  const { mailbox, client } = reader;
  const cursor = await scoped(mailbox.workspaceId).MailboxCursor.get(`${mailbox._id}:${folder.path}`);
  if (cursor === null || cursor.history === null) return false;
  const { uidValidity } = await openFolder(client, folder);
  // New emails of INBOX are reported while it is open, so its slice may be longer
  const end = Date.now() + (folder.use === "INBOX" ? LONG_SLICE_MS : SLICE_MS);
  // The folder was renumbered meanwhile; reading its new emails handles that
  if (uidValidity !== cursor.uidValidity) return false;
  return readHistory(reader, { folder, uidValidity }, searched, () => news.hasCome() || Date.now() >= end);
}

/** Incoming emails open threads, so they are read before the emails that a person wrote into them. */
function byHistory(folders: readonly Folder[]): Folder[] {
  return [...folders.filter(({ use }) => use !== "SENT"), ...folders.filter(({ use }) => use === "SENT")];
}

export async function noteSync(mailbox: Mailbox): Promise<void> {
  const { workspaceId, _id, lastSyncAt } = mailbox;
  if (lastSyncAt !== null && lastSyncAt.getTime() > Date.now() - NOTED_MS) return;
  // One watch lasts longer than a note
  mailbox.lastSyncAt = new Date();
  await scoped(workspaceId).Mailbox.updateOne({ _id }, { $set: { lastSyncAt: mailbox.lastSyncAt } });
}
