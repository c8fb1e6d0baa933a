import { z } from "zod";
import { invalid } from "../../domain/errors.ts";
import { DAY_MS } from "../../domain/time/durations.ts";
import type { ScheduledReply } from "../../models/inbox/scheduled-reply.ts";
import { scoped } from "../../models/scoped.ts";
import { isDuplicateKey } from "../../mongo/duplicate.ts";
import { newId } from "../../mongo/ids.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import { beginAnswer } from "../../store/inbox/answering.ts";
import type { ReplyKey as Key } from "../../store/inbox/reply.ts";
import { nudge } from "../../store/outbox.ts";
import { planning } from "../effects.ts";
import type { SendingContext } from "../sending/permit.ts";
import { sendingOperation } from "../sending/sending-operation.ts";
import {
  contentOf,
  draftReply,
  idempotencyKey,
  keyOf,
  keyReused,
  type ReplyDraft,
  type ReplyRequest,
  wording,
} from "./reply-draft.ts";
import { replyIntent } from "./reply-intent.ts";
import { NewScheduled } from "./scheduled-record.ts";

const LONGEST_MS = 366 * DAY_MS;

export const schedule = sendingOperation({
  summary:
    "Reply to a thread later: once, at `sendAt`, unless you cancel it before. An address that is suppressed by then gets nothing",
  scope: "inbox:send",
  errors: [
    "MAILBOX_NOT_FOUND",
    "MESSAGE_NOT_FOUND",
    "NO_SENDING_MAILBOX",
    "RECIPIENT_SUPPRESSED",
    "SEND_FAILED",
    "THREAD_NOT_FOUND",
  ],
  audits: "inbox.schedule",
  input: z.strictObject({
    ...wording,
    sendAt: z.iso
      .datetime({ offset: true })
      .transform((text) => new Date(text))
      .describe("When to send it, within a year"),
    idempotencyKey,
    ...planning,
  }),
  output: NewScheduled,
  async run(ctx, { sendAt, ...asked }) {
    const key = keyOf(ctx.permit, [...contentOf(asked), sendAt.toISOString()]);
    const existing = await scheduledUnder(ctx.workspaceId, key);
    if (existing !== null) return { ...existing, idempotentReplay: true };
    const draft = await letterAt(ctx.workspaceId, asked, sendAt);
    const made = await ctx.permit.commit(replyIntent(draft, sendAt), () => storeScheduled(ctx, draft, sendAt, key));
    return made === null
      ? { ...(await firstUnder(ctx.workspaceId, key)), idempotentReplay: true }
      : { ...made, idempotentReplay: false };
  },
});

/** The scheduled reply that already has this key, in any state. */
export async function scheduledUnder(
  workspaceId: string,
  { idempotencyKey, argumentHash }: Key,
): Promise<ScheduledReply | null> {
  const existing = await scoped(workspaceId).ScheduledReply.findOne({ idempotencyKey });
  if (existing !== null && existing.argumentHash !== argumentHash) throw keyReused();
  return existing;
}

/** The scheduled reply that another call with this key stored at the same moment. */
export async function firstUnder(workspaceId: string, key: Key): Promise<ScheduledReply> {
  const first = await scheduledUnder(workspaceId, key);
  if (first === null) throw keyReused();
  return first;
}

async function letterAt(workspaceId: string, asked: ReplyRequest, sendAt: Date): Promise<ReplyDraft> {
  const waitMs = sendAt.getTime() - Date.now();
  if (waitMs <= 0) throw invalid("sendAt", "must be in the future", "OUT_OF_RANGE");
  if (waitMs > LONGEST_MS) throw invalid("sendAt", "must be within a year", "OUT_OF_RANGE");
  return draftReply(workspaceId, asked);
}

/**
 * Stores the record and its timer in one transaction: the outbox starts the workflow once Temporal is reachable. Null
 * if a scheduled reply already has the key.
 */
export function storeScheduled(
  { workspaceId, credentialId }: SendingContext,
  { letter, answered }: ReplyDraft,
  sendAt: Date,
  key: Key,
): Promise<ScheduledReply | null> {
  const { text: bodyText, html: bodyHtml, threadId, mailboxId, leadId, to, cc, bcc, attachments, subject } = letter;
  const content = {
    threadId,
    mailboxId,
    leadId,
    to,
    cc,
    bcc,
    attachments,
    subject,
    bodyText,
    bodyHtml,
    inReplyToMessageId: answered._id,
  };
  const store = () =>
    inTransaction(async () => {
      const { ScheduledReply, Send } = scoped(workspaceId);
      if ((await scheduledUnder(workspaceId, key)) !== null) return null;
      // A reply sent now with the same key writes the audit log too. If both run at once, they conflict there: one
      // retries and then finds the other
      if ((await Send.findOne({ sendKey: key.idempotencyKey }, { select: { _id: 1 } })) !== null) throw keyReused();
      await beginAnswer(workspaceId, threadId, key.approvalId);
      const reply = await ScheduledReply.insert({
        _id: newId("srp"),
        ...content,
        ...key,
        sendAt,
        createdBy: credentialId,
      });
      await nudge(workspaceId, "SCHEDULED_REPLY", { scheduledId: reply._id, signal: "start" });
      return reply;
    });
  return store().catch((error) => (isDuplicateKey(error) ? store() : Promise.reject(error)));
}
