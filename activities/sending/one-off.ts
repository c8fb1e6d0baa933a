import type { ScheduledOutcome, ScheduledReplyIds, SendIds, SingleOutcome } from "../../domain/workflow-contract.ts";
import { scoped } from "../../models/scoped.ts";
import type { Send } from "../../models/sending/send.ts";
import { beginScheduled, recordUnclear, settleScheduled } from "../../store/inbox/reply.ts";
import { AFTER_LEASE_MS } from "../../store/sending/claim-transaction.ts";
import { takeOver } from "../../store/sending/record.ts";
import { withHeartbeat } from "../beat.ts";
import { hasLogin } from "../mailboxes/logins.ts";
import { deliverOne, type SingleDependencies } from "./single-delivery.ts";
import { failSend } from "./single-refusal.ts";

export interface SingleSendActivities {
  sendOnce(ids: SendIds): Promise<SingleOutcome>;
  sendReply(ids: ScheduledReplyIds): Promise<ScheduledOutcome>;
}

const AFTER_COMPARISON_MS = 5_000;

/**
 * The activities for a single email that a person asked for: a test email or a reply. Its draft and its ledger row
 * contain all the data.
 */
export function singleSendActivities(dependencies: SingleDependencies): SingleSendActivities {
  return {
    sendOnce: (ids) => withHeartbeat(() => sendSingle(dependencies, ids)),
    sendReply: (ids) => withHeartbeat(() => sendScheduled(dependencies, ids)),
  };
}

/** Sends a scheduled reply that is due, unless it was cancelled before. */
async function sendScheduled(
  dependencies: SingleDependencies,
  { workspaceId, scheduledId }: ScheduledReplyIds,
): Promise<ScheduledOutcome> {
  const waiting = await scoped(workspaceId).ScheduledReply.get(scheduledId);
  if (waiting !== null && (await isUncompared(workspaceId, waiting.mailboxId))) return afterComparison();
  const begun = await beginScheduled(workspaceId, scheduledId);
  if (begun === null) return { kind: "ended", status: "GONE" };
  if (begun.status !== "SENDING") return { kind: "ended", status: begun.status };
  const outcome = await sendSingle(dependencies, { v: 1, workspaceId, sendId: scheduledId });
  if (outcome.kind === "later") return outcome;
  const { ScheduledReply, Send } = scoped(workspaceId);
  const send = await Send.get(scheduledId);
  if (send !== null) await settleScheduled(send);
  return { kind: "ended", status: (await ScheduledReply.get(scheduledId))?.status ?? "GONE" };
}

async function sendSingle(dependencies: SingleDependencies, { workspaceId, sendId }: SendIds): Promise<SingleOutcome> {
  const { OutgoingMail, Mailbox, Send } = scoped(workspaceId);
  const found = await Send.get(sendId);
  if (found === null) return { kind: "failed", reason: "GONE", code: null };
  const send = await afterOthers(found);
  switch (send.state) {
    case "SENT":
    case "BOUNCED":
      return { kind: "sent", messageId: send.messageId ?? "" };
    case "FAILED":
      return { kind: "failed", reason: send.failure?.reason ?? "SEND_FAILED", code: send.failure?.code ?? null };
    case "SENDING":
      return { kind: "later", at: (send.leaseUntil?.getTime() ?? 0) + AFTER_LEASE_MS };
    case "UNKNOWN":
      return { kind: "failed", reason: "SEND_UNKNOWN", code: null };
    default: {
      const draft = await OutgoingMail.get(sendId);
      if (draft === null) return failSend(send, "GONE");
      const mailbox = await Mailbox.get(draft.mailboxId);
      if (mailbox === null || !hasLogin(mailbox)) return failSend(send, "MAILBOX_DISCONNECTED");
      if (await isUncompared(workspaceId, mailbox._id)) return afterComparison();
      return deliverOne(dependencies, send, draft, mailbox);
    }
  }
}

/**
 * The send after another attempt's lease has ended (rules/sending 8.4): if that attempt had not begun to transmit, its
 * claim is undone.
 */
async function afterOthers(send: Send): Promise<Send> {
  if (send.state !== "SENDING" || (send.leaseUntil !== null && send.leaseUntil > new Date())) return send;
  if (send.phase === "DATA") await recordUnclear(send, send.attemptId ?? "");
  else await takeOver(send);
  return (await scoped(send.workspaceId).Send.get(send._id)) ?? send;
}

/**
 * Whether, after a restore, the mailbox has not been compared yet: then this very email may have been sent
 * (rules/sending 12.2).
 */
async function isUncompared(workspaceId: string, mailboxId: string): Promise<boolean> {
  return (await scoped(workspaceId).SentFolderCheck.get(mailboxId)) !== null;
}

function afterComparison(): { kind: "later"; at: number } {
  return { kind: "later", at: Date.now() + AFTER_COMPARISON_MS };
}
