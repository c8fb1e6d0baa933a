import { maySendCampaigns } from "../../domain/mailboxes/band.ts";
import type { RefusalBar } from "../../domain/mailboxes/refusal-evidence.ts";
import { DAY_MS } from "../../domain/time/durations.ts";
import type { StepOutcome } from "../../domain/workflow-contract.ts";
import type { Mailbox } from "../../models/mailboxes/mailbox.ts";
import type { Recipient } from "../../models/recipients/recipient.ts";
import { scoped } from "../../models/scoped.ts";
import type { Send } from "../../models/sending/send.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import { freeMailbox } from "../mailboxes/faults.ts";
import { AFTER_LEASE_MS } from "../sending/claim-transaction.ts";
import { EVIDENCE_MS, recordFailed, recordRefusedByPolicy, recordUnknown, takeOver } from "../sending/record.ts";
import { releaseBookingsOf } from "../sending/release.ts";
import { advanceRecipient } from "./advance.ts";
import { rebookStep } from "./book-next-step.ts";
import {
  attemptOf,
  barOf,
  changedDelayOf,
  dueOf,
  hasBeenTrial,
  isUnverified,
  isWrittenElsewhere,
  type MailboxBar,
  mailboxBar,
  refusalBarOf,
} from "./eligibility.ts";
import { dueText, scheduleNonMailStep } from "./non-mail-step.ts";
import { loadSituation, type Situation } from "./recipient-state.ts";
import { endRecipient } from "./stop.ts";
import { belongsElsewhere, hasOtherSender, hold, park, readmit } from "./waits.ts";

export type Due = { kind: "due"; send: Send; mailbox: Mailbox } | StepOutcome;

const ADMISSION_MS = 5_000;

/**
 * Whether this recipient's next step may be sent now; the reasons against it are checked in order of precedence
 * (rules/sending 1.1).
 */
export async function checkDue(situation: Situation): Promise<Due> {
  const standing = await standingOf(situation);
  if (standing !== null) return standing;
  const turned = await advanceRecipient(situation);
  if (turned === null) return bookSlot(situation);
  if (turned.kind !== "moved") return turned;
  if (turned.situation === null) return { kind: "replan", at: Date.now(), why: "a second look" };
  const next = await bookSlot(turned.situation);
  // The caller has loaded another step than the one that is due now
  return next.kind === "due" ? { kind: "over", to: "mail" } : next;
}

/** What the current step still waits for: an email for its slot, any other step for its delay. */
async function bookSlot(situation: Situation): Promise<Due> {
  return situation.step === null || situation.step.type === "EMAIL"
    ? checkSend(situation)
    : scheduleNonMailStep(situation, situation.step);
}

/** Checks the state of the recipient and of the campaign. */
async function standingOf(situation: Situation): Promise<StepOutcome | null> {
  const { recipient } = situation;
  const { workspaceId, _id: recipientId, status } = recipient;
  const now = Date.now();
  const bar = barOf(situation, now);
  switch (bar?.kind) {
    case "ENDED":
      return { kind: "stop", reason: recipient.stopReason ?? status };
    case "CAMPAIGN_COMPLETED":
      return { kind: "stop", reason: "CAMPAIGN_COMPLETED" };
    case "SCHEDULE_ENDED":
      await inTransaction(() =>
        endRecipient(workspaceId, recipientId, { status: "COMPLETED", stopReason: "SCHEDULE_ENDED", bySelf: true }),
      );
      return { kind: "stop", reason: "SCHEDULE_ENDED" };
    case "PAUSED":
      if (bar.until === null) return { kind: "stop", reason: recipient.pauseReason ?? "PAUSED" };
      return { kind: "replan", at: bar.until, why: "the end of the recipient's pause" };
  }
  if (status === "PAUSED") {
    const back = recipient.sentCount === 0 ? "PENDING" : "IN_PROGRESS";
    await scoped(workspaceId).Recipient.updateOne(
      { _id: recipientId, status: "PAUSED" },
      { $set: { status: back, pauseReason: null, pausedUntil: null } },
    );
  }
  if (status === "PENDING" && recipient.admittedAt === null) return waitForAdmission(recipient, now);
  if (situation.campaign.status !== "ACTIVE")
    return park({ v: 1, workspaceId, campaignId: recipient.campaignId, recipientId });
  return null;
}

/**
 * A recipient that was resumed while its workflow was checking it is not admitted yet. Admission usually follows
 * immediately and joins the running workflow, so this run waits a moment. A recipient that is admitted later gets a new
 * run.
 */
function waitForAdmission({ updatedAt }: Recipient, now: number): StepOutcome {
  const at = updatedAt.getTime() + ADMISSION_MS;
  return at > now ? { kind: "replan", at, why: "its admission" } : { kind: "stop", reason: "WAITS_FOR_ADMISSION" };
}

/** Checks the send and the mailbox of the next email. */
async function checkSend(situation: Situation): Promise<Due> {
  const { recipient, send } = situation;
  const now = Date.now();
  if (isUnverified(situation)) {
    await inTransaction(() =>
      endRecipient(recipient.workspaceId, recipient._id, {
        status: "SKIPPED",
        stopReason: "INVALID_ADDRESS",
        bySelf: true,
      }),
    );
    return { kind: "stop", reason: "INVALID_ADDRESS" };
  }
  const taken = send === null ? null : await underWay(situation, send);
  if (taken !== null) return taken;
  if (await isWrittenElsewhere(situation)) return pauseRecipientFor(situation, "OTHER_CAMPAIGN");
  const { mailbox } = situation;
  const bar = mailboxBar(mailbox, now);
  if (mailbox === null || bar?.kind === "LOST") return pauseForLostMailbox(situation, mailbox);
  if (bar !== null) return waitForMailbox(situation, mailbox, bar);
  if (recipient.awaitedMailboxId !== null) await awaitsNothing(recipient);
  const barred = await refusalBarOf(situation, mailbox, now);
  if (barred !== null) return afterOthers(situation, send, mailbox, barred);
  if (send?.state === "RESERVED" && hasBeenTrial(send, mailbox, now)) {
    await recordRefusedByPolicy(send, null);
    return { kind: "stop", reason: "REFUSED_BY_POLICY" };
  }
  // Only `takeOver` can have changed the send since it was read. The claim checks all later changes
  const row = send?.state === "SENDING" ? await scoped(recipient.workspaceId).Send.get(send._id) : send;
  if (row === null || row.state !== "RESERVED" || row.slotAt === null) {
    const due = situation.step === null ? now : await dueOf(situation, situation.step);
    // A recipient that is woken earlier still waits until its email is no longer held back because of a slow database
    // (rules/sending 5.9)
    const heldUntil = row?.heldBack?.until.getTime() ?? 0;
    return rebookAt(situation, row, mailbox, Math.max(now, due, heldUntil), dueText(situation));
  }
  const due = await dueByNewDelay(situation);
  if (due > Math.max(now, row.slotAt.getTime())) return rebookAt(situation, row, mailbox, due, dueText(situation));
  if (row.slotAt.getTime() > now) return { kind: "replan", at: row.slotAt.getTime(), why: dueText(situation) };
  return { kind: "due", send: row, mailbox };
}

/**
 * When the step is due, if an edit has made its delay longer and the booked slot does not follow the new delay yet;
 * otherwise 0.
 */
async function dueByNewDelay(situation: Situation): Promise<number> {
  const { step } = situation;
  return step !== null && changedDelayOf(situation, step)?.how === "BOOK_ANEW" ? dueOf(situation, step) : 0;
}

/**
 * Makes a recipient wait for a mailbox that cannot send now. A circuit breaker closes within minutes, so the recipient
 * waits for it with a timer. Otherwise it waits until the mailbox recovers.
 */
async function waitForMailbox(situation: Situation, mailbox: Mailbox, bar: MailboxBar): Promise<StepOutcome> {
  const { recipient, step } = situation;
  const dueAt = step === null ? Date.now() : await dueOf(situation, step);
  if (await belongsElsewhere(situation, bar, mailbox)) return readmit(situation, dueAt);
  if (!maySendCampaigns(mailbox) || bar.kind !== "RESTING" || bar.until === null)
    return hold(situation, mailbox, dueAt);
  return looksAgain(recipient, bar.until, "the mailbox, whose server does not answer");
}

/**
 * Makes a recipient wait because its server has refused the mailbox and others are contacted first. If it was never
 * contacted, another mailbox of the campaign may send to it meanwhile.
 */
async function afterOthers(
  situation: Situation,
  send: Send | null,
  mailbox: Mailbox,
  bar: RefusalBar,
): Promise<StepOutcome> {
  const { step } = situation;
  const dueAt = step === null ? Date.now() : await dueOf(situation, step);
  if (await hasOtherSender(situation, mailbox)) return readmit(situation, dueAt);
  const slotAt = send?.state === "RESERVED" ? (send.slotAt?.getTime() ?? 0) : 0;
  const why =
    bar.kind === "PROVIDER"
      ? "the recipient's provider, which refuses the mailbox"
      : "other organisations, which come first";
  if (slotAt >= bar.until) return { kind: "replan", at: slotAt, why };
  return rebookAt(situation, send, mailbox, Math.max(dueAt, bar.until), why);
}

async function looksAgain(recipient: Recipient, at: number, why: string): Promise<StepOutcome> {
  await noteLook(recipient, at);
  return { kind: "replan", at, why };
}

/**
 * Clears `awaitedMailboxId` of a recipient that was woken for another reason while its mailbox can send again.
 * Otherwise the mailbox would wake it a second time.
 */
async function awaitsNothing({ workspaceId, _id, awaitedMailboxId }: Recipient): Promise<void> {
  await scoped(workspaceId).Recipient.updateOne({ _id, awaitedMailboxId }, { $set: { awaitedMailboxId: null } });
}

/**
 * Records when the recipient is checked next without a booking (epoch milliseconds). If nothing has happened by then,
 * the recipient is overdue.
 */
export async function noteLook({ workspaceId, _id, nextStepId }: Recipient, at: number): Promise<void> {
  await scoped(workspaceId).Recipient.updateOne({ _id, nextStepId }, { $set: { nextSendAt: new Date(at) } });
}

/**
 * Pauses the recipient until its mailbox is connected again. If the mailbox was reconnected during this write, the
 * reconnection did not see this recipient, so the waiting recipients are woken once more.
 */
async function pauseForLostMailbox(situation: Situation, mailbox: Mailbox | null): Promise<StepOutcome> {
  const outcome = await pauseRecipientFor(situation, "MAILBOX_DISCONNECTED");
  const { workspaceId } = situation.recipient;
  const current = mailbox === null ? null : await scoped(workspaceId).Mailbox.get(mailbox._id);
  if (current !== null && mailboxBar(current, Date.now())?.kind !== "LOST") await freeMailbox(workspaceId, current._id);
  return outcome;
}

/** Pauses a recipient and releases its slot, so that other campaigns of the mailbox can use the slot. */
async function pauseRecipientFor(
  { recipient: { workspaceId, _id } }: Situation,
  pauseReason: "OTHER_CAMPAIGN" | "MAILBOX_DISCONNECTED",
): Promise<StepOutcome> {
  const paused = { status: "PAUSED", pauseReason, admittedAt: null } as const;
  await inTransaction(async () => {
    await scoped(workspaceId).Recipient.updateOne({ _id }, { $set: paused });
    await releaseBookingsOf(workspaceId, _id);
  });
  return { kind: "stop", reason: pauseReason };
}

/** Decides what to do about an earlier attempt to send this email (rules/sending 8.4). */
async function underWay({ recipient }: Situation, send: Send): Promise<StepOutcome | null> {
  const now = Date.now();
  const attempt = attemptOf(send, now);
  switch (attempt?.kind) {
    case "LEASED":
      return looksAgain(recipient, attempt.until + AFTER_LEASE_MS, "another attempt's lease");
    case "DEAD":
      if (attempt.phase === "CLAIMED") await takeOver(send);
      else await recordUnknown(send, send.attemptId ?? "");
      return attempt.phase === "CLAIMED"
        ? null
        : { kind: "replan", at: now + EVIDENCE_MS, why: "evidence that the mail went out" };
    case "UNKNOWN":
      return { kind: "replan", at: attempt.until, why: "evidence that the mail went out" };
    case "GIVEN_UP":
      await recordFailed(
        send,
        { status: "FAILED", stopReason: "SEND_UNKNOWN", bySelf: true },
        { reason: "SEND_UNKNOWN", code: null, text: null },
      );
      return { kind: "stop", reason: "SEND_UNKNOWN" };
    case "BEHIND":
      return { kind: "stop", reason: recipient.stopReason ?? send.state };
  }
  return null;
}

/** Postpones the step of a recipient. The step is not tried before `at`, whatever else happens. */
export async function putOff(
  situation: Situation,
  send: Send,
  mailbox: Mailbox,
  at: number,
  why: string,
): Promise<StepOutcome> {
  const { recipient, step } = situation;
  if (step === null) return { kind: "stop", reason: "SEQUENCE_FINISHED" };
  const due = { stepId: step.stepId, at: new Date(at) };
  await scoped(recipient.workspaceId).Recipient.updateOne(
    { _id: recipient._id, nextStepId: step.stepId },
    { $set: { due } },
  );
  return rebookAt({ ...situation, recipient: { ...recipient, due } }, send, mailbox, at, why);
}

/** Books the step again, not before an instant, and returns when the recipient must be checked next. */
export async function rebookAt(
  situation: Situation,
  send: Send | null,
  mailbox: Mailbox,
  earliest: number,
  why: string,
): Promise<StepOutcome> {
  const { campaign, recipient, step } = situation;
  if (step === null) return { kind: "stop", reason: "SEQUENCE_FINISHED" };
  const at = await rebookStep(situation, send, mailbox, earliest);
  if (at !== null) return { kind: "replan", at: at.getTime(), why };
  const fresh = await loadSituation({
    v: 1,
    workspaceId: recipient.workspaceId,
    campaignId: campaign._id,
    recipientId: recipient._id,
  });
  const isStuck = fresh?.send?.state === "RESERVED" || fresh?.send?.state === "RELEASED" || fresh?.send === null;
  return isStuck
    ? { kind: "replan", at: Date.now() + DAY_MS, why: "a window that opens" }
    : { kind: "replan", at: Date.now() + 1_000, why: "another attempt" };
}
