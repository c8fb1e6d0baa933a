import type { ImapFlow } from "imapflow";
import { requireAnswer } from "./fetch.ts";

/** Where an email was last seen, and the Message-IDs by which it is found elsewhere. */
export interface SoughtMail {
  uid: number;
  uidValidity: string;
  messageIds: readonly string[];
}

export interface FoundMail {
  uid: number;
  flags: ReadonlySet<string>;
}

/** Opens a folder to change emails in it; null when it does not exist. */
export async function openToChange(client: ImapFlow, path: string): Promise<{ uidValidity: string } | null> {
  try {
    const { uidValidity } = requireAnswer(client, await client.mailboxOpen(path));
    return { uidValidity: String(uidValidity) };
  } catch (err) {
    if (!client.usable || !isRefused(err)) throw err;
    return null;
  }
}

/**
 * Finds emails in the open folder: at their place, if the Message-ID there is still theirs, otherwise by a search. An
 * email that is not there is missing in the answer.
 */
export async function findMails<M extends SoughtMail>(
  client: ImapFlow,
  uidValidity: string,
  sought: readonly M[],
): Promise<Map<M, FoundMail>> {
  const found = new Map<M, FoundMail>();
  const placed = sought.filter((mail) => mail.uid > 0 && mail.uidValidity === uidValidity);
  const heads =
    placed.length === 0
      ? []
      : await headsOf(
          client,
          placed.map(({ uid }) => uid),
        );
  for (const mail of placed) {
    const head = heads.find(({ uid }) => uid === mail.uid);
    if (head !== undefined && mail.messageIds.includes(head.messageId)) found.set(mail, head);
  }
  for (const mail of sought) {
    if (found.has(mail)) continue;
    const uid = await searchOne(client, mail.messageIds);
    const [head] = uid === null ? [] : await headsOf(client, [uid]);
    if (head !== undefined) found.set(mail, head);
  }
  return found;
}

async function headsOf(client: ImapFlow, uids: readonly number[]): Promise<(FoundMail & { messageId: string })[]> {
  const found = await client.fetchAll(uids.join(","), { uid: true, flags: true, envelope: true }, { uid: true });
  requireAnswer(client, client.usable ? found : undefined);
  return found.map(({ uid, flags, envelope }) => ({
    uid,
    flags: flags ?? new Set(),
    messageId: envelope?.messageId ?? "",
  }));
}

async function searchOne(client: ImapFlow, messageIds: readonly string[]): Promise<number | null> {
  for (const id of messageIds) {
    const uids = requireAnswer(client, await client.search({ header: { "Message-ID": id } }, { uid: true }));
    const [uid] = uids;
    if (uid !== undefined) return uid;
  }
  return null;
}

/** Sets the keywords and flags that the server permits; the others are left out silently. */
export async function setFlags(
  client: ImapFlow,
  uids: readonly number[],
  add: readonly string[],
  remove: readonly string[] = [],
): Promise<void> {
  if (uids.length === 0) return;
  const range = uids.join(",");
  if (remove.length > 0) await client.messageFlagsRemove(range, [...remove], { uid: true });
  if (add.length > 0) await client.messageFlagsAdd(range, [...add], { uid: true });
  requireAnswer(client, client.usable ? true : undefined);
}

/** Gives emails a label at a provider that has labels; elsewhere does nothing. */
export async function setLabel(client: ImapFlow, uids: readonly number[], label: string): Promise<void> {
  if (uids.length === 0 || !client.capabilities.has("X-GM-EXT-1")) return;
  await client.messageFlagsAdd(uids.join(","), [label], { uid: true, useLabels: true });
}

/** Where emails are after a move, by their former UID. A UID of 0: the server did not report it. */
export interface Moved {
  uidValidity: string;
  uidOf: ReadonlyMap<number, number>;
}

/**
 * Moves emails out of the open folder (RFC 6851). On a server without MOVE it copies and removes them. If such a server
 * allows the copy but not the removal, the emails count as moved, so that they are not copied again. Null when it
 * refused; then they are where they were.
 */
export async function moveMails(client: ImapFlow, uids: readonly number[], to: string): Promise<Moved | null> {
  const range = uids.join(",");
  if (client.capabilities.has("MOVE")) return movedBy(client, uids, await client.messageMove(range, to, { uid: true }));
  const copied = movedBy(client, uids, await client.messageCopy(range, to, { uid: true }));
  if (copied === null) return null;
  await removeMails(client, uids).catch((err) => {
    if (!client.usable) throw err;
  });
  return copied;
}

/**
 * Removes emails from the open folder. Without UIDPLUS (RFC 4315) a server expunges all emails marked as deleted, so it
 * is asked to only where no others are marked.
 */
export async function removeMails(client: ImapFlow, uids: readonly number[]): Promise<void> {
  if (uids.length === 0) return;
  if (client.capabilities.has("UIDPLUS")) {
    requireAnswer(client, await client.messageDelete(uids.join(","), { uid: true }));
    return;
  }
  const others = requireAnswer(client, await client.search({ deleted: true }, { uid: true })).filter(
    (uid) => !uids.includes(uid),
  );
  if (others.length === 0) requireAnswer(client, await client.messageDelete(uids.join(","), { uid: true }));
  else await client.messageFlagsAdd(uids.join(","), ["\\Deleted"], { uid: true });
}

/** The path of a folder of this name, created when it does not exist; null when the server does not allow that. */
export async function ensureFolder(client: ImapFlow, name: string): Promise<string | null> {
  const folderOfName = (await client.list()).find((folder) => folder.name === name && !folder.flags.has("\\Noselect"));
  if (folderOfName !== undefined) return folderOfName.path;
  try {
    return (await client.mailboxCreate([name])).path;
  } catch (err) {
    if (!client.usable) throw err;
    return null;
  }
}

function movedBy(
  client: ImapFlow,
  uids: readonly number[],
  answer: Awaited<ReturnType<ImapFlow["messageMove"]>>,
): Moved | null {
  requireAnswer(client, client.usable ? true : undefined);
  if (answer === false || answer === undefined) return null;
  const { uidMap, uidValidity } = answer;
  return { uidValidity: String(uidValidity ?? 0), uidOf: new Map(uids.map((uid) => [uid, uidMap?.get(uid) ?? 0])) };
}

/** A server answers NO for a folder that does not exist. */
function isRefused(err: unknown): boolean {
  return typeof err === "object" && err !== null && "responseStatus" in err && err.responseStatus === "NO";
}
