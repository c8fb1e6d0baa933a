import { type Settings, settingsOf } from "../../domain/campaigns/settings.ts";
import { type CalendarReply, readCalendarReply } from "../../domain/inbox/calendar-reply.ts";
import type { Recipient } from "../../models/recipients/recipient.ts";
import { scoped } from "../../models/scoped.ts";
import { trusted } from "../../mongo/collection.ts";
import { noteLate } from "../changed-days.ts";
import { raiseLead } from "../leads/status.ts";
import { nudge } from "../outbox.ts";
import { endRecipient } from "../recipients/stop.ts";
import type { About, Arrival } from "./arrival.ts";

/**
 * Applies the effects of a new meeting on the recipient's lead and sequence. Returns whether the sequence ended. Call
 * it in a transaction.
 */
export async function heedMeeting(
  { workspaceId, _id: recipientId, leadId, campaignId }: Recipient,
  { stopOnMeetingBooked }: Settings,
  actor: string,
): Promise<boolean> {
  await raiseLead(workspaceId, leadId, "MEETING_BOOKED", actor);
  if (!stopOnMeetingBooked) return false;
  const ended = await endRecipient(workspaceId, recipientId, { status: "COMPLETED", stopReason: "MEETING_BOOKED" });
  if (ended !== null) await nudge(workspaceId, "CAMPAIGN", { campaignId });
  return true;
}

/** Records a meeting of a recipient. A meeting that was recorded earlier does not change. Call it in a transaction. */
export async function bookMeeting(
  recipient: Recipient,
  meetingBookedAt: Date,
  settings: Settings,
  actor: string,
): Promise<void> {
  if (recipient.meetingBooked) return;
  const { workspaceId, _id } = recipient;
  await scoped(workspaceId).Recipient.updateOne({ _id }, { $set: { meetingBooked: true, meetingBookedAt } });
  await noteLate(workspaceId, recipient.campaignId, [meetingBookedAt]);
  await heedMeeting(recipient, settings, actor);
}

const BY_CALENDAR = "calendar";

/**
 * Records a meeting when a person accepts an invitation in reply to our email (rules/calendar 3.2). The author must
 * accept for their own address, and that address must not be forged. Returns whether a meeting was accepted.
 */
export async function heedAcceptance(
  recipient: Recipient,
  arrival: Arrival,
  confidence: "HIGH" | "LOW",
  settings: Settings,
): Promise<boolean> {
  if (confidence !== "HIGH" || arrival.authentication === "FAIL" || acceptanceIn(arrival) === null) return false;
  await bookMeeting(recipient, arrival.receivedAt, settings, BY_CALENDAR);
  return true;
}

/**
 * Records a meeting for an acceptance that refers to none of our emails. The invitation must come from this mailbox,
 * and the acceptance from the authenticated address of a recipient that was contacted. Null when it is no such
 * acceptance.
 */
export async function heedInvited(arrival: Arrival): Promise<About | null> {
  const { mailbox, authentication, receivedAt } = arrival;
  const reply = acceptanceIn(arrival);
  if (reply === null || reply.organizer !== mailbox.email || authentication !== "PASS") return null;
  const { Campaign, Recipient } = scoped(mailbox.workspaceId);
  const written = { email: reply.attendee, lastSentAt: trusted({ $gt: new Date(0) }) };
  const [recipient] = await Recipient.find(written, { sort: { lastSentAt: -1 }, limit: 1 });
  const campaign = recipient === undefined ? null : await Campaign.get(recipient.campaignId);
  if (recipient === undefined || campaign === null) return null;
  await bookMeeting(recipient, receivedAt, settingsOf(campaign.settings), BY_CALENDAR);
  const { _id: recipientId, campaignId, leadId } = recipient;
  const evidence = { rule: "invitation", value: reply.attendee };
  return { kind: "OTHER", category: "MEETING_BOOKED", recipientId, campaignId, leadId, evidence };
}

/** The calendar reply, if the author of the email accepts the invitation for their own address; otherwise null. */
function acceptanceIn({ message }: Arrival): CalendarReply | null {
  const reply = readCalendarReply(message.calendar ?? "");
  return reply?.isAccepted === true && reply.attendee === message.from?.address ? reply : null;
}
