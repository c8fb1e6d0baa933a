import { trusted } from "../models/collection.ts";
import { scoped } from "../models/scoped.ts";
import type { Send } from "../models/send.ts";

/**
 * Gives back the slots booked for recipients, and revokes the claims that have not reached DATA: their lease ends at once, so
 * the last look refuses them. A mail in DATA is left alone. Call it in a transaction.
 */
export async function releaseBookings(workspaceId: string, recipientIds: string[]): Promise<void> {
  const { Send } = scoped(workspaceId);
  const booked = await Send.find({ recipientId: trusted({ $in: recipientIds }), state: "RESERVED" });
  for (const send of booked) await releaseBooking(send);
  const claimed = { recipientId: trusted({ $in: recipientIds }), state: "SENDING", phase: "CLAIMED" };
  await Send.updateMany(claimed, { $set: { leaseUntil: new Date(0) } });
}

/** RESERVED to RELEASED: the slot is free again, the campaign's day has one booking less. */
export async function releaseBooking(send: Send): Promise<void> {
  const { Send } = scoped(send.workspaceId);
  await freeSlot(send);
  await Send.updateOne({ _id: send._id, state: "RESERVED" }, { $set: { state: "RELEASED", slotAt: null, day: null, campaignDay: null } });
}

/** Takes the booking out of its days. */
export async function freeSlot(send: Send): Promise<void> {
  const { MailboxDay, CampaignDay } = scoped(send.workspaceId);
  if (send.day !== null && send.mailboxId !== null) {
    await MailboxDay.updateOne({ _id: `${send.mailboxId}:${send.day}` }, { $pull: { taken: { sendId: send._id } } });
  }
  if (send.campaignDay !== null && send.campaignId !== null) {
    await CampaignDay.updateOne({ _id: `${send.campaignId}:${send.campaignDay}` }, { $inc: { total: -1 } });
  }
}
