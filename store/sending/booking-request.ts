import type { Settings } from "../../domain/campaigns/settings.ts";
import type { Calendar } from "../../domain/time/schedule.ts";
import type { Campaign } from "../../models/campaign.ts";
import type { Mailbox } from "../../models/mailbox.ts";
import type { Recipient } from "../../models/recipient.ts";

/** The request for a slot: which step of which recipient, in which mailbox and when. */
export interface BookingRequest {
  campaign: Campaign;
  settings: Settings;
  recipient: Pick<Recipient, "_id" | "leadId" | "email">;
  mailbox: Mailbox;
  calendar: Calendar;
  stepId: string;
  /** The range in which the slot must lie, in epoch milliseconds. */
  earliest: number;
  latest: number;
  isNewLead: boolean;
}
