import type { GraphAccess } from "../../connectors/graph/call.ts";
import { type DeltaPage, listFolder, readDelta } from "../../connectors/graph/delta.ts";
import { readMime } from "../../connectors/graph/mime.ts";
import { GraphTrouble } from "../../connectors/graph/trouble.ts";
import type { Folder } from "../../connectors/imap/folders.ts";
import { DAY_MS } from "../../domain/time/durations.ts";
import type { MailboxCursor } from "../../models/inbox/mailbox-cursor.ts";
import { scoped } from "../../models/scoped.ts";
import {
  API_FOLDERS,
  type ApiSource,
  COUNTING,
  createApiStore,
  firstNewAt,
  oldUntil,
  SomeUnread,
  type StoreOptions,
} from "./api-store.ts";
import { type CountedSpan, countDaily } from "./daily-count.ts";
import { graphCursorId } from "./notices.ts";
import type { MailReader } from "./read.ts";

const FOLDERS: readonly { name: string; folder: Folder }[] = [
  { name: "inbox", folder: API_FOLDERS.INBOX },
  { name: "sentitems", folder: API_FOLDERS.SENT },
  { name: "junkemail", folder: API_FOLDERS.JUNK },
  { name: "archive", folder: API_FOLDERS.ARCHIVE },
];
const FIRST_DAYS = 7;
const RESCAN_DAYS = 30;

/**
 * Reads a Microsoft mailbox by the delta of each folder (rules/mail 5). The cursor moves after each page, and a page
 * that is read twice has no effect.
 */
export function graphSource(reader: MailReader): ApiSource {
  const { mailbox, log, signal } = reader;
  const { MailboxCursor } = scoped(mailbox.workspaceId);
  const store = createApiStore(reader, graphCursorId(mailbox, "inbox"));
  /** Folders that this mailbox does not have; looked for again by the next watch. */
  const missing = new Set<string>();

  async function readFolder(mailboxAccess: GraphAccess, name: string, folder: Folder): Promise<number> {
    // IMAP has cursors of its own, and a mailbox may move between the two
    const _id = graphCursorId(mailbox, name);
    const cursor =
      (await MailboxCursor.get(_id)) ??
      (await MailboxCursor.insert({ _id, ...placeOf(name), history: { next: 0, last: 0 } }));
    // Until the first run has ended, the changes are what the folder contains
    const oldBefore = cursor.history === null ? oldUntil(cursor) : firstNewAt(mailbox, cursor);
    const quota = mailboxAccess.quota.as(cursor.history === null ? "NEW" : "OLDER");
    const access = { ...mailboxAccess, quota };
    let fresh = 0;
    let partial: SomeUnread | null = null;
    let from: Parameters<typeof readDelta>[1] =
      cursor.highestModseq === null
        ? { folder: name, since: new Date(Date.now() - FIRST_DAYS * DAY_MS) }
        : { link: cursor.highestModseq };
    for (;;) {
      signal.throwIfAborted();
      const { changes, next, delta } = await readDelta(access, from).catch(async (error: unknown) => {
        if (!(error instanceof GraphTrouble) || error.kind !== "stale" || !("link" in from)) throw error;
        log.info({ mailboxId: mailbox._id, folder: folder.path }, "Graph has forgotten the changes of a folder");
        return readDelta(access, { folder: name, since: new Date(Date.now() - RESCAN_DAYS * DAY_MS) });
      });
      fresh += await readItems(access, folder, changes, oldBefore).catch((error: unknown) => {
        if (!(error instanceof SomeUnread)) throw error;
        partial = joined(partial, error);
        return error.fresh;
      });
      const link = next ?? delta;
      // The pages after an email that cannot be fetched are read, but they are read again by the next look
      if (partial === null && link !== null && link !== cursor.highestModseq) await passed(cursor, link, next === null);
      if (next === null) break;
      from = { link: next };
    }
    if (partial !== null) throw new SomeUnread((partial as SomeUnread).ids, { cause: partial, fresh });
    if (cursor.history !== null) return fresh;
    const readListed = async (span: CountedSpan) =>
      readItems(access, folder, await listFolder(access, name, span), oldUntil(cursor), COUNTING);
    return fresh + (await countDaily(reader, cursor, readListed));
  }

  /** Reads those of the items that the ledger does not have, oldest first. */
  async function readItems(
    access: GraphAccess,
    folder: Folder,
    items: DeltaPage["changes"],
    oldBefore: number,
    options: StoreOptions = {},
  ): Promise<number> {
    const present = items.filter(({ isRemoved, isDraft }) => !isRemoved && !isDraft);
    const receivedAt = new Map(present.map(({ id, receivedAt }) => [id, receivedAt]));
    const fetch = async (id: string) => {
      try {
        const raw = await readMime(access, id);
        const at = receivedAt.get(id) ?? new Date();
        return { folder, receivedAt: at, raw, isDraft: false, providerThreadId: null };
      } catch (error) {
        if (error instanceof GraphTrouble && error.kind === "gone") return null;
        throw error;
      }
    };
    const oldestFirst = present.toSorted((a, b) => (a.receivedAt?.getTime() ?? 0) - (b.receivedAt?.getTime() ?? 0));
    return store.storeAll(
      oldestFirst.map(({ id }) => id),
      fetch,
      (receivedAt) => receivedAt.getTime() < oldBefore,
      options,
    );
  }

  async function passed({ _id }: MailboxCursor, highestModseq: string, isEnd: boolean): Promise<void> {
    await MailboxCursor.updateOne({ _id }, { $set: { highestModseq, ...(isEnd && { history: null }) } });
  }

  function placeOf(name: string) {
    return { mailboxId: mailbox._id, folder: `graph/${name}`, uidValidity: "graph", lastUid: 0 };
  }

  return {
    async read(access) {
      let fresh = 0;
      let partial: SomeUnread | null = null;
      for (const { name, folder } of FOLDERS) {
        if (missing.has(name)) continue;
        try {
          fresh += await readFolder(access, name, folder);
        } catch (error) {
          if (error instanceof SomeUnread) {
            // The other folders are read nevertheless
            fresh += error.fresh;
            partial = joined(partial, error);
          } else if (error instanceof GraphTrouble && error.kind === "gone" && folder.use !== "INBOX")
            missing.add(name);
          else throw error;
        }
      }
      if (partial !== null) throw new SomeUnread(partial.ids, { cause: partial.cause, fresh });
      return { fresh, hasMore: false };
    },
  };
}

function joined(one: SomeUnread | null, other: SomeUnread): SomeUnread {
  return new SomeUnread([...(one?.ids ?? []), ...other.ids], { cause: other.cause, fresh: 0 });
}
