import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { FetchMessageObject, ImapFlow, ListResponse } from "imapflow";
import type { Logger } from "pino";
import type { Inbound } from "../domain/inbound.ts";
import type { PurposeKeys } from "../domain/tokens.ts";
import { StillRecording } from "../ledger/evidence.ts";
import { type Arrival, ingest } from "../ledger/ingest.ts";
import type { Mailbox } from "../models/mailbox.ts";
import { scoped } from "../models/scoped.ts";
import { ImapTrouble, MAX_MESSAGE } from "./imap-connection.ts";
import { parseHead, parseInbound } from "./parse.ts";

const DAY_MS = 86_400_000;
/** After the server renumbered a folder (mail.md 6.5). */
const RESCAN_MS = 30 * DAY_MS;
const BODY_START = 4_096;
const RECORDING_PAUSE_MS = 200;
const TRIES = 3;

export interface FolderReader {
  mailbox: Mailbox;
  client: ImapFlow;
  keys: PurposeKeys;
  log: Logger;
  signal: AbortSignal;
  /** The last UID read of each folder, for whoever asks how far it is. */
  cursor: Record<string, number>;
}

/** INBOX, then where a provider may put a reply: Junk, and the archive or all mail. Special-use flags first, names second. */
export async function watchedFolders(client: ImapFlow): Promise<string[]> {
  const listed = await client.list();
  const of = (...uses: string[]) => uses.flatMap((use) => pathOf(listed, use) ?? []).slice(0, 1);
  return [...new Set(["INBOX", ...of("\\Junk"), ...of("\\All", "\\Archive")])];
}

/** The folder of a special use, as the server flags it or by its usual name. */
export function pathOf(listed: readonly ListResponse[], use: string): string | null {
  return listed.find(({ specialUse }) => specialUse === use)?.path ?? null;
}

/**
 * Reads what came into the selected folder since the cursor, oldest first; answers how many mails were new. The first look only
 * notes where the folder ends. The cursor moves after each mail's transaction, and a second reading has no effect.
 */
export async function readFolder(reader: FolderReader, folder: string): Promise<number> {
  const { client, mailbox } = reader;
  const selected = heard(client, client.mailbox);
  const uidValidity = String(selected.uidValidity);
  const { MailboxCursor } = scoped(mailbox.workspaceId);
  const _id = `${mailbox._id}:${folder}`;
  const known = await MailboxCursor.get(_id);
  if (known === null) {
    const lastUid = selected.uidNext - 1;
    await MailboxCursor.insert({ _id, mailboxId: mailbox._id, folder, uidValidity, lastUid });
    reader.cursor[folder] = lastUid;
    return 0;
  }
  const isSame = known.uidValidity === uidValidity;
  const found = isSame ? await uidsAfter(client, known.lastUid) : await uidsSince(client, Date.now() - RESCAN_MS);
  reader.cursor[folder] = isSame ? known.lastUid : selected.uidNext - 1;
  let fresh = 0;
  for (const uid of found) {
    if (reader.signal.aborted) return fresh;
    if (await readOne(reader, { folder, uidValidity, uid })) fresh++;
    reader.cursor[folder] = uid;
    if (isSame) await MailboxCursor.updateOne({ _id, uidValidity }, { $set: { lastUid: uid } });
  }
  if (!isSame) {
    const lastUid = Math.max(selected.uidNext - 1, found.at(-1) ?? 0);
    await MailboxCursor.updateOne({ _id }, { $set: { uidValidity, lastUid } });
  }
  return fresh;
}

/** `n:*` always names the last message, even one before n. */
async function uidsAfter(client: ImapFlow, lastUid: number): Promise<number[]> {
  const found = heard(client, await client.search({ uid: `${lastUid + 1}:*` }, { uid: true }));
  return found.filter((uid) => uid > lastUid).sort((a, b) => a - b);
}

async function uidsSince(client: ImapFlow, since: number): Promise<number[]> {
  const found = heard(client, await client.search({ since: new Date(since) }, { uid: true }));
  return found.sort((a, b) => a - b);
}

/** The library answers nothing where the connection was cut: taken for an empty folder, it would move the cursor past mail. */
function heard<T>(client: ImapFlow, answer: T | false | undefined): T {
  if (answer === false || answer === undefined) throw new ImapTrouble(client.usable ? "PROTOCOL_ERROR" : "CONNECT_FAILED");
  return answer;
}

/** Null for a mail that is there no more; a cut connection is no such answer. */
function fetched(client: ImapFlow, answer: FetchMessageObject | false | undefined): FetchMessageObject | null {
  if (answer) return answer;
  if (!client.usable) throw new ImapTrouble("CONNECT_FAILED");
  return null;
}

/** True when the mail was new. */
async function readOne(reader: FolderReader, place: { folder: string; uidValidity: string; uid: number }): Promise<boolean> {
  const { client, mailbox } = reader;
  const { Message } = scoped(mailbox.workspaceId);
  if ((await Message.count({ mailboxId: mailbox._id, ...place })) > 0) return false;
  const range = String(place.uid);
  const query = { uid: true, size: true, internalDate: true, headers: true };
  const head = fetched(client, await client.fetchOne(range, query, { uid: true }));
  if (head === null) return false;
  const isTooBig = (head.size ?? 0) > MAX_MESSAGE;
  const whole = isTooBig ? head : fetched(client, await client.fetchOne(range, { uid: true, source: true }, { uid: true }));
  if (whole === null) return false;
  const arrival = { mailbox, ...place, ...(await parsed(head, isTooBig ? null : (whole.source ?? null))) };
  const kind = await ingested(reader, arrival);
  reader.log.debug({ mailboxId: mailbox._id, folder: place.folder, uid: place.uid, kind }, "read a mail");
  return kind !== "DUPLICATE";
}

/** In full; of a mail that is too big or cannot be read only the headers. */
async function parsed(
  head: FetchMessageObject,
  source: Buffer | null,
): Promise<Pick<Arrival, "message" | "unreadable" | "contentKey" | "receivedAt">> {
  const headers = head.headers ?? source ?? Buffer.alloc(0);
  const receivedAt = new Date(head.internalDate ?? Date.now());
  const read = source === null ? null : await parseInbound(source).catch(() => null);
  const message = read ?? (await parseHead(headers));
  const unreadable = read !== null ? null : source === null ? "TOO_BIG" : "UNREADABLE";
  return { message, unreadable, contentKey: contentKeyOf(message, source ?? headers), receivedAt };
}

/** Without a Message-ID: the headers and the start of the body. */
function contentKeyOf(message: Inbound, raw: Buffer): string {
  const { messageId, date, from } = message;
  const hash = createHash("sha256");
  if (messageId !== null) return hash.update(`${messageId}\n${date ?? ""}\n${from?.address ?? ""}`).digest("hex");
  const end = raw.indexOf("\r\n\r\n");
  return hash.update(raw.subarray(0, (end < 0 ? raw.length : end) + BODY_START)).digest("hex");
}

/** Waits for a mail it speaks of to be recorded. What breaks our own reading must not stop all mail behind it. */
async function ingested({ keys, log, signal }: FolderReader, arrival: Arrival): Promise<string> {
  for (let failures = 0; ; ) {
    try {
      return await ingest(arrival, keys);
    } catch (err) {
      if (signal.aborted) throw err;
      if (err instanceof StillRecording) {
        await sleep(RECORDING_PAUSE_MS);
        continue;
      }
      if (isOfDatabase(err) || ++failures < TRIES) throw err;
      log.error({ err, mailboxId: arrival.mailbox._id, folder: arrival.folder, uid: arrival.uid }, "a mail could not be ingested");
      arrival = { ...arrival, unreadable: "INGEST_FAILED" };
    }
  }
}

function isOfDatabase(err: unknown): boolean {
  return err instanceof Error && /^Mongo/.test(err.name);
}
