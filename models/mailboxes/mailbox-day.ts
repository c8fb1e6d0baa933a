import { counter, type Owned, required, tenantModel } from "../../mongo/schema.ts";

/** What a mailbox sends on one UTC day. `_id` is `<mailboxId>:<YYYY-MM-DD>`. */
export interface MailboxDay extends Owned {
  mailboxId: string;
  day: string;
  /** Slots that are booked and not yet claimed, in chronological order. */
  taken: { at: Date; sendId: string; campaignId: string }[];
  /** How many emails were claimed: in total, and by campaign. */
  sent: number;
  sentBy: Record<string, number>;
}

export const MailboxDay = tenantModel<MailboxDay>("MailboxDay", "mailbox_days", {
  mailboxId: required,
  day: required,
  taken: { type: [Object], required: true, default: [] },
  sent: counter,
  sentBy: { type: Object, required: true, default: {} },
});
