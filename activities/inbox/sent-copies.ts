import { setTimeout as sleep } from "node:timers/promises";
import type { ImapFlow } from "imapflow";
import type { Logger } from "pino";
import { leave, troubleOf } from "../../connectors/imap/connection.ts";
import { pathOf } from "../../connectors/imap/folders.ts";
import type { Mailbox } from "../../models/mailbox.ts";

/** Milliseconds before each attempt. */
const PAUSES_MS = [0, 2_000, 10_000];

/** Files copies of sent mails in the Sent folder (rules/sending 10.7). `openOf` logs in to a mailbox's IMAP server. */
export function sentCopies(openOf: (mailbox: Mailbox) => Promise<ImapFlow>, log: Logger) {
  const waiting = new Map<string, Buffer[]>();
  const draining = new Set<Promise<void>>();

  /** Files a copy in the Sent folder, marked as seen. Returns whether it is there; never throws, because the mail has been sent already. */
  async function appendSent(mailbox: Mailbox, bytes: Buffer): Promise<boolean> {
    return (await appendAll(mailbox, [bytes])).length === 0;
  }

  /** The same in the background, over one connection per mailbox: copies that arrive meanwhile wait for its next round. */
  function copyToSent(mailbox: Mailbox, bytes: Buffer): void {
    const list = waiting.get(mailbox._id);
    if (list !== undefined) {
      list.push(bytes);
      return;
    }
    const copies = [bytes];
    waiting.set(mailbox._id, copies);
    const drained = drain(mailbox, copies).finally(() => draining.delete(drained));
    draining.add(drained);
  }

  /** Resolves once no copy is waiting or being filed. */
  async function copiesFiled(): Promise<void> {
    while (draining.size > 0) await Promise.all(draining);
  }

  async function drain(mailbox: Mailbox, copies: Buffer[]): Promise<void> {
    while (copies.length > 0) await appendAll(mailbox, copies.splice(0));
    waiting.delete(mailbox._id);
  }

  /** Files as many as it can; returns those that have no copy after all attempts. */
  async function appendAll(mailbox: Mailbox, copies: Buffer[]): Promise<Buffer[]> {
    const left = [...copies];
    for (const pauseMs of PAUSES_MS) {
      await sleep(pauseMs, undefined, { ref: false });
      try {
        await appendTo(mailbox, left);
      } catch (err) {
        log.info({ mailboxId: mailbox._id, code: troubleOf(err).code }, "no copy in the Sent folder yet");
      }
      if (left.length === 0) return left;
    }
    log.warn({ mailboxId: mailbox._id, mails: left.length }, "sent mails have no copy in the Sent folder");
    return left;
  }

  /** Removes each copy from `left` once it is filed. */
  async function appendTo(mailbox: Mailbox, left: Buffer[]): Promise<void> {
    const client = await openOf(mailbox);
    try {
      const sent = pathOf(await client.list(), "\\Sent");
      if (sent === null) return;
      for (let next = left[0]; next !== undefined; next = left[0]) {
        if ((await client.append(sent, next, ["\\Seen"])) === false) return;
        left.shift();
      }
    } finally {
      leave(client);
    }
  }

  return { appendSent, copyToSent, copiesFiled };
}
