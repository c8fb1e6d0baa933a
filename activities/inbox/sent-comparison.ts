import type { ImapFlow } from "imapflow";
import type { Logger } from "pino";
import { fetchHeads, fetchSources, requireAnswer, uidsOfDays } from "../../connectors/imap/fetch.ts";
import { watchedFolders } from "../../connectors/imap/folders.ts";
import { parseHeadOf } from "../../connectors/mime/parse.ts";
import { type PurposeKeys, readToken } from "../../domain/access/tokens.ts";
import { DAY_MS } from "../../domain/time/durations.ts";
import type { SentFolderCheck } from "../../models/inbox/sent-folder-check.ts";
import type { Mailbox } from "../../models/mailboxes/mailbox.ts";
import { scoped } from "../../models/scoped.ts";
import {
  learnOfAnswer,
  settleAnswers,
  type WaitingAnswers,
  waitingAnswers,
} from "../../store/inbox/unrecorded-replies.ts";
import { settleUnfiled } from "../../store/sending/restore-unverified.ts";
import { type CopyKeys, learnFrom, type SentCopy } from "../../store/sending/sent-copy.ts";

/** How many emails' headers are fetched together. */
const BATCH = 100;
const UNSUBSCRIBE = /\/u\/(v1\.[\w.-]+)>/;

/** What is compared after a restore, and with which keys. */
export interface Comparing {
  mailbox: Mailbox;
  comparison: SentFolderCheck;
  keys: PurposeKeys & CopyKeys;
  log: Logger;
}

/**
 * Compares what this mailbox has sent since the backup with the restored ledger (rules/sending 12.2), before anything
 * else is read there: an email in its Sent folder was sent. If no copies are filed there, everything that was due is
 * settled. After an interruption it starts again, and counts nothing twice. Leaves another folder open.
 */
export async function compareSent(client: ImapFlow, comparing: Comparing, signal: AbortSignal): Promise<void> {
  const { mailbox, comparison, keys } = comparing;
  const answers = await waitingAnswers(mailbox, keys, comparison.createdAt);
  const folder = (await watchedFolders(client)).find(({ use }) => use === "SENT");
  const found = { RECORDED: 0, KNOWN: 0, UNCLEAR: 0, FOREIGN: 0 };
  if (folder !== undefined) {
    requireAnswer(client, await client.mailboxOpen(folder.path, { readOnly: true }));
    const uids = await uidsOfDays(client, Math.ceil((Date.now() - comparison.since.getTime()) / DAY_MS) + 1);
    while (uids.length > 0) {
      for (const copy of await copiesOf(client, uids.splice(0, BATCH), keys)) {
        signal.throwIfAborted();
        if (await learnOfAnswer(mailbox, answers, copy)) found.RECORDED++;
        else found[await learnFrom(mailbox, keys, copy)]++;
      }
    }
  }
  const isFiling = folder !== undefined && mailbox.saveToSent;
  await endComparison(comparing, isFiling ? null : answers, { recorded: found.RECORDED, unclear: found.UNCLEAR });
}

/** The same for a mailbox that can no longer be read: it counts as filing no copies. */
export async function settleUnread(comparing: Comparing): Promise<void> {
  const { mailbox, comparison, keys } = comparing;
  await endComparison(comparing, await waitingAnswers(mailbox, keys, comparison.createdAt), {});
}

/** `unfiled`: the replies that may have been sent without a copy; null where copies are filed. */
async function endComparison(
  { mailbox, comparison, keys, log }: Comparing,
  unfiled: WaitingAnswers | null,
  found: object,
): Promise<void> {
  const { workspaceId, _id: mailboxId } = mailbox;
  const settled = unfiled === null ? {} : await settleUnfiled(mailbox, keys, comparison.createdAt);
  const answers = unfiled === null ? 0 : await settleAnswers(mailbox, unfiled);
  await scoped(workspaceId).SentFolderCheck.deleteOne({ _id: mailboxId });
  const left = await scoped(workspaceId).SentFolderCheck.count();
  log.warn(
    { workspaceId, mailboxId, ...found, ...settled, answers, left },
    "after the restore: compared a mailbox with its Sent folder",
  );
}

async function copiesOf(client: ImapFlow, uids: readonly number[], keys: PurposeKeys): Promise<SentCopy[]> {
  const heads = await fetchHeads(client, uids);
  const sources = await fetchSources(
    client,
    heads.map(({ uid }) => uid),
    "headers",
  );
  const copies: SentCopy[] = [];
  for (const { uid, receivedAt } of heads) {
    const source = sources.get(uid);
    if (source !== undefined) copies.push(await copyOf(source, receivedAt, keys));
  }
  return copies;
}

async function copyOf(source: Buffer, at: Date, keys: PurposeKeys): Promise<SentCopy> {
  const { message } = parseHeadOf(source);
  const first = (name: string) => message.headers.get(name)?.[0]?.trim() ?? "";
  const token = UNSUBSCRIBE.exec(first("list-unsubscribe"))?.[1];
  const sendId = token === undefined ? null : (readToken(keys, "u", token)?.sendId ?? null);
  const { messageId, to, subject } = message;
  return { messageId, mailRef: first("x-mail-ref").toLowerCase() || null, sendId, to, subject, at };
}
