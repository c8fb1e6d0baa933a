import { breakdownOf, restingCode, type SendingFacts, sendingCode } from "../../domain/campaigns/sending-status.ts";
import { type Settings, settingsOf } from "../../domain/campaigns/settings.ts";
import { rampLimit } from "../../domain/sending/pacing.ts";
import { dayLimit } from "../../domain/sending/provider-limits.ts";
import { senderFor } from "../../domain/sending/rotation.ts";
import { isOpen, localDate, utcDay } from "../../domain/time/schedule.ts";
import type { Campaign } from "../../models/campaign.ts";
import type { Mailbox } from "../../models/mailbox.ts";
import { NEVER } from "../../models/recipient.ts";
import { scoped } from "../../models/scoped.ts";
import { trusted } from "../../mongo/collection.ts";
import { loadCampaignMailboxes } from "../../store/campaigns/mailboxes-of-campaign.ts";
import { calendarOf } from "../../store/sending/calendar.ts";
import { isAnyFull } from "../../store/sending/throttles.ts";

/** Why a campaign sends or does not, since when, and when it sends next. */
export async function sendingStatusOf(campaign: Campaign) {
  const { workspaceId, _id: campaignId, statusChangedAt } = campaign;
  const { Recipient } = scoped(workspaceId);
  const settings = settingsOf(campaign.settings);
  const soon = new Date(Date.now() + settings.maxGapSeconds * 1_000);
  const due = { campaignId, status: "IN_PROGRESS", nextSendAt: trusted({ $gt: NEVER, $lte: soon }) };
  const counts = {
    pending: await Recipient.count({ campaignId, status: "PENDING" }),
    inProgress: await Recipient.count({ campaignId, status: "IN_PROGRESS" }),
    paused: await Recipient.count({ campaignId, status: "PAUSED" }),
    dueSoon: await Recipient.count(due),
  };
  const [last] = await Recipient.find({ campaignId, lastSentAt: trusted({ $gt: NEVER }) }, { sort: { lastSentAt: -1 }, limit: 1 });
  const lastSentAt = last?.lastSentAt ?? null;
  const resting = restingCode(campaign.status, campaign.pauseReason);
  const nextSendAt = resting === null ? await nextSendOf(campaign, settings) : null;
  const code = resting ?? sendingCode(await factsOf(campaign, settings, counts, nextSendAt));
  // Whatever delays an active campaign began after its last mail
  const isHeld = resting === null && code !== "HEALTHY" && lastSentAt !== null && lastSentAt > statusChangedAt;
  const since = isHeld ? lastSentAt : statusChangedAt;
  return { code, since, nextSendAt, lastHealthySendAt: lastSentAt, breakdown: breakdownOf(code, counts) };
}

/** When the next booked mail is sent; mails without the required approval are not sent at their slots. */
async function nextSendOf({ workspaceId, _id: campaignId }: Campaign, { approvalMode }: Settings): Promise<Date | null> {
  const { Approval, Recipient } = scoped(workspaceId);
  const waiting = { campaignId, nextSendAt: trusted({ $gt: NEVER }), status: trusted({ $in: ["PENDING", "IN_PROGRESS"] }) };
  const given = { kind: "CAMPAIGN_SEND", status: "APPROVED", campaignId };
  const approved = approvalMode === "NONE" ? [] : await Approval.find(given, { select: { recipientId: 1 }, limit: MOST_APPROVED });
  const isApproved = { _id: trusted({ $in: approved.map(({ recipientId }) => recipientId) }) };
  const unasked = { $or: [isApproved, ...(approvalMode === "FIRST_SEND" ? [{ sentCount: trusted({ $gt: 0 }) }] : [])] };
  const booked = { ...waiting, ...(approvalMode !== "NONE" && unasked) };
  const [next] = await Recipient.find(booked, { sort: { nextSendAt: 1 }, limit: 1, select: { nextSendAt: 1 } });
  return next?.nextSendAt ?? null;
}

/** The most approved mails that are read; approved mails are sent soon, so there are never many. */
const MOST_APPROVED = 1_000;

type Counts = Pick<SendingFacts, "pending" | "inProgress" | "paused" | "dueSoon">;

async function factsOf(campaign: Campaign, settings: Settings, counts: Counts, nextSendAt: Date | null): Promise<SendingFacts> {
  const now = Date.now();
  const mailboxes = await loadCampaignMailboxes(campaign.workspaceId, settings);
  const usable = mailboxes.filter(({ status }) => status === "CONNECTED");
  const calendar = await calendarOf(settings, null, null, null, now);
  const { today, daysSoFar } = await daysOf(campaign, settings, now);
  return {
    ...counts,
    status: campaign.status,
    pauseReason: campaign.pauseReason,
    mailboxes: mailboxes.length,
    usable: usable.length,
    isHoliday: calendar.closedDates?.has(localDate(now, settings.timezone)) ?? false,
    isOpen: isOpen(calendar, now),
    today,
    dailyLimit: settings.dailyLimit,
    rampLimit: rampLimit(settings, daysSoFar),
    maxNewLeadsPerDay: settings.maxNewLeadsPerDay,
    mailboxesFull: usable.length > 0 && (await areFull(campaign, settings, usable, now)),
    isThrottled: await isAnyFull(campaign.workspaceId, settings, now),
    isUnmatched: settings.providerMatching === "STRICT" && counts.pending > 0 && (await isUnmatched(campaign, settings, usable)),
    nextSendAt: nextSendAt?.getTime() ?? null,
    longestGapMs: settings.maxGapSeconds * 1_000,
    now,
  };
}

async function daysOf({ workspaceId, _id: campaignId }: Campaign, settings: Settings, now: number) {
  const { CampaignDay } = scoped(workspaceId);
  const day = localDate(now, settings.timezone);
  const known = await CampaignDay.get(`${campaignId}:${day}`);
  const daysSoFar = settings.rampEnabled
    ? await CampaignDay.count({ campaignId, day: trusted({ $lt: day }), total: trusted({ $gt: 0 }) })
    : 0;
  return { today: { total: known?.total ?? 0, newLeads: known?.newLeads ?? 0 }, daysSoFar };
}

async function areFull(campaign: Campaign, { perMailboxDailyLimit }: Settings, usable: Mailbox[], now: number): Promise<boolean> {
  const ids = usable.map(({ _id }) => `${_id}:${utcDay(now)}`);
  const days = await scoped(campaign.workspaceId).MailboxDay.find({ _id: trusted({ $in: ids }) });
  const byMailbox = new Map(days.map((day) => [day.mailboxId, day]));
  return usable.every((mailbox) => {
    const day = byMailbox.get(mailbox._id);
    if (day === undefined) return false;
    const ours = day.taken.filter(({ campaignId }) => campaignId === campaign._id).length + (day.sentBy[campaign._id] ?? 0);
    const isFull = day.taken.length + day.sent >= (dayLimit(mailbox) ?? Infinity);
    return isFull || (perMailboxDailyLimit > 0 && ours >= perMailboxDailyLimit);
  });
}

/** How many waiting recipients are looked at: the first ones, which are the next to be admitted. */
const SAMPLE = 100;

async function isUnmatched({ workspaceId, _id: campaignId }: Campaign, settings: Settings, usable: Mailbox[]): Promise<boolean> {
  const { Lead, Recipient } = scoped(workspaceId);
  const waiting = { campaignId, status: "PENDING", admittedAt: null };
  const recipients = await Recipient.find(waiting, { sort: { _id: 1 }, limit: SAMPLE, select: { leadId: 1 } });
  const ids = recipients.map(({ leadId }) => leadId);
  const leads = await Lead.find({ _id: trusted({ $in: ids }) }, { select: { emailProvider: 1 } });
  const senders = usable.map(({ _id: id, provider }) => ({ id, provider, nextAt: 0, room: 1 }));
  return leads.length > 0 && leads.every(({ emailProvider }) => senderFor(senders, new Map(), emailProvider, settings) === null);
}
