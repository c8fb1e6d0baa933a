import type { Settings } from "../../domain/campaigns/settings.ts";
import { drawGapMs, rampLimit } from "../../domain/sending/pacing.ts";
import { gapOf } from "../../domain/sending/provider-limits.ts";
import { periodAt, type Throttle, throttlesOf } from "../../domain/sending/throttle.ts";
import { DAY_MS } from "../../domain/time/durations.ts";
import { type Calendar, localDate, nextOpening, utcDay } from "../../domain/time/schedule.ts";
import type { Campaign } from "../../models/campaigns/campaign.ts";
import type { Mailbox } from "../../models/mailboxes/mailbox.ts";
import type { Recipient } from "../../models/recipients/recipient.ts";
import { scoped } from "../../models/scoped.ts";
import { trusted } from "../../mongo/collection.ts";
import type { SlotRequest } from "./slots.ts";
import { type BookedThrottles, type Full, fullAt } from "./throttles.ts";

export interface BookedPlace {
  slotAt: Date;
  day: string;
  campaignDay: string | null;
  countsAsNew: boolean;
  throttled: BookedThrottles | null;
}

/** The operations of the search at each place: a booking takes the place, a preview only reads it. */
export interface Taking {
  /** The full periods of the throttles from an instant on. */
  full(workspaceId: string, throttles: readonly Throttle[], from: number): Promise<Full>;
  campaignDay(request: BookingRequest, at: number): Promise<string | "FULL" | null>;
  giveBack(request: BookingRequest, campaignDay: string): Promise<void>;
  slot(request: SlotRequest): Promise<Date | null>;
  count(workspaceId: string, throttles: readonly Throttle[], slotAt: Date): Promise<BookedThrottles | null>;
  /** Called for each wait that is caused neither by the mailbox nor by the campaign's day. */
  passed?(why: { by: "WINDOW" } | { by: "THROTTLE"; throttle: Throttle }, from: number, until: number): void;
}

/** After how many openings a booking gives up: more than a year of days. */
const MAX_TRIES = 500;

/** The first opening that is free under every limit; null when nothing is free before `latest`. */
export async function findPlace(request: BookingRequest, sendId: string, taking: Taking): Promise<BookedPlace | null> {
  const { campaign, settings, recipient, mailbox, calendar, latest, isNewLead } = request;
  const { minGapSeconds, maxGapSeconds } = gapOf(mailbox, settings);
  const gapMs = drawGapMs(minGapSeconds, maxGapSeconds, sendId);
  const throttles = throttlesOf(settings, { campaignId: campaign._id, to: recipient.email, from: mailbox.email });
  const full = await taking.full(campaign.workspaceId, throttles, request.earliest);
  let from = request.earliest;
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const opening = nextOpening(calendar, from);
    if (opening === null || opening.at > latest) return null;
    if (opening.at > from) taking.passed?.({ by: "WINDOW" }, from, opening.at);
    const fullThrottle = fullAt(full, throttles, opening.at);
    if (fullThrottle !== null) {
      from = periodAt(fullThrottle, opening.at).end;
      taking.passed?.({ by: "THROTTLE", throttle: fullThrottle }, opening.at, from);
      continue;
    }
    const day = utcDay(opening.at);
    const dayEnd = Date.parse(`${day}T00:00:00.000Z`) + DAY_MS - 1;
    // Each throttle has its own periods, so the slot must stay within the period that was checked
    const periodEnds = throttles.map((throttle) => periodAt(throttle, opening.at).end - 1);
    const until = Math.min(opening.until - 1, dayEnd, latest, ...periodEnds);
    const campaignDay = await taking.campaignDay(request, opening.at);
    if (campaignDay !== "FULL") {
      const slotAt = await taking.slot({
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
        const throttled = await taking.count(campaign.workspaceId, throttles, slotAt);
        return { slotAt, day, campaignDay, countsAsNew: campaignDay !== null && isNewLead, throttled };
      }
      if (campaignDay !== null) await taking.giveBack(request, campaignDay);
    }
    from = until + 1;
  }
  return null;
}

/** The counts and limits of a campaign's day. */
export interface CountedDay {
  day: string;
  total: number;
  newLeads: number;
  /** Null when there is no limit. */
  dailyLimit: number | null;
  rampLimit: number | null;
  newLeadLimit: number | null;
}

/** The campaign's day with its counts; null when the campaign has no limit that needs counting. */
export async function countedDayOf(
  { campaign, settings, isNewLead }: BookingRequest,
  at: number,
): Promise<CountedDay | null> {
  if (settings.dailyLimit === null && !settings.rampEnabled && settings.maxNewLeadsPerDay === null) return null;
  const { CampaignDay } = scoped(campaign.workspaceId);
  const day = localDate(at, settings.timezone);
  const daysSoFar = settings.rampEnabled
    ? await CampaignDay.count({ campaignId: campaign._id, day: trusted({ $lt: day }), total: trusted({ $gt: 0 }) })
    : 0;
  const campaignDay = await CampaignDay.get(`${campaign._id}:${day}`);
  return {
    day,
    total: campaignDay?.total ?? 0,
    newLeads: campaignDay?.newLeads ?? 0,
    dailyLimit: settings.dailyLimit,
    rampLimit: rampLimit(settings, daysSoFar),
    newLeadLimit: isNewLead ? settings.maxNewLeadsPerDay : null,
  };
}

/** The limit that a day has reached; null while none is reached. */
export type DayLimit = { by: "DAILY_LIMIT" | "RAMP_LIMIT" | "NEW_LEAD_LIMIT"; used: number; limit: number };

export function reachedLimit({
  total,
  newLeads,
  dailyLimit,
  rampLimit,
  newLeadLimit,
}: Omit<CountedDay, "day">): DayLimit | null {
  if (dailyLimit !== null && total >= dailyLimit) return { by: "DAILY_LIMIT", used: total, limit: dailyLimit };
  if (rampLimit !== null && total >= rampLimit) return { by: "RAMP_LIMIT", used: total, limit: rampLimit };
  return newLeadLimit !== null && newLeads >= newLeadLimit
    ? { by: "NEW_LEAD_LIMIT", used: newLeads, limit: newLeadLimit }
    : null;
}

/** The parameters of a booking: which step of which recipient, in which mailbox and when. */
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
