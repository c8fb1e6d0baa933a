import { hash } from "node:crypto";
import type { FetchMessageObject, ImapFlow } from "imapflow";
import { DAY_MS } from "../../domain/time/durations.ts";
import { ImapTrouble, MAX_MESSAGE } from "./connection.ts";
import type { Folder } from "./folders.ts";

/** Octets of the body that are hashed for the key of an email without a Message-ID. */
const BODY_START = 4_096;
const MOST_OF_A_LINE = 10_000;
/** The headers that form the key of an email, and the header that marks copies of emails we sent. */
const KEY_HEADERS = ["message-id", "date", "from", "x-mail-ref"];

/** What is fetched of an email before its body. */
export interface Head {
  uid: number;
  size: number;
  receivedAt: Date;
  /** When the email was written, according to its sender. */
  writtenAt: number | null;
  /** Null without a Message-ID. Then the start of the body is part of the key. */
  contentKey: string | null;
  /** A draft does not count as an email. */
  isDraft: boolean;
  /** A copy of an email that we sent. */
  isOurs: boolean;
  providerThreadId: string | null;
  /** Whether the provider shows it in the inbox too, if the provider says so: it shows one email in several folders. */
  isInInbox: boolean;
}

/**
 * Returns an answer of the library, or throws. The library returns nothing when the connection was cut, and reading
 * that as an empty folder would move the cursor past unread mail.
 */
export function requireAnswer<T>(client: ImapFlow, answer: T | false | undefined): T {
  if (answer === false || answer === undefined)
    throw new ImapTrouble(client.usable ? "PROTOCOL_ERROR" : "CONNECT_FAILED");
  return answer;
}

/**
 * The UIDs above `lastUid`. They are filtered again, because `n:*` always includes the last message, even when its UID
 * is below n.
 */
export async function uidsAfter(client: ImapFlow, lastUid: number): Promise<number[]> {
  const found = requireAnswer(client, await client.search({ uid: `${lastUid + 1}:*` }, { uid: true }));
  return found.filter((uid) => uid > lastUid).sort((a, b) => a - b);
}

/**
 * The UIDs of emails of the last days, because IMAP searches by days, without drafts. With `larger`, only emails above
 * that size.
 */
export async function uidsOfDays(client: ImapFlow, days: number, larger?: number): Promise<number[]> {
  const since = new Date(Date.now() - days * DAY_MS);
  const found = requireAnswer(
    client,
    await client.search({ since, draft: false, ...(larger !== undefined && { larger }) }, { uid: true }),
  );
  return found.sort((a, b) => a - b);
}

/** The heads of those of these emails that still exist, oldest first. */
export async function fetchHeads(client: ImapFlow, uids: readonly number[]): Promise<Head[]> {
  const labels = client.capabilities.has("X-GM-EXT-1");
  return (await fetchWanted(client, uids, { ...HEAD, headers: KEY_HEADERS, ...(labels && { labels }) })).map((found) =>
    headOf(found, found.headers ?? Buffer.alloc(0)),
  );
}

/**
 * Fetches heads and bodies together, for small emails that are certainly new and not drafts. Leaving out the fields not
 * needed saves a tenth of the time.
 */
export async function fetchMails(client: ImapFlow, uids: readonly number[]): Promise<{ head: Head; raw: Buffer }[]> {
  return (await fetchWanted(client, uids, { ...PLACE, source: true })).map((found) => {
    const raw = found.source ?? Buffer.alloc(0);
    const end = raw.indexOf("\r\n\r\n");
    return { head: { ...headOf(found, end < 0 ? raw : raw.subarray(0, end)), size: raw.length }, raw };
  });
}

const PLACE = { uid: true, internalDate: true, threadId: true };
const HEAD = { ...PLACE, size: true, flags: true };

function headOf(found: FetchMessageObject, headers: Buffer): Head {
  const head = linesOf(headers);
  return {
    uid: found.uid,
    size: found.size ?? 0,
    receivedAt: new Date(found.internalDate ?? Date.now()),
    writtenAt: dateHeaderTime(head.get("date") ?? ""),
    contentKey: messageKeyOf(head),
    isDraft: found.flags?.has("\\Draft") ?? false,
    isOurs: head.has("x-mail-ref"),
    providerThreadId: found.threadId ?? null,
    isInInbox: found.labels?.has("\\Inbox") ?? false,
  };
}

/** The head of an email that was read in full from a provider's API, which has no UIDs: `uid` is 1. */
export function headOfRaw(
  raw: Buffer,
  known: Pick<Head, "receivedAt" | "isDraft" | "isInInbox" | "providerThreadId">,
): Head {
  const end = raw.indexOf("\r\n\r\n");
  const head = linesOf(end < 0 ? raw : raw.subarray(0, end));
  return {
    ...known,
    uid: 1,
    size: raw.length,
    writtenAt: dateHeaderTime(head.get("date") ?? ""),
    contentKey: messageKeyOf(head),
    isOurs: head.has("x-mail-ref"),
  };
}

/**
 * The marks of our email in the copy that its receiver got: the Message-ID, which a server may have replaced, and our
 * own mark.
 */
export interface MailMarks {
  messageId: string | null;
  mailRef: string | null;
}

/** The marks of those of these emails that still exist. */
export async function fetchMarks(client: ImapFlow, uids: readonly number[]): Promise<MailMarks[]> {
  return (await fetchWanted(client, uids, { uid: true, headers: ["message-id", "x-mail-ref"] })).map(({ headers }) => {
    const head = linesOf(headers ?? Buffer.alloc(0));
    return {
      messageId: /<[^<>\s]+>/.exec(head.get("message-id") ?? "")?.[0] ?? null,
      mailRef: head.get("x-mail-ref")?.toLowerCase() || null,
    };
  });
}

/** The raw emails by UID, or only their headers. Emails that no longer exist are missing. */
export async function fetchSources(
  client: ImapFlow,
  uids: readonly number[],
  part: "source" | "headers",
): Promise<Map<number, Buffer>> {
  const query = part === "source" ? { uid: true, source: true } : { uid: true, headers: true };
  const found = await fetchWanted(client, uids, query);
  return new Map(found.flatMap((mail) => (mail[part] === undefined ? [] : [[mail.uid, mail[part]] as const])));
}

async function fetchWanted(
  client: ImapFlow,
  uids: readonly number[],
  query: Parameters<ImapFlow["fetchAll"]>[1],
): Promise<FetchMessageObject[]> {
  if (uids.length === 0) return [];
  const wanted = new Set(uids);
  const found = await client.fetchAll(rangeOf(uids), query, { uid: true });
  if (!client.usable) throw new ImapTrouble("CONNECT_FAILED");
  // Between them, servers report changed flags of any email
  return found.filter(({ uid }) => wanted.delete(uid)).sort((one, other) => one.uid - other.uid);
}

/** Writes `1:5,9`, because a thousand single numbers would make a long line. */
function rangeOf(uids: readonly number[]): string {
  const ranges: { first: number; last: number }[] = [];
  for (const uid of uids) {
    const range = ranges.at(-1);
    if (range !== undefined && range.last + 1 === uid) range.last = uid;
    else ranges.push({ first: uid, last: uid });
  }
  return ranges.map(({ first, last }) => (first === last ? String(first) : `${first}:${last}`)).join(",");
}

/**
 * The key of an email, from the whole email or its headers: the SHA-256 of Message-ID, Date and From. Without a
 * Message-ID it is the SHA-256 of the headers and the start of the body.
 */
export function contentKeyOf(raw: Buffer): string {
  const end = raw.indexOf("\r\n\r\n");
  const head = raw.subarray(0, end < 0 ? raw.length : end);
  return messageKeyOf(linesOf(head)) ?? hash("sha256", raw.subarray(0, head.length + BODY_START));
}

function messageKeyOf(head: ReadonlyMap<string, string>): string | null {
  const messageId = /<[^<>\s]+>/.exec(head.get("message-id") ?? "")?.[0] ?? head.get("message-id") ?? "";
  if (messageId === "") return null;
  return hash("sha256", `${messageId}\n${head.get("date") ?? ""}\n${head.get("from") ?? ""}`);
}

const KEY_LINE = new RegExp(`(?<=^|\\n)(${KEY_HEADERS.join("|")})[ \\t]*:(.*(?:\\r?\\n[ \\t].*)*)`, "gi");

/** The first header of each name in the key, unfolded. */
function linesOf(headers: Buffer): Map<string, string> {
  const lines = new Map<string, string>();
  for (const [, name = "", folded = ""] of headers.toString("latin1").matchAll(KEY_LINE)) {
    const key = name.toLowerCase();
    const value = folded.replace(/\r?\n[ \t]+/g, " ").slice(0, MOST_OF_A_LINE);
    if (!lines.has(key)) lines.set(key, value.replace(/\s+/g, " ").trim());
  }
  return lines;
}

function dateHeaderTime(date: string): number | null {
  const time = Date.parse(date.replace(/\([^()]*\)/g, " ").trim());
  return Number.isNaN(time) ? null : time;
}

/** Whether an email is larger than the limit of rules/mail 11.2, so that its body is not read. */
export function isTooBig({ size }: Head): boolean {
  return size > MAX_MESSAGE;
}

/** Whether an email is a copy in Sent that carries our mark. Its body is not needed, because we know what we sent. */
export function isKnownCopy(head: Head, folder: Folder): boolean {
  return folder.use === "SENT" && head.isOurs;
}
