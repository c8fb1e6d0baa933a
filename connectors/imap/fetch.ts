import { hash } from "node:crypto";
import type { FetchMessageObject, ImapFlow } from "imapflow";
import { DAY_MS } from "../../domain/time/durations.ts";
import { ImapTrouble, MAX_MESSAGE } from "./connection.ts";
import type { Folder } from "./folders.ts";

/** Of a mail without a Message-ID. */
const BODY_START = 4_096;
const MOST_OF_A_LINE = 10_000;
/** What its key is made of, and our mark on the copies of what we sent. */
const KEY_HEADERS = ["message-id", "date", "from", "x-mail-ref"];

/** What is asked of a mail before its body. */
export interface Head {
  uid: number;
  size: number;
  receivedAt: Date;
  /** When its sender says that it was written. */
  writtenAt: number | null;
  /** Null without a Message-ID: then the start of the body decides. */
  contentKey: string | null;
  /** A draft is no mail yet. */
  isDraft: boolean;
  /** A copy of a mail of ours. */
  isOurs: boolean;
  providerThreadId: string | null;
}

/** The library answers nothing where the connection was cut: taken for an empty folder, it would move the cursor past mail. */
export function heard<T>(client: ImapFlow, answer: T | false | undefined): T {
  if (answer === false || answer === undefined) throw new ImapTrouble(client.usable ? "PROTOCOL_ERROR" : "CONNECT_FAILED");
  return answer;
}

/** `n:*` always names the last message, even one before n. */
export async function uidsAfter(client: ImapFlow, lastUid: number): Promise<number[]> {
  const found = heard(client, await client.search({ uid: `${lastUid + 1}:*` }, { uid: true }));
  return found.filter((uid) => uid > lastUid).sort((a, b) => a - b);
}

/** By days, as IMAP searches, without drafts; of those beyond a size where one is given. */
export async function uidsOfDays(client: ImapFlow, days: number, larger?: number): Promise<number[]> {
  const since = new Date(Date.now() - days * DAY_MS);
  const found = heard(client, await client.search({ since, draft: false, ...(larger !== undefined && { larger }) }, { uid: true }));
  return found.sort((a, b) => a - b);
}

/** What is still there of these mails, oldest first. */
export async function headsOf(client: ImapFlow, uids: readonly number[]): Promise<Head[]> {
  return (await fetched(client, uids, { ...HEAD, headers: KEY_HEADERS })).map((found) => headOf(found, found.headers ?? Buffer.alloc(0)));
}

/** Head and body at once, for mails that are small, new for certain and no drafts: what need not be asked is not, it is a tenth of it. */
export async function wholesOf(client: ImapFlow, uids: readonly number[]): Promise<{ head: Head; raw: Buffer }[]> {
  return (await fetched(client, uids, { ...PLACE, source: true })).map((found) => {
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
    writtenAt: timeOf(head.get("date") ?? ""),
    contentKey: keyOf(head),
    isDraft: found.flags?.has("\\Draft") ?? false,
    isOurs: head.has("x-mail-ref"),
    providerThreadId: found.threadId ?? null,
  };
}

/** The raw mails by their UID, without those that are there no more; of `headers` alone where that is asked. */
export async function sourcesOf(client: ImapFlow, uids: readonly number[], part: "source" | "headers"): Promise<Map<number, Buffer>> {
  const query = part === "source" ? { uid: true, source: true } : { uid: true, headers: true };
  const found = await fetched(client, uids, query);
  return new Map(found.flatMap((mail) => (mail[part] === undefined ? [] : [[mail.uid, mail[part]] as const])));
}

async function fetched(
  client: ImapFlow,
  uids: readonly number[],
  query: Parameters<ImapFlow["fetchAll"]>[1],
): Promise<FetchMessageObject[]> {
  if (uids.length === 0) return [];
  const wanted = new Set(uids);
  const found = await client.fetchAll(rangeOf(uids), query, { uid: true });
  if (!client.usable) throw new ImapTrouble("CONNECT_FAILED");
  // Changes of flags are told in between, of any mail
  return found.filter(({ uid }) => wanted.delete(uid)).sort((one, other) => one.uid - other.uid);
}

/** `1:5,9`: a thousand numbers would be a long line. */
function rangeOf(uids: readonly number[]): string {
  const ranges: { first: number; last: number }[] = [];
  for (const uid of uids) {
    const range = ranges.at(-1);
    if (range !== undefined && range.last + 1 === uid) range.last = uid;
    else ranges.push({ first: uid, last: uid });
  }
  return ranges.map(({ first, last }) => (first === last ? String(first) : `${first}:${last}`)).join(",");
}

/** The key of a whole mail or its headers: SHA-256 of Message-ID, Date and From; without Message-ID of the headers and the start of the body. */
export function contentKeyOf(raw: Buffer): string {
  const end = raw.indexOf("\r\n\r\n");
  const head = raw.subarray(0, end < 0 ? raw.length : end);
  return keyOf(linesOf(head)) ?? hash("sha256", raw.subarray(0, head.length + BODY_START));
}

function keyOf(head: ReadonlyMap<string, string>): string | null {
  const messageId = /<[^<>\s]+>/.exec(head.get("message-id") ?? "")?.[0] ?? head.get("message-id") ?? "";
  if (messageId === "") return null;
  return hash("sha256", `${messageId}\n${head.get("date") ?? ""}\n${head.get("from") ?? ""}`);
}

const KEY_LINE = new RegExp(`(?<=^|\\n)(${KEY_HEADERS.join("|")})[ \\t]*:(.*(?:\\r?\\n[ \\t].*)*)`, "gi");

/** The first of each header of a key, unfolded. */
function linesOf(headers: Buffer): Map<string, string> {
  const lines = new Map<string, string>();
  for (const [, name = "", folded = ""] of headers.toString("latin1").matchAll(KEY_LINE)) {
    const key = name.toLowerCase();
    const value = folded.replace(/\r?\n[ \t]+/g, " ").slice(0, MOST_OF_A_LINE);
    if (!lines.has(key)) lines.set(key, value.replace(/\s+/g, " ").trim());
  }
  return lines;
}

function timeOf(date: string): number | null {
  const time = Date.parse(date.replace(/\([^()]*\)/g, " ").trim());
  return Number.isNaN(time) ? null : time;
}

/** Which of its bytes are read: the body under the limit of mail.md 12. */
export function isTooBig({ size }: Head): boolean {
  return size > MAX_MESSAGE;
}

/** A copy in Sent that carries our mark needs no body: what we sent is known. */
export function isKnownCopy(head: Head, folder: Folder): boolean {
  return folder.use === "SENT" && head.isOurs;
}
