import { getClient } from "@temporalio/activity";
import type { Settings } from "../../domain/campaigns/settings.ts";
import { domainOf } from "../../domain/mail/message.ts";
import { isSelective, refusalBarOf } from "../../domain/mailboxes/refusal-evidence.ts";
import { AHEAD_MS } from "../../domain/sending/pacing.ts";
import { gapOf } from "../../domain/sending/provider-limits.ts";
import { type Sender, senderFor } from "../../domain/sending/rotation.ts";
import { periodAt, type Throttle, throttlesOf } from "../../domain/sending/throttle.ts";
import { type Step, stepOf } from "../../domain/sequences/sequence.ts";
import { type Calendar, nextOpening, utcDay } from "../../domain/time/schedule.ts";
import type { Campaign } from "../../models/campaigns/campaign.ts";
import type { Lead } from "../../models/leads/lead.ts";
import type { Mailbox } from "../../models/mailboxes/mailbox.ts";
import type { Recipient } from "../../models/recipients/recipient.ts";
import { scoped } from "../../models/scoped.ts";
import { trusted } from "../../mongo/collection.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import { assignmentOf, holdOut, wouldBeHeldOut } from "../../store/campaigns/hold-out.ts";
import { loadReceivingPlaces } from "../../store/mailboxes/refusal-bar.ts";
import { dueAtAdmission } from "../../store/recipients/eligibility.ts";
import { bookStep, displaceFollowUp } from "../../store/sending/book.ts";
import { calendarOf } from "../../store/sending/calendar.ts";
import type { BookingRequest } from "../../store/sending/slot-search.ts";
import { fullAt, fullPeriods } from "../../store/sending/throttles.ts";
import { admitRecipient } from "../../temporal/starts.ts";
import { FairQueue } from "../fair-queue.ts";
import type { FindProviders } from "./lead-providers.ts";

/** A mailbox that still has a free slot in the next half hour. */
export type Free = Sender & { mailbox: Mailbox };

interface Source {
  campaign: Campaign;
  settings: Settings;
  steps: readonly Step[];
  findProviders: FindProviders;
}

/** How many recipients this process admits at a time, over all campaigns. */
const admissions = new FairQueue(8);
/**
 * The most recipients of one campaign and mailbox that may be between admission and their first email, when the
 * sequence begins with steps of other types.
 */
const MOST_BEFORE_MAIL = 1_000;

/**
 * Thrown when booking fails, so that the transaction is rolled back and the follow-ups that it displaced keep their
 * slots.
 */
class NoPlace extends Error {}

/** One pass of admission: every mailbox books recipients one after another until its next half hour is full. */
export class Round {
  count = 0;
  /** How many recipients were left for a later pass although a mailbox had free slots. */
  passedBy = 0;
  /**
   * Whether some of these recipients were left because no mailbox of a matching provider has free slots. The others
   * wait for a sending window; the first one opens at `opensAt`.
   */
  isUnmatched = false;
  opensAt = Number.POSITIVE_INFINITY;
  /** Time zones in which no sending window is open now. */
  readonly closedZones = new Set<string>();
  /** For each throttle scope that was full, the time until which it is full. */
  private readonly heldUntil = new Map<string, number>();
  private readonly campaign: Campaign;
  private readonly settings: Settings;
  private readonly steps: readonly Step[];
  private readonly findProviders: FindProviders;
  private readonly given = new Map<string, number>();
  private readonly begun = new Map<string, number>();
  private free: Free[];

  constructor({ campaign, settings, steps, findProviders }: Source, senders: Free[]) {
    this.campaign = campaign;
    this.settings = settings;
    this.steps = steps;
    this.findProviders = findProviders;
    this.free = senders;
  }

  get hasRoom(): boolean {
    return this.free.length > 0;
  }

  /**
   * Each mailbox books its recipients one after another, because two concurrent bookings would only abort each other.
   * Returns false when a recipient was left because a mailbox is full.
   */
  async admit(page: Recipient[]): Promise<boolean> {
    const leads = await this.leadsOf(page);
    const bars = await this.barsOf(page);
    const queues = new Map<Free, Recipient[]>();
    for (const recipient of page) {
      const barred = bars.map((barOf) => barOf(recipient)).filter((bar) => bar !== null);
      const open =
        barred.length === 0 ? this.free : this.free.filter(({ id }) => !barred.some((bar) => bar.mailboxId === id));
      if (open.length === 0 && barred.length > 0) {
        this.wait(Math.min(...barred.map(({ until }) => until)));
        continue;
      }
      const sender = senderFor(
        open,
        this.given,
        leads.get(recipient.leadId)?.emailProvider ?? "UNKNOWN",
        this.settings,
      );
      if (sender === null) {
        this.isUnmatched = true;
        this.passedBy++;
        continue;
      }
      this.given.set(sender.id, (this.given.get(sender.id) ?? 0) + 1);
      queues.set(sender, [...(queues.get(sender) ?? []), recipient]);
    }
    const done = [...queues].map(([sender, queue]) => this.admitQueue(sender, queue, leads));
    return (await Promise.all(done)).every(Boolean);
  }

  private async admitQueue(sender: Free, queue: Recipient[], leads: ReadonlyMap<string, Person>): Promise<boolean> {
    for (const recipient of queue) {
      if (recipient.timezone !== null && this.closedZones.has(recipient.timezone)) continue;
      const country = leads.get(recipient.leadId)?.country ?? null;
      const outcome = await admissions.add(recipient.workspaceId, () =>
        this.admitOne(recipient, sender.mailbox, country),
      );
      if (outcome === "FULL") {
        this.free = this.free.filter(({ id }) => id !== sender.id);
        return false;
      }
      if (outcome === "ADMITTED") this.count++;
    }
    return true;
  }

  /** Books the first slot and starts the run. `LEFT`: there is nothing to book for this recipient in this pass. */
  private async admitOne(
    recipient: Recipient,
    mailbox: Mailbox,
    country: string | null,
  ): Promise<"ADMITTED" | "FULL" | "LEFT"> {
    const slotAt = await this.book(recipient, mailbox, country);
    if (slotAt === "FULL") return "FULL";
    if (slotAt === null) return "LEFT";
    const { workspaceId, _id: recipientId } = recipient;
    const ids = { v: 1, workspaceId, campaignId: this.campaign._id, recipientId } as const;
    await admitRecipient(getClient(), ids, Math.max(0, slotAt.getTime() - Date.now()));
    return "ADMITTED";
  }

  private async book(recipient: Recipient, mailbox: Mailbox, country: string | null): Promise<Date | "FULL" | null> {
    const { campaign, settings, steps } = this;
    // A recipient that was added again continues at its next unsent step
    const first = stepOf(steps, recipient.nextStepId) ?? steps[0];
    if (first === undefined) return null;
    const now = Date.now();
    const calendar = await calendarOf(settings, mailbox, recipient.timezone, country, now);
    const earliest = dueAtAdmission(recipient, first, settings, calendar, now);
    const latest = earliest + AHEAD_MS;
    const opensAt = this.opensFor(calendar, earliest);
    if (opensAt > latest) return this.pass(recipient, opensAt);
    const throttles = throttlesOf(settings, { campaignId: campaign._id, to: recipient.email, from: mailbox.email });
    const heldUntil = Math.max(0, ...throttles.map(({ scope }) => this.heldUntil.get(scope) ?? 0));
    if (heldUntil > latest) return this.wait(heldUntil);
    // A recipient that is held out, or was changed meanwhile, gets no slot in this pass
    if (wouldBeHeldOut(recipient, settings) && (await holdOut(recipient, settings.holdOut)) !== "MAILED") return null;
    if (first.type !== "EMAIL") return this.begin(recipient, mailbox, first.stepId, earliest);
    const place = { campaign, settings, mailbox, calendar, stepId: first.stepId, earliest, latest, isNewLead: true };
    try {
      return await inTransaction(async () => {
        const { Recipient } = scoped(recipient.workspaceId);
        const current = await Recipient.findOne({ _id: recipient._id, status: "PENDING", admittedAt: null });
        if (current === null) return null;
        const request = { ...place, recipient: current };
        const booked =
          (await bookStep(request)) ?? (settings.prioritizeNewLeads ? await this.bookBefore(request) : null);
        if (booked === null) {
          const row = await scoped(recipient.workspaceId).Send.findOne({
            recipientId: recipient._id,
            stepId: first.stepId,
          });
          if (row === null || row.state === "RESERVED" || row.state === "RELEASED") throw new NoPlace();
        }
        const nextSendAt = booked?.slotAt ?? new Date();
        const admitted = { admittedAt: new Date(), mailboxId: mailbox._id, nextStepId: first.stepId, nextSendAt };
        await Recipient.updateOne(
          { _id: recipient._id },
          { $set: { ...admitted, ...assignmentOf(current, settings) } },
        );
        return nextSendAt;
      });
    } catch (error) {
      if (!(error instanceof NoPlace)) throw error;
      return this.afterNoPlace(recipient.workspaceId, throttles, earliest);
    }
  }

  /**
   * Admits a recipient whose first step is not an email, such as a wait or a task. Nothing is booked, because only an
   * email needs a send slot of the mailbox. For each mailbox, one round admits no more of these recipients than the
   * mailbox can email in half an hour. Otherwise their first emails could become due faster than the mailbox can send
   * them. Returns FULL when that number, or MOST_BEFORE_MAIL, is reached.
   */
  private async begin(
    { _id, workspaceId }: Recipient,
    mailbox: Mailbox,
    nextStepId: string,
    at: number,
  ): Promise<Date | "FULL" | null> {
    const { Recipient } = scoped(workspaceId);
    const { minGapSeconds, maxGapSeconds } = gapOf(mailbox, this.settings);
    const gapMs = (minGapSeconds + maxGapSeconds) * 500;
    const begun = this.begun.get(mailbox._id) ?? 0;
    const ahead = {
      campaignId: this.campaign._id,
      status: "PENDING",
      mailboxId: mailbox._id,
      admittedAt: trusted({ $gt: new Date(0) }),
    };
    if (begun >= Math.max(1, AHEAD_MS / Math.max(gapMs, 1))) return "FULL";
    if (begun === 0 && (await Recipient.count(ahead)) >= MOST_BEFORE_MAIL) return "FULL";
    const nextSendAt = new Date(at);
    const set = { admittedAt: new Date(), mailboxId: mailbox._id, nextStepId, nextSendAt };
    const waits = { _id, status: "PENDING", admittedAt: null } as const;
    const isAdmitted = await inTransaction(async () => {
      const current = await Recipient.findOne(waits);
      if (current === null) return false;
      return (await Recipient.updateOne(waits, { $set: { ...set, ...assignmentOf(current, this.settings) } })) > 0;
    });
    if (!isAdmitted) return null;
    this.begun.set(mailbox._id, begun + 1);
    return nextSendAt;
  }

  /**
   * Decides what a failed booking means: the mailbox is full, or a throttle delays this recipient while others may pass
   * (rules/sending 2.7).
   */
  private async afterNoPlace(workspaceId: string, throttles: Throttle[], earliest: number): Promise<"FULL" | null> {
    const fullThrottle = fullAt(await fullPeriods(workspaceId, throttles, earliest), throttles, earliest);
    if (fullThrottle === null || fullThrottle.kind === "SENDER_DOMAIN") return "FULL";
    const { end } = periodAt(fullThrottle, earliest);
    this.heldUntil.set(fullThrottle.scope, end);
    return this.wait(end);
  }

  /** Prefers new leads (rules/sending 2.5): displaces a follow-up of this campaign and books again. */
  private async bookBefore(request: BookingRequest): ReturnType<typeof bookStep> {
    const { mailbox, campaign, stepId, earliest } = request;
    const hasRoom = await displaceFollowUp(mailbox, campaign._id, utcDay(earliest), stepId);
    return hasRoom ? bookStep(request) : null;
  }

  /**
   * When a sending window opens for this recipient, ignoring the mailbox's own workday. Returns `earliest` when all
   * recipients share one calendar.
   */
  private opensFor(calendar: Calendar, earliest: number): number {
    if (!this.settings.useRecipientTimezone && !this.settings.skipHolidays) return earliest;
    return nextOpening({ ...calendar, workday: null }, earliest)?.at ?? earliest;
  }

  /** Skips a recipient whose sending window is closed, at night or on a holiday; others may still be admitted. */
  private pass({ timezone }: Recipient, opensAt: number): null {
    if (timezone !== null && this.settings.useRecipientTimezone && !this.settings.skipHolidays)
      this.closedZones.add(timezone);
    return this.wait(opensAt);
  }

  private wait(until: number): null {
    this.passedBy++;
    this.opensAt = Math.min(this.opensAt, until);
    return null;
  }

  /**
   * Returns, for each mailbox that some organisation or provider has refused, whether it must wait before it contacts a
   * recipient.
   */
  private async barsOf(
    page: Recipient[],
  ): Promise<((recipient: Recipient) => { mailboxId: string; until: number } | null)[]> {
    const now = Date.now();
    const selective = this.free.filter(({ mailbox }) => isSelective(mailbox, now));
    if (selective.length === 0) return [];
    const places = await loadReceivingPlaces(page.map(({ email }) => domainOf(email)));
    return selective.map(({ id, mailbox }) => ({ email }) => {
      const place = places.get(domainOf(email));
      const bar = place === undefined ? null : refusalBarOf(mailbox, place, now);
      return bar === null ? null : { mailboxId: id, until: bar.until };
    });
  }

  private async leadsOf(page: Recipient[]): Promise<ReadonlyMap<string, Person>> {
    const isMatched = this.settings.providerMatching !== "OFF";
    if (!isMatched && !this.settings.skipHolidays) return new Map();
    const { workspaceId } = this.campaign;
    const ids = page.map(({ leadId }) => leadId);
    const select = { country: 1, emailDomain: 1, emailProvider: 1 } as const;
    const leads: Person[] = await scoped(workspaceId).Lead.find({ _id: trusted({ $in: ids }) }, { select });
    const people = isMatched ? await this.findProviders(workspaceId, leads) : leads;
    return new Map(people.map((lead) => [lead._id, lead]));
  }
}

type Person = Pick<Lead, "_id" | "country" | "emailDomain" | "emailProvider">;
