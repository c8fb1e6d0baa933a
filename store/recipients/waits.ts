import { barWordOf, maySendCampaigns } from "../../domain/mailboxes/band.ts";
import type { RecipientIds, StepOutcome } from "../../domain/workflow-contract.ts";
import type { Mailbox } from "../../models/mailboxes/mailbox.ts";
import { scoped } from "../../models/scoped.ts";
import { trusted } from "../../mongo/collection.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import { loadCampaignMailboxes } from "../campaigns/mailboxes-of-campaign.ts";
import { findRefusalBar } from "../mailboxes/refusal-bar.ts";
import { nudge } from "../outbox.ts";
import { releaseBooking, releaseBookingsOf } from "../sending/release.ts";
import { type MailboxBar, mailboxBar } from "./eligibility.ts";
import type { Situation } from "./recipient-state.ts";

const WAITING = trusted({ $in: ["PENDING", "IN_PROGRESS"] });

/**
 * Parks a recipient of an inactive campaign: records the epoch, and releases the slot for other campaigns of the
 * mailbox. Then it reads the campaign again. A resume that happened in between either sees the recorded epoch or is
 * seen here. Code that clears the epoch compares it first, so a late attempt cannot clear a newer one.
 */
export async function park({ workspaceId, campaignId, recipientId }: RecipientIds): Promise<StepOutcome> {
  const { Campaign, Recipient } = scoped(workspaceId);
  const before = await Campaign.get(campaignId);
  if (before === null) return { kind: "stop", reason: "GONE" };
  if (before.status !== "ACTIVE") {
    const { fence: epoch } = before;
    await inTransaction(async () => {
      await Recipient.updateOne({ _id: recipientId, status: WAITING }, { $max: { parkedEpoch: epoch } });
      await releaseBookingsOf(workspaceId, recipientId);
    });
    const after = await Campaign.get(campaignId);
    if (after?.status !== "ACTIVE") return { kind: "parked", epoch };
    await Recipient.updateOne({ _id: recipientId, parkedEpoch: epoch }, { $set: { parkedEpoch: null } });
  }
  return { kind: "replan", at: Date.now(), why: "the campaign, just resumed" };
}

/**
 * Records which mailbox the recipient waits for, and releases its slot. Then it reads the mailbox again. If the mailbox
 * has recovered in between, its wake-up either sees the recipient or is seen here. When a mailbox recovers, its
 * recipients are woken in order of `dueAt` (epoch milliseconds).
 */
export async function hold(situation: Situation, mailbox: Mailbox, dueAt: number): Promise<StepOutcome> {
  const { recipient, send, step } = situation;
  const { workspaceId, _id, nextStepId } = recipient;
  const { Mailbox, Recipient } = scoped(workspaceId);
  const back = mailbox.retryAt !== null && mailbox.retryAt > new Date() ? mailbox.retryAt : null;
  const note = {
    awaitedMailboxId: mailbox._id,
    nextSendAt: back,
    ...(step !== null && { due: dueOn(step.stepId, dueAt) }),
  };
  await inTransaction(async () => {
    const noted = await Recipient.updateOne({ _id, status: WAITING, nextStepId }, { $set: note });
    if (noted > 0 && send?.state === "RESERVED") await releaseBooking(send);
  });
  if (mailboxBar(await Mailbox.get(mailbox._id), Date.now())?.kind === "RESTING") {
    return { kind: "held", why: `the mailbox, ${barWordOf(mailbox)}` };
  }
  await Recipient.updateOne(
    { _id, awaitedMailboxId: mailbox._id },
    { $set: { awaitedMailboxId: null, nextSendAt: new Date() } },
  );
  return { kind: "replan", at: Date.now(), why: "the mailbox, just back" };
}

/**
 * Whether a recipient that waits for a mailbox should get its email from another one. The recipient must not have been
 * contacted yet. In addition, either it is not known when its mailbox can send, or another mailbox can send now. An
 * approved email stays, because it was approved for this mailbox.
 */
export async function belongsElsewhere(situation: Situation, bar: MailboxBar, mailbox: Mailbox): Promise<boolean> {
  if (bar.kind !== "RESTING" || !(await isUnbound(situation))) return false;
  return !maySendCampaigns(mailbox) || hasOtherSender(situation, mailbox);
}

/** Whether another mailbox could now send to a recipient that was never contacted. */
export async function hasOtherSender(situation: Situation, mailbox: Mailbox): Promise<boolean> {
  if (!(await isUnbound(situation))) return false;
  const { campaign, settings, recipient } = situation;
  const now = Date.now();
  const others = await loadCampaignMailboxes(campaign.workspaceId, settings);
  for (const other of others) {
    if (other._id === mailbox._id || mailboxBar(other, now) !== null) continue;
    if ((await findRefusalBar(other, recipient.email, now)) === null) return true;
  }
  return false;
}

async function isUnbound({ recipient, send }: Situation): Promise<boolean> {
  if (recipient.status !== "PENDING" || recipient.sentCount > 0) return false;
  const { Approval } = scoped(recipient.workspaceId);
  return !send?.approvalId || (await Approval.findOne({ _id: send.approvalId, status: "APPROVED" })) === null;
}

/**
 * Makes a recipient wait for admission again, which selects another mailbox. A delay that has passed is not waited for
 * again.
 */
export async function readmit({ recipient, send, step }: Situation, dueAt: number): Promise<StepOutcome> {
  const { workspaceId, campaignId, _id, nextStepId } = recipient;
  const unbound = { admittedAt: null, mailboxId: null, nextSendAt: null, parkedEpoch: null, awaitedMailboxId: null };
  await inTransaction(async () => {
    const waiting = { _id, status: "PENDING", sentCount: 0, nextStepId };
    const set = { ...unbound, ...(step !== null && { due: dueOn(step.stepId, dueAt) }) };
    if ((await scoped(workspaceId).Recipient.updateOne(waiting, { $set: set })) === 0) return;
    if (send !== null) await releaseBooking(send);
    await nudge(workspaceId, "CAMPAIGN", { campaignId });
  });
  return { kind: "replan", at: Date.now(), why: "another mailbox" };
}

function dueOn(stepId: string, at: number) {
  return { stepId, at: new Date(at) };
}
