import { type Settings, settingsOf } from "../../domain/campaigns/settings.ts";
import { type UsedDay, usedOn } from "../../domain/sending/day-use.ts";
import { campaignRoom } from "../../domain/sending/mailbox-room.ts";
import { AHEAD_MS } from "../../domain/sending/pacing.ts";
import { dayLimit } from "../../domain/sending/provider-limits.ts";
import { inTurn } from "../../domain/sending/rotation.ts";
import { DAY_MS, MINUTE_MS } from "../../domain/time/durations.ts";
import { nextOpening, utcDay } from "../../domain/time/schedule.ts";
import type { CampaignIds } from "../../domain/workflow-contract.ts";
import type { Campaign } from "../../models/campaigns/campaign.ts";
import type { Mailbox } from "../../models/mailboxes/mailbox.ts";
import type { Recipient } from "../../models/recipients/recipient.ts";
import { scoped } from "../../models/scoped.ts";
import { trusted } from "../../mongo/collection.ts";
import { loadCampaignMailboxes } from "../../store/campaigns/mailboxes-of-campaign.ts";
import { looksAgainAt } from "../../store/campaigns/maintenance.ts";
import { mailboxBar } from "../../store/recipients/eligibility.ts";
import { calendarOf } from "../../store/sending/calendar.ts";
import { wakeFirst } from "../mailboxes/freed.ts";
import { type Free, Round } from "./admission-round.ts";
import type { FindProviders } from "./lead-providers.ts";

const EVERY_MS = 15 * MINUTE_MS;
/** The most recipients admitted in one call; if more could be booked, the feeder calls again immediately. */
const ROUND = 1_000;
const PAGE = 100;
/** The daily emails that rotation assumes for a mailbox without any limit. */
const UNLIMITED_ROOM = 2_000;

export interface Admitted {
  count: number;
  wakeAt: number;
  /** True when no recipient is waiting to be admitted. */
  isDrained: boolean;
}

/** Books first slots for the next half hour, spread over the mailboxes, and starts the runs of those recipients. */
export async function admit({ workspaceId, campaignId }: CampaignIds, findProviders: FindProviders): Promise<Admitted> {
  const { Campaign, Sequence } = scoped(workspaceId);
  const now = Date.now();
  const [campaign, sequence] = await Promise.all([Campaign.get(campaignId), Sequence.findOne({ campaignId })]);

  if (campaign?.status !== "ACTIVE" || sequence === null) return { count: 0, wakeAt: now + DAY_MS, isDrained: false };
  const settings = settingsOf(campaign.settings);
  const source = { campaign, settings, steps: sequence.steps, findProviders };
  const usable = (await loadCampaignMailboxes(workspaceId, settings)).filter(
    (mailbox) => mailboxBar(mailbox, now) === null,
  );
  // Recipients that waited for a mailbox go first when it is free, also when no signal has reported that it is
  for (const { _id, freedAt } of usable) if (freedAt) await wakeFirst(workspaceId, _id);
  const round = new Round(source, await orderByRotation(usable, campaign, settings));
  for (let after = ""; round.count < ROUND; ) {
    const page = await findNextRecipients(campaign, after, round.closedZones);
    const last = page.at(-1);
    if (last === undefined || !round.hasRoom) {
      const endAt = settings.endAt === null ? Number.POSITIVE_INFINITY : Date.parse(settings.endAt);
      const wakeAt = await wakesAt(settings, now, round, last === undefined);
      return {
        count: round.count,
        wakeAt: Math.min(wakeAt, endAt, looksAgainAt(settings, sequence.steps, now)),
        isDrained: last === undefined && round.passedBy === 0,
      };
    }
    // When a recipient was left because a mailbox is full, the page is offered again to other mailboxes
    if (await round.admit(page)) after = last._id;
  }
  return { count: round.count, wakeAt: Date.now(), isDrained: false };
}

/**
 * The next recipients to admit, in the order in which they were added. Recipients in a time zone without an open
 * sending window are left out.
 */
function findNextRecipients(
  { workspaceId, _id: campaignId }: Campaign,
  after: string,
  closedZones: ReadonlySet<string>,
): Promise<Recipient[]> {
  const closed = [...closedZones];
  const filter = {
    campaignId,
    status: "PENDING",
    admittedAt: null,
    _id: trusted({ $gt: after }),
    ...(closed.length > 0 && { timezone: trusted({ $nin: closed }) }),
  };
  return scoped(workspaceId).Recipient.find(filter, { sort: { _id: 1 }, limit: PAGE });
}

/** The mailboxes that can send now, in the order of the campaign's rotation. */
async function orderByRotation(
  usable: Mailbox[],
  { workspaceId, _id: campaignId }: Campaign,
  settings: Settings,
): Promise<Free[]> {
  const used = settings.rotation === "WEIGHTED" ? await usedToday(workspaceId, usable) : new Map<string, UsedDay>();
  const senders = usable.map((mailbox) => ({
    mailbox,
    id: mailbox._id,
    provider: mailbox.provider,
    nextAt: mailbox.nextAt?.getTime() ?? 0,
    room: roomOf(mailbox, used.get(mailbox._id)),
  }));
  const isRound = settings.rotation === "ROUND_ROBIN";
  const [last] = isRound ? await scoped(workspaceId).Send.find({ campaignId }, { sort: { _id: -1 }, limit: 1 }) : [];
  return inTurn(senders, settings.rotation, last?.mailboxId ?? null);
}

/**
 * The emails that the mailbox may still send today: the smaller of what its limits for all email and for campaigns
 * leave.
 */
function roomOf(mailbox: Mailbox, day: UsedDay | undefined): number {
  const { all, campaigns } = day === undefined ? { all: 0, campaigns: 0 } : usedOn(day, "");
  const left = (dayLimit(mailbox) ?? UNLIMITED_ROOM) - all;
  return Math.min(left, (campaignRoom(mailbox)?.limit ?? UNLIMITED_ROOM) - campaigns);
}

async function usedToday(workspaceId: string, mailboxes: Mailbox[]): Promise<Map<string, UsedDay>> {
  const ids = mailboxes.map(({ _id }) => `${_id}:${utcDay(Date.now())}`);
  const days = await scoped(workspaceId).MailboxDay.find({ _id: trusted({ $in: ids }) });
  return new Map(days.map((day) => [day.mailboxId, day]));
}

/**
 * When to admit again: every quarter of an hour while a sending window is open and recipients wait, and at the next
 * opening when every mailbox is full.
 */
async function wakesAt(settings: Settings, now: number, round: Round, isAllSeen: boolean): Promise<number> {
  const soon = round.isUnmatched ? now : round.opensAt - AHEAD_MS;
  if (round.hasRoom && isAllSeen) return Math.max(now + EVERY_MS, Math.min(soon, now + DAY_MS));
  const opening = nextOpening(await calendarOf(settings, null, null, null, now), now + AHEAD_MS);
  return Math.max(now + EVERY_MS, Math.min(soon, (opening?.at ?? now + DAY_MS) - AHEAD_MS));
}
