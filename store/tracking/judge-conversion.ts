import type { ConversionChannel, ConversionResult, RejectionReason } from "../../domain/conversions.ts";
import { isInWindow, openingOf } from "../../domain/tracking/attribution-window.ts";
import { addressHash, ownEventId, type ReportedConversion } from "../../domain/tracking/conversion-event.ts";
import type { Conversion } from "../../models/tracking/conversion.ts";
import { newId } from "../../mongo/ids.ts";
import type { ConversionGround } from "./conversion-ground.ts";

/**
 * The conversion as it would be stored: accepted unless its attribution window is over. Whether its key is new is not
 * checked here.
 */
export function conversionRowOf(
  reported: ReportedConversion,
  ground: ConversionGround,
  channel: ConversionChannel,
  now: Date,
): Conversion {
  const { recipient, settings, clicks, lastSend } = ground;
  const opening = openingOf(clicks, recipient.lastSentAt?.getTime() ?? null, now.getTime());
  const isOpen = opening !== null && isInWindow(opening.at, settings.attributionWindowDays, now.getTime());
  const { sendId, stepId, variantId, url } = opening?.click ?? { ...lastSendFields(lastSend), url: null };
  const { emailHash, ...event } = reported;
  return {
    ...event,
    _id: newId("cnv"),
    workspaceId: recipient.workspaceId,
    ...(isOpen ? ACCEPTED : rejectedVerdict("outside_attribution_window")),
    campaignId: recipient.campaignId,
    recipientId: recipient._id,
    leadId: recipient.leadId,
    sendId,
    stepId,
    variantId,
    url,
    eventId: reported.eventId ?? ownEventId(reported, now.getTime()),
    channel,
    emailMatch: emailHash === null ? null : emailHash === addressHash(recipient.email),
    clickedAt: opening?.click ? new Date(opening.at) : null,
    receivedAt: now,
    createdAt: now,
    updatedAt: now,
  };
}

/** The stored form of an invalid event that refers to a recipient. */
export function refusedRow(
  { reason, eventId, cid }: { reason: RejectionReason; eventId: string | null; cid: string },
  { recipient }: ConversionGround,
  channel: ConversionChannel,
  now: Date,
): Conversion {
  return {
    _id: newId("cnv"),
    workspaceId: recipient.workspaceId,
    ...rejectedVerdict(reason),
    campaignId: recipient.campaignId,
    recipientId: recipient._id,
    leadId: recipient.leadId,
    sendId: null,
    stepId: null,
    variantId: null,
    url: null,
    cid,
    type: null,
    eventId: eventId ?? "",
    actionSource: null,
    channel,
    value: null,
    currency: null,
    emailMatch: null,
    clickedAt: null,
    receivedAt: now,
    createdAt: now,
    updatedAt: now,
  };
}

const ACCEPTED: { status: ConversionResult; reason: RejectionReason | null } = { status: "accepted", reason: null };

function rejectedVerdict(reason: RejectionReason): typeof ACCEPTED {
  return { status: "rejected", reason };
}

function lastSendFields(send: ConversionGround["lastSend"]) {
  return { sendId: send?._id ?? null, stepId: send?.stepId ?? null, variantId: send?.variantId ?? null };
}
