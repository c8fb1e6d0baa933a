import { bandOf } from "../../domain/mailboxes/band.ts";
import { campaignSentOn, PERSON_OWNER, WARMUP_OWNER } from "../../domain/sending/day-use.ts";
import { DAY_MS } from "../../domain/time/durations.ts";
import { type Calendar, isZone, utcDay } from "../../domain/time/schedule.ts";
import { openingsIn, warmupHours } from "../../domain/warmup/day.ts";
import { rampTarget } from "../../domain/warmup/enrolment.ts";
import { Workspace } from "../../models/access/workspace.ts";
import type { Mailbox } from "../../models/mailboxes/mailbox.ts";
import { MailboxDay } from "../../models/mailboxes/mailbox-day.ts";
import { scoped } from "../../models/scoped.ts";
import type { WarmupEnrolment } from "../../models/warmup/warmup-enrolment.ts";
import { trusted } from "../../mongo/collection.ts";
import { sessionOption } from "../../mongo/direct.ts";

/** A mailbox in warmup, with the hours of its warmup. */
export interface WarmupGround {
  enrolment: WarmupEnrolment;
  mailbox: Mailbox;
  hours: Calendar;
}

/** Loads a mailbox in warmup; null when the mailbox is not enrolled or does not exist. */
export async function loadGround(workspaceId: string, mailboxId: string): Promise<WarmupGround | null> {
  const pair = await loadPair(workspaceId, mailboxId);
  return pair === null ? null : groundOf(pair.enrolment, pair.mailbox, await zoneOf(pair.mailbox));
}

/** Like `loadGround`, for callers that do not need the hours. */
export async function loadPair(workspaceId: string, mailboxId: string): Promise<Omit<WarmupGround, "hours"> | null> {
  const { Mailbox, WarmupEnrolment } = scoped(workspaceId);
  // Sequential, because a transaction uses only one connection
  const enrolment = await WarmupEnrolment.get(mailboxId);
  const mailbox = await Mailbox.get(mailboxId);
  return enrolment === null || mailbox === null ? null : { enrolment, mailbox };
}

export function groundOf(enrolment: WarmupEnrolment, mailbox: Mailbox, workspaceZone: string): WarmupGround {
  return { enrolment, mailbox, hours: warmupHours(mailbox.workday, workspaceZone, enrolment.config.weekdaysOnly) };
}

export async function loadZone(workspaceId: string): Promise<string> {
  const found = await Workspace.findOne({ _id: workspaceId }, { timezone: 1 }, sessionOption()).lean<
    Pick<Workspace, "timezone">
  >();
  return found !== null && isZone(found.timezone) ? found.timezone : "UTC";
}

/** The zones of many workspaces. */
export async function loadZones(workspaceIds: readonly string[]): Promise<Map<string, string>> {
  const found = await Workspace.find({ _id: trusted({ $in: [...new Set(workspaceIds)] }) }, { timezone: 1 }).lean<
    Workspace[]
  >();
  return new Map(found.map(({ _id, timezone }) => [_id, isZone(timezone) ? timezone : "UTC"]));
}

/** The time zone in which a mailbox's warmup days are counted: that of its workday, otherwise the workspace's. */
export async function loadDayZone(workspaceId: string, mailboxId: string): Promise<string> {
  const mailbox = await scoped(workspaceId).Mailbox.get(mailboxId);
  return zoneOf({ workspaceId, workday: mailbox?.workday ?? null });
}

/** Like `loadDayZone`, for a mailbox that is already loaded. */
export async function zoneOf({ workspaceId, workday }: Pick<Mailbox, "workspaceId" | "workday">): Promise<string> {
  return workday?.timezone ?? loadZone(workspaceId);
}

/** Whether warmup emails may be sent from a mailbox and handled in it. */
export function isWarming({ enrolment, mailbox }: Omit<WarmupGround, "hours">): boolean {
  return enrolment.status === "ACTIVE" && mailbox.status === "CONNECTED" && bandOf(mailbox) !== "BLOCKED";
}

/**
 * The number of emails on a UTC day (rules/warmup 2.1). Zero while the mailbox is not active or is blocked, on a day
 * without open hours, and on the day of a restore.
 */
export function targetOn(ground: WarmupGround, dayStart: number, sendsCampaigns: boolean): number {
  const { enrolment, mailbox, hours } = ground;
  if (!isWarming(ground) || enrolment.restDay === utcDay(dayStart)) return 0;
  if (openingsIn(hours, dayStart, dayStart + DAY_MS).length === 0) return 0;
  return rampTarget(enrolment.config, enrolment.dayNumber, mailbox.warmupDailyLimit, sendsCampaigns);
}

/** Those of these mailboxes that sent campaign emails yesterday or today, or have some booked for today or tomorrow. */
export async function findCampaignSenders(mailboxIds: readonly string[], now: number): Promise<Set<string>> {
  const days = [-1, 0, 1].map((ahead) => utcDay(now + ahead * DAY_MS));
  const ids = mailboxIds.flatMap((id) => days.map((day) => `${id}:${day}`));
  const found = await MailboxDay.find({ _id: trusted({ $in: ids }) }, null, {
    acrossWorkspaces: true,
    ...sessionOption(),
  }).lean<MailboxDay[]>();
  return new Set(found.filter(hasCampaignMail).map(({ mailboxId }) => mailboxId));
}

function hasCampaignMail({ taken, sent, sentBy }: MailboxDay): boolean {
  return (
    campaignSentOn({ sent, sentBy }) > 0 ||
    taken.some(({ campaignId }) => campaignId !== WARMUP_OWNER && campaignId !== PERSON_OWNER)
  );
}

/**
 * Whether the rest of today must be planned, because someone requested it or the target has changed, for example by a
 * new campaign or limit. It records that, so that one round plans for all waiting mailboxes.
 */
export async function wantsPlan(ground: WarmupGround): Promise<boolean> {
  const { enrolment, mailbox } = ground;
  if (enrolment.status !== "ACTIVE") return false;
  if (enrolment.replanAt !== null) return true;
  const now = Date.now();
  const senders = await findCampaignSenders([mailbox._id], now);
  if (targetOn(ground, Math.floor(now / DAY_MS) * DAY_MS, senders.has(mailbox._id)) === enrolment.dailyLimit)
    return false;
  await scoped(mailbox.workspaceId).WarmupEnrolment.updateOne(
    { _id: mailbox._id },
    { $set: { replanAt: new Date(now) } },
  );
  return true;
}
