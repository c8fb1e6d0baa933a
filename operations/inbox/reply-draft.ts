import { z } from "zod";
import { AppError, invalid } from "../../domain/errors.ts";
import { isAnswerable } from "../../domain/inbox/answerable.ts";
import { argumentHash } from "../../domain/inbox/reply.ts";
import { cleanHeader, HEADER_CONTROLS, replySubject } from "../../domain/mail/message.ts";
import { MAX_FILES } from "../../domain/mail/outgoing-file.ts";
import { checkHtml } from "../../domain/templates/author-html.ts";
import type { Message } from "../../models/inbox/message.ts";
import type { Thread } from "../../models/inbox/thread.ts";
import type { Mailbox } from "../../models/mailboxes/mailbox.ts";
import { scoped } from "../../models/scoped.ts";
import type { ReplyKey } from "../../store/inbox/reply.ts";
import { concernedAddressesOf, draftLetter, type Letter, newestAnswerable } from "../../store/inbox/reply-letter.ts";
import { takeUploads } from "../../store/sending/uploads.ts";
import { findSendable } from "../../store/suppression/sendable.ts";
import { address } from "../address.ts";
import { describedIds } from "../described-ids.ts";
import type { Permit } from "../sending/permit.ts";
import { loadThread } from "./find.ts";

const { mailboxId, threadId } = describedIds;

const MOST_COPIES = 50;
/** The most characters that a reply takes from the answered subject. This leaves room for "Re: ". */
const MOST_OF_SUBJECT = 250;
const copies = z
  .array(address)
  .max(MOST_COPIES)
  .transform((list) => list.map((one) => one.address))
  .optional();
const subject = z
  .string()
  .trim()
  .min(1)
  .max(255)
  .refine((text) => !HEADER_CONTROLS.test(text), {
    message: "must be one line without control characters",
    params: { code: "INVALID_TEXT" },
  });

/** The content of a reply, sent now or later. We send it unchanged: no template, no signature, no footer. */
export const wording = {
  threadId,
  text: z
    .string()
    .max(200_000)
    .refine((text) => text.trim() !== "", { message: "must not be empty", params: { code: "TOO_SMALL" } })
    .meta({ pattern: "\\S" })
    .describe("The plain text, at most 200,000 characters; this or `html`"),
  html: z.string().min(1).max(500_000).optional().describe("The HTML, at most 500,000 characters; this or `text`"),
  subject: subject.optional().describe('Default: the answered subject, with "Re:"'),
  cc: copies.describe("Copy to, at most 50 addresses"),
  bcc: copies.describe("Hidden copy to, at most 50 addresses"),
  attachments: z
    .array(z.strictObject({ id: z.string().min(1).max(64).describe("The id of the file: `fil_…`") }))
    .max(MAX_FILES)
    .optional()
    .describe("Attached files, from `POST /files`: at most 10, and 7,000,000 bytes in total"),
  mailboxId: mailboxId.optional(),
  inReplyToMessageId: z.string().max(64).optional().describe("The message to answer. Default: the newest received"),
};

/**
 * Identifies one reply. Requests with the same key and the same content are the same reply, however many there are
 * (rules/security 7.2).
 */
export const idempotencyKey = z
  .string()
  .regex(/^[A-Za-z0-9._:-]{8,128}$/, "must have 8 to 128 characters of A-Za-z0-9._:-")
  .optional()
  .describe(
    "Your id for this send, 8 to 128 characters of `A-Za-z0-9._:-`: a repeat sends nothing. Required unless `planOnly`",
  );

export interface ReplyRequest {
  threadId: string;
  text: string;
  html?: string | undefined;
  subject?: string | undefined;
  cc?: string[] | undefined;
  bcc?: string[] | undefined;
  attachments?: { id: string }[] | undefined;
  mailboxId?: string | undefined;
  inReplyToMessageId?: string | undefined;
}

/** Everything that distinguishes one reply from another, in a fixed order. */
export function contentOf({
  threadId,
  text,
  html,
  subject,
  cc,
  bcc,
  attachments = [],
  mailboxId,
  inReplyToMessageId,
}: ReplyRequest): unknown[] {
  const before = [
    threadId,
    text,
    html ?? null,
    subject ?? null,
    cc ?? [],
    bcc ?? [],
    mailboxId ?? null,
    inReplyToMessageId ?? null,
  ];
  // Without files, the content stays as it was before replies could have files, so stored hashes still match
  return attachments.length === 0 ? before : [...before, attachments.map(({ id }) => id)];
}

/** The key of this reply in the ledger. A plan has no key, so it finds nothing and stores nothing. */
export function keyOf({ sendKey, approvalId }: Permit, content: unknown[]): ReplyKey {
  return { idempotencyKey: sendKey ?? "", argumentHash: argumentHash(content), approvalId };
}

export interface ReplyDraft {
  letter: Letter;
  answered: Message;
  mailbox: Mailbox;
}

/**
 * Creates the reply to a thread, from the mailbox that received it, to the sender of the message (rules/states 5.6).
 * Fails if the recipient, an address in copy or the lead of the thread is suppressed.
 * @throws AppError THREAD_NOT_FOUND, MESSAGE_NOT_FOUND, MAILBOX_NOT_FOUND, NO_SENDING_MAILBOX, RECIPIENT_SUPPRESSED,
 * VALIDATION_FAILED
 */
export async function draftReply(workspaceId: string, asked: ReplyRequest): Promise<ReplyDraft> {
  const thread = await loadThread(workspaceId, asked.threadId);
  const mailbox = await mailboxOf(thread, asked.mailboxId);
  const answered = await answeredOf(thread, asked.inReplyToMessageId);
  if (asked.html !== undefined) checkHtml(asked.html, "html");
  const { text, html = null, cc = [], bcc = [] } = asked;
  const subject = asked.subject ?? replySubject(cleanHeader(answered.subject || thread.subject, MOST_OF_SUBJECT));
  const fileIds = (asked.attachments ?? []).map(({ id }) => id);
  const files = await takeUploads(workspaceId, [{ ids: fileIds, path: "attachments" }]);
  const attachments = fileIds.flatMap((id) => files.get(id) ?? []);
  const letter = await draftLetter(thread, answered, mailbox, { text, html, subject, cc, bcc, attachments });
  if (letter === null) throw notByHand("The sender of this message cannot be answered");
  await refuseSuppressed(workspaceId, letter);
  return { letter, answered, mailbox };
}

async function mailboxOf({ workspaceId, mailboxId: received }: Thread, mailboxId = received): Promise<Mailbox> {
  const mailbox = await scoped(workspaceId).Mailbox.get(mailboxId);
  if (mailbox === null && mailboxId !== received) throw new AppError("MAILBOX_NOT_FOUND", "No mailbox has this id");
  if (mailboxId !== received)
    throw invalid("mailboxId", "must be the mailbox that received the thread", "INVALID_VALUE");
  if (mailbox === null || mailbox.status === "DISCONNECTED") {
    throw new AppError("NO_SENDING_MAILBOX", "The mailbox of this thread is disconnected", {
      reason: "MAILBOX_DISCONNECTED",
    });
  }
  return mailbox;
}

async function answeredOf({ workspaceId, _id: threadId }: Thread, messageId: string | undefined): Promise<Message> {
  if (messageId === undefined) {
    const newest = await newestAnswerable(workspaceId, threadId);
    if (newest === null) throw notByHand("No person wrote a message in this thread");
    return newest;
  }
  const message = await scoped(workspaceId).Message.get(messageId);
  if (message === null || message.threadId !== threadId)
    throw new AppError("MESSAGE_NOT_FOUND", "No message of this thread has this id");
  if (!isAnswerable(message)) throw notByHand("No person wrote this message");
  return message;
}

/** We never reply to automatic email: two machines that reply to each other never stop (rules/states 5.6). */
function notByHand(why: string): AppError {
  return new AppError("SEND_FAILED", `${why}: automatic email is never answered`, {
    reason: "NOT_ANSWERABLE",
    code: null,
    text: null,
  });
}

async function refuseSuppressed(workspaceId: string, letter: Letter): Promise<void> {
  const everybody = concernedAddressesOf(letter);
  const reachable = new Set(await findSendable(workspaceId, everybody));
  const addresses = everybody.filter((one) => !reachable.has(one));
  if (addresses.length === 0) return;
  throw new AppError("RECIPIENT_SUPPRESSED", "A recipient is suppressed or on the block list: nothing is sent", {
    addresses,
  });
}

export function keyReused(): AppError {
  return new AppError("IDEMPOTENCY_KEY_REUSED", "This idempotency key belongs to another request");
}
