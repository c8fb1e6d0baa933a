import { scoped } from "../../models/scoped.ts";
import type { Send } from "../../models/sending/send.ts";
import { trusted } from "../../mongo/collection.ts";
import { revokeClaims } from "./revoke.ts";
import { uncountThrottles } from "./throttles.ts";

/**
 * Releases the bookings of recipients and revokes their claims that are still in phase CLAIMED. An email in phase DATA
 * is not touched. The slots stay in the days until `freeReleased`, because a stop that wrote the days would conflict
 * with every booking and claim of the mailbox. Call it in a transaction.
 */
export async function releaseBookings(workspaceId: string, recipientIds: string[]): Promise<void> {
  const { Send } = scoped(workspaceId);
  const booked = { recipientId: trusted({ $in: recipientIds }), state: "RESERVED" };
  await Send.updateMany(booked, { $set: { state: "RELEASED", slotAt: null } });
  await revokeClaims(workspaceId, { recipientIds });
}

/**
 * Removes the slots of a recipient's released bookings from their days, each exactly once, however often it is called.
 */
export async function freeReleased(workspaceId: string, recipientId: string): Promise<void> {
  const { Send } = scoped(workspaceId);
  for (const send of await Send.find({ recipientId, state: "RELEASED", day: trusted({ $ne: null }) })) {
    const isOurs = await Send.updateOne({ _id: send._id, state: "RELEASED", day: send.day }, { $set: NOTHING_HELD });
    if (isOurs) await freeSlot(send);
  }
}

/**
 * Moves a send from RESERVED to RELEASED and frees its slot immediately, for a booking that is about to be made again.
 * Call it in a transaction.
 */
export async function releaseBooking(send: Send): Promise<void> {
  const { Send } = scoped(send.workspaceId);
  await freeSlot(send);
  await Send.updateOne(
    { _id: send._id, state: trusted({ $in: ["RESERVED", "RELEASED"] }) },
    { $set: { state: "RELEASED", slotAt: null, ...NOTHING_HELD } },
  );
}

/** Releases all bookings of a recipient that must wait without a slot. Call it in a transaction. */
export async function releaseBookingsOf(workspaceId: string, recipientId: string): Promise<void> {
  for (const send of await scoped(workspaceId).Send.find({ recipientId, state: "RESERVED" }))
    await releaseBooking(send);
}

const NOTHING_HELD = { day: null, campaignDay: null, countsAsNew: false, throttled: null };

/** Removes the booking from its days and from all other counts. An email that was sent stays counted. */
export async function freeSlot(send: Send): Promise<void> {
  const { MailboxDay, CampaignDay } = scoped(send.workspaceId);
  if (send.day === null || send.mailboxId === null) return;
  await MailboxDay.updateOne({ _id: `${send.mailboxId}:${send.day}` }, { $pull: { taken: { sendId: send._id } } });
  if (send.sentAt !== null) return;
  if (send.campaignDay !== null && send.campaignId !== null) {
    const less = { total: -1, newLeads: send.countsAsNew ? -1 : 0 };
    await CampaignDay.updateOne({ _id: `${send.campaignId}:${send.campaignDay}` }, { $inc: less });
  }
  await uncountThrottles(send.workspaceId, send.throttled);
}
