import { asksApproval } from "../../domain/campaigns/approval.ts";
import { AppError } from "../../domain/errors.ts";
import type { Step, Variant } from "../../domain/sequences/sequence.ts";
import type { StepOutcome } from "../../domain/workflow-contract.ts";
import type { Mailbox } from "../../models/mailboxes/mailbox.ts";
import type { Send } from "../../models/sending/send.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import { isApproved } from "../../store/campaigns/approvals.ts";
import { emit } from "../../store/outbox.ts";
import { bookNext } from "../../store/recipients/book-next-step.ts";
import type { Situation } from "../../store/recipients/recipient-state.ts";
import { pauseRecipient } from "../../store/recipients/stop.ts";
import { askAboutMail } from "../../store/sending/mail-approval.ts";
import { recordFailed } from "../../store/sending/record.ts";
import { type Writing, type WrittenMail, writeMail } from "./write-mail.ts";

/**
 * Pauses the recipient if its email still needs an approval (rules/states 7.2); null when the email may be claimed,
 * which checks again.
 */
export async function requestApproval(
  { campaign, settings, sequence, recipient }: Situation,
  send: Send,
  step: Step,
  mail: WrittenMail,
): Promise<StepOutcome | null> {
  if (!asksApproval(settings, recipient.sentCount) || (await isApproved(send, mail.contentHash))) return null;
  const shown = { text: mail.content.text, contentHash: mail.contentHash };
  const isParked = await askAboutMail({ campaign, sequence, recipient, step }, send, shown);
  return isParked
    ? { kind: "stop", reason: "APPROVAL_REQUIRED" }
    : { kind: "replan", at: Date.now(), why: "a second look" };
}

/** Writes the email of a due step; if it cannot be written, returns what to do instead. */
export async function writeDueMail(
  writing: Writing,
  situation: Situation,
  step: Step,
  variant: Variant,
  mailbox: Mailbox,
  send: Send,
): Promise<WrittenMail | StepOutcome> {
  try {
    const mail = await writeMail(situation, { step, variant, mailbox, send }, writing, new Date());
    return mail.missingVariables.length === 0 ? mail : await missing(situation, send, mail.missingVariables);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return fail(send, error.code === "VALIDATION_FAILED" ? "INVALID_ADDRESS" : "TEMPLATE_ERROR", error.code);
  }
}

/**
 * An email with a blank is never sent (rules/mail 4.6): the recipient waits until the lead is completed, or skips the
 * step.
 */
async function missing(situation: Situation, send: Send, names: string[]): Promise<StepOutcome> {
  const { settings, recipient, sequence } = situation;
  if (settings.missingVariablePolicy === "SKIP_STEP") return bookNext.afterSkipping(situation, send, sequence, names);
  const { workspaceId, stepId, recipientId, campaignId, leadId } = send;
  await inTransaction(async () => {
    if (!(await pauseRecipient(workspaceId, recipient._id, "MISSING_VARIABLE", null, names))) return;
    await emit(workspaceId, {
      type: "PAUSED",
      leadId,
      campaignId,
      recipientId,
      data: { reason: "MISSING_VARIABLE", stepId, names },
    });
  });
  return { kind: "stop", reason: "MISSING_VARIABLE" };
}

/** Ends a recipient that cannot get the email of this step. */
export async function fail(
  send: Send,
  stopReason: "TEMPLATE_ERROR" | "INVALID_ADDRESS" | "SEND_FAILED",
  code: string,
): Promise<StepOutcome> {
  const status = stopReason === "INVALID_ADDRESS" ? "SKIPPED" : "FAILED";
  await recordFailed(send, { status, stopReason }, { reason: stopReason, code, text: null });
  return { kind: "stop", reason: stopReason };
}
