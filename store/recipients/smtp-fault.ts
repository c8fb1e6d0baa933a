import type { SmtpRefusal } from "../../domain/bounces/refusal.ts";
import { POLICY_WAITS_MS } from "../../domain/mailboxes/refusals.ts";
import type { Trouble } from "../../domain/sending/smtp-trouble.ts";
import { codeShown } from "../../domain/sending/smtp-trouble.ts";
import { HOUR_MS, MINUTE_MS } from "../../domain/time/durations.ts";
import type { StepOutcome } from "../../domain/workflow-contract.ts";
import type { Mailbox } from "../../models/mailboxes/mailbox.ts";
import type { Bounce } from "../../models/recipients/recipient.ts";
import { scoped } from "../../models/scoped.ts";
import type { Send } from "../../models/sending/send.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import { tripBounceGuard } from "../campaigns/auto-pause.ts";
import { judgeAfterwards } from "../campaigns/conduct.ts";
import { recordRefusedLogin } from "../mailboxes/access-faults.ts";
import { noteFact } from "../mailboxes/facts.ts";
import { recordHostFailure } from "../mailboxes/faults.ts";
import { emit } from "../outbox.ts";
import { recordFailed, recordRefusedByPolicy } from "../sending/record.ts";
import { suppressAddress } from "../suppression/suppress.ts";
import { putOff, rebookAt } from "./due-step.ts";
import type { Situation } from "./recipient-state.ts";

/**
 * After how many milliseconds a step is tried again when the recipient's server refuses it temporarily. After the last
 * wait the step is given up (rules/sending 10.2).
 */
const SOFT_WAITS_MS = [HOUR_MS, 6 * HOUR_MS, 24 * HOUR_MS] as const;

/**
 * `retry`: Temporal's retry policy tries the activity again. After its last attempt, the step is postponed by
 * `laterMs`.
 */
type Next = StepOutcome | { kind: "retry"; laterMs: number };

/**
 * When a server has asked for fewer emails, the refused email waits this long after the mailbox's next email, so that
 * one recipient cannot block the mailbox.
 */
const BEHIND_OTHERS_MS = MINUTE_MS;

/**
 * Applies a refusal to the recipient, and a fault of the server or the login to the mailbox (rules/sending 10.1). The
 * effects of a refusal on the mailbox were already applied in the transaction that recorded the refusal.
 */
export async function applyRefusal(
  situation: Situation,
  send: Send,
  mailbox: Mailbox,
  trouble: Trouble,
  refusal: SmtpRefusal,
): Promise<Next> {
  const { workspaceId } = send;
  const code = codeShown(trouble);
  if (trouble.access !== undefined) {
    await recordRefusedLogin(mailbox, trouble);
    return { kind: "replan", at: Date.now(), why: "the mailbox, which has lost its access" };
  }
  switch (refusal.effect) {
    case "BREAKER":
      await recordHostFailure(workspaceId, mailbox._id, code);
      return { kind: "retry", laterMs: HOUR_MS };
    case "AUTH_FAILURE":
      await recordRefusedLogin(mailbox, trouble);
      return { kind: "retry", laterMs: HOUR_MS };
    case "RECONNECT":
      return rebookAt(situation, send, mailbox, Date.now(), "a fresh connection");
    case "COOL_DOWN":
      return { kind: "replan", at: Date.now(), why: "the mailbox, cooling down" };
    case "SLOW_DOWN": {
      const current = await scoped(workspaceId).Mailbox.get(mailbox._id);
      const nextAt = Math.max(Date.now(), current?.nextAt?.getTime() ?? 0);
      return rebookAt(situation, send, mailbox, nextAt + BEHIND_OTHERS_MS, "the mailbox, slowed down");
    }
    case "FAIL_STEP":
      await recordFailed(
        send,
        { status: "FAILED", stopReason: "SEND_FAILED", bySelf: true },
        { reason: "SEND_FAILED", code, text: trouble.text.slice(0, 500) },
      );
      return { kind: "stop", reason: "SEND_FAILED" };
    case "PUT_OFF":
      return putOffByPolicy(situation, send, mailbox, trouble, refusal);
    case "END":
      await recordRefusedByPolicy(send, bounceOf(trouble, refusal));
      return { kind: "stop", reason: "REFUSED_BY_POLICY" };
    case "HARD_BOUNCE":
      await hardBounce(send, trouble, refusal);
      return { kind: "stop", reason: "HARD_BOUNCE" };
    case "RETRY":
      return refusal.about === "recipient" || refusal.about === "unknown"
        ? retryLater(situation, send, mailbox, trouble)
        : { kind: "retry", laterMs: HOUR_MS };
  }
}

/**
 * Suppresses the address and emits the event once, immediately, because no report follows a refusal in the SMTP
 * dialogue.
 */
function hardBounce(send: Send, trouble: Trouble, refusal: SmtpRefusal): Promise<void> {
  const { workspaceId, recipientId, campaignId, leadId, mailboxId, to } = send;
  return inTransaction(async () => {
    const bounce = { ...bounceOf(trouble, refusal), type: "HARD" as const, reason: refusal.reason ?? "USER_UNKNOWN" };
    const failed = await scoped(workspaceId).Send.updateOne(
      { _id: send._id, state: "RESERVED" },
      { $set: { state: "FAILED", failure: { reason: "HARD_BOUNCE", code: bounce.code, text: bounce.diagnostic } } },
    );
    // A repeated attempt finds the email already FAILED and does not count it again
    if (failed > 0 && mailboxId !== null)
      await noteFact(workspaceId, mailboxId, { bounced: 1, refused: 1 }, new Date());
    await suppressAddress(workspaceId, to, "HARD_BOUNCE");
    if (recipientId === null) return;
    await scoped(workspaceId).Recipient.updateOne({ _id: recipientId }, { $set: { bounce, bouncedAt: new Date() } });
    if (campaignId !== null) await tripBounceGuard(workspaceId, campaignId);
    judgeAfterwards(workspaceId);
    await emit(workspaceId, {
      type: "BOUNCED",
      leadId,
      campaignId,
      recipientId,
      data: { ...bounce },
      webhook: { recipientId, email: to },
    });
  });
}

function bounceOf({ code, text }: Trouble, { reason, enhanced }: SmtpRefusal): Bounce {
  return { type: "SOFT", reason: reason ?? "POLICY", code: enhanced ?? String(code), diagnostic: text.slice(0, 500) };
}

/**
 * Tries a recipient again four hours and a day after a refusal without a reason, then ends it (rules/sending 10.2).
 * This is no bounce, because nothing says that the address is wrong.
 */
async function putOffByPolicy(
  situation: Situation,
  send: Send,
  mailbox: Mailbox,
  trouble: Trouble,
  refusal: SmtpRefusal,
): Promise<Next> {
  const { Recipient, Send } = scoped(send.workspaceId);
  const bounce = bounceOf(trouble, refusal);
  const row = await Send.get(send._id);
  const waitMs = POLICY_WAITS_MS[row?.policyRefusals ?? 0];
  if (waitMs === undefined) {
    await recordRefusedByPolicy(send, bounce);
    return { kind: "stop", reason: "REFUSED_BY_POLICY" };
  }
  await Send.updateOne({ _id: send._id }, { $set: { attempts: 0 }, $inc: { policyRefusals: 1 } });
  await Recipient.updateOne({ _id: situation.recipient._id }, { $set: { bounce } });
  return putOff(situation, send, mailbox, Date.now() + waitMs, "another try after a refusal");
}

/**
 * Tries again with the activity's retry policy, then after one hour, six hours and a day. After that, the recipient is
 * skipped.
 */
async function retryLater(situation: Situation, send: Send, mailbox: Mailbox, { code, text }: Trouble): Promise<Next> {
  const { Send } = scoped(send.workspaceId);
  const row = await Send.get(send._id);
  const attempts = row?.attempts ?? 0;
  const softFailures = row?.softFailures ?? 0;
  if (attempts < TRIES_IN_A_ROW) return { kind: "retry", laterMs: HOUR_MS };
  const waitMs = SOFT_WAITS_MS[softFailures];
  if (waitMs === undefined) {
    const failure = { reason: "SOFT_BOUNCE_EXHAUSTED", code: String(code), text: text.slice(0, 500) };
    await recordFailed(send, { status: "SKIPPED", stopReason: "SOFT_BOUNCE_EXHAUSTED", bySelf: true }, failure);
    return { kind: "stop", reason: "SOFT_BOUNCE_EXHAUSTED" };
  }
  await Send.updateOne({ _id: send._id }, { $set: { attempts: 0 }, $inc: { softFailures: 1 } });
  return putOff(situation, send, mailbox, Date.now() + waitMs, "another try at the recipient's server");
}

const TRIES_IN_A_ROW = 6;
