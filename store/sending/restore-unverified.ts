import { settingsOf } from "../../domain/campaigns/settings.ts";
import { type Step, stepOf } from "../../domain/sequences/sequence.ts";
import { variantFor } from "../../domain/sequences/variant.ts";
import { OPEN } from "../../domain/states.ts";
import type { Campaign } from "../../models/campaigns/campaign.ts";
import type { Mailbox } from "../../models/mailboxes/mailbox.ts";
import { NEVER, type Recipient } from "../../models/recipients/recipient.ts";
import { scoped } from "../../models/scoped.ts";
import { trusted } from "../../mongo/collection.ts";
import { IS_INSTANT } from "../../mongo/schema.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import { pauseRecipient } from "../recipients/stop.ts";
import { recordUncertainStep } from "./record-uncertain.ts";
import { type CopyKeys, isSettled, messageIdsOfStep } from "./sent-copy.ts";

const PAGE = 100;

/** Counts for emails that a mailbox may have sent without storing a copy. */
export interface Unfiled {
  /** Steps that were due and became UNKNOWN. */
  unknown: number;
  /** Recipients that became PAUSED because their state cannot be determined. */
  paused: number;
}

/**
 * After a restore, settles a mailbox that stores no copies of sent email: the steps that were due from it until `until`
 * become UNKNOWN (rules/sending 12.3). Recipients that waited for admission, or for a step that is no email, may have
 * been contacted as well, and it cannot be determined with which steps. They become PAUSED until a person resumes them.
 */
export async function settleUnfiled(mailbox: Mailbox, keys: CopyKeys, until: Date): Promise<Unfiled> {
  const { Campaign } = scoped(mailbox.workspaceId);
  const settled = { unknown: 0, paused: 0 };
  for (const campaign of await Campaign.find({ status: "PAUSED", pauseReason: "RESTORED" })) {
    const due = await settleDue(campaign, mailbox, keys, until);
    settled.unknown += due.unknown;
    settled.paused += due.paused + (await pauseWaiting(campaign, mailbox, until));
  }
  return settled;
}

/** Settles the campaign's recipients whose step was due. */
async function settleDue(
  { workspaceId, _id: campaignId }: Campaign,
  mailbox: Mailbox,
  keys: CopyKeys,
  until: Date,
): Promise<Unfiled> {
  const { Recipient, Sequence } = scoped(workspaceId);
  const steps = (await Sequence.findOne({ campaignId }))?.steps ?? [];
  const due = {
    campaignId,
    mailboxId: mailbox._id,
    admittedAt: trusted(IS_INSTANT),
    status: trusted({ $in: [...OPEN] }),
    nextSendAt: trusted({ $gt: NEVER, $lte: until }),
  };
  const settled = { unknown: 0, paused: 0 };
  for (;;) {
    const page = await Recipient.find(due, { limit: PAGE });
    if (page.length === 0) return settled;
    // Nothing else changes these recipients, because their campaign is paused until all mailboxes have been checked
    for (const recipient of page)
      settled[await inTransaction(() => settleRecipient(mailbox, keys, steps, recipient))]++;
  }
}

async function settleRecipient(
  mailbox: Mailbox,
  keys: CopyKeys,
  steps: readonly Step[],
  recipient: Recipient,
): Promise<keyof Unfiled> {
  const { workspaceId, _id: recipientId, nextSendAt } = recipient;
  const step = stepOf(steps, recipient.nextStepId);
  const row = await scoped(workspaceId).Send.findOne({ recipientId, stepId: recipient.nextStepId });
  if (step?.type !== "EMAIL" || (row !== null && isSettled(row))) {
    await pauseRecipient(workspaceId, recipientId, "RESTORED", null);
    return "paused";
  }
  const generation = row?.generation ?? 0;
  const [own] = messageIdsOfStep(mailbox, keys, recipientId, step.stepId, generation);
  await recordUncertainStep({
    mailbox,
    recipient,
    stepId: step.stepId,
    generation,
    at: nextSendAt ?? new Date(),
    variantId: variantFor(step, recipientId)?.variantId ?? null,
    messageIds: own === undefined ? [] : [own.id],
    mailRef: null,
    subject: null,
    sendId: null,
  });
  return "unknown";
}

/**
 * Pauses the recipients that waited for admission if this mailbox may have contacted them, and those that waited for
 * this mailbox to be reconnected.
 */
async function pauseWaiting(
  { workspaceId, _id: campaignId, ...campaign }: Campaign,
  { _id, tags }: Mailbox,
  until: Date,
): Promise<number> {
  const { Recipient } = scoped(workspaceId);
  const pause = { $set: { status: "PAUSED", pauseReason: "RESTORED" } };
  const lost = await Recipient.updateMany(
    { campaignId, mailboxId: _id, status: "PAUSED", pauseReason: "MAILBOX_DISCONNECTED" },
    pause,
  );
  const { mailboxIds, mailboxTags, startAt } = settingsOf(campaign.settings);
  const isNamed = mailboxIds.includes(_id) || mailboxTags.some((tag) => tags.includes(tag));
  if (!isNamed || (startAt !== null && Date.parse(startAt) > until.getTime())) return lost;
  return lost + (await Recipient.updateMany({ campaignId, status: "PENDING", admittedAt: null }, pause));
}
