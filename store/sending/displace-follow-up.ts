import type { Mailbox } from "../../models/mailbox.ts";
import { scoped } from "../../models/scoped.ts";
import { trusted } from "../../mongo/collection.ts";
import { nudge } from "../outbox.ts";
import { releaseBooking } from "./release.ts";

/**
 * Releases the slot of a campaign's earliest follow-up in a mailbox's day in favour of a new lead (`prioritizeNewLeads`, rules/sending
 * 2.5); the
 * follow-up's recipient books again after it. Returns false when the day has no follow-up. Call it in a transaction.
 */
export async function displaceFollowUp(mailbox: Mailbox, campaignId: string, day: string, firstStepId: string): Promise<boolean> {
  const { MailboxDay, Send } = scoped(mailbox.workspaceId);
  const taken = (await MailboxDay.get(`${mailbox._id}:${day}`))?.taken ?? [];
  const now = Date.now();
  const ours = taken.filter((slot) => slot.campaignId === campaignId && slot.at.getTime() > now).map(({ sendId }) => sendId);
  if (ours.length === 0) return false;
  const followUp = await Send.findOne(
    { _id: trusted({ $in: ours }), state: "RESERVED", stepId: trusted({ $ne: firstStepId }) },
    { sort: { slotAt: 1 } },
  );
  if (followUp === null) return false;
  await releaseBooking(followUp);
  const { recipientId } = followUp;
  if (recipientId !== null) await nudge(mailbox.workspaceId, "RECIPIENT", { recipientId, campaignId, signal: "replan" });
  return true;
}
