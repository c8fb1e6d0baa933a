import type { Settings } from "../../domain/campaigns/settings.ts";
import type { Recipient } from "../../models/recipient.ts";
import { raiseLead } from "../leads/status.ts";
import { nudge } from "../outbox.ts";
import { endRecipient } from "../recipients/stop.ts";

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
