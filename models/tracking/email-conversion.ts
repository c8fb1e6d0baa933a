import type { ConversionType } from "../../domain/conversions.ts";
import { IS_TEXT, type Owned, required, tenantModel, text } from "../../mongo/schema.ts";

/**
 * A conversion that was reported by the hash of an address, and the recipients for which it counts. It counts in
 * experiments only (rules/tracking 6.4). People in the hold-out group have no cid, so this is the only evidence that
 * they converted.
 */
export interface EmailConversion extends Owned {
  /** The key that detects repeated reports; null once a lead that it concerns was erased. */
  eventId: string | null;
  type: ConversionType;
  /** A decimal, as text. */
  value: string | null;
  currency: string | null;
  actionSource: string | null;
  occurredAt: Date;
  receivedAt: Date;
  recipients: { campaignId: string; recipientId: string }[];
}

export const EmailConversion = tenantModel<EmailConversion>(
  "EmailConversion",
  "email_conversions",
  {
    eventId: text,
    type: required,
    value: text,
    currency: text,
    actionSource: text,
    occurredAt: { type: Date, required: true },
    receivedAt: { type: Date, required: true },
    recipients: { type: [{ _id: false, campaignId: String, recipientId: String }], default: [] },
  },
  [
    // This index decides which of two reports of the same event counts
    { fields: { workspaceId: 1, eventId: 1 }, unique: true, where: { eventId: IS_TEXT } },
    { fields: { workspaceId: 1, "recipients.campaignId": 1 } },
    { fields: { workspaceId: 1, "recipients.recipientId": 1 } },
  ],
);
