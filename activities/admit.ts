import { Context, getClient } from "@temporalio/activity";
import pLimit from "p-limit";
import type { CampaignIds } from "../domain/engine.ts";
import { dueAfter, nextOpening } from "../domain/schedule.ts";
import { type Step, stepOf } from "../domain/sequence.ts";
import { type Settings, settingsOf } from "../domain/settings.ts";
import { bookStep } from "../ledger/book.ts";
import { calendarOf } from "../ledger/calendar.ts";
import { mailboxesOf } from "../ledger/mailboxes.ts";
import type { Campaign } from "../models/campaign.ts";
import { trusted } from "../models/collection.ts";
import type { Mailbox } from "../models/mailbox.ts";
import type { Recipient } from "../models/recipient.ts";
import { scoped } from "../models/scoped.ts";
import { inTransaction } from "../models/transaction.ts";
import { startRecipient } from "./starts.ts";

/** First slots are booked this far ahead; a start delay that long can still be waited out by a stop (engine.md 3). */
const AHEAD_MS = 30 * 60_000;
const EVERY_MS = 15 * 60_000;
const DAY_MS = 86_400_000;
/** Recipients of one round; the feeder comes back at once when more could be booked. */
const ROUND = 1_000;
const PAGE = 100;

export interface Admitted {
  count: number;
  wakeAt: number;
  /** Nobody is waiting to be admitted. */
  isDrained: boolean;
}

const starts = pLimit(8);

/** Books first slots for the next half hour, spread over the mailboxes, and opens those recipients' runs. */
export async function admit({ workspaceId, campaignId }: CampaignIds): Promise<Admitted> {
  const { Campaign, Sequence } = scoped(workspaceId);
  const now = Date.now();
  const [campaign, sequence] = await Promise.all([Campaign.get(campaignId), Sequence.findOne({ campaignId })]);

  if (campaign?.status !== "ACTIVE" || sequence === null) return { count: 0, wakeAt: now + DAY_MS, isDrained: false };
  const settings = settingsOf(campaign.settings);
  const round = new Round(campaign, settings, sequence.steps, await usable(workspaceId, settings));
  while (round.count + round.passedBy.length < ROUND) {
    const page = await waiting(workspaceId, campaignId, round.passedBy);
    if (page.length === 0 || !round.hasRoom) {
      return {
        count: round.count,
        wakeAt: await wakeAt(settings, now, round.hasRoom),
        isDrained: page.length === 0 && round.passedBy.length === 0,
      };
    }
    await round.admit(page);
    Context.current().heartbeat(round.count);
  }
  return { count: round.count, wakeAt: Date.now(), isDrained: false };
}

function waiting(workspaceId: string, campaignId: string, passedBy: string[]): Promise<Recipient[]> {
  const filter = { campaignId, status: "PENDING", admittedAt: null, ...(passedBy.length > 0 && { _id: trusted({ $nin: passedBy }) }) };
  return scoped(workspaceId).Recipient.find(filter, { sort: { _id: 1 }, limit: PAGE });
}

/** Those that can send now, the longest unused first. */
async function usable(workspaceId: string, settings: Settings): Promise<Mailbox[]> {
  const named = await mailboxesOf(workspaceId, settings);
  return named
    .filter(({ status }) => status === "CONNECTED")
    .sort((one, other) => (one.nextAt?.getTime() ?? 0) - (other.nextAt?.getTime() ?? 0));
}

/** Wakes for the next opening when the day is used up, and every quarter of an hour while it is open. */
async function wakeAt(settings: Settings, now: number, hasRoom: boolean): Promise<number> {
  if (hasRoom) return now + DAY_MS;
  const opening = nextOpening(await calendarOf(settings, null, null, null, now), now + AHEAD_MS);
  return Math.max(now + EVERY_MS, (opening?.at ?? now + DAY_MS) - AHEAD_MS);
}

/** One pass over the mailboxes: each takes bookings in turn until its half hour is full. */
class Round {
  count = 0;
  readonly passedBy: string[] = [];
  private readonly campaign: Campaign;
  private readonly settings: Settings;
  private readonly steps: readonly Step[];
  private free: Mailbox[];

  constructor(campaign: Campaign, settings: Settings, steps: readonly Step[], mailboxes: Mailbox[]) {
    this.campaign = campaign;
    this.settings = settings;
    this.steps = steps;
    this.free = mailboxes;
  }

  get hasRoom(): boolean {
    return this.free.length > 0;
  }

  /** Each mailbox books its share one after the other: two bookings at once would only abort each other. */
  async admit(page: Recipient[]): Promise<void> {
    const mailboxes = [...this.free];
    await Promise.all(
      mailboxes.map((mailbox, turn) =>
        starts(async () => {
          for (let index = turn; index < page.length; index += mailboxes.length) {
            const recipient = page[index];
            if (recipient === undefined || !(await this.admitOne(recipient, mailbox))) return;
          }
        }),
      ),
    );
  }

  private async admitOne(recipient: Recipient, mailbox: Mailbox): Promise<boolean> {
    const slotAt = await this.book(recipient, mailbox);
    if (slotAt === "FULL") {
      this.free = this.free.filter(({ _id }) => _id !== mailbox._id);
      return false;
    }
    if (slotAt === null) return true;
    const ids = { v: 1, workspaceId: recipient.workspaceId, campaignId: this.campaign._id, recipientId: recipient._id } as const;
    await startRecipient(getClient(), ids, Math.max(0, slotAt.getTime() - Date.now()));
    this.count++;
    return true;
  }

  private async book(recipient: Recipient, mailbox: Mailbox): Promise<Date | "FULL" | null> {
    const { campaign, settings, steps } = this;
    // Somebody added again goes on at the next unsent step
    const first = stepOf(steps, recipient.nextStepId) ?? steps[0];
    if (first === undefined) return null;
    const now = Date.now();
    const lead = settings.skipHolidays ? await scoped(recipient.workspaceId).Lead.get(recipient.leadId) : null;
    const calendar = await calendarOf(settings, mailbox, recipient.timezone, lead?.country ?? null, now);
    const earliest = Math.max(now, dueAfter(first.delay, now, recipient.timezone ?? settings.timezone, calendar));
    const latest = earliest + AHEAD_MS;
    return inTransaction(async () => {
      const { Recipient } = scoped(recipient.workspaceId);
      const current = await Recipient.findOne({ _id: recipient._id, status: "PENDING", admittedAt: null });
      if (current === null) return null;
      const booked = await bookStep({
        campaign,
        settings,
        recipient: current,
        mailbox,
        calendar,
        stepId: first.stepId,
        earliest,
        latest,
        isNewLead: true,
      });
      if (booked === null) {
        const row = await scoped(recipient.workspaceId).Send.findOne({ recipientId: recipient._id, stepId: first.stepId });
        if (row === null || row.state === "RESERVED" || row.state === "RELEASED")
          return this.isOpenFor(calendar, earliest, latest) ? "FULL" : this.pass(recipient);
      }
      const nextSendAt = booked?.slotAt ?? new Date();
      await Recipient.updateOne(
        { _id: recipient._id },
        { $set: { admittedAt: new Date(), mailboxId: mailbox._id, nextStepId: first.stepId, nextSendAt } },
      );
      return nextSendAt;
    });
  }

  private isOpenFor(calendar: Parameters<typeof nextOpening>[0], earliest: number, latest: number): boolean {
    if (!this.settings.useRecipientTimezone) return true;
    const opening = nextOpening(calendar, earliest);
    return opening !== null && opening.at <= latest;
  }

  /** It is night where this recipient lives: others may have room. */
  private pass(recipient: Recipient): null {
    this.passedBy.push(recipient._id);
    return null;
  }
}
