import type { Settings } from "../../domain/campaigns/settings.ts";
import { readCalendarReply } from "../../domain/mail/calendar-reply.ts";
import type { Recipient } from "../../models/recipient.ts";
import { scoped } from "../../models/scoped.ts";
import { noteLate } from "../changed-days.ts";
import { raiseLead } from "../leads/status.ts";
import { nudge } from "../outbox.ts";
import { endRecipient } from "../recipients/stop.ts";
import type { Arrival } from "./arrival.ts";

/**
 * Applies a meeting that was just recorded on a recipient to its lead and its sequence. Returns whether the sequence ended. Call it in a
 * transaction.
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

/** Records a meeting on a recipient; one that was recorded before keeps its instant. Call it in a transaction. */
export async function bookMeeting(recipient: Recipient, meetingBookedAt: Date, settings: Settings, actor: string): Promise<void> {
  if (recipient.meetingBooked) return;
  const { workspaceId, _id } = recipient;
  await scoped(workspaceId).Recipient.updateOne({ _id }, { $set: { meetingBooked: true, meetingBookedAt } });
  await noteLate(workspaceId, recipient.campaignId, [meetingBookedAt]);
  await heedMeeting(recipient, settings, actor);
}

const BY_CALENDAR = "calendar";

/**
 * A person who accepts an invitation has booked a meeting (rules/calendar 3.2): whoever wrote accepts for themselves, and the mail is proven
 * to be theirs where a mailbox of ours had invited, or is an answer to what we wrote. Returns whether the mail says so.
 */
export async function heedAcceptance(
  recipient: Recipient,
  arrival: Arrival,
  confidence: "HIGH" | "LOW",
  settings: Settings,
): Promise<boolean> {
  const { message, authentication, mailbox, receivedAt } = arrival;
  const reply = readCalendarReply(message.calendar ?? "");
  const from = message.from?.address ?? null;
  if (reply === null || !reply.isAccepted || reply.attendee !== from || authentication === "FAIL") return false;
  const isInvited = reply.organizer === mailbox.email && from === recipient.email && authentication === "PASS";
  if (confidence !== "HIGH" && !isInvited) return false;
  await bookMeeting(recipient, receivedAt, settings, BY_CALENDAR);
  return true;
}
