import { fetchHeads, fetchMails, uidsOfDays } from "../../connectors/imap/fetch.ts";
import { defaultKindFacts, kindOf } from "../../domain/inbox/kind.ts";
import { wordCountOf } from "../../domain/inbox/thread-words.ts";
import type { Inbound } from "../../domain/mail/inbound.ts";
import type { MailboxCursor } from "../../models/inbox/mailbox-cursor.ts";
import { scoped } from "../../models/scoped.ts";
import { trusted } from "../../mongo/collection.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import { messageOf, type Received } from "../../store/inbox/arrival.ts";
import { fileHistory, type OldMail } from "../../store/inbox/thread-history.ts";
import {
  type FolderPlace,
  type FolderReader,
  findKnownUids,
  type MailReader,
  parseRawMails,
  type RawMail,
  type ReadMail,
  rawsOf,
  receiveMail,
} from "./read.ts";

/** rules/mail 5.4: how many days of email before the first look are read, only for the threads. */
const DAYS = 7;
/**
 * How many emails are fetched together: as many as fill `OCTETS` by the size of the previous ones, within these bounds.
 */
const [FEWEST, MOST] = [100, 800];
const OCTETS = 8 * 1024 * 1024;
/** Octets above which an email is fetched alone, because its size decides how it is read. */
const SMALL = 64 * 1024;
/**
 * Characters of text that are filed in one transaction: the database refuses a transaction that fills too much of its
 * cache.
 */
const MOST_TEXT = 4_000_000;
/**
 * Words of text that are filed in one transaction, for the same reason: each is a key of the index by which the inbox
 * is searched.
 */
const MOST_WORDS = 8_000;
/** Batches that may be parsed or filed while the next one is fetched. */
const AHEAD = 2;

/** The search results of each folder's history, so that not every batch needs a search. */
export type Searched = Map<string, Found>;

type Range = NonNullable<MailboxCursor["history"]>;

interface Found {
  uids: number[];
  large: Set<number>;
}

/**
 * Files what the selected folder contained before its first look, a few batches at a time until `isOver` returns true,
 * without events, stops or counters. The cursor passes each batch in the transaction that stores it. Returns true while
 * there is more.
 */
export async function readHistory(
  reader: FolderReader,
  place: FolderPlace,
  searched: Searched,
  isOver: () => boolean,
): Promise<boolean> {
  const { mailbox, signal } = reader;
  const { MailboxCursor } = scoped(mailbox.workspaceId);
  const _id = `${mailbox._id}:${place.folder.path}`;
  const history = (await MailboxCursor.get(_id))?.history ?? null;
  if (history === null) return false;
  const { uids, large } = searched.get(_id) ?? (await search(reader, place, history));
  searched.set(_id, { uids, large });
  const left = uids.filter((uid) => uid >= history.next);
  const filing: Promise<void>[] = [];
  let many = FEWEST;
  try {
    while (left.length > 0 && !signal.aborted && !isOver()) {
      const end = left.findIndex((uid) => large.has(uid));
      const batch = left.slice(0, end < 0 ? many : Math.max(1, Math.min(end, many)));
      const raws = await freshOf(reader, place, batch, end === 0);
      if (end !== 0) many = manyLike(raws);
      // One batch is fetched while the one before is parsed and another filed, always in their order
      if (filing.length >= AHEAD) await filing.shift();
      const filed = inOrder(filing.at(-1), parseOldMails(reader, place, raws), (rows) =>
        storeOldMails(reader, place, rows, batch.at(-1) ?? 0),
      );
      filed.catch(() => {}); // the error is handled where the promise is awaited
      filing.push(filed);
      left.splice(0, batch.length);
    }
  } finally {
    await filing.at(-1);
  }
  if (left.length > 0) return true;
  await MailboxCursor.updateOne({ _id }, { $set: { history: null } });
  searched.delete(_id);
  return false;
}

/** The emails of those days that the ledger does not have; it may have some if the cursor was lost. */
async function search(
  { mailbox, client }: FolderReader,
  { folder, uidValidity }: FolderPlace,
  { next, last }: Range,
): Promise<Found> {
  const [all, large] = [await uidsOfDays(client, DAYS), await uidsOfDays(client, DAYS, SMALL)];
  const read = { mailboxId: mailbox._id, folder: folder.path, uidValidity, uid: trusted({ $gte: next, $lte: last }) };
  const uidsInLedger = new Set(
    (await scoped(mailbox.workspaceId).Message.find(read, { select: { uid: 1 } })).map(({ uid }) => uid),
  );
  return { uids: all.filter((uid) => uid >= next && uid <= last && !uidsInLedger.has(uid)), large: new Set(large) };
}

function manyLike(raws: readonly RawMail[]): number {
  const octets = raws.reduce((sum, { raw }) => sum + raw.length, 0);
  return Math.max(FEWEST, Math.min(MOST, Math.floor((OCTETS * raws.length) / Math.max(octets, 1))));
}

async function inOrder<T>(
  before: Promise<void> | undefined,
  work: Promise<T>,
  then: (done: T) => Promise<void>,
): Promise<void> {
  const done = await work;
  await before;
  await then(done);
}

/**
 * The emails that were not read in another folder. INBOX is read first, so none of its emails was read before, and
 * their headers need no check.
 */
async function freshOf(
  reader: FolderReader,
  place: FolderPlace,
  uids: readonly number[],
  isLarge: boolean,
): Promise<RawMail[]> {
  const { client } = reader;
  const { folder } = place;
  if (folder.use === "INBOX" && !isLarge)
    return (await fetchMails(client, uids)).map(({ head, raw }) => ({ head, raw, cut: null }));
  const heads = await fetchHeads(client, uids);
  const uidsInLedger = await findKnownUids(reader, place, heads);
  const fresh = heads.filter(({ uid }) => !uidsInLedger.has(uid));
  return rawsOf(reader, folder, fresh);
}

async function storeOldMails(
  { mailbox }: FolderReader,
  { folder }: FolderPlace,
  rows: OldMail[],
  last: number,
): Promise<void> {
  const _id = `${mailbox._id}:${folder.path}`;
  let from = 0;
  do {
    const some = lightOf(rows.slice(from));
    from += some.length;
    const passed = from < rows.length ? (some.at(-1)?.uid ?? 0) : last;
    await inTransaction(async () => {
      await fileHistory(mailbox, some);
      await scoped(mailbox.workspaceId).MailboxCursor.updateOne({ _id }, { $set: { "history.next": passed + 1 } });
    });
  } while (from < rows.length);
}

/** The first rows whose text and words fit into one transaction; at least one. */
function lightOf(rows: OldMail[]): OldMail[] {
  let [text, words] = [MOST_TEXT, MOST_WORDS];
  const end = rows.findIndex(({ bodyText, bodyHtml, replyText }, index) => {
    text -= (bodyText?.length ?? 0) + (bodyHtml?.length ?? 0) + (replyText?.length ?? 0);
    words -= wordCountOf(replyText || bodyText || "");
    return Math.min(text, words) < 0 && index > 0;
  });
  return end < 0 ? rows : rows.slice(0, end);
}

/** Files emails without any effect; returns how many were new. */
export async function fileOld(reader: MailReader, place: FolderPlace, mails: readonly ReadMail[]): Promise<number> {
  return fileHistory(reader.mailbox, await oldMailsOf(reader, place, mails));
}

// Done before its turn to be filed, so that only the database work is sequential
async function parseOldMails(reader: FolderReader, place: FolderPlace, raws: readonly RawMail[]): Promise<OldMail[]> {
  return oldMailsOf(reader, place, await parseRawMails(raws));
}

async function oldMailsOf(reader: MailReader, place: FolderPlace, mails: readonly ReadMail[]): Promise<OldMail[]> {
  const ids = mails.flatMap(({ message }) => message.messageId ?? []);
  const sends = await scoped(reader.mailbox.workspaceId).Send.find(
    { messageIds: trusted({ $in: ids }) },
    { select: { messageIds: 1 } },
  );
  const ours = new Set(sends.flatMap(({ messageIds }) => messageIds));
  const warmup = await reader.warmup.known([...ids, ...mails.flatMap(({ message }) => message.inReplyTo ?? [])]);
  const rows: OldMail[] = [];
  for (const mail of mails) rows.push(oldMailOf(reader, place, await receiveMail(reader, place, mail), ours, warmup));
  return rows;
}

function oldMailOf(
  { mailbox }: MailReader,
  { folder }: FolderPlace,
  received: Received,
  ours: ReadonlySet<string>,
  warmup: ReadonlySet<string>,
): OldMail {
  const { message, unreadable } = received;
  // Warmup emails, and the answers to them, belong to no thread
  const pointed = [message.messageId, message.inReplyTo].filter((id) => id !== null);
  const isWarmup = pointed.some((id) => warmup.has(id));
  const isSent = folder.use === "SENT" || message.from?.address === mailbox.email;
  return {
    ...messageOf(mailbox._id, received),
    direction: isSent ? "OUTBOUND" : "INBOUND",
    kind: isWarmup
      ? "WARMUP"
      : unreadable !== null
        ? "UNREADABLE"
        : isSent
          ? kindOfSent(message, ours)
          : kindOf(message, defaultKindFacts(mailbox.email)),
  };
}

/**
 * MANUAL for an email that a person wrote into a conversation; an email that started one would open a thread without a
 * reply.
 */
function kindOfSent(message: Inbound, ours: ReadonlySet<string>): "OWN" | "MANUAL" {
  const isAnswer = message.inReplyTo !== null || message.references.length > 0;
  return isAnswer && !ours.has(message.messageId ?? "") ? "MANUAL" : "OWN";
}
