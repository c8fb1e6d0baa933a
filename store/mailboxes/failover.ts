import type { Settings } from "../../domain/campaigns/settings.ts";
import { bandOf, isShut, maySendCampaigns } from "../../domain/mailboxes/band.ts";
import { formatInstant } from "../../domain/recipients/explain.ts";
import type { Step } from "../../domain/sequences/sequence.ts";
import { HOUR_MS } from "../../domain/time/durations.ts";
import type { Campaign } from "../../models/campaigns/campaign.ts";
import type { Mailbox } from "../../models/mailboxes/mailbox.ts";
import type { Recipient } from "../../models/recipients/recipient.ts";
import { scoped } from "../../models/scoped.ts";
import { trusted } from "../../mongo/collection.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import { loadCampaignMailboxes } from "../campaigns/mailboxes-of-campaign.ts";
import type { Forecast } from "../recipients/forecast-result.ts";
import type { Situation } from "../recipients/recipient-state.ts";
import { resumeRecipient } from "../recipients/resume.ts";
import { releaseBooking } from "../sending/release.ts";

const PAGE = 200;
/**
 * `LOST` matches recipients that wait for a disconnected mailbox, `HELD` those that wait for a mailbox whose health
 * band does not send.
 */
const LOST = { status: "PAUSED", pauseReason: "MAILBOX_DISCONNECTED" } as const;
const HELD = { status: "IN_PROGRESS" } as const;

/**
 * Assigns another mailbox to recipients that have waited `mailboxFailoverAfterHours` for one that is disconnected or
 * does not send (rules/sending 4.3). A recipient that was already contacted continues in a new thread. Handles at most
 * 200 and returns how many. `steps` are the campaign's.
 */
export async function reassignLost(campaign: Campaign, settings: Settings, steps: readonly Step[]): Promise<number> {
  const { workspaceId, _id: campaignId } = campaign;
  const before = new Date(Date.now() - settings.mailboxFailoverAfterHours * HOUR_MS);
  const mailboxes = await loadCampaignMailboxes(workspaceId, settings);
  const shutMailboxes = mailboxes.filter(
    (mailbox) => isShut(bandOf(mailbox)) && mailbox.health !== null && mailbox.health.since <= before,
  );
  const waitingForShut = {
    campaignId,
    ...HELD,
    awaitedMailboxId: trusted({ $in: shutMailboxes.map(({ _id }) => _id) }),
  };
  const waiting = { campaignId, ...LOST, updatedAt: trusted({ $lte: before }) };
  const { Recipient } = scoped(workspaceId);
  const lost = [
    ...(await Recipient.find(waiting, { sort: { _id: 1 }, limit: PAGE })),
    ...(shutMailboxes.length === 0 ? [] : await Recipient.find(waitingForShut, { sort: { _id: 1 }, limit: PAGE })),
  ];
  if (lost.length === 0) return 0;
  const usable = mailboxes.filter(maySendCampaigns);
  let moved = 0;
  for (const recipient of lost) {
    const others = usable.filter(({ _id }) => _id !== recipient.mailboxId);
    const mailbox = others[moved % others.length];
    if (mailbox !== undefined && (await inTransaction(() => reassign(recipient, mailbox, steps)))) moved++;
  }
  return moved;
}

async function reassign(
  { workspaceId, _id, awaitedMailboxId }: Recipient,
  mailbox: Mailbox,
  steps: readonly Step[],
): Promise<boolean> {
  const { Recipient, Send } = scoped(workspaceId);
  const recipient = await Recipient.findOne({ _id, $or: [LOST, { ...HELD, awaitedMailboxId }] });
  if (recipient === null) return false;
  const send = await Send.findOne({ recipientId: _id, stepId: recipient.nextStepId });
  // A recipient whose email may have been sent from the old mailbox waits until that is known
  if (send?.state === "SENDING" || send?.state === "UNKNOWN") return false;
  if (send?.state === "RESERVED" || send?.state === "RELEASED") {
    await releaseBooking(send);
    await Send.updateOne({ _id: send._id }, { $set: { mailboxId: mailbox._id } });
  }
  // The new thread keeps the subject but not the Message-IDs, because none of those emails came from the new mailbox
  const thread = recipient.thread === null ? null : { subject: recipient.thread.subject, ids: [] };
  await Recipient.updateOne({ _id }, { $set: { mailboxId: mailbox._id, thread } });
  return resumeRecipient(workspaceId, { ...recipient, mailboxId: mailbox._id, thread }, steps);
}

/**
 * Predicts whether another mailbox takes over before the recipient's own mailbox recovers (rules/sending 4.3). `since`
 * is when the own mailbox was lost or its health band stopped sending, in epoch milliseconds; null if neither.
 */
export async function noteFailover(
  prospect: Forecast,
  { recipient, campaign, settings }: Situation,
  since: number | null,
): Promise<boolean> {
  if (since === null || settings.mailboxFailover !== "REASSIGN" || campaign.status !== "ACTIVE") return false;
  const isHeld = recipient.awaitedMailboxId !== null;
  const isLost = recipient.status === "PAUSED";
  if (!isHeld && !isLost) return false;
  const afterHours = settings.mailboxFailoverAfterHours;
  const at = Math.max(prospect.now, since + afterHours * HOUR_MS);
  // The mailbox may send again before that
  if (isHeld && at >= prospect.at) return false;
  const others = await loadCampaignMailboxes(campaign.workspaceId, settings);
  if (!others.some((other) => maySendCampaigns(other) && other._id !== recipient.mailboxId)) return false;
  if (isHeld) prospect.at = at;
  prospect.waitUntil(at);
  prospect.isEarliest = true;
  prospect.note("REASSIGNED", { at: formatInstant(prospect.at), afterHours });
  prospect.happens("REASSIGNED");
  return true;
}
