import { addressWord, threadWords } from "../../domain/inbox/thread-words.ts";
import { removeFiles } from "../../models/files.ts";
import type { Lead } from "../../models/lead.ts";
import type { Message } from "../../models/message.ts";
import { scoped } from "../../models/scoped.ts";
import type { Thread } from "../../models/thread.ts";
import { type Filter, trusted } from "../../mongo/collection.ts";
import { mailOf } from "../inbox/thread-mail.ts";
import { UPLOAD } from "../sending/uploads.ts";

/**
 * Erases the conversations of a lead that is being deleted (rules/states 4.3): they stay counted and keep their place, without any text or
 * name. In
 * conversations where the lead only took part, its own mails are emptied and it can no longer be found. Call it in the transaction of the
 * deletion.
 */
export async function eraseThreads({ workspaceId, _id: leadId, email, secondaryEmails }: Lead): Promise<void> {
  const { Thread } = scoped(workspaceId);
  const theirs = await Thread.find({ leadId }, { select: { _id: 1 } });
  for (const { _id } of theirs) await silenceThread(workspaceId, _id);
  const addresses = [email, ...secondaryEmails];
  for (const thread of await Thread.find({ searchWords: trusted({ $in: addresses.map(addressWord) }) })) {
    const participants = thread.participants.filter(({ address }) => !addresses.includes(address));
    if (participants.length === thread.participants.length) continue; // it matched a word of the subject or of a mail
    if (participants.length === 0) {
      await silenceThread(workspaceId, thread._id);
      continue;
    }
    const one = trusted({ $in: addresses });
    await emptyMessages(workspaceId, { threadId: thread._id, $or: [{ from: one }, { "to.address": one }, { "cc.address": one }] });
    const searchWords = await wordsLeft({ ...thread, participants });
    await Thread.updateOne({ _id: thread._id }, { $set: { participants, searchWords, snippet: "" } });
  }
}

/** The words of the mails that were not emptied. They are read one by one, since a thread may have thousands. */
async function wordsLeft({ workspaceId, _id: threadId, subject, participants }: Thread): Promise<string[]> {
  const { Message } = scoped(workspaceId);
  let words = threadWords({ subject, participants }, "", []);
  for await (const message of Message.stream({ threadId }, { sort: { receivedAt: 1, _id: 1 } })) {
    words = threadWords({ subject, participants }, mailOf(message, null).text, words);
  }
  return words;
}

async function silenceThread(workspaceId: string, threadId: string): Promise<void> {
  await emptyMessages(workspaceId, { threadId });
  const empty = { subject: "", participants: [], snippet: "", searchWords: [], hasAttachments: false };
  await scoped(workspaceId).Thread.updateOne({ _id: threadId }, { $set: empty });
}

/** Empties messages: removes their content, people and files. Call it in a transaction. */
export async function emptyMessages(workspaceId: string, which: Filter<Message>): Promise<void> {
  const { Message } = scoped(workspaceId);
  const select = { attachments: 1, bounce: 1, evidence: 1 } as const;
  for (const { _id, attachments, bounce, evidence } of await Message.find(which, { select })) {
    const ids = attachments.map(({ id }) => id);
    // An upload may go out with other mails too: the sweep takes it when nothing uses it any more
    await removeFiles(
      workspaceId,
      ids.filter((id) => !id.startsWith(UPLOAD)),
    );
    const nobody = { from: null, fromName: null, replyTo: null, to: [], cc: [] };
    const silent = { subject: null, bodyText: null, bodyHtml: null, replyText: null, attachments: [] };
    const facts = { bounce: bounce && { ...bounce, diagnostic: "" }, evidence: evidence && { ...evidence, value: null } };
    await Message.updateOne({ _id }, { $set: { ...nobody, ...silent, ...facts } });
  }
}
