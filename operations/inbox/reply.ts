import { z } from "zod";
import { AppError } from "../../domain/errors.ts";
import { bandOf } from "../../domain/mailboxes/band.ts";
import { sendErrorOf } from "../../domain/sending/send-error.ts";
import { SECOND_MS } from "../../domain/time/durations.ts";
import type { ScheduledReply } from "../../models/inbox/scheduled-reply.ts";
import { scoped } from "../../models/scoped.ts";
import type { Send } from "../../models/sending/send.ts";
import { isDuplicateKey } from "../../mongo/duplicate.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import { type ReplyKey as Key, reserveReply } from "../../store/inbox/reply.ts";
import { replyRun } from "../../temporal/runs.ts";
import type { Context } from "../context.ts";
import { describedIds } from "../described-ids.ts";
import { planning } from "../effects.ts";
import { nullable, optionalTime } from "../fields.ts";
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
import { firstUnder, scheduledUnder, storeScheduled } from "./schedule.ts";

const { mailboxId, scheduledId, threadId } = describedIds;

const DEADLINE_MS = 25_000;
const USABLE = ["CONNECTED", "PAUSED"];

export const reply = sendingOperation({
  summary:
    "Reply to a thread now, from the mailbox that received it. An idempotency key sends once; a QUEUED reply is sent later, an UNKNOWN one never again automatically",
  scope: "inbox:send",
  errors: [
    "LIMIT_EXCEEDED",
    "MAILBOX_NOT_FOUND",
    "MESSAGE_NOT_FOUND",
    "NO_SENDING_MAILBOX",
    "RECIPIENT_SUPPRESSED",
    "SEND_FAILED",
    "THREAD_NOT_FOUND",
  ],
  audits: "inbox.reply",
  input: z.strictObject({ ...wording, idempotencyKey, ...planning }),
  output: z.object({
    status: z
      .enum(["SENT", "QUEUED", "UNKNOWN"])
      .describe("SENT, QUEUED to be sent soon, or UNKNOWN: it may have arrived, and is not sent again"),
    messageId: nullable(z.string()).describe("The id of the sent message; null until it is known"),
    threadId,
    to: z.string().describe("The recipient's address"),
    mailboxId,
    sentAt: optionalTime.describe("When it was sent"),
    scheduledId: nullable(scheduledId).describe(
      "If the credential's replies can be undone: the id of the scheduled reply to cancel before `sendAt`; null otherwise",
    ),
    sendAt: optionalTime.describe("Until when you can undo it; null if you cannot"),
    idempotentReplay: z.boolean().describe("Whether an earlier request with this key created it"),
  }),
  async run(ctx, asked) {
    const { workspaceId, permit, policy, services } = ctx;
    const key = keyOf(permit, contentOf(asked));
    const existing = await sendUnder(workspaceId, key);
    if (existing === null) {
      const waiting = await scheduledUnder(workspaceId, key);
      if (waiting !== null) return waitingResult(waiting, true);
      if (policy.undoSeconds > 0) return undoable(ctx, asked, key);
    }
    const { send, isNew } = existing === null ? await reserved(ctx, asked, key) : { send: existing, isNew: false };
    if (isUnderWay(send) && (isNew || (await services.engine.isReachable())))
      await sending(ctx, send, key.idempotencyKey);
    return resultOf((await scoped(workspaceId).Send.get(send._id)) ?? send, asked.threadId, !isNew);
  },
});

/** The send that already has this key; null when the key is free, or its email was certainly not sent. */
async function sendUnder(workspaceId: string, { idempotencyKey, argumentHash }: Key): Promise<Send | null> {
  const send = await scoped(workspaceId).Send.findOne({ sendKey: idempotencyKey });
  if (send === null || send.state === "FAILED") return null;
  if (send.argumentHash !== argumentHash) throw keyReused();
  return send;
}

async function reserved(ctx: SendingContext, asked: ReplyRequest, key: Key): Promise<{ send: Send; isNew: boolean }> {
  const { workspaceId, services, permit } = ctx;
  const draft = await sendableDraft(workspaceId, asked);
  const reserve = () =>
    inTransaction(async () => {
      const row = await reserveReply(workspaceId, key, draft.letter);
      return row?.isNew ? row.send : null;
    });
  const made = await permit.commit(replyIntent(draft), async () => {
    if (!(await services.engine.isReachable()))
      throw new AppError("SERVICE_UNAVAILABLE", "The workflow engine cannot be reached: try again");
    // When two identical calls run at the same moment, the second finds the row of the first
    return reserve().catch((error) => (isDuplicateKey(error) ? reserve() : Promise.reject(error)));
  });
  const send = made ?? (await sendUnder(workspaceId, key));
  if (send === null) throw keyReused();
  return { send, isNew: made !== null };
}

async function sendableDraft(workspaceId: string, asked: ReplyRequest): Promise<ReplyDraft> {
  const draft = await draftReply(workspaceId, asked);
  const { status } = draft.mailbox;
  const isUsable = USABLE.includes(status);
  if (isUsable && bandOf(draft.mailbox) !== "BLOCKED") return draft;
  const reason = isUsable ? "BLOCKED" : status;
  throw new AppError("NO_SENDING_MAILBOX", `The mailbox of this thread cannot send now: ${reason}`, { reason });
}

/**
 * Stores the reply as a scheduled reply. It waits for the undo time that is set for its credential (rules/access 4.6).
 */
async function undoable(ctx: SendingContext, asked: ReplyRequest, key: Key) {
  const draft = await sendableDraft(ctx.workspaceId, asked);
  const sendAt = new Date(Date.now() + ctx.policy.undoSeconds * SECOND_MS);
  const made = await ctx.permit.commit(replyIntent(draft), () => storeScheduled(ctx, draft, sendAt, key));
  return waitingResult(made ?? (await firstUnder(ctx.workspaceId, key)), made === null);
}

function waitingResult(
  { _id, status, error, threadId, to, mailboxId, sendAt, sentMessageId }: ScheduledReply,
  idempotentReplay: boolean,
) {
  const isUnknown = error?.code === "SEND_UNKNOWN";
  if (status === "CANCELLED")
    throw new AppError("SEND_FAILED", "This reply was cancelled", { reason: "CANCELLED", code: null, text: null });
  if (status === "FAILED" && !isUnknown)
    throw new AppError("SEND_FAILED", error?.message ?? "The reply was not sent", {
      reason: error?.code ?? "SEND_FAILED",
      code: null,
      text: null,
    });
  const shown = isUnknown ? ("UNKNOWN" as const) : status === "SENT" ? ("SENT" as const) : ("QUEUED" as const);
  return {
    status: shown,
    messageId: sentMessageId,
    threadId,
    to,
    mailboxId,
    sentAt: null,
    scheduledId: _id,
    sendAt,
    idempotentReplay,
  };
}

/**
 * Joins the workflow that sends the reply. If the workflow does not end in time, it continues after this call returns:
 * the send and the outbox row ensure that.
 */
async function sending(
  { workspaceId, services }: Context,
  { _id: sendId, mailboxId }: Send,
  key: string,
): Promise<void> {
  try {
    await services.engine.execute(replyRun({ v: 1, workspaceId, sendId }, key, { mailboxId }), DEADLINE_MS);
  } catch (error) {
    if (!(error instanceof AppError && error.code === "SERVICE_UNAVAILABLE")) throw error;
  }
}

function isUnderWay({ state }: Send): boolean {
  return state === "RESERVED" || state === "SENDING";
}

async function resultOf(send: Send, threadId: string, idempotentReplay: boolean) {
  const { workspaceId, _id, state, to, sentAt } = send;
  const mailboxId = send.mailboxId ?? "";
  if (state === "FAILED") throw sendErrorOf(send.failure ?? { reason: "SEND_FAILED", code: null }, send.updatedAt);
  const filed = await scoped(workspaceId).Message.findOne(
    { mailboxId, contentKey: `sent:${_id}` },
    { select: { _id: 1 } },
  );
  const status = isUnderWay(send)
    ? ("QUEUED" as const)
    : state === "UNKNOWN"
      ? ("UNKNOWN" as const)
      : ("SENT" as const);
  return {
    status,
    messageId: filed?._id ?? null,
    threadId,
    to,
    mailboxId,
    sentAt,
    scheduledId: null,
    sendAt: null,
    idempotentReplay,
  };
}
