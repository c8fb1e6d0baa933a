import type { OpenPeople, SendingFacts } from "../../domain/campaigns/sending-status.ts";
import type { Settings } from "../../domain/campaigns/settings.ts";
import { usedOn } from "../../domain/sending/day-use.ts";
import { rampLimit } from "../../domain/sending/pacing.ts";
import { gapOf } from "../../domain/sending/provider-limits.ts";
import { senderFor } from "../../domain/sending/rotation.ts";
import { DAY_MS } from "../../domain/time/durations.ts";
import { type Calendar, type DelayUnit, dueAfter, isOpen, localDate, utcDay } from "../../domain/time/schedule.ts";
import type { Campaign } from "../../models/campaigns/campaign.ts";
import type { Mailbox } from "../../models/mailboxes/mailbox.ts";
import { scoped } from "../../models/scoped.ts";
import { trusted } from "../../mongo/collection.ts";
import { IS_TEXT } from "../../mongo/schema.ts";
import { mailboxBar } from "../recipients/eligibility.ts";
import { calendarOf } from "../sending/calendar.ts";
import { capsOf } from "../sending/slots.ts";
import { fullScopes } from "../sending/throttles.ts";
import type { NextSendSources } from "./next-send.ts";

/** For how many of the waiting recipients the provider is looked up. The first ones are admitted next. */
const MOST_MATCHED = 1_000;
/** The longest delay of a step, in milliseconds. */
const LONGEST_DELAY_MS = 366 * DAY_MS;

/**
 * The facts that explain why an active campaign sends or does not send. `nextSendAt` and `now` are in epoch
 * milliseconds.
 */
export async function loadSendingFacts(
  sources: NextSendSources,
  nextSendAt: number | null,
  now: number,
): Promise<SendingFacts> {
  const { campaign, settings, mailboxes } = sources;
  const usable = mailboxes.filter((mailbox) => mailboxBar(mailbox, now) === null);
  const longestGapMs = 1_000 * Math.max(0, ...usable.map((mailbox) => gapOf(mailbox, settings).maxGapSeconds));
  const calendars = await calendarsOf(sources, usable, now);
  const { today, daysSoFar } = await daysOf(campaign, settings, now);
  return {
    mailboxes: mailboxes.length,
    usable: usable.length,
    people: await countOpenPeople(sources, usable, now, longestGapMs),
    isHoliday: calendars.some(({ closedDates, zone }) => closedDates?.has(localDate(now, zone)) ?? false),
    isOpen: calendars.some((calendar) => isOpen(calendar, now)),
    today,
    dailyLimit: settings.dailyLimit,
    rampLimit: rampLimit(settings, daysSoFar),
    maxNewLeadsPerDay: settings.maxNewLeadsPerDay,
    mailboxesFull: usable.length > 0 && (await areFull(campaign, settings, usable, now)),
    nextSendAt,
    longestGapMs,
    now,
  };
}

/**
 * The hours in which the campaign may send: for each combination of a usable mailbox's workday and an open recipient's
 * zone.
 */
async function calendarsOf(
  { campaign, settings }: NextSendSources,
  usable: readonly Mailbox[],
  now: number,
): Promise<Calendar[]> {
  const zones = settings.useRecipientTimezone ? await zonesOf(campaign) : [null];
  const workdays = new Map(usable.map((mailbox) => [JSON.stringify(mailbox.workday), mailbox]));
  const mailboxes = workdays.size === 0 ? [null] : [...workdays.values()];
  return Promise.all(
    mailboxes.flatMap((mailbox) => zones.map((zone) => calendarOf(settings, mailbox, zone, null, now))),
  );
}

async function zonesOf({ workspaceId, _id: campaignId }: Campaign): Promise<(string | null)[]> {
  const open = { campaignId, status: { $in: ["PENDING", "IN_PROGRESS"] } };
  const zones = await scoped(workspaceId).Recipient.aggregate<{ _id: string | null }>(open, {
    $group: { _id: "$timezone" },
  });
  return zones.length === 0 ? [null] : zones.map(({ _id }) => _id);
}

async function countOpenPeople(
  sources: NextSendSources,
  usable: Mailbox[],
  now: number,
  longestGapMs: number,
): Promise<OpenPeople> {
  const { campaign } = sources;
  const { workspaceId, _id: campaignId } = campaign;
  const { Recipient } = scoped(workspaceId);
  const soon = new Date(now + longestGapMs);
  const free = { campaignId, awaitedMailboxId: null };
  const isDue = { nextSendAt: trusted({ $ne: null, $lte: soon }) };
  const isLater = { $or: [{ nextSendAt: trusted({ $gt: soon }) }, { nextSendAt: null }] };
  // When a refusal has postponed the step, its delay has not passed yet
  const isNotPutOff = { $or: [{ due: null }, { "due.at": trusted({ $lte: new Date(now) }) }] };
  const admitted = { ...free, status: "PENDING", admittedAt: trusted({ $ne: null }) };
  const waiting = { ...free, status: "PENDING", admittedAt: null };
  const counts = {
    paused: await Recipient.count({ campaignId, status: "PAUSED" }),
    held: await Recipient.count({
      campaignId,
      status: trusted({ $in: ["PENDING", "IN_PROGRESS"] }),
      awaitedMailboxId: trusted(IS_TEXT),
    }),
    inProgress: await Recipient.count({ ...free, status: "IN_PROGRESS" }),
    dueInProgress: await Recipient.count({ ...free, status: "IN_PROGRESS", ...isDue }),
    pushed: await countPushed(sources, { ...free, status: "IN_PROGRESS", $and: [isLater, isNotPutOff] }, now),
    admitted: await Recipient.count(admitted),
    admittedDue: await Recipient.count({ ...admitted, ...isDue }),
    admittedPushed: await Recipient.count({ ...admitted, $and: [isLater, isNotPutOff] }),
    waiting: await Recipient.count(waiting),
  };
  const unmatched = await countUnmatched(sources, usable);
  const throttled = Math.min(counts.waiting - unmatched, await countThrottled(sources, usable, waiting, now));
  return {
    paused: counts.paused,
    held: counts.held,
    due: counts.dueInProgress + counts.admittedDue,
    pushed: counts.pushed + counts.admittedPushed,
    delayed:
      Math.max(0, counts.inProgress - counts.dueInProgress - counts.pushed) +
      Math.max(0, counts.admitted - counts.admittedDue - counts.admittedPushed),
    unmatched,
    throttled,
    waiting: counts.waiting - unmatched - throttled,
  };
}

/**
 * Counts recipients in progress whose delay has passed, but whose slot is not soon. All others still wait for their
 * delay.
 */
async function countPushed(
  { campaign, settings, sequence }: NextSendSources,
  later: object,
  now: number,
): Promise<number> {
  if (sequence.steps.length === 0) return 0;
  const calendar = await calendarOf(settings, null, null, null, now);
  const passed = sequence.steps.map(({ stepId, delay }) => ({
    nextStepId: stepId,
    lastSentAt: trusted({ $ne: null, $lte: new Date(latestDueBy(delay, now, calendar)) }),
  }));
  return scoped(campaign.workspaceId).Recipient.count({ ...later, $or: passed });
}

/**
 * The latest send time of an email for which the follow-up's delay has passed by `now`, in epoch milliseconds, found by
 * bisection.
 */
function latestDueBy(delay: { value: number; unit: DelayUnit }, now: number, calendar: Calendar): number {
  let [low, high] = [now - 2 * LONGEST_DELAY_MS, now];
  while (high - low > 1_000) {
    const middle = Math.floor((low + high) / 2);
    if (dueAfter(delay, middle, calendar.zone, calendar) <= now) low = middle;
    else high = middle;
  }
  return low;
}

/**
 * Counts, among the first recipients that wait for admission, those whose provider no mailbox matches (rules/sending
 * 4.2).
 */
async function countUnmatched({ campaign, settings }: NextSendSources, usable: readonly Mailbox[]): Promise<number> {
  if (settings.providerMatching !== "STRICT") return 0;
  const { Lead, Recipient } = scoped(campaign.workspaceId);
  const waiting = { campaignId: campaign._id, status: "PENDING", admittedAt: null, awaitedMailboxId: null };
  const recipients = await Recipient.find(waiting, { sort: { _id: 1 }, limit: MOST_MATCHED, select: { leadId: 1 } });
  const leads = await Lead.find(
    { _id: trusted({ $in: recipients.map(({ leadId }) => leadId) }) },
    { select: { emailProvider: 1 } },
  );
  const senders = usable.map(({ _id: id, provider }) => ({ id, provider, nextAt: 0, room: 1 }));
  return leads.filter(({ emailProvider }) => senderFor(senders, new Map(), emailProvider, settings) === null).length;
}

/**
 * How many recipients wait for admission because a throttle has reached its limit for the current period (rules/sending
 * 2.7).
 */
async function countThrottled(
  { campaign, settings }: NextSendSources,
  usable: readonly Mailbox[],
  waiting: Record<string, unknown>,
  now: number,
): Promise<number> {
  const full = await fullScopes(campaign, settings, now);
  if (
    full.senderDomains.length > 0 &&
    usable.every(({ email }) => full.senderDomains.includes(email.slice(email.lastIndexOf("@") + 1)))
  ) {
    return scoped(campaign.workspaceId).Recipient.count(waiting);
  }
  if (full.recipientDomains.length + full.companies.length === 0) return 0;
  const isFull = [
    { searchWords: trusted({ $in: full.recipientDomains }) },
    { companyDomain: trusted({ $in: full.companies }) },
  ];
  return scoped(campaign.workspaceId).Recipient.count({ ...waiting, $or: isFull });
}

async function daysOf({ workspaceId, _id: campaignId }: Campaign, settings: Settings, now: number) {
  const { CampaignDay } = scoped(workspaceId);
  const day = localDate(now, settings.timezone);
  const campaignDay = await CampaignDay.get(`${campaignId}:${day}`);
  const daysSoFar = settings.rampEnabled
    ? await CampaignDay.count({ campaignId, day: trusted({ $lt: day }), total: trusted({ $gt: 0 }) })
    : 0;
  return { today: { total: campaignDay?.total ?? 0, newLeads: campaignDay?.newLeads ?? 0 }, daysSoFar };
}

async function areFull(
  campaign: Campaign,
  { perMailboxDailyLimit }: Settings,
  usable: Mailbox[],
  now: number,
): Promise<boolean> {
  const ids = usable.map(({ _id }) => `${_id}:${utcDay(now)}`);
  const days = await scoped(campaign.workspaceId).MailboxDay.find({ _id: trusted({ $in: ids }) });
  const byMailbox = new Map(days.map((day) => [day.mailboxId, day]));
  return usable.every((mailbox) => {
    const day = byMailbox.get(mailbox._id);
    if (day === undefined) return false;
    const { cap, room, share } = capsOf(mailbox, perMailboxDailyLimit);
    const { all, campaigns, ours } = usedOn(day, campaign._id);
    return all >= cap || campaigns >= room || ours >= share;
  });
}
