import type { Settings } from "../../domain/campaigns/settings.ts";
import { reopenBand } from "../../domain/mailboxes/health-course.ts";
import { isSelective } from "../../domain/mailboxes/refusal-evidence.ts";
import { senderFor } from "../../domain/sending/rotation.ts";
import { isThrottled } from "../../domain/sending/throttle.ts";
import { mailDelays } from "../../domain/sequences/sequence.ts";
import { HORIZON_MS } from "../../domain/time/durations.ts";
import { type Calendar, isOpen } from "../../domain/time/schedule.ts";
import type { Campaign } from "../../models/campaigns/campaign.ts";
import type { Mailbox } from "../../models/mailboxes/mailbox.ts";
import { NEVER, type Recipient } from "../../models/recipients/recipient.ts";
import { scoped } from "../../models/scoped.ts";
import type { Send } from "../../models/sending/send.ts";
import type { Sequence } from "../../models/sequences/sequence.ts";
import { trusted } from "../../mongo/collection.ts";
import { findRefusalBar } from "../mailboxes/refusal-bar.ts";
import { bookingFor, dueAtAdmission, earliestOf, freeAt, slotBar } from "../recipients/eligibility.ts";
import { loadSituation } from "../recipients/recipient-state.ts";
import { calendarOf } from "../sending/calendar.ts";
import { peekPlace, preloadDays, type Seen } from "../sending/slot-preview.ts";

/** The data that determines the next email of a campaign. */
export interface NextSendSources {
  campaign: Campaign;
  settings: Settings;
  sequence: Sequence;
  /** All mailboxes that the settings select. */
  mailboxes: Mailbox[];
}

/**
 * How many booked recipients one query reads, and the maximum number of queries. The earliest are read first, and most
 * of them can be sent to.
 */
const PAGE = 20;
const PAGES = 5;
/** The maximum number of time zones, mailboxes and throttled recipients for which a first slot is searched. */
const MOST_ZONES = 24;
const MOST_ASKED = 30;
const MOST_THROTTLED = 20;
/** The maximum number of approved emails that are read. Approved emails are sent soon, so there are never many. */
const MOST_APPROVED = 1_000;

/**
 * When the next email of a campaign will be sent, in epoch milliseconds, never before `now`. It is found by the same
 * searches that book slots. Null when it is not known.
 */
export async function findNextSend(sources: NextSendSources, now: number): Promise<number | null> {
  const booked = await nextBooked(sources, now);
  if (booked !== null && booked <= now) return now;
  const admitted = await nextAdmitted(sources, now);
  const instants = [booked, admitted].filter((at) => at !== null);
  return instants.length === 0 ? null : Math.max(now, Math.min(...instants));
}

/** When the earliest email to an admitted recipient will be sent. */
async function nextBooked(sources: NextSendSources, now: number): Promise<number | null> {
  const { campaign, settings, sequence } = sources;
  const { Recipient, Send } = scoped(campaign.workspaceId);
  const mails = sequence.steps.filter(({ type }) => type === "EMAIL").map(({ stepId }) => stepId);
  const admitted = {
    campaignId: campaign._id,
    nextSendAt: trusted({ $gt: NEVER }),
    status: trusted({ $in: ["PENDING", "IN_PROGRESS"] }),
    nextStepId: trusted({ $in: mails }),
    ...(await withoutApproval(campaign, settings)),
  };
  let best = Number.POSITIVE_INFINITY;
  for (let page = 0; page < PAGES; page++) {
    const recipients = await Recipient.find(admitted, { sort: { nextSendAt: 1 }, skip: page * PAGE, limit: PAGE });
    const rows = await Send.find(
      { recipientId: trusted({ $in: recipients.map(({ _id }) => _id) }) },
      { select: { content: 0 } },
    );
    for (const recipient of recipients) {
      const send =
        rows.find(({ recipientId, stepId }) => recipientId === recipient._id && stepId === recipient.nextStepId) ??
        null;
      best = Math.min(best, (await leavesAt(sources, recipient, send, now)) ?? Number.POSITIVE_INFINITY);
      if (best <= now) return now;
    }
    const last = recipients.at(-1)?.nextSendAt?.getTime();
    if (last === undefined || recipients.length < PAGE || best <= last) break;
  }
  return Number.isFinite(best) ? best : null;
}

/** A filter that leaves out recipients whose email lacks the required approval, because it is not sent at its slot. */
async function withoutApproval({ workspaceId, _id: campaignId }: Campaign, { approvalMode }: Settings) {
  if (approvalMode === "NONE") return {};
  const given = { kind: "CAMPAIGN_SEND", status: "APPROVED", campaignId };
  const approved = await scoped(workspaceId).Approval.find(given, { select: { recipientId: 1 }, limit: MOST_APPROVED });
  const isApproved = { _id: trusted({ $in: approved.map(({ recipientId }) => recipientId) }) };
  return { $or: [isApproved, ...(approvalMode === "FIRST_SEND" ? [{ sentCount: trusted({ $gt: 0 }) }] : [])] };
}

/** When the email that this recipient waits for will be sent; null when that is unknown. */
async function leavesAt(
  sources: NextSendSources,
  recipient: Recipient,
  send: Send | null,
  now: number,
): Promise<number | null> {
  const { workspaceId, campaignId, _id: recipientId } = recipient;
  if (send !== null && send.state !== "RESERVED" && send.state !== "RELEASED") return null;
  const named = sources.mailboxes.find(({ _id }) => _id === (send?.mailboxId ?? recipient.mailboxId)) ?? null;
  const usableAt = named === null ? null : freeAt(named, now);
  if (named === null || usableAt === null) return null;
  const mailbox = reopenBand(named);
  const slotAt = send?.state === "RESERVED" ? (send.slotAt?.getTime() ?? null) : null;
  const calendar = await calendarFor(sources, recipient, mailbox, now);
  if (send !== null && slotAt !== null) {
    if (slotAt > now && slotAt >= usableAt && isOpen(calendar, slotAt)) return slotAt;
    if (slotAt <= now && usableAt <= now && slotBar(send, mailbox, calendar, now) === null) return now;
  }
  const situation = await loadSituation({ v: 1, workspaceId, campaignId, recipientId });
  if (situation?.step === null || situation === null) return null;
  const earliest = await earliestOf(situation, mailbox, situation.step, usableAt);
  return (await peekPlace(await bookingFor(situation, mailbox, situation.step, earliest), send)).slotAt;
}

/**
 * When the earliest first email to a recipient that is not admitted yet will be sent, from any mailbox. Null when
 * approval is required, because the email then waits for a person.
 */
async function nextAdmitted(sources: NextSendSources, now: number): Promise<number | null> {
  const { campaign, settings, sequence } = sources;
  const senders = sources.mailboxes.filter((mailbox) => freeAt(mailbox, now) !== null).slice(0, MOST_ASKED);
  if (settings.approvalMode !== "NONE" || sequence.steps.length === 0 || senders.length === 0) return null;
  const seen = await preloadDays(
    campaign.workspaceId,
    senders.map(({ _id }) => _id),
    now,
  );
  let best = Number.POSITIVE_INFINITY;
  const isChoosy = senders.some((mailbox) => isSelective(mailbox, now));
  for await (const recipient of firstWaiting(campaign, settings, isChoosy)) {
    for (const mailbox of senders) {
      best = Math.min(best, (await firstMailAt(sources, recipient, mailbox, seen, now)) ?? Number.POSITIVE_INFINITY);
      // No email can be sent earlier
      if (best <= now) return now;
    }
  }
  return Number.isFinite(best) ? best : null;
}

/**
 * The recipients that are admitted next: one for each time zone where zones matter, and several where a throttle or a
 * refusal (`isChoosy`) may hold back the first one.
 */
async function* firstWaiting(
  { workspaceId, _id: campaignId }: Campaign,
  settings: Settings,
  isChoosy: boolean,
): AsyncGenerator<Recipient> {
  const { Recipient } = scoped(workspaceId);
  const waiting = { campaignId, status: "PENDING", admittedAt: null };
  const limit = isChoosy || isThrottled(settings) || settings.providerMatching === "STRICT" ? MOST_THROTTLED : 1;
  if (!settings.useRecipientTimezone) return yield* await Recipient.find(waiting, { sort: { _id: 1 }, limit });
  const zones: (string | null)[] = [];
  while (zones.length < MOST_ZONES) {
    const page = await Recipient.find({ ...waiting, timezone: trusted({ $nin: zones }) }, { sort: { _id: 1 }, limit });
    if (page[0] === undefined) return;
    yield* page.filter(({ timezone }) => timezone === page[0]?.timezone);
    zones.push(page[0].timezone);
  }
}

async function firstMailAt(
  sources: NextSendSources,
  recipient: Recipient,
  mailbox: Mailbox,
  seen: Seen,
  now: number,
): Promise<number | null> {
  const { campaign, settings, sequence } = sources;
  const first = sequence.steps.find(({ stepId }) => stepId === recipient.nextStepId) ?? sequence.steps[0];
  const [delay] = mailDelays(sequence.steps);
  if (first === undefined || delay === undefined || !(await mayWrite(recipient, mailbox, settings))) return null;
  const calendar = await calendarFor(sources, recipient, mailbox, now);
  const startAt = settings.startAt === null ? now : Date.parse(settings.startAt);
  const bar = await findRefusalBar(mailbox, recipient.email, now);
  const from = Math.max(startAt, freeAt(mailbox, now) ?? now, bar?.until ?? 0);
  const earliest = dueAtAdmission(
    recipient,
    first.type === "EMAIL" ? first : { ...first, delay },
    settings,
    calendar,
    from,
  );
  const bounds = { earliest, latest: earliest + HORIZON_MS };
  const sender = reopenBand(mailbox);
  const request = {
    campaign,
    settings,
    recipient,
    mailbox: sender,
    calendar,
    stepId: first.stepId,
    ...bounds,
    isNewLead: true,
  };
  return (await peekPlace(request, null, seen)).slotAt;
}

/**
 * With STRICT matching, only a mailbox at the recipient's own provider may send to the recipient (rules/sending 4.2).
 */
async function mayWrite({ workspaceId, leadId }: Recipient, mailbox: Mailbox, settings: Settings): Promise<boolean> {
  if (settings.providerMatching !== "STRICT") return true;
  const lead = await scoped(workspaceId).Lead.get(leadId);
  const sender = { id: mailbox._id, provider: mailbox.provider, nextAt: 0, room: 1 };
  return senderFor([sender], new Map(), lead?.emailProvider ?? "UNKNOWN", settings) !== null;
}

async function calendarFor(
  { settings }: NextSendSources,
  recipient: Recipient,
  mailbox: Mailbox,
  now: number,
): Promise<Calendar> {
  const lead = settings.skipHolidays ? await scoped(recipient.workspaceId).Lead.get(recipient.leadId) : null;
  return calendarOf(settings, mailbox, recipient.timezone, lead?.country ?? null, now);
}
