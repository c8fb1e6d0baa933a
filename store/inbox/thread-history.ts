import { emptyThread, withMail } from "../../domain/inbox/thread.ts";
import type { Message } from "../../models/inbox/message.ts";
import type { Thread } from "../../models/inbox/thread.ts";
import type { Mailbox } from "../../models/mailboxes/mailbox.ts";
import { scoped } from "../../models/scoped.ts";
import type { New } from "../../mongo/direct.ts";
import { newId } from "../../mongo/ids.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import { threadMailOf } from "./thread-mail.ts";
import { FILED } from "./threads.ts";

type Stored<T> = Omit<T, "workspaceId" | "createdAt" | "updatedAt">;
/** An old email. `contentKey` distinguishes it from others. */
export type OldMail = New<Message> & Pick<Message, "contentKey">;

/**
 * Stores a batch of old emails of one mailbox with their threads, without any effect (rules/mail 5.4): the emails count
 * as read, stop no one and are not counted. Emails that are already stored are skipped. Stores at most a thousand in
 * one transaction and returns how many were new.
 */
export async function fileHistory(mailbox: Mailbox, mails: readonly OldMail[]): Promise<number> {
  if (mails.length === 0) return 0;
  return inTransaction(async () => {
    const { Message, Thread } = scoped(mailbox.workspaceId);
    const fresh = await freshOf(mailbox, mails);
    const filed = fresh.filter(({ kind }) => FILED.includes(kind));
    const storedThreads = await threadsBehind(mailbox, filed);
    const threads = conversationsOf(filed, storedThreads).map(({ talk, thread }) => {
      const { _id, ...written } = writtenInto(thread, talk, mailbox);
      for (const mail of talk) mail.threadId = _id;
      return thread === null ? { insert: { _id, ...written } } : { update: _id, set: written };
    });
    await Thread.bulk(threads);
    await Message.bulk(fresh.map((insert) => ({ insert })));
    return fresh.length;
  });
}

async function freshOf(
  { workspaceId, _id: mailboxId }: Mailbox,
  mails: readonly OldMail[],
): Promise<Stored<Message>[]> {
  const byKey = new Map(mails.map((mail) => [mail.contentKey, mail]));
  const { Message } = scoped(workspaceId);
  const stored = await Message.read(
    { mailboxId, contentKey: { $in: [...byKey.keys()] } },
    { select: { contentKey: 1 } },
  );
  for (const { contentKey } of stored) byKey.delete(contentKey);
  return [...byKey.values()].map((mail) => ({ ...BLANK, ...mail, mailboxId }));
}

/** The stored threads that these emails continue, by the Message-IDs and conversation ids of their emails. */
async function threadsBehind(
  { workspaceId, _id: mailboxId }: Mailbox,
  mails: Stored<Message>[],
): Promise<Map<string, Thread>> {
  const { Message, Thread } = scoped(workspaceId);
  const select = { threadId: 1, rfcMessageId: 1, providerThreadId: 1 } as const;
  const ids = mails.flatMap(({ inReplyTo, references }) => [...(inReplyTo === null ? [] : [inReplyTo]), ...references]);
  const talks = mails.flatMap(({ providerThreadId }) => providerThreadId ?? []);
  const found =
    ids.length === 0 ? [] : await Message.read({ mailboxId, rfcMessageId: { $in: [...new Set(ids)] } }, { select });
  if (talks.length > 0)
    found.push(...(await Message.read({ mailboxId, providerThreadId: { $in: [...new Set(talks)] } }, { select })));
  const threadIds = [...new Set(found.flatMap(({ threadId }) => threadId ?? []))];
  const threads = threadIds.length === 0 ? [] : await Thread.read({ _id: { $in: threadIds } });
  const byId = new Map(threads.map((thread) => [thread._id, thread]));
  return new Map(
    found.flatMap((mail): [string, Thread][] => {
      const thread = mail.threadId === null ? undefined : byId.get(mail.threadId);
      return thread === undefined
        ? []
        : [mail.rfcMessageId, mail.providerThreadId].flatMap((key) => (key === null ? [] : [[key, thread]]));
    }),
  );
}

/**
 * Groups emails into conversations. Emails that refer to each other, or to the same third email, belong together,
 * whatever their order.
 */
function conversationsOf(mails: Stored<Message>[], storedThreads: ReadonlyMap<string, Thread>) {
  const parents = new Map<string, string>();
  const rootOf = (key: string): string => {
    let root = key;
    for (let parent = parents.get(root); parent !== undefined; parent = parents.get(root)) root = parent;
    if (root !== key) parents.set(key, root);
    return root;
  };
  const keysOf = ({ contentKey, rfcMessageId, inReplyTo, references, providerThreadId }: Stored<Message>) => {
    const keys = [rfcMessageId, inReplyTo, ...references, providerThreadId].filter((key) => key !== null);
    return [contentKey, ...keys, ...keys.flatMap((key) => storedThreads.get(key)?._id ?? [])];
  };
  for (const mail of mails) {
    const [first = "", ...others] = keysOf(mail).map(rootOf);
    for (const other of others) if (rootOf(other) !== rootOf(first)) parents.set(rootOf(other), rootOf(first));
  }
  const talks = Map.groupBy(mails, ({ contentKey }) => rootOf(contentKey));
  return [...talks.values()].map((talk) => {
    const thread = talk.flatMap((mail) => keysOf(mail).flatMap((key) => storedThreads.get(key) ?? [])).at(0) ?? null;
    return { talk: talk.toSorted((one, other) => receivedTimeOf(one) - receivedTimeOf(other)), thread };
  });
}

function writtenInto(
  thread: Thread | null,
  talk: Stored<Message>[],
  { _id: mailboxId, email }: Mailbox,
): Stored<Thread> {
  const subject = talk[0]?.subject ?? "";
  const owner = {
    _id: newId("thr"),
    mailboxId,
    campaignId: null,
    recipientId: null,
    leadId: null,
    category: null,
    sentiment: null,
  };
  const start =
    thread === null ? { ...owner, ...emptyThread(subject, new Date(0)), isStarred: false } : storedPart(thread);
  return talk.reduce((state, mail) => ({ ...start, ...withMail(state, threadMailOf(mail, null), email) }), start);
}

function storedPart({ workspaceId: _, createdAt: __, updatedAt: ___, ...thread }: Thread): Stored<Thread> {
  return thread;
}

function receivedTimeOf({ receivedAt }: Pick<Message, "receivedAt">): number {
  return receivedAt?.getTime() ?? 0;
}

/** The default of every field, because the driver writes these documents without the schema's defaults. */
const BLANK: Omit<Stored<Message>, "_id" | "mailboxId" | "contentKey"> = {
  threadId: null,
  direction: "INBOUND",
  folder: null,
  uidValidity: null,
  uid: null,
  kind: "OTHER",
  rfcMessageId: null,
  inReplyTo: null,
  references: [],
  providerThreadId: null,
  authentication: "NONE",
  from: null,
  fromName: null,
  replyTo: null,
  to: [],
  cc: [],
  subject: null,
  receivedAt: null,
  bodyText: null,
  bodyHtml: null,
  replyText: null,
  hiddenCharacters: 0,
  category: null,
  isDoubtful: false,
  attachments: [],
  recipientId: null,
  campaignId: null,
  leadId: null,
  sendId: null,
  stepId: null,
  variantId: null,
  evidence: null,
  isDisputed: false,
  bounce: null,
  unreadable: null,
};
