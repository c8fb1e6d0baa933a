import {
  CONVERSION_CHANNELS,
  CONVERSION_RESULTS,
  type ConversionChannel,
  type ConversionResult,
  type ConversionType,
  type RejectionReason,
} from "../../domain/conversions.ts";
import { DAY_SECONDS } from "../../domain/time/durations.ts";
import { instant, type Owned, oneOf, required, tenantModel, text } from "../../mongo/schema.ts";

/** A conversion event that was received for a recipient of the workspace, and its result (rules/tracking 5). */
export interface Conversion extends Owned {
  status: ConversionResult;
  reason: RejectionReason | null;
  campaignId: string;
  recipientId: string;
  leadId: string | null;
  /** The step of the email that was clicked last. Without a click: the step of the email that was sent last. */
  stepId: string | null;
  variantId: string | null;
  sendId: string | null;
  /** The clicked link's address; null when nothing was clicked. */
  url: string | null;
  cid: string;
  type: ConversionType | null;
  eventId: string;
  actionSource: string | null;
  channel: ConversionChannel;
  /** A decimal, as text. */
  value: string | null;
  currency: string | null;
  /** Whether the address hash in the event matches the recipient; null when the event had none. */
  emailMatch: boolean | null;
  clickedAt: Date | null;
  receivedAt: Date;
}

export const Conversion = tenantModel<Conversion>(
  "Conversion",
  "conversions",
  {
    status: oneOf(CONVERSION_RESULTS, "rejected"),
    reason: text,
    campaignId: required,
    recipientId: required,
    leadId: text,
    stepId: text,
    variantId: text,
    sendId: text,
    url: text,
    cid: required,
    type: text,
    eventId: required,
    actionSource: text,
    channel: oneOf(CONVERSION_CHANNELS, "SERVER"),
    value: text,
    currency: text,
    emailMatch: { type: Boolean, default: null },
    clickedAt: instant,
    receivedAt: { type: Date, required: true },
  },
  [
    // Only accepted events have a key in this index. The index decides whether the pixel's or the server's report of an
    // event counts (rules/tracking 5)
    { fields: { workspaceId: 1, eventId: 1 }, unique: true, where: { status: "accepted" } },
    { fields: { workspaceId: 1, _id: -1 } },
    { fields: { workspaceId: 1, campaignId: 1, _id: -1 } },
    { fields: { workspaceId: 1, recipientId: 1 } },
    { fields: { workspaceId: 1, leadId: 1 } },
    {
      fields: { receivedAt: 1 },
      name: "refused",
      where: { status: { $in: ["duplicate", "rejected"] } },
      expireAfterSeconds: 30 * DAY_SECONDS,
    },
  ],
);
