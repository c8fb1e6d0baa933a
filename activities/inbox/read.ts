import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { ImapFlow } from "imapflow";
import type { Logger } from "pino";
import { contentKeyOf, fetchSources, type Head, isKnownCopy, isTooBig } from "../../connectors/imap/fetch.ts";
import type { Folder } from "../../connectors/imap/folders.ts";
import { type Authenticate, UNKNOWN_SENDER } from "../../connectors/mime/authentication.ts";
import { type InboundFile, type ParsedMail, parseHeadOf } from "../../connectors/mime/parse.ts";
import { parseMails } from "../../connectors/mime/parse-pool.ts";
import type { PurposeKeys } from "../../domain/access/tokens.ts";
import { readBounce } from "../../domain/bounces/bounce.ts";
import { readReportedFailure } from "../../domain/bounces/refusal.ts";
import { isAutomaticSender } from "../../domain/bounces/sender.ts";
import { isCut } from "../../domain/errors.ts";
import type { Inbound } from "../../domain/mail/inbound.ts";
import { saveFile } from "../../models/inbox/files.ts";
import type { AttachedFile } from "../../models/inbox/message.ts";
import type { Mailbox } from "../../models/mailboxes/mailbox.ts";
import { scoped } from "../../models/scoped.ts";
import { trusted } from "../../mongo/collection.ts";
import type { Arrival, HeedArrival, HeedReply, Received } from "../../store/inbox/arrival.ts";
import { ingest, stopSenderOf, TooSlowToStore } from "../../store/inbox/ingest.ts";
import { StillRecording } from "../../store/sending/delivery-evidence.ts";
import type { FindMailHosts } from "../mail-hosts.ts";
import { learnProviders } from "../mailboxes/refusals.ts";

const RECORDING_PAUSE_MS = 200;
const TRIES = 3;
const BASE32 = "abcdefghijklmnopqrstuvwxyz234567";

/** What reading an email needs, by IMAP or by a provider's API. */
export interface MailReader {
  mailbox: Mailbox;
  keys: PurposeKeys;
  authenticate: Authenticate;
  warmup: WarmupReader;
  heedReply: HeedReply;
  /** Finds at which provider recipients receive their email. */
  findHosts: FindMailHosts;
  log: Logger;
  signal: AbortSignal;
  /** The last UID read of each folder, reported as progress. */
  cursor: Record<string, number>;
  /** The contents of those emails that wait to be stored and whose senders have been stopped. */
  stopped: Set<string>;
}

export interface FolderReader extends MailReader {
  client: ImapFlow;
}

/** How warmup recognises its emails; the core knows nothing else about it. */
export interface WarmupReader {
  heed: HeedArrival;
  /** Whether it is a partner's email, by its Message-ID and its sender. */
  isFromPartner(message: Inbound): Promise<boolean>;
  /** Which of these Message-IDs are those of warmup emails. */
  known(messageIds: readonly string[]): Promise<ReadonlySet<string>>;
}

export interface FolderPlace {
  folder: Folder;
  uidValidity: string;
}

/** An email as it was read, before anything was stored. */
export interface ReadMail extends ParsedMail {
  head: Head;
  contentKey: string;
  raw: Buffer;
  unreadable: string | null;
}

/** The UIDs of those emails that the ledger has already. */
export async function findKnownUids(
  { mailbox }: FolderReader,
  { folder, uidValidity }: FolderPlace,
  heads: readonly Head[],
): Promise<Set<number>> {
  if (heads.length === 0) return new Set();
  const keys = heads.flatMap(({ contentKey }) => contentKey ?? []);
  const uids = heads.map(({ uid }) => uid);
  const found = await scoped(mailbox.workspaceId).Message.find(
    {
      mailboxId: mailbox._id,
      $or: [{ contentKey: trusted({ $in: keys }) }, { folder: folder.path, uidValidity, uid: trusted({ $in: uids }) }],
    },
    { select: { contentKey: 1, folder: 1, uidValidity: 1, uid: 1 } },
  );
  const knownKeys = new Set(found.map(({ contentKey }) => contentKey));
  const knownUids = new Set(
    found.flatMap((row) => (row.folder === folder.path && row.uidValidity === uidValidity ? (row.uid ?? []) : [])),
  );
  return new Set(
    heads.filter(({ uid, contentKey }) => knownUids.has(uid) || knownKeys.has(contentKey ?? "")).map(({ uid }) => uid),
  );
}

/**
 * Fetches and parses emails, oldest first; emails that have disappeared meanwhile are left out. `isHeadOnly`: their
 * bodies cannot be fetched.
 */
export async function mailsOf(
  reader: FolderReader,
  folder: Folder,
  heads: readonly Head[],
  isHeadOnly = false,
): Promise<ReadMail[]> {
  return parseRawMails(await rawsOf(reader, folder, heads, isHeadOnly));
}

/** An email as it was fetched: in full, or only its headers and the reason. */
export interface RawMail {
  head: Head;
  raw: Buffer;
  /** KNOWN: a copy of an email that we sent. Its headers are enough. */
  cut: "TOO_BIG" | "KNOWN" | null;
}

export async function rawsOf(
  { client }: FolderReader,
  folder: Folder,
  heads: readonly Head[],
  isHeadOnly = false,
): Promise<RawMail[]> {
  const cutOf = (head: Head): RawMail["cut"] =>
    isHeadOnly || isTooBig(head) ? "TOO_BIG" : isKnownCopy(head, folder) ? "KNOWN" : null;
  const cuts = new Map(heads.map((head) => [head.uid, cutOf(head)]));
  const uidsOf = (isCut: boolean) => [...cuts].flatMap(([uid, cut]) => ((cut !== null) === isCut ? uid : []));
  const raws = new Map([
    ...(await fetchSources(client, uidsOf(false), "source")),
    ...(await fetchSources(client, uidsOf(true), "headers")),
  ]);
  return heads.flatMap((head) => {
    const raw = raws.get(head.uid);
    return raw === undefined ? [] : [{ head, raw, cut: cuts.get(head.uid) ?? null }];
  });
}

/** Parses the emails in the process's worker threads. */
export async function parseRawMails(raws: readonly RawMail[]): Promise<ReadMail[]> {
  const whole = raws.filter(({ cut }) => cut === null);
  const parsed = await parseMails(whole.map(({ raw }) => raw));
  const byHead = new Map(whole.map(({ head }, index) => [head, parsed[index] ?? null]));
  const mails: ReadMail[] = [];
  for (const { head, raw, cut } of raws) {
    const mail = byHead.get(head) ?? null;
    const unreadable = mail !== null || cut === "KNOWN" ? null : (cut ?? "UNREADABLE");
    mails.push({
      ...(mail ?? parseHeadOf(raw)),
      head,
      raw,
      contentKey: head.contentKey ?? contentKeyOf(raw),
      unreadable,
    });
  }
  return mails;
}

/** Stores an email with all its effects, once; returns true when it was new. */
export async function ingestMail(reader: MailReader, place: FolderPlace, mail: ReadMail): Promise<boolean> {
  const { mailbox, log } = reader;
  const arrival = await arrivalOf(reader, place, mail);
  const attachments = await storedFiles(reader, mail);
  const kind = await ingestWithRetry(reader, { ...arrival, attachments });
  log.debug({ mailboxId: mailbox._id, folder: place.folder.path, uid: mail.head.uid, kind }, "read an email");
  return kind !== "DUPLICATE";
}

/** Stops the people that an email stops, and stores nothing. Repeated by the same watch, it does nothing. */
export async function stopSenderOfMail(reader: MailReader, place: FolderPlace, mail: ReadMail): Promise<void> {
  if (reader.stopped.has(mail.contentKey)) return;
  await stopSenderOf(await arrivalOf(reader, place, mail), reader.keys, reader.warmup.heed);
  reader.stopped.add(mail.contentKey);
}

/** An email with what is known about its sender, without its files. */
async function arrivalOf(reader: MailReader, { folder, uidValidity }: FolderPlace, mail: ReadMail): Promise<Arrival> {
  const { mailbox } = reader;
  const isSentFolder = folder.use === "SENT";
  // The sender of an email that the ledger knows has no effect, and asking the name servers takes longest
  const isWarmup = await reader.warmup.isFromPartner(mail.message);
  const isAsked = !isSentFolder && !isWarmup && mail.unreadable === null;
  const sender = isAsked ? await reader.authenticate(mailbox, mail.message, mail.raw) : UNKNOWN_SENDER;
  if (isAsked && tellsOfPolicy(mail.message))
    await learnProviders(reader.findHosts, { ...mailbox, mailboxId: mailbox._id });
  const folderUse = mail.head.isInInbox ? "INBOX" : folder.use;
  return { ...receivedOf({ folder, uidValidity }, mail, []), mailbox, folderUse, isSentFolder, ...sender };
}

/** Whether a report describes a refusal that only a comparison with other organisations explains. */
function tellsOfPolicy(message: Inbound): boolean {
  if (message.deliveryStatus === null && !isAutomaticSender(message)) return false;
  const recipients = readBounce(message)?.recipients ?? [];
  return recipients.some((failed) => {
    const { effect, about } = readReportedFailure({ ...failed, code: failed.status });
    return effect === "PUT_OFF" || (effect === "COOL_DOWN" && about === "sender");
  });
}

/** An email in the form that is ingested; its files are stored. */
export async function receiveMail(reader: MailReader, place: FolderPlace, mail: ReadMail): Promise<Received> {
  return receivedOf(place, mail, await storedFiles(reader, mail));
}

function receivedOf({ folder, uidValidity }: FolderPlace, mail: ReadMail, attachments: AttachedFile[]): Received {
  const { head, message, contentKey, unreadable, to, cc } = mail;
  const { uid, providerThreadId } = head;
  const receivedAt = folder.use === "SENT" ? head.receivedAt : endOfSecond(head.receivedAt);
  return {
    folder: folder.path,
    uidValidity,
    uid,
    contentKey,
    receivedAt,
    message,
    to,
    cc,
    attachments,
    providerThreadId,
    unreadable,
  };
}

/**
 * The end of a second, because servers report whole seconds. A fast reply arrived after our email, so within its second
 * it counts as late as possible.
 */
function endOfSecond(receivedAt: Date): Date {
  const now = Date.now();
  return new Date(Math.max(receivedAt.getTime(), Math.min(receivedAt.getTime() + 999, now)));
}

/**
 * Stores the files of an email under ids that are derived from its content, so that a second reading stores nothing.
 */
async function storedFiles({ mailbox, log }: MailReader, { contentKey, files }: ReadMail): Promise<AttachedFile[]> {
  const stored: AttachedFile[] = [];
  for (const { part, fileName, contentType, content } of files) {
    const bytes = Buffer.from(content.buffer, content.byteOffset, content.length);
    const id = fileId(mailbox._id, contentKey, part);
    try {
      await saveFile(mailbox.workspaceId, id, { fileName, contentType }, bytes);
    } catch (err) {
      if (isOfDatabase(err)) throw err;
      log.error({ err, mailboxId: mailbox._id, id }, "could not store an attachment");
      continue;
    }
    const sha256 = createHash("sha256").update(bytes).digest("hex");
    stored.push({ id, fileName, contentType, size: bytes.length, sha256 });
  }
  return stored;
}

function fileId(mailboxId: string, contentKey: string, part: InboundFile["part"]): string {
  const hash = createHash("sha256").update(`${mailboxId}\n${contentKey}\n${part}`).digest();
  return `att_${Array.from(hash.subarray(0, 26), (octet) => BASE32[octet % 32]).join("")}`;
}

/**
 * Ingests an email, and waits while a send that it refers to is being recorded. A fault in our own parsing must not
 * block all emails behind it.
 */
async function ingestWithRetry(
  { keys, log, signal, warmup, heedReply }: MailReader,
  arrival: Arrival,
): Promise<string> {
  for (let failures = 0; ; ) {
    try {
      return await ingest(arrival, keys, warmup.heed, heedReply);
    } catch (err) {
      if (signal.aborted) throw err;
      if (err instanceof StillRecording) {
        await sleep(RECORDING_PAUSE_MS);
        continue;
      }
      if (isOfDatabase(err) || err instanceof TooSlowToStore) throw err;
      if (++failures < TRIES) continue;
      log.error(
        { err, mailboxId: arrival.mailbox._id, folder: arrival.folder, uid: arrival.uid },
        "an email could not be ingested",
      );
      arrival = { ...arrival, unreadable: "INGEST_FAILED" };
    }
  }
}

function isOfDatabase(err: unknown): boolean {
  return isCut(err) || (err instanceof Error && /^Mongo/.test(err.name));
}
