import { z } from "zod";
import { AppError } from "../../domain/errors.ts";
import { argumentHash } from "../../domain/inbox/reply.ts";
import { sendErrorOf } from "../../domain/sending/send-error.ts";
import { scoped } from "../../models/scoped.ts";
import type { Send } from "../../models/send.ts";
import { isDuplicateKey } from "../../mongo/duplicate.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import { type ReplyKey as Key, reserveReply } from "../../store/inbox/reply.ts";
import { replyRun } from "../../temporal/runs.ts";
import type { Context } from "../context.ts";
import { mailboxId, threadId } from "../described-ids.ts";
import { nullable, optionalTime } from "../fields.ts";
import { operation } from "../operation.ts";
import { contentOf, draftReply, idempotencyKey, keyReused, type ReplyRequest, wording } from "./reply-draft.ts";

const DEADLINE_MS = 25_000;
const USABLE = ["CONNECTED", "PAUSED"];

export const reply = operation({
  summary:
    "Reply to a thread now, from the mailbox that received it. One key sends once; QUEUED means that it will still be sent, UNKNOWN is never sent again automatically",
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
  sends: true,
  audits: "inbox.reply",
  input: z.strictObject({ ...wording, idempotencyKey }),
  output: z.object({
    status: z
      .enum(["SENT", "QUEUED", "UNKNOWN"])
      .describe("SENT, QUEUED to be sent soon, or UNKNOWN: it may have arrived and is not sent again"),
    messageId: nullable(z.string()).describe("Its Message-ID"),
    threadId,
    to: z.string().describe("The address it goes to"),
    mailboxId,
    sentAt: optionalTime.describe("When it was sent"),
    idempotentReplay: z.boolean().describe("Whether an earlier request with this key made it"),
  }),
  async run(ctx, { idempotencyKey, ...asked }) {
    const key = { idempotencyKey, argumentHash: argumentHash(contentOf(asked)) };
    const known = await sendUnder(ctx.workspaceId, key);
    const { send, isNew } = known === null ? await reserved(ctx, asked, key) : { send: known, isNew: false };
    if (isUnderWay(send) && (isNew || (await ctx.services.engine.isReachable()))) await sending(ctx, send, idempotencyKey);
    return resultOf((await scoped(ctx.workspaceId).Send.get(send._id)) ?? send, asked.threadId, !isNew);
  },
});

/** The send that the key already stands for; null when the key is free, or its mail is known not to have been sent. */
async function sendUnder(workspaceId: string, { idempotencyKey, argumentHash }: Key): Promise<Send | null> {
  const send = await scoped(workspaceId).Send.findOne({ sendKey: idempotencyKey });
  if (send === null || send.state === "FAILED") return null;
  if (send.argumentHash !== argumentHash) throw keyReused();
  return send;
}

async function reserved({ workspaceId, services }: Context, asked: ReplyRequest, key: Key): Promise<{ send: Send; isNew: boolean }> {
  const { letter, mailbox } = await draftReply(workspaceId, asked);
  if (!USABLE.includes(mailbox.status)) {
    throw new AppError("NO_SENDING_MAILBOX", `The mailbox of this thread cannot send now: ${mailbox.status}`, { reason: mailbox.status });
  }
  if (!(await services.engine.isReachable())) throw new AppError("SERVICE_UNAVAILABLE", "The workflow engine cannot be reached: try again");
  const reserve = () => inTransaction(() => reserveReply(workspaceId, key, letter));
  // Of two identical calls at the same moment, the second finds the row of the first
  const row = await reserve().catch((error) => (isDuplicateKey(error) ? reserve() : Promise.reject(error)));
  if (row === null) throw keyReused();
  return row;
}

/**
 * Joins the workflow that sends the reply. If it does not end in time, it continues without its caller: the send and the outbox row ensure
 * that.
 */
async function sending({ workspaceId, services }: Context, { _id: sendId, mailboxId }: Send, key: string): Promise<void> {
  try {
    await services.engine.execute(replyRun({ v: 1, workspaceId, sendId }, key, { mailboxId }), DEADLINE_MS);
  } catch (error) {
    const isLate = error instanceof AppError && error.code === "SERVICE_UNAVAILABLE";
    if (!isLate && !(error instanceof Error && error.name === "WorkflowFailedError")) throw error;
  }
}

function isUnderWay({ state }: Send): boolean {
  return state === "RESERVED" || state === "SENDING";
}

async function resultOf(send: Send, threadId: string, idempotentReplay: boolean) {
  const { workspaceId, _id, state, to, sentAt } = send;
  const mailboxId = send.mailboxId ?? "";
  if (state === "FAILED") throw sendErrorOf(send.failure ?? { reason: "SEND_FAILED", code: null });
  const filed = await scoped(workspaceId).Message.findOne({ mailboxId, contentKey: `sent:${_id}` }, { select: { _id: 1 } });
  const status = isUnderWay(send) ? ("QUEUED" as const) : state === "UNKNOWN" ? ("UNKNOWN" as const) : ("SENT" as const);
  return { status, messageId: filed?._id ?? null, threadId, to, mailboxId, sentAt, idempotentReplay };
}
