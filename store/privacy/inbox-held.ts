import { partPattern } from "../../domain/redaction.ts";
import { removeFiles } from "../../models/inbox/files.ts";
import type { Message } from "../../models/inbox/message.ts";
import type { Thread } from "../../models/inbox/thread.ts";
import { scoped } from "../../models/scoped.ts";
import { wordsLeft } from "../leads/erase-lead.ts";
import { nudge } from "../outbox.ts";
import { UPLOAD } from "../sending/uploads.ts";
import { erasedAddressOf } from "../suppression/guard-id.ts";
import type { Entries } from "./holding.ts";
import type { KnownSubject } from "./person.ts";
import { inHundreds, isOwnThread } from "./sending-held.ts";

/** Emails that were read, threads, and replies that are being written. */
export const INBOX_HELD = {
  ScheduledReply: {
    what: "scheduled replies",
    source: "Written by members or the agent",
    personal: ["to", "cc", "bcc", "attachments", "subject", "bodyText", "bodyHtml"],
    plain: ["idempotencyKey", "argumentHash", "error", "createdBy"],
    find: ({ addresses, threads, leadIds }) => [
      { filter: { threadId: { $in: [...threads.keys()] } } },
      {
        filter: {
          $or: [
            { to: { $in: addresses } },
            { cc: { $in: addresses } },
            { bcc: { $in: addresses } },
            { leadId: { $in: leadIds } },
          ],
        },
        hint: "workspaceId_1_sendAt_1__id_1",
      },
    ],
    change: (reply, person) => {
      const { redactor, isTheirs } = person;
      const { to, cc, bcc, subject, bodyText, bodyHtml, status } = reply;
      if (isTheirs(to) || isOwnThread(reply, person)) {
        const end = status === "PENDING" ? ({ status: "CANCELLED", cancelledAt: new Date() } as const) : {};
        const empty = { cc: [], bcc: [], attachments: [], subject: "", bodyText: "", bodyHtml: null };
        return { to: erasedAddressOf(to), ...empty, ...end };
      }
      const others = (all: string[]) => all.filter((address) => !isTheirs(address));
      const texts = {
        subject: redactor.text(subject),
        bodyText: redactor.text(bodyText),
        bodyHtml: redactor.text(bodyHtml),
      };
      return { cc: others(cc), bcc: others(bcc), ...texts };
    },
    show: (reply, person) => {
      const { to, subject, bodyText, bodyHtml, sendAt, status } = reply;
      return person.isTheirs(to) ? { to, subject, bodyText, bodyHtml, sendAt, status } : null;
    },
    also: async (reply, person) => {
      const { workspaceId, _id: scheduledId, status, to } = reply;
      if (status !== "PENDING" || !(person.isTheirs(to) || isOwnThread(reply, person))) return;
      await nudge(workspaceId, "SCHEDULED_REPLY", { scheduledId, signal: "cancel" });
    },
  },
  OutgoingMail: {
    what: "drafts of emails",
    source: "Emails that members asked to send, kept for seven days",
    personal: ["to", "toName", "cc", "bcc", "attachments", "subject", "html", "text", "persons"],
    plain: ["kind", "inReplyTo", "references"],
    find: ({ addresses, sendIds }) => [
      ...inHundreds(sendIds, (ids) => ({ _id: { $in: ids } })),
      {
        filter: {
          $or: ["to", "cc", "bcc", "persons"].map((field) => ({ [field]: { $in: addresses } })),
        },
        hint: "workspaceId_1_kind_1_createdAt_1",
      },
    ],
    change: ({ _id, to, cc, bcc, persons, subject, text, html }, { isTheirs, redactor, sendIds }) => {
      if (sendIds.has(_id) || [to, ...persons].some(isTheirs)) return "DELETE";
      const others = (all: string[]) => all.filter((address) => !isTheirs(address));
      const texts = { subject: redactor.text(subject), text: redactor.text(text), html: redactor.text(html) };
      return { cc: others(cc), bcc: others(bcc), ...texts };
    },
    show: ({ _id, to, toName, subject, text, html, persons }, { isTheirs, testIds }) => {
      if (testIds.has(_id)) return { subject, text, html };
      return [to, ...persons].some(isTheirs) ? { to, toName, subject, text, html } : null;
    },
  },
  SavedDraft: {
    what: "saved drafts",
    source: "Written by members or the agent",
    personal: ["subject", "text", "html", "cc"],
    plain: ["savedBy"],
    find: ({ threads }) => [{ filter: { _id: { $in: [...threads.keys()] } } }],
    change: ({ _id, cc, subject, text, html }, person) => {
      const { redactor, isTheirs } = person;
      if (isOwnThread({ threadId: _id }, person)) return "DELETE";
      const texts = { subject: redactor.text(subject), text: redactor.text(text), html: redactor.text(html) };
      return { cc: cc.filter((address) => !isTheirs(address)), ...texts };
    },
    show: ({ _id, subject, text }, person) => (isOwnThread({ threadId: _id }, person) ? { subject, text } : null),
  },
  ReplyPromise: {
    what: "promises",
    source: "Sentences of a reply, found by rules or by a model",
    personal: ["sentence", "saidBy", "address"],
    plain: ["decidedBy"],
    find: ({ addresses, leadIds, threads }) => [
      { filter: { leadId: { $in: leadIds } } },
      { filter: { threadId: { $in: [...threads.keys()] } } },
      {
        filter: {
          $or: [{ saidBy: { $in: addresses } }, { address: { $in: addresses } }, { proposedLeadId: { $in: leadIds } }],
        },
        hint: "workspaceId_1_status_1_dueAt_1__id_1",
      },
    ],
    change: (promise, { isTheirs, redactor, leadIds }) => {
      const { sentence, saidBy = null, address, proposedLeadId } = promise;
      if (isTheirs(saidBy) || (saidBy === null && leadIds.includes(promise.leadId ?? ""))) return "DELETE";
      const isAboutThem = isTheirs(address) || leadIds.includes(proposedLeadId ?? "");
      // The index allows each sentence of an email once, so the id tells two redacted ones apart
      const text = redactor.text(sentence);
      return {
        ...(isAboutThem && { address: null }),
        ...(text !== sentence && { sentence: `${text} (${promise._id})` }),
      };
    },
    show: ({ sentence, saidBy = null, dueAt, kind, leadId }, { isTheirs, leadIds }) =>
      isTheirs(saidBy) || (saidBy === null && leadIds.includes(leadId ?? ""))
        ? { kind, sentence, saidBy, dueAt }
        : null,
  },
  Message: {
    what: "messages",
    source: "Read from the workspace's mailboxes, or sent from them",
    personal: [
      "from",
      "fromName",
      "replyTo",
      "to",
      "cc",
      "subject",
      "bodyText",
      "bodyHtml",
      "replyText",
      "attachments",
      "evidence",
      "bounce",
      "unreadable",
    ],
    plain: ["folder", "uidValidity", "contentKey", "inReplyTo", "references", "category", "suggestion"],
    find: ({ threads, recipientIds, mailboxIds, addresses }) => [
      { filter: { threadId: { $in: [...threads.keys()] } } },
      { filter: { recipientId: { $in: [...recipientIds] } } },
      // Reports, and copies of our own emails, belong to no thread
      ...mailboxIds.map((mailboxId) => ({
        filter: {
          mailboxId,
          threadId: null,
          $or: [
            ...["from", "replyTo", "to.address", "cc.address"].map((field) => ({ [field]: { $in: addresses } })),
            ...["subject", "bodyText", "bodyHtml", "bounce.diagnostic"].map((field) => ({
              [field]: partPattern(addresses),
            })),
          ],
        },
        hint: "mailboxId_1_contentKey_1",
      })),
    ],
    change: (message, person) => (isAboutThem(message, person) ? emptied(message, person) : redacted(message, person)),
    show: (message, person) => {
      if (!isAboutThem(message, person)) return null;
      const { direction, kind, from, fromName, to, cc, subject, receivedAt, bodyText, bodyHtml, category } = message;
      const shown = ({ address }: { address: string }) => person.isTheirs(address) || person.isOurs(address);
      const files = message.attachments.map(({ fileName, contentType, size, sha256 }) => ({
        fileName,
        contentType,
        size,
        sha256,
      }));
      const people = { from, fromName, to: to.filter(shown), cc: cc.filter(shown) };
      return { direction, kind, ...people, subject, receivedAt, bodyText, bodyHtml, category, attachments: files };
    },
    also: async (message, person) => {
      if (!isAboutThem(message, person)) return;
      // An upload may be used by other emails too. When nothing uses it any more, `sweepFiles` deletes it
      const ids = message.attachments.map(({ id }) => id).filter((id) => !id.startsWith(UPLOAD));
      await removeFiles(message.workspaceId, ids);
    },
  },
  Thread: {
    what: "threads",
    source: "Conversations in the workspace's mailboxes",
    personal: ["subject", "participants", "snippet", "searchWords"],
    plain: ["category"],
    find: ({ threads }) => [{ filter: { _id: { $in: [...threads.keys()] } } }],
    change: (thread, person) => {
      if (isOwnThread({ threadId: thread._id }, person))
        return { subject: "", participants: [], snippet: "", searchWords: [], hasAttachments: false };
      return withoutThem(thread, person);
    },
    show: (thread, person) => {
      const { participants, lastMessageAt, subject, messageCount } = thread;
      const isOwn = isOwnThread({ threadId: thread._id }, person);
      const own = participants.filter(({ address }) => person.isTheirs(address));
      if (isOwn) return { subject, participants: own, messageCount, lastMessageAt };
      // In the other threads, other people name the person
      return own.length > 0 || person.leadIds.includes(thread.leadId ?? "")
        ? { participants: own, lastMessageAt }
        : null;
    },
  },
} satisfies Partial<Entries<"ScheduledReply" | "OutgoingMail" | "SavedDraft" | "ReplyPromise" | "Message" | "Thread">>;

/**
 * Whether an email is the person's own: written by the person, or to no one else. An email of others, or to others too,
 * is about them, and only what names the person is removed from it.
 */
function isAboutThem(message: Message, person: KnownSubject): boolean {
  const { from, to, cc, threadId, recipientId } = message;
  const { isTheirs, isOurs, recipientIds } = person;
  if (isOwnThread(message, person) || isTheirs(from)) return true;
  if (threadId === null && recipientId !== null && recipientIds.has(recipientId)) return true;
  const people = [...(from === null ? [] : [from]), ...[...to, ...cc].map(({ address }) => address)];
  return people.some(isTheirs) && people.every((address) => isTheirs(address) || isOurs(address));
}

function emptied(
  { to, cc, bounce, evidence, unreadable, ...message }: Message,
  person: KnownSubject,
): Partial<Message> {
  const isOther = ({ address }: { address: string }) =>
    !isOwnThread(message, person) && !person.isTheirs(address) && !person.isOurs(address);
  return {
    from: null,
    fromName: null,
    replyTo: null,
    to: to.filter(isOther),
    cc: cc.filter(isOther),
    subject: null,
    bodyText: null,
    bodyHtml: null,
    replyText: null,
    attachments: [],
    bounce: bounce && { ...bounce, diagnostic: "" },
    evidence: evidence && { ...evidence, value: null },
    unreadable: person.redactor.text(unreadable),
  };
}

function redacted(message: Message, { redactor, isTheirs }: KnownSubject): Partial<Message> {
  const { replyTo, to, cc, subject, bodyText, bodyHtml, replyText, bounce, evidence } = message;
  return {
    ...(isTheirs(replyTo) && { replyTo: null }),
    to: to.filter(({ address }) => !isTheirs(address)),
    cc: cc.filter(({ address }) => !isTheirs(address)),
    subject: redactor.text(subject),
    bodyText: redactor.text(bodyText),
    bodyHtml: redactor.text(bodyHtml),
    replyText: redactor.text(replyText),
    bounce: redactor.deep(bounce),
    evidence: redactor.deep(evidence),
  };
}

/** A thread with other people: without the person, and with the words of the emails that are left. */
async function withoutThem(thread: Thread, { redactor, isTheirs }: KnownSubject): Promise<Partial<Thread>> {
  const participants = thread.participants.filter(({ address }) => !isTheirs(address));
  const subject = redactor.text(thread.subject);
  const [newest] = await scoped(thread.workspaceId).Message.find(
    { threadId: thread._id },
    { sort: { receivedAt: -1, _id: -1 }, limit: 1, select: { bodyText: 1, bodyHtml: 1 } },
  );
  const isEmptied = newest !== undefined && newest.bodyText === null && newest.bodyHtml === null;
  const searchWords = await wordsLeft({ ...thread, participants, subject });
  return { participants, subject, searchWords, snippet: isEmptied ? "" : redactor.text(thread.snippet) };
}
