import type { Mailbox } from "../../models/mailboxes/mailbox.ts";
import { scoped } from "../../models/scoped.ts";
import type { Send } from "../../models/sending/send.ts";
import { trusted } from "../../mongo/collection.ts";
import { newId } from "../../mongo/ids.ts";
import { nudge } from "../outbox.ts";
import { freeSlot, releaseBooking } from "./release.ts";
import { type BookingRequest, countedDayOf, findPlace, reachedLimit, type Taking } from "./slot-search.ts";
import { takeSlot } from "./slots.ts";
import { countThrottles, fullPeriods } from "./throttles.ts";

/**
 * Creates the send for a recipient and step, and books its slot: the first opening that is free under every limit. A
 * send that is already booked keeps its slot. Null when nothing is free before `latest`, or the send can no longer be
 * booked. Call it in a transaction.
 */
export async function bookStep(request: BookingRequest): Promise<{ send: Send; slotAt: Date } | null> {
  const { campaign, recipient, stepId, mailbox } = request;
  const { Send } = scoped(campaign.workspaceId);
  const [existing] = await Send.read({ recipientId: recipient._id, stepId });
  if (existing !== undefined && existing.state !== "RESERVED" && existing.state !== "RELEASED") return null;
  if (existing?.state === "RESERVED" && existing.slotAt !== null) return { send: existing, slotAt: existing.slotAt };
  // A slot that a stop has released, but that still occupies the day, must not prevent this booking
  if (existing?.state === "RELEASED") await freeSlot(existing);
  const _id = existing?._id ?? newId("snd");
  const place = await findPlace(request, _id, FOR_GOOD);
  if (place === null) return null;
  const booked = { state: "RESERVED", mailboxId: mailbox._id, ...place } as const;
  const send =
    existing === undefined
      ? await Send.store({
          _id,
          kind: "CAMPAIGN",
          campaignId: campaign._id,
          recipientId: recipient._id,
          leadId: recipient.leadId,
          stepId,
          to: recipient.email,
          ...booked,
        })
      : await Send.changeOne({ _id }, { $set: { ...booked, updatedAt: new Date() } });
  return send === null ? null : { send, slotAt: place.slotAt };
}

const FOR_GOOD: Taking = {
  full: fullPeriods,
  campaignDay: countDay,
  giveBack: uncountDay,
  slot: takeSlot,
  count: countThrottles,
};

/**
 * Counts the booking in the campaign's day if the campaign has a daily limit. Returns the day, or null without a limit,
 * or FULL when the limit is reached.
 */
async function countDay(request: BookingRequest, at: number): Promise<string | "FULL" | null> {
  const counted = await countedDayOf(request, at);
  if (counted === null) return null;
  if (reachedLimit(counted) !== null) return "FULL";
  const { campaign, isNewLead } = request;
  const { day } = counted;
  await scoped(campaign.workspaceId).CampaignDay.updateOne(
    { _id: `${campaign._id}:${day}` },
    { $inc: { total: 1, newLeads: isNewLead ? 1 : 0 }, $setOnInsert: { campaignId: campaign._id, day } },
    { upsert: true },
  );
  return day;
}

async function uncountDay({ campaign, isNewLead }: BookingRequest, day: string): Promise<void> {
  await scoped(campaign.workspaceId).CampaignDay.updateOne(
    { _id: `${campaign._id}:${day}` },
    { $inc: { total: -1, newLeads: isNewLead ? -1 : 0 } },
  );
}

/**
 * Releases the slot of a campaign's earliest follow-up on a mailbox's day in favour of a new lead
 * (`prioritizeNewLeads`, rules/sending 2.5). The follow-up is booked again for a later slot. Returns false when the day
 * has no follow-up. Call it in a transaction.
 */
export async function displaceFollowUp(
  mailbox: Mailbox,
  campaignId: string,
  day: string,
  firstStepId: string,
): Promise<boolean> {
  const { MailboxDay, Send } = scoped(mailbox.workspaceId);
  const taken = (await MailboxDay.get(`${mailbox._id}:${day}`))?.taken ?? [];
  const now = Date.now();
  const ours = taken
    .filter((slot) => slot.campaignId === campaignId && slot.at.getTime() > now)
    .map(({ sendId }) => sendId);
  if (ours.length === 0) return false;
  const followUp = await Send.findOne(
    { _id: trusted({ $in: ours }), state: "RESERVED", stepId: trusted({ $ne: firstStepId }) },
    { sort: { slotAt: 1 } },
  );
  if (followUp === null) return false;
  await releaseBooking(followUp);
  const { recipientId } = followUp;
  if (recipientId !== null)
    await nudge(mailbox.workspaceId, "RECIPIENT", { recipientId, campaignId, signal: "replan" });
  return true;
}
