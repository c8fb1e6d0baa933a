import { type CampaignVolume, dailyCapacity } from "../../domain/campaigns/capacity.ts";
import { forecast, type LaunchForecast, utcDayOf } from "../../domain/campaigns/forecast.ts";
import type { Settings } from "../../domain/campaigns/settings.ts";
import type { MailboxKind } from "../../domain/campaigns/timeline.ts";
import { usedOn } from "../../domain/sending/day-use.ts";
import { campaignRoom } from "../../domain/sending/mailbox-room.ts";
import { leftOf, rampLimit } from "../../domain/sending/pacing.ts";
import { dayLimit, gapOf, providerDayLimit } from "../../domain/sending/provider-limits.ts";
import { mailDelays } from "../../domain/sequences/sequence.ts";
import { DAY_MS } from "../../domain/time/durations.ts";
import { type Calendar, localDate, openSecondsInAny, utcDay } from "../../domain/time/schedule.ts";
import { dayOf, instantOf } from "../../domain/time/zone.ts";
import type { Mailbox } from "../../models/mailboxes/mailbox.ts";
import type { MailboxDay } from "../../models/mailboxes/mailbox-day.ts";
import { scoped } from "../../models/scoped.ts";
import { trusted } from "../../mongo/collection.ts";
import { type Audience, loadAudience, loadWaiting, type WaitingGroup } from "./forecast-audience.ts";
import type { RenderSources } from "./missing.ts";

export interface Outlook {
  dailyCapacity: number;
  firstSendAt: Date | null;
  expectedFinishAt: Date | null;
}

/** How many days ahead the bookings of other campaigns are read, and the maximum number of documents for that. */
const DAYS_SEEN = 31;
const MOST_DAYS = 3_000;

/**
 * The number of emails that a campaign could send on its first day, and when its first and its last email would be sent
 * if no recipient stopped (rules/campaigns 4.3). `finishAt` is the time of the last email without an end date.
 * `waitingGroups` are the recipients in progress, if the caller has already read them.
 */
export async function outlookOf(
  sources: RenderSources,
  usable: Mailbox[],
  waitingGroups: readonly WaitingGroup[] | null = null,
): Promise<Outlook & { finishAt: Date | null }> {
  const { campaign, settings, sequence } = sources;
  const now = Date.now();
  const [counted, booked, waiting] = await Promise.all([
    countedSoFar(sources, now),
    bookedDays(usable, now),
    waitingGroups ?? loadWaiting(sources),
  ]);
  const { kinds, kindOf } = kindsOf(usable, settings, campaign._id, booked, now);
  const endAt = settings.endAt === null ? null : Date.parse(settings.endAt);
  let found: LaunchForecast = { firstAt: null, lastAt: null, finishAt: null };
  let audience: Audience | null = null;
  // Loading holidays is slow, and each load covers only some years, so later years are loaded only when they are needed
  for (let years = 2; years <= MOST_YEARS && usable.length > 0; years += 2) {
    audience = await loadAudience(sources, waiting, kindOf, now, years);
    found = forecast({
      from: now,
      zone: settings.timezone,
      kinds,
      delays: mailDelays(sequence.steps),
      endAt,
      calendars: audience.calendars,
      fresh: audience.fresh,
      waiting: audience.waiting,
      today: counted.today,
      dailyLimit: settings.dailyLimit,
      maxNewLeadsPerDay: settings.maxNewLeadsPerDay,
      prioritizeNewLeads: settings.prioritizeNewLeads,
      ramp: settings.rampEnabled
        ? { start: settings.rampStart, increment: settings.rampIncrement, daysSoFar: counted.daysSoFar }
        : null,
    });
    const isCovered = (found.finishAt ?? 0) < now + (years - 1) * 365 * DAY_MS;
    if (!settings.skipHolidays || isCovered) break;
  }
  const { firstAt, lastAt, finishAt } = found;
  const capacity =
    audience === null || firstAt === null
      ? 0
      : capacityOn(firstAt, sources, usable, booked, audience.calendars, counted);
  const [firstSendAt, expectedFinishAt, finish] = [
    firstAt,
    finishAt === null && endAt === null ? null : lastAt,
    finishAt,
  ].map(dateOrNull);
  return {
    dailyCapacity: capacity,
    firstSendAt: firstSendAt ?? null,
    expectedFinishAt: expectedFinishAt ?? null,
    finishAt: finish ?? null,
  };
}

const MOST_YEARS = 10;

function dateOrNull(at: number | null): Date | null {
  return at === null ? null : new Date(at);
}

/** How many emails were sent today, and on how many earlier days the campaign has sent. */
async function countedSoFar({ campaign, settings }: RenderSources, now: number) {
  const { CampaignDay, Recipient } = scoped(campaign.workspaceId);
  const campaignId = campaign._id;
  const day = localDate(now, settings.timezone);
  const today = {
    campaignId,
    lastSentAt: trusted({ $gte: new Date(instantOf(settings.timezone, dayOf(day) * DAY_MS)) }),
  };
  const before = { campaignId, day: trusted({ $lt: day }), total: trusted({ $gt: 0 }) };
  const [total, newLeads, daysSoFar] = await Promise.all([
    Recipient.count(today),
    Recipient.count({ ...today, sentCount: 1 }),
    settings.rampEnabled ? CampaignDay.count(before) : 0,
  ]);
  return { today: { total, newLeads }, daysSoFar };
}

/** The bookings of the mailboxes on the next days, by id of the mailbox's day. */
async function bookedDays(usable: readonly Mailbox[], now: number): Promise<Map<string, MailboxDay>> {
  const [any] = usable;
  if (any === undefined) return new Map();
  const days = Math.max(1, Math.min(DAYS_SEEN, Math.floor(MOST_DAYS / usable.length)));
  const ids = usable.flatMap(({ _id }) =>
    Array.from({ length: days }, (_, ahead) => `${_id}:${utcDay(now + ahead * DAY_MS)}`),
  );
  const found = await scoped(any.workspaceId).MailboxDay.find({ _id: trusted({ $in: ids }) });
  return new Map(found.map((day) => [day._id, day]));
}

/** Groups mailboxes with the same limits and hours, because most have the same. */
function kindsOf(
  usable: readonly Mailbox[],
  settings: Settings,
  campaignId: string,
  booked: ReadonlyMap<string, MailboxDay>,
  now: number,
): { kinds: MailboxKind[]; kindOf: Map<string, number> } {
  const kinds = new Map<string, MailboxKind & { room: Map<number, number>; index: number }>();
  const kindOf = new Map<string, number>();
  for (const mailbox of usable) {
    const { minGapSeconds, maxGapSeconds } = gapOf(mailbox, settings);
    const room = campaignRoom(mailbox)?.limit ?? Number.POSITIVE_INFINITY;
    const perDay = Math.min(leftOf(dayLimit(mailbox), 0), room, leftOf(settings.perMailboxDailyLimit, 0));
    const readyAt = Math.max(now, mailbox.nextAt?.getTime() ?? 0);
    // A mailbox without a gap sends at most one email a second
    const alike = { workday: mailbox.workday, gapSeconds: Math.max(1, (minGapSeconds + maxGapSeconds) / 2), perDay };
    const key = JSON.stringify([alike, perDay === Number.POSITIVE_INFINITY]);
    const kind = kinds.get(key) ?? { ...alike, count: 0, room: new Map<number, number>(), readyAt, index: kinds.size };
    kind.count++;
    kind.readyAt = Math.min(kind.readyAt, readyAt);
    kinds.set(key, kind);
    kindOf.set(mailbox._id, kind.index);
  }
  const all = [...kinds.values()];
  for (const day of booked.values()) {
    const kind = all[kindOf.get(day.mailboxId) ?? -1];
    const mailbox = usable.find(({ _id }) => _id === day.mailboxId);
    if (kind === undefined || mailbox === undefined || kind.perDay === Number.POSITIVE_INFINITY) continue;
    const used = usedBefore(day, campaignId);
    const ofCampaigns = Math.max(0, (campaignRoom(mailbox)?.limit ?? Number.POSITIVE_INFINITY) - used.campaigns);
    const room = Math.min(
      leftOf(dayLimit(mailbox), used.all),
      ofCampaigns,
      leftOf(settings.perMailboxDailyLimit, used.ours),
    );
    const utc = utcDayOf(Date.parse(day.day));
    kind.room.set(utc, (kind.room.get(utc) ?? kind.count * kind.perDay) - (kind.perDay - room));
  }
  return { kinds: all, kindOf };
}

/**
 * The emails that a mailbox has sent or that other campaigns have booked on a day. The bookings of this campaign are
 * left out, because they belong to recipients in progress.
 */
function usedBefore(day: MailboxDay, campaignId: string): { all: number; campaigns: number; ours: number } {
  const { all, campaigns, ours } = usedOn(
    { ...day, taken: day.taken.filter((slot) => slot.campaignId !== campaignId) },
    campaignId,
  );
  return { all, campaigns, ours };
}

/** How many emails can be sent on the day of the first email (rules/campaigns 4.3). */
function capacityOn(
  firstAt: number,
  { campaign, settings }: RenderSources,
  usable: readonly Mailbox[],
  booked: ReadonlyMap<string, MailboxDay>,
  calendars: readonly Calendar[],
  { daysSoFar, today }: Awaited<ReturnType<typeof countedSoFar>>,
): number {
  const date = localDate(firstAt, settings.timezone);
  const isLater = date !== localDate(Date.now(), settings.timezone) && today.total > 0;
  const { dailyLimit, perMailboxDailyLimit, minGapSeconds, maxGapSeconds } = settings;
  const ramp = rampLimit(settings, daysSoFar + (isLater ? 1 : 0));
  const volume: CampaignVolume = { dailyLimit, perMailboxDailyLimit, minGapSeconds, maxGapSeconds, ramp };
  const secondsByKey = new Map<string, number>();
  const mailboxes = usable.map((mailbox) => {
    const key = JSON.stringify(mailbox.workday);
    const openSeconds = secondsByKey.get(key) ?? openSecondsInAny(calendars, mailbox.workday, settings.timezone, date);
    secondsByKey.set(key, openSeconds);
    const day = booked.get(`${mailbox._id}:${utcDay(firstAt)}`);
    const used = day === undefined ? { all: 0, campaigns: 0, ours: 0 } : usedBefore(day, campaign._id);
    const limits = {
      dailySendLimit: mailbox.dailySendLimit,
      providerLimit: providerDayLimit(mailbox),
      ...gapOf(mailbox, settings),
    };
    const room = campaignRoom(mailbox)?.limit;
    const ofCampaigns =
      room === undefined ? {} : { campaignRoom: room, campaignsElsewhere: used.campaigns - used.ours };
    return { ...limits, ...ofCampaigns, reservedElsewhere: used.all - used.ours, openSeconds };
  });
  return dailyCapacity(volume, mailboxes);
}
