import type { ImapFlow } from "imapflow";
import { fetchMarks, type MailMarks, requireAnswer, uidsAfter, uidsOfDays } from "./fetch.ts";
import { pathOf } from "./folders.ts";

/** Where an email is: INBOX, Junk, or any other folder. */
export type SeenIn = "INBOX" | "SPAM" | "OTHER";

/** What was read of a mailbox so far, on one connection. */
export interface SeenMails {
  /** By Message-ID and by our mark. */
  places: Map<string, SeenIn>;
  /** How far each folder was read. */
  read: Map<string, { uidValidity: string; lastUid: number }>;
}

/** IMAP searches by whole days of the server's zone, so two days contain everything since this morning. */
const DAYS = 2;
/** The most emails of a folder that are read in one go: the newest. */
const MOST = 2_000;

export function nothingSeen(): SeenMails {
  return { places: new Map(), read: new Map() };
}

/**
 * Reads what is new in all folders that can be opened, without changing anything. If an email is also in INBOX or Junk,
 * as where one folder contains all email, it counts there. INBOX and Junk are read once more before anything counts as
 * elsewhere, since the email may have arrived in between.
 */
export async function readPlaces(client: ImapFlow, seen: SeenMails): Promise<void> {
  const listed = await client.list();
  const junk = pathOf(listed, "\\Junk");
  const isElsewhere = ({ path, flags }: (typeof listed)[number]) =>
    path.toUpperCase() !== "INBOX" && path !== junk && !flags.has("\\Noselect") && !flags.has("\\NonExistent");
  const readNear = async () => {
    noteSeen(seen, "INBOX", await readFolder(client, "INBOX", seen));
    if (junk !== null) noteSeen(seen, "SPAM", await readFolder(client, junk, seen));
  };
  await readNear();
  const elsewhere: MailMarks[] = [];
  for (const { path } of listed.filter(isElsewhere)) elsewhere.push(...(await readIfOpen(client, path, seen)));
  if (elsewhere.length === 0) return;
  await readNear();
  noteSeen(seen, "OTHER", elsewhere);
}

/** Where an email was seen first; undefined when it was not seen. */
export function firstSeenIn({ places }: SeenMails, marks: readonly string[]): SeenIn | undefined {
  return marks.map((mark) => places.get(mark)).find((place) => place !== undefined);
}

/** Notes where emails are, unless they were seen elsewhere before. */
export function noteSeen({ places }: SeenMails, place: SeenIn, found: readonly MailMarks[]): void {
  for (const { messageId, mailRef } of found)
    for (const mark of [messageId, mailRef]) if (mark !== null && !places.has(mark)) places.set(mark, place);
}

/** A folder that was deleted since it was listed, or that this user may not read, counts as empty. */
async function readIfOpen(client: ImapFlow, path: string, seen: SeenMails): Promise<MailMarks[]> {
  try {
    return await readFolder(client, path, seen);
  } catch (err) {
    if (!client.usable) throw err;
    return [];
  }
}

async function readFolder(client: ImapFlow, path: string, { read }: SeenMails): Promise<MailMarks[]> {
  const opened = requireAnswer(client, await client.mailboxOpen(path, { readOnly: true }));
  // A server reports new email in an open folder only after a command
  await client.noop();
  const uidValidity = String(opened.uidValidity);
  const cursor = read.get(path);
  const isKnown = cursor !== undefined && cursor.uidValidity === uidValidity;
  const uids = isKnown ? await uidsAfter(client, cursor.lastUid) : await uidsOfDays(client, DAYS);
  const found = await fetchMarks(client, uids.slice(-MOST));
  read.set(path, { uidValidity, lastUid: Math.max(isKnown ? cursor.lastUid : 0, ...uids) });
  return found;
}
