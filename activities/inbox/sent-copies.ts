import type { ImapFlow } from "imapflow";
import type { Logger } from "pino";
import { logout, troubleOf } from "../../connectors/imap/connection.ts";
import { requireAnswer } from "../../connectors/imap/fetch.ts";
import { pathOf } from "../../connectors/imap/folders.ts";
import { DAY_MS, MINUTE_MS, SECOND_MS } from "../../domain/time/durations.ts";
import type { Mailbox } from "../../models/mailboxes/mailbox.ts";
import { scoped } from "../../models/scoped.ts";
import type { DueCopy } from "../../models/sending/due-copy.ts";
import {
  beginFiling,
  dropDueCopies,
  endFiling,
  findMailboxesWithDueCopies,
  noteSentFolder,
  postponeCopy,
  settleCopy,
  takeDueCopy,
} from "../../store/mailboxes/due-copies.ts";

/** Milliseconds for which a mailbox is left alone after a failure: more each time, up to the last. */
const RESTS_MS = [2 * SECOND_MS, 10 * SECOND_MS, MINUTE_MS, 10 * MINUTE_MS];
/** Milliseconds for one copy to be filed; the process that took it has it alone for longer. */
const APPEND_MS = 8 * MINUTE_MS;

export interface CopyLook {
  stop(): void;
}

/** Files copies of sent emails in the Sent folder (rules/sending 10.7). `openOf` logs in to a mailbox's IMAP server. */
export function sentCopies(openOf: (mailbox: Mailbox) => Promise<ImapFlow>, log: Logger) {
  const running = new Map<string, Promise<void>>();
  const rests = new Map<string, { failures: number; until: number }>();

  /**
   * Checks every `everyMs` which of the mailboxes read here have copies due, and files them while reading continues.
   */
  function startCopyLook(watched: () => Iterable<string>, everyMs: number): CopyLook {
    const fileDueCopies = async () => {
      const idle = [...watched()].filter((id) => !running.has(id) && (rests.get(id)?.until ?? 0) <= Date.now());
      for (const { workspaceId, mailboxId } of await findMailboxesWithDueCopies(idle))
        startFiling(workspaceId, mailboxId);
    };
    const timer = setInterval(() => {
      fileDueCopies().catch((err) => log.warn({ err }, "could not find the copies of sent emails that are due"));
    }, everyMs);
    timer.unref();
    return { stop: () => clearInterval(timer) };
  }

  function startFiling(workspaceId: string, mailboxId: string): void {
    if (running.has(mailboxId)) return;
    const run = fileDue(workspaceId, mailboxId)
      .catch((err) => log.warn({ mailboxId, err }, "copies of sent emails could not be filed"))
      .finally(() => running.delete(mailboxId));
    running.set(mailboxId, run);
  }

  /** Resolves once no copy is being filed. */
  async function copiesFiled(): Promise<void> {
    while (running.size > 0) await Promise.all(running.values());
  }

  /**
   * Files the copies of one mailbox that are due now, over one connection. It never throws for a fault of the server.
   */
  async function fileDue(workspaceId: string, mailboxId: string): Promise<void> {
    let mailbox = await scoped(workspaceId).Mailbox.get(mailboxId);
    if (mailbox === null || !mailbox.saveToSent) return dropDueCopies(workspaceId, mailboxId);
    let client: ImapFlow | null = null;
    let taken: DueCopy | null = null;
    try {
      for (taken = await takeDueCopy(mailbox); taken !== null; taken = await takeDueCopy(mailbox)) {
        if (client === null) {
          client = await openOf(mailbox);
          const path = pathOf(await client.list(), "\\Sent");
          await noteSentFolder(mailbox, path);
          if (path === null) return await dropDueCopies(workspaceId, mailboxId);
          requireAnswer(client, await client.mailboxOpen(path, { readOnly: true }));
        }
        mailbox = await file(client, mailbox, taken);
      }
      rests.delete(mailboxId);
    } catch (err) {
      rest(mailboxId);
      if (taken !== null) await postponeCopy(taken);
      log.info({ mailboxId, code: troubleOf(err).code }, "could not file copies of sent emails in the Sent folder yet");
    } finally {
      if (client !== null) logout(client);
    }
  }

  function rest(mailboxId: string): void {
    const failures = rests.get(mailboxId)?.failures ?? 0;
    const restMs = RESTS_MS[Math.min(failures, RESTS_MS.length - 1)] ?? 0;
    rests.set(mailboxId, { failures: failures + 1, until: Date.now() + restMs });
  }

  return { startCopyLook, copiesFiled, fileDue };
}

/**
 * Files one copy, unless the Sent folder has one. If a kill follows the filing, the next look finds the copy, before
 * any further attempt. Returns the mailbox with what was learnt.
 */
async function file(client: ImapFlow, mailbox: Mailbox, copy: DueCopy): Promise<Mailbox> {
  const copies = await countCopies(client, copy);
  const { bytes, appendedAt } = copy;
  // After our own copy, only a second one comes from the server
  if (bytes === null) return settleCopy(mailbox, copy, copies > 1 ? "LATE" : "MISSED");
  if (copies > 0) return settleCopy(mailbox, copy, appendedAt === null ? "FOUND" : null);
  if (!(await beginFiling(copy))) return mailbox;
  const late = setTimeout(() => client.close(), APPEND_MS);
  const path = client.mailbox === false ? "" : client.mailbox.path;
  const filed = await client.append(path, bytes, ["\\Seen"]).finally(() => clearTimeout(late));
  requireAnswer(client, filed === false ? undefined : filed);
  await endFiling(mailbox, copy);
  return mailbox;
}

/** How many copies of an email the selected folder has, among the emails of its days. */
async function countCopies(client: ImapFlow, { messageIds, mailRef, createdAt }: DueCopy): Promise<number> {
  const since = new Date(createdAt.getTime() - DAY_MS);
  const found = new Set<number>();
  // A server may search only the emails that it has reported to this session
  await client.noop();
  const headers = [
    ...messageIds.map((id) => ({ "Message-ID": id })),
    ...(mailRef === null ? [] : [{ "X-Mail-Ref": mailRef }]),
  ];
  for (const header of headers) {
    for (const uid of requireAnswer(client, await client.search({ since, header }, { uid: true }))) found.add(uid);
  }
  return found.size;
}
