import { z } from "zod";
import {
  CONVERSION_CHANNELS,
  CONVERSION_RESULTS,
  CONVERSION_TYPES,
  type ConversionChannel,
  type ConversionType,
  REJECTION_REASONS,
} from "../../domain/conversions.ts";
import { isOpenStatus } from "../../domain/states.ts";
import { DAY_MS } from "../../domain/time/durations.ts";
import { openingOf } from "../../domain/tracking/attribution-window.ts";
import { readConversion } from "../../domain/tracking/conversion-event.ts";
import { scoped } from "../../models/scoped.ts";
import type { Conversion as ConversionDocument } from "../../models/tracking/conversion.ts";
import { trusted } from "../../mongo/collection.ts";
import { type ConversionGround, loadGrounds } from "../../store/tracking/conversion-ground.ts";
import { type ConversionAnswer, receiveConversions } from "../../store/tracking/convert.ts";
import { conversionRowOf } from "../../store/tracking/judge-conversion.ts";
import { describedIds } from "../described-ids.ts";
import { commaSeparated, instant, nullable, optionalTime, pageFrom, pageOf, paging, record, time } from "../fields.ts";
import { operation } from "../operation.ts";
import { sorting } from "../sorting.ts";

const { campaignId, leadId, recipientId, stepId, variantId } = describedIds;

/**
 * Records conversions that pages and servers of customers report, for any number of workspaces. Results are in the
 * order of the events (rules/tracking 5).
 */
export async function takeConversions(
  events: readonly unknown[],
  channel: ConversionChannel,
): Promise<ConversionAnswer[]> {
  return receiveConversions(events, channel);
}

const types = Object.keys(CONVERSION_TYPES) as [ConversionType, ...ConversionType[]]; // the keys of a constant
const status = z
  .enum(CONVERSION_RESULTS)
  .describe("accepted: counts; duplicate: the same `eventId` came before; rejected: does not count");
const reason = nullable(z.enum(REJECTION_REASONS)).describe("Why the event was rejected");

const Conversion = record({
  status,
  reason,
  campaignId,
  recipientId,
  leadId: nullable(leadId),
  stepId: nullable(stepId).describe("The step of the last clicked email, else of the last sent one"),
  variantId: nullable(variantId).describe("The variant of that email"),
  url: nullable(z.string()).describe("The link that was clicked last; null when none was"),
  cid: z.string().describe("The correlation id in the event"),
  type: nullable(z.enum(types)).describe("The type of conversion; null if the event named no known type"),
  eventId: z
    .string()
    .describe("The key that makes the event count once; the service creates one if the event has none"),
  actionSource: nullable(z.string()).describe("Where the conversion happened, in the caller's words"),
  channel: z.enum(CONVERSION_CHANNELS).describe("The reporter: a server, the pixel, or a sign-up at this service"),
  value: nullable(z.string()).describe("The value, with at most four decimals"),
  currency: nullable(z.string()).describe("The currency of the value, ISO 4217"),
  emailMatch: nullable(z.boolean()).describe(
    "Whether the hashed address was the recipient's; null when none was given",
  ),
  clickedAt: optionalTime.describe("The click that started the attribution window"),
  receivedAt: time.describe("When the event was received"),
}).meta({ id: "Conversion", description: "A conversion that a page or server reported" });

const orders = sorting({ receivedAt: "_id" }, "-receivedAt");

export const list = operation({
  summary:
    "List the conversion events received for recipients of the workspace, newest first; events that do not count are kept for 30 days",
  scope: "analytics:read",
  input: z.strictObject({
    ...paging,
    sort: orders.sort,
    campaignId: campaignId.optional(),
    recipientId: recipientId.optional(),
    leadId: leadId.optional(),
    type: commaSeparated(types).optional().describe("Only events of these types"),
    status: commaSeparated(CONVERSION_RESULTS).optional().describe("Only events with one of these results"),
    channel: commaSeparated(CONVERSION_CHANNELS).optional().describe("Only events from one of these reporters"),
    from: instant.optional().describe("Only events received at this time or later"),
    to: instant.optional().describe("Only events received before this time"),
  }),
  output: pageOf(Conversion),
  async run({ workspaceId }, { page, pageSize, sort, type, status: results, channel, from, to, ...ids }) {
    const received = { ...(from && { $gte: from }), ...(to && { $lt: to }) };
    const found = await pageFrom(
      scoped(workspaceId).Conversion,
      {
        ...Object.fromEntries(Object.entries(ids).filter(([, id]) => id !== undefined)),
        ...(type !== undefined && { type: trusted({ $in: type }) }),
        ...(results !== undefined && { status: trusted({ $in: results }) }),
        ...(channel !== undefined && { channel: trusted({ $in: channel }) }),
        ...((from ?? to) !== undefined && { receivedAt: trusted(received) }),
      },
      { page, pageSize },
      { sort: orders.orderOf(sort) },
    );
    return { ...found, items: found.items.map(shownOf) };
  },
});

function shownOf({ _id: id, ...conversion }: ConversionDocument) {
  return { id, ...conversion };
}

const Attribution = z
  .object({
    campaignId,
    recipientId,
    stepId: nullable(stepId).describe("The step of the email that would get the credit"),
    variantId: nullable(variantId).describe("The variant of that email"),
    by: z
      .enum(["CLICK", "SEND", "NONE"])
      .describe("What starts the attribution window: the last click, the last email or nothing"),
    url: nullable(z.string()).describe("The link that was clicked"),
    openedAt: optionalTime.describe("When the window starts"),
    closesAt: optionalTime.describe("When the window ends"),
    emailMatch: nullable(z.boolean()).describe("Whether the hashed address is the recipient's"),
  })
  .meta({ id: "ConversionAttribution", description: "The recipient who would get the conversion" });

const Effects = z
  .object({
    endsSequence: z.boolean().describe("Whether the recipient's sequence would end"),
    booksMeeting: z.boolean().describe("Whether a meeting would be recorded"),
    addsRevenue: nullable(z.string()).describe(
      "The amount that would be added to the recipient's revenue, unless someone set the revenue by hand",
    ),
  })
  .meta({ id: "ConversionEffects", description: "The effects that the event would have" });

export const tryOne = operation({
  summary: "Test a conversion event: runs all checks and shows the effects, but changes nothing",
  scope: "analytics:read",
  input: z.strictObject({
    event: z
      .record(z.string(), z.unknown())
      .describe(
        "The event as it would be posted: `event_name`, `event_id`, `action_source`, `user_data.cid`, `user_data.em`, `custom_data.value`, `custom_data.currency`",
      ),
  }),
  output: z.object({
    status,
    reason,
    eventId: nullable(z.string()).describe("The key that would make the event count once"),
    attribution: nullable(Attribution).describe("Null if the event names no recipient of this workspace"),
    effects: nullable(Effects).describe("Null if the event would not be accepted"),
  }),
  async run({ workspaceId }, { event }) {
    const reading = readConversion(event);
    if (!("reported" in reading)) return refusedWith(reading.reason, reading.eventId);
    const { reported } = reading;
    const ground = (await loadGrounds([reported.cid], workspaceId)).get(reported.cid);
    if (ground === undefined) return refusedWith("invalid_cid", reported.eventId);
    const row = conversionRowOf(reported, ground, "SERVER", new Date());
    const isKnown =
      row.status === "accepted" &&
      (await scoped(workspaceId).Conversion.count({ status: "accepted", eventId: row.eventId })) > 0;
    const result = isKnown ? ("duplicate" as const) : row.status;
    return {
      status: result,
      reason: row.reason,
      eventId: row.eventId,
      attribution: attributionOf(row, ground),
      effects: result === "accepted" ? effectsOf(row, ground) : null,
    };
  },
});

function refusedWith(why: NonNullable<z.output<typeof reason>>, eventId: string | null) {
  return { status: "rejected" as const, reason: why, eventId, attribution: null, effects: null };
}

function attributionOf(row: ConversionDocument, { recipient, settings, clicks }: ConversionGround) {
  const opening = openingOf(clicks, recipient.lastSentAt?.getTime() ?? null, row.receivedAt.getTime());
  const { stepId, variantId, url, emailMatch } = row;
  return {
    campaignId: recipient.campaignId,
    recipientId: recipient._id,
    stepId,
    variantId,
    url,
    emailMatch,
    by: opening?.by ?? ("NONE" as const),
    openedAt: opening === null ? null : new Date(opening.at),
    closesAt: opening === null ? null : new Date(opening.at + settings.attributionWindowDays * DAY_MS),
  };
}

function effectsOf({ type, value }: ConversionDocument, { recipient, settings }: ConversionGround) {
  const isMeeting = type === "MEETING_BOOKED" && !recipient.meetingBooked;
  const ends = settings.stopOnConversion || (isMeeting && settings.stopOnMeetingBooked);
  return {
    endsSequence: ends && isOpenStatus(recipient.status),
    booksMeeting: isMeeting,
    addsRevenue: type === "PURCHASE" ? value : null,
  };
}
