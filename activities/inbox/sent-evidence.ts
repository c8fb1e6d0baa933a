import type { ImapFlow } from "imapflow";
import type { Logger } from "pino";
import { fetchHeads, requireAnswer } from "../../connectors/imap/fetch.ts";
import type { Folder } from "../../connectors/imap/folders.ts";
import { EVIDENCE_MS, isEvidenceDue } from "../../domain/mailboxes/sync.ts";
import { scoped } from "../../models/scoped.ts";
import { Send } from "../../models/sending/send.ts";
import { trusted } from "../../mongo/collection.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import { confirmSent, StillRecording } from "../../store/sending/delivery-evidence.ts";

const MOST = 500;

/** A send of unknown outcome, with the fields that the search for its copy needs. */
export type UnknownSend = Pick<Send, "_id" | "workspaceId" | "mailboxId" | "messageId">;

export interface EvidenceLook {
  /** Hands these sends over again at the next look, because their mailbox was not asked about them. */
  again(sends: readonly UnknownSend[]): void;
  stop(): void;
}

/**
 * Tells mailboxes for which sends of unknown outcome to look now, by one query per look for all mailboxes of the
 * process. After a restart each send is looked for once more immediately.
 */
export function startEvidenceLook(
  tell: (mailboxId: string, sends: UnknownSend[]) => boolean,
  lookMs: number,
  log: Logger,
): EvidenceLook {
  const sought = new Map<string, number>();
  const findEvidence = async () => {
    const since = new Date(Date.now() - EVIDENCE_MS);
    const rows = await Send.find(
      { state: "UNKNOWN", unknownAt: trusted({ $gte: since }) },
      { workspaceId: 1, mailboxId: 1, messageId: 1, unknownAt: 1 },
      { acrossWorkspaces: true },
    )
      .limit(MOST)
      .lean<Send[]>();
    for (const id of sought.keys()) if (rows.every(({ _id }) => _id !== id)) sought.delete(id);
    const due = rows.filter(
      ({ _id, unknownAt }) =>
        unknownAt !== null && isEvidenceDue(Date.now() - unknownAt.getTime(), sought.get(_id) ?? null),
    );
    for (const [mailboxId, sends] of Map.groupBy(due, (send) => send.mailboxId ?? "")) {
      if (!tell(mailboxId, sends)) continue;
      for (const { _id, unknownAt } of sends) sought.set(_id, Date.now() - (unknownAt?.getTime() ?? 0));
    }
  };
  const timer = setInterval(() => {
    findEvidence().catch((err) => log.warn({ err }, "could not look up sends with an unknown outcome"));
  }, lookMs);
  timer.unref();
  return {
    again: (sends) => {
      for (const { _id } of sends) sought.delete(_id);
    },
    stop: () => clearInterval(timer),
  };
}

/**
 * Looks for copies that the provider filed itself, in Sent and then in all email, by their Message-ID: a send with such
 * a copy was sent (rules/sending 9.2). A missing copy proves nothing. Leaves another folder open.
 */
export async function seekCopies(
  client: ImapFlow,
  folders: readonly Folder[],
  sends: readonly UnknownSend[],
): Promise<number> {
  const places = [...folders.filter(({ use }) => use === "SENT"), ...folders.filter(({ use }) => use === "ARCHIVE")];
  const missing = new Set(sends);
  for (const { path } of places) {
    if (missing.size === 0) break;
    requireAnswer(client, await client.mailboxOpen(path, { readOnly: true }));
    for (const send of [...missing]) {
      if (send.messageId === null) continue;
      const uids = requireAnswer(
        client,
        await client.search({ header: { "Message-ID": send.messageId } }, { uid: true }),
      );
      const [copy] = await fetchHeads(client, uids.slice(0, 1));
      if (copy === undefined || copy.isDraft) continue;
      await confirmByCopy(send, copy.receivedAt);
      missing.delete(send);
    }
  }
  return sends.length - missing.size;
}

/** Confirms a send at the time of its copy. A send that has moved on meanwhile is left alone. */
export async function confirmByCopy({ workspaceId, _id }: UnknownSend, at: Date): Promise<void> {
  try {
    await inTransaction(async () => {
      const send = await scoped(workspaceId).Send.get(_id);
      if (send !== null) await confirmSent({ ...send, claimedAt: at }, "sent copy");
    });
  } catch (err) {
    if (!(err instanceof StillRecording)) throw err;
  }
}
