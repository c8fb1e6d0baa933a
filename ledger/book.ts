import { drawGapMs, rampLimit } from "../domain/pacing.ts";
import { type Calendar, localDate, nextOpening, utcDay } from "../domain/schedule.ts";
import type { Settings } from "../domain/settings.ts";
import { periodAt, throttlesOf } from "../domain/throttle.ts";
import type { Campaign } from "../models/campaign.ts";
import { trusted } from "../models/collection.ts";
import { newId } from "../models/ids.ts";
import type { Mailbox } from "../models/mailbox.ts";
import type { Recipient } from "../models/recipient.ts";
import { scoped } from "../models/scoped.ts";
import type { Send } from "../models/send.ts";
import { freeSlot } from "./release.ts";
import { takeSlot } from "./slots.ts";
import { type Counted, countThrottles, fullAt, fullPeriods } from "./throttles.ts";

export interface BookingRequest {
  campaign: Campaign;
  settings: Settings;
  recipient: Pick<Recipient, "_id" | "leadId" | "email">;
  mailbox: Mailbox;
  calendar: Calendar;
  stepId: string;
  /** Epoch milliseconds: not before, and not after. */
  earliest: number;
  latest: number;
  isNewLead: boolean;
}

const DAY_MS = 86_400_000;
/** Openings tried before a booking gives up: more than a year of days. */
const MAX_TRIES = 500;

/**
 * Writes the ledger row of (recipient, step) and books its slot: the first opening with a free place under every cap.
 * A row that is booked already keeps its slot; null when no place is left before `latest`, or the row is past booking.
 * Call it in a transaction.
 */
export async function bookStep(request: BookingRequest): Promise<{ send: Send; slotAt: Date } | null> {
  const { campaign, recipient, stepId, mailbox } = request;
  const { Send } = scoped(campaign.workspaceId);
  const [known] = await Send.read({ recipientId: recipient._id, stepId });
  if (known !== undefined && known.state !== "RESERVED" && known.state !== "RELEASED") return null;
  if (known?.state === "RESERVED" && known.slotAt !== null) return { send: known, slotAt: known.slotAt };
  // A slot that a stop gave back and nobody has freed yet must not stand in this booking's way
  if (known?.state === "RELEASED") await freeSlot(known);
  const _id = known?._id ?? newId("snd");
  const place = await findPlace(request, _id);
  if (place === null) return null;
  const booked = { state: "RESERVED", mailboxId: mailbox._id, ...place } as const;
  const send =
    known === undefined
      ? await Send.store({
          _id,
          kind: "CAMPAIGN",
          campaignId: campaign._id,
          recipientId: recipient._id,
          leadId: recipient.leadId,
          stepId,
          to: recipient.email,
          ...booked,
        })
      : await Send.changeOne({ _id }, { $set: { ...booked, updatedAt: new Date() } });
  return send === null ? null : { send, slotAt: place.slotAt };
}

interface Place {
  slotAt: Date;
  day: string;
  campaignDay: string | null;
  countsAsNew: boolean;
  throttled: Counted | null;
}

async function findPlace(request: BookingRequest, sendId: string): Promise<Place | null> {
  const { campaign, settings, recipient, mailbox, calendar, latest, isNewLead } = request;
  const gapMs = drawGapMs(mailbox.minGapSeconds ?? settings.minGapSeconds, mailbox.maxGapSeconds ?? settings.maxGapSeconds, sendId);
  const throttles = throttlesOf(settings, { campaignId: campaign._id, to: recipient.email, from: mailbox.email });
  const full = await fullPeriods(campaign.workspaceId, throttles, request.earliest);
  let from = request.earliest;
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const opening = nextOpening(calendar, from);
    if (opening === null || opening.at > latest) return null;
    const held = fullAt(full, throttles, opening.at);
    if (held !== null) {
      from = periodAt(held, opening.at).end;
      continue;
    }
    const day = utcDay(opening.at);
    const dayEnd = Date.parse(`${day}T00:00:00.000Z`) + DAY_MS - 1;
    // A throttle counts by its own periods: the slot stays within the one that was looked at
    const periodEnds = throttles.map((throttle) => periodAt(throttle, opening.at).end - 1);
    const until = Math.min(opening.until - 1, dayEnd, latest, ...periodEnds);
    const campaignDay = await countedDay(request, opening.at);
    if (campaignDay !== "FULL") {
      const slotAt = await takeSlot({
        mailbox,
        sendId,
        campaignId: campaign._id,
        campaignLimit: settings.perMailboxDailyLimit,
        day,
        from: opening.at,
        until,
        gapMs,
      });
      if (slotAt !== null) {
        const throttled = await countThrottles(campaign.workspaceId, throttles, slotAt);
        return { slotAt, day, campaignDay, countsAsNew: campaignDay !== null && isNewLead, throttled };
      }
      if (campaignDay !== null) await uncount(request, campaignDay);
    }
    from = until + 1;
  }
  return null;
}

/** Counts the booking in the campaign's day while a limit of the campaign asks for it; FULL when the day takes no more. */
async function countedDay(request: BookingRequest, at: number): Promise<string | "FULL" | null> {
  const { campaign, settings, isNewLead } = request;
  const newLeadLimit = isNewLead ? settings.maxNewLeadsPerDay : null;
  if (settings.dailyLimit === null && !settings.rampEnabled && settings.maxNewLeadsPerDay === null) return null;
  const { CampaignDay } = scoped(campaign.workspaceId);
  const day = localDate(at, settings.timezone);
  const daysSoFar = settings.rampEnabled
    ? await CampaignDay.count({ campaignId: campaign._id, day: trusted({ $lt: day }), total: trusted({ $gt: 0 }) })
    : 0;
  const totalLimit = Math.min(settings.dailyLimit ?? Infinity, rampLimit(settings, daysSoFar) ?? Infinity);
  const _id = `${campaign._id}:${day}`;
  const known = await CampaignDay.get(_id);
  if ((known?.total ?? 0) >= totalLimit || (known?.newLeads ?? 0) >= (newLeadLimit ?? Infinity)) return "FULL";
  await CampaignDay.updateOne(
    { _id },
    { $inc: { total: 1, newLeads: isNewLead ? 1 : 0 }, $setOnInsert: { campaignId: campaign._id, day } },
    { upsert: true },
  );
  return day;
}

async function uncount({ campaign, isNewLead }: BookingRequest, day: string): Promise<void> {
  await scoped(campaign.workspaceId).CampaignDay.updateOne(
    { _id: `${campaign._id}:${day}` },
    { $inc: { total: -1, newLeads: isNewLead ? -1 : 0 } },
  );
}
