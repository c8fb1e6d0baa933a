import { AppError } from "../../domain/errors.ts";
import type { Approval } from "../../models/campaigns/approval.ts";
import { scoped } from "../../models/scoped.ts";
import { newestAnswerable } from "../../store/inbox/reply-letter.ts";
import { runApproved } from "../call.ts";
import type { Context } from "../context.ts";
import { reply } from "../inbox/reply.ts";
import { runBoarded } from "./boarding.ts";
import { type Decision, decisionOf, IsDecided, isPending, openFilterOf } from "./decision.ts";
import { noteSend } from "./within.ts";

/**
 * Sends the inbox agent's draft, or another text in its place. It is sent once, as a reply whose key is the approval
 * (rules/agent 4.4). The recipient, thread and mailbox follow from the answered email, as for every reply. The
 * decision, the send and its cost are stored in one transaction.
 */
export async function approveDraft(ctx: Context, approval: Approval, decision: Decision): Promise<void> {
  const { workspaceId, _id: approvalId, status, threadId, messageId, proposedText } = approval;
  if (status !== "PENDING") return; // a second approval returns the outcome of the first
  const text = decision.text ?? proposedText;
  if (threadId === null || messageId === null || text === null)
    throw new AppError("INVALID_STATE_TRANSITION", "The draft no longer exists", {
      from: status,
      action: "approve",
    });
  const { Approval } = scoped(workspaceId);
  if ((await newestAnswerable(workspaceId, threadId))?._id !== messageId) {
    await Approval.updateOne(openFilterOf(approval), { $set: { status: "EXPIRED" } });
    return;
  }
  const note = async () => {
    const done = { $set: { ...decisionOf(ctx, decision), proposedText: text } };
    if ((await Approval.updateOne(openFilterOf(approval), done)) === 0) throw new IsDecided();
  };
  const fields = { threadId, text, inReplyToMessageId: messageId };
  try {
    await runApproved(ctx, reply, fields, (_ctx, _call, run) =>
      runBoarded({ sendKey: `approval/${approvalId}`, approvalId, spend: paidByCall, check: noteSend, note }, run),
    );
  } catch (err) {
    // Another person approved it concurrently, or the email was refused after the decision: the approval contains the
    // outcome
    if (err instanceof IsDecided || (err instanceof AppError && !(await isPending(approval)))) return;
    throw err;
  }
}

/**
 * Takes nothing more from a budget: the decision is a call with an effect, whose credential already pays for the email
 * (rules/access 4.3).
 */
async function paidByCall(): Promise<void> {}
