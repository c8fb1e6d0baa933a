import { setTimeout as delay } from "node:timers/promises";
import { Context } from "@temporalio/activity";
import { asksApproval } from "../../domain/campaigns/approval.ts";
import { providerDayLimit } from "../../domain/sending/provider-limits.ts";
import type { Variant } from "../../domain/sequences/sequence.ts";
import { DAY_MS } from "../../domain/time/durations.ts";
import { utcDay } from "../../domain/time/schedule.ts";
import type { StepOutcome } from "../../domain/workflow-contract.ts";
import type { Mailbox } from "../../models/mailboxes/mailbox.ts";
import type { Send } from "../../models/sending/send.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import { pauseForQuestion } from "../../store/inbox/opt-out-question.ts";
import { rebookAt } from "../../store/recipients/due-step.ts";
import { SHORT_WAIT_MS, slotBar } from "../../store/recipients/eligibility.ts";
import type { Situation } from "../../store/recipients/recipient-state.ts";
import { endRecipient } from "../../store/recipients/stop.ts";
import { calendarOf } from "../../store/sending/calendar.ts";
import { type ClaimResult, claim } from "../../store/sending/claim.ts";
import type { ClaimRefusal } from "../../store/sending/claim-conditions.ts";
import { endingBy } from "../../store/suppression/suppress.ts";
import type { WrittenMail } from "./write-mail.ts";

export interface Delivery {
  send: Send;
  mailbox: Mailbox;
  mail: WrittenMail;
  variant: Variant;
  /** The share of people for each variant of the step; null where there is only one. */
  shares: Send["variantShares"];
}

/** Claims the send. If only a gap of less than 30 s is missing, it waits for it here instead of booking again. */
export async function claimInTime(
  situation: Situation,
  { send, mailbox, mail, variant, shares }: Delivery,
  attemptId: string,
  ending: AbortSignal,
): Promise<ClaimResult> {
  const { campaign, settings, recipient, lead } = situation;
  const calendar = await calendarOf(settings, mailbox, recipient.timezone, lead.country, Date.now());
  const waitMs = (mailbox.nextAt?.getTime() ?? 0) - Date.now();
  if (waitMs > 0 && waitMs <= SHORT_WAIT_MS) await sleep(waitMs, ending);
  const bar = slotBar(send, mailbox, calendar, Date.now());
  if (bar !== null) return { kind: "replan", by: bar === "GAP" ? "mailbox" : "send" };
  return claim({
    send,
    mailbox,
    campaign: { campaignId: campaign._id, fence: campaign.fence, settings, shard: recipient.shard },
    approval: { sentCount: recipient.sentCount, contentHash: mail.contentHash },
    attemptId,
    messageId: mail.messageId,
    bytesHash: mail.bytesHash,
    mailRef: mail.mailRef,
    subject: mail.subject,
    content: mail.content,
    tracking: mail.tracking,
    variantId: variant.variantId,
    variantShares: shares,
    checks: checksOf(situation, mailbox),
  });
}

/** Waits; ends with the activity or the process. @throws the reason with which `ending` was aborted */
async function sleep(ms: number, ending: AbortSignal): Promise<void> {
  const signal = AbortSignal.any([ending, Context.current().cancellationSignal]);
  await delay(ms, undefined, { signal }).catch(() => signal.throwIfAborted());
}

/**
 * The results of the checks of rules/sending 1.4 as the claim stores them. Guard and block list are always clear here,
 * or the claim does not commit.
 */
function checksOf({ campaign, settings, recipient, lead }: Situation, mailbox: Mailbox): Record<string, unknown> {
  return {
    campaign: campaign.status,
    fence: campaign.fence,
    recipient: recipient.status,
    verification: lead.verificationStatus,
    guard: "CLEAR",
    blockList: "CLEAR",
    otherCampaign: settings.skipDuplicatesInOtherCampaigns ? "CLEAR" : "NOT_ASKED",
    approval: asksApproval(settings, recipient.sentCount) ? "APPROVED" : "NOT_ASKED",
    mailbox: mailbox.status,
    window: true,
    gap: true,
    dailySendLimit: mailbox.dailySendLimit,
    providerLimit: providerDayLimit(mailbox),
    perMailboxDailyLimit: settings.perMailboxDailyLimit,
  };
}

/** The consequences of a refused claim. */
export async function applyClaimRefusal(
  situation: Situation,
  { send, mailbox }: Delivery,
  refusal: ClaimRefusal,
): Promise<StepOutcome> {
  const { workspaceId, _id: recipientId } = situation.recipient;
  if (refusal.kind === "replan" && refusal.by === "workspace")
    return rebookAt(situation, send, mailbox, tomorrow(), "the daily limit of the workspace");
  if (refusal.kind === "replan") return rebookAt(situation, send, mailbox, Date.now(), refusal.by);
  // The gate, the recipient or its approval has changed since it was read: the next look finds the new state
  if (refusal.kind === "parked" || refusal.by === "recipient" || refusal.by === "approval")
    return { kind: "replan", at: Date.now(), why: "a second look" };
  if (refusal.by === "question") {
    const isPaused = await pauseForQuestion(situation.recipient);
    return isPaused
      ? { kind: "stop", reason: "APPROVAL_REQUIRED" }
      : { kind: "replan", at: Date.now(), why: "a second look" };
  }
  const ending = endingBy(refusal.reasons);
  await inTransaction(() => endRecipient(workspaceId, recipientId, { ...ending, bySelf: true }));
  return { kind: "stop", reason: ending.stopReason };
}

/** The beginning of the next UTC day. */
function tomorrow(): number {
  return Date.parse(`${utcDay(Date.now() + DAY_MS)}T00:00:00Z`);
}
