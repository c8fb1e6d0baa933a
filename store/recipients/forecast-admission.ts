import { reopenBand } from "../../domain/mailboxes/health-course.ts";
import { formatInstant, shareInPercent } from "../../domain/recipients/explain.ts";
import { AHEAD_MS } from "../../domain/sending/pacing.ts";
import { senderFor } from "../../domain/sending/rotation.ts";
import { type Step, stepOf } from "../../domain/sequences/sequence.ts";
import { DAY_MS } from "../../domain/time/durations.ts";
import { nextOpening } from "../../domain/time/schedule.ts";
import type { Mailbox } from "../../models/mailboxes/mailbox.ts";
import { scoped } from "../../models/scoped.ts";
import { trusted } from "../../mongo/collection.ts";
import { wouldBeHeldOut } from "../campaigns/hold-out.ts";
import { loadCampaignMailboxes } from "../campaigns/mailboxes-of-campaign.ts";
import { calendarOf } from "../sending/calendar.ts";
import { type Peeked, peekPlace, preloadDays, type Seen } from "../sending/slot-preview.ts";
import { bookingFor, dueAtAdmission, freeAt, mailboxBar, refusalBarOf } from "./eligibility.ts";
import { forecastMail } from "./forecast-mail.ts";
import type { Forecast } from "./forecast-result.ts";
import type { Situation } from "./recipient-state.ts";
import { whyLater } from "./slot-delay-reason.ts";

/** The maximum number of mailboxes of a campaign for which a slot is searched. */
const MOST_ASKED = 30;
const UNSENDABLE_MS = DAY_MS;

/**
 * Forecasts a recipient that is not admitted yet. Its first email is booked half an hour ahead, in the first mailbox
 * with a free slot.
 */
export async function forecastAdmission(prospect: Forecast, situation: Situation): Promise<void> {
  const { campaign, recipient, sequence, settings } = situation;
  prospect.isEarliest = true;
  const ahead = await scoped(campaign.workspaceId).Recipient.count({
    campaignId: campaign._id,
    status: "PENDING",
    admittedAt: null,
    _id: trusted({ $lt: recipient._id }),
  });
  prospect.note("WAITS_FOR_ADMISSION", { ahead });
  const first = stepOf(sequence.steps, recipient.nextStepId) ?? sequence.steps[0];
  if (first === undefined) return;
  const senders = await sendersFor(prospect, situation);
  if (senders.length === 0) return;
  const { startAt, endAt } = settings;
  if (wouldBeHeldOut(recipient, settings)) {
    prospect.note("HOLD_OUT", { share: shareInPercent(settings.holdOut) });
    return prospect.happens("ENDED", { reason: "HOLD_OUT" });
  }
  if (first.type !== "EMAIL") return begins(prospect, situation, first, senders[0] ?? null);
  const best = await firstPlace(prospect, situation, first, senders);
  if (best === null) return prospect.note("NO_OPENING", { startAt, endAt });
  const { mailbox, slotAt, delayMs, from } = best;
  prospect.waitUntil(Math.max(from, slotAt - delayMs - AHEAD_MS));
  prospect.happens("ADMITTED", { stepId: first.stepId });
  prospect.waitUntil(slotAt);
  const admitted = {
    ...recipient,
    mailboxId: mailbox._id,
    nextStepId: first.stepId,
    admittedAt: new Date(prospect.now),
  };
  await forecastMail(prospect, { ...situation, recipient: admitted, step: first, mailbox }, first);
}

/** Forecasts a first step that is no email, which needs no slot. */
async function begins(
  prospect: Forecast,
  { settings, recipient, lead }: Situation,
  first: Step,
  mailbox: Mailbox | null,
): Promise<void> {
  if (settings.useRecipientTimezone || settings.skipHolidays) {
    const calendar = {
      ...(await calendarOf(settings, mailbox, recipient.timezone, lead.country, prospect.now)),
      workday: null,
    };
    const opening = nextOpening(calendar, prospect.now);
    if (opening !== null && opening.at - AHEAD_MS > prospect.now) {
      prospect.tell(whyLater({ by: "WINDOW", from: prospect.now, until: opening.at }, calendar));
      prospect.waitUntil(opening.at - AHEAD_MS);
    }
  }
  if (mailbox !== null) prospect.waitUntil(freeAt(mailbox, prospect.now) ?? prospect.now);
  prospect.note("STEP_ACTS", { stepId: first.stepId, order: first.order, type: first.type });
  prospect.happens("ADMITTED", { stepId: first.stepId });
}

/** The mailboxes that may send to this recipient. When there are none, the reason is added to the forecast. */
async function sendersFor(prospect: Forecast, { campaign, settings, lead }: Situation): Promise<Mailbox[]> {
  const named = await loadCampaignMailboxes(campaign.workspaceId, settings);
  const usable = named.filter((mailbox) => mailboxBar(mailbox, prospect.now) === null);
  // When none can send now, the mailboxes that are tried again later
  const able = usable.length > 0 ? usable : named.filter((mailbox) => freeAt(mailbox, prospect.now) !== null);
  if (named.length === 0) prospect.note("NO_MAILBOX");
  else if (usable.length === 0) prospect.note("MAILBOXES_UNHEALTHY", { mailboxes: named.length });
  if (usable.length === 0 && campaign.unsendableSince !== null) {
    const since = campaign.unsendableSince.getTime();
    prospect.note("UNSENDABLE", { since: formatInstant(since), pausesAt: formatInstant(since + UNSENDABLE_MS) });
  }
  const { emailDomain, emailProvider } = lead;
  if (settings.providerMatching !== "OFF" && emailProvider === "UNKNOWN")
    prospect.note("PROVIDER_UNKNOWN", { domain: emailDomain });
  const may = able.filter((mailbox) => {
    const sender = { id: mailbox._id, provider: mailbox.provider, nextAt: 0, room: 1 };
    return senderFor([sender], new Map(), emailProvider, settings) !== null;
  });
  if (may.length === 0 && able.length > 0) prospect.note("WAITING_FOR_PROVIDER_MATCH", { provider: emailProvider });
  const soonest = (mailbox: Mailbox) => Math.max(freeAt(mailbox, prospect.now) ?? 0, mailbox.nextAt?.getTime() ?? 0);
  return may.sort((one, other) => soonest(one) - soonest(other)).slice(0, MOST_ASKED);
}

/** The earliest slot in any of these mailboxes at present; a recipient that is admitted earlier may take it. */
async function firstPlace(prospect: Forecast, situation: Situation, first: Step, senders: readonly Mailbox[]) {
  const ids = senders.map(({ _id }) => _id);
  const seen = await preloadDays(situation.campaign.workspaceId, ids, prospect.now);
  let best: (Peeked & Found) | null = null;
  for (const mailbox of senders) {
    const place = await placeIn(prospect.now, situation, first, mailbox, seen);
    if (best === null || (place.slotAt ?? Infinity) < (best.slotAt ?? Infinity)) best = place;
    // No slot can be earlier than now
    if (best.slotAt !== null && best.slotAt <= prospect.now + best.delayMs) break;
  }
  if (best === null) return null;
  for (const one of best.passed) prospect.tell(whyLater(one, best.calendar));
  return best.slotAt === null ? null : { ...best, slotAt: best.slotAt };
}

async function placeIn(
  now: number,
  situation: Situation,
  first: Step,
  mailbox: Mailbox,
  seen: Seen,
): Promise<Peeked & Found> {
  const { settings, recipient, lead } = situation;
  const bar = await refusalBarOf(situation, mailbox, now);
  const from = Math.max(freeAt(mailbox, now) ?? now, bar?.until ?? 0);
  const calendar = await calendarOf(settings, mailbox, recipient.timezone, lead.country, from);
  const earliest = dueAtAdmission(recipient, first, settings, calendar, from);
  const request = { ...(await bookingFor(situation, reopenBand(mailbox), first, earliest)), calendar, isNewLead: true };
  return { ...(await peekPlace(request, situation.send, seen)), mailbox, calendar, from, delayMs: earliest - from };
}

interface Found {
  mailbox: Mailbox;
  calendar: Awaited<ReturnType<typeof calendarOf>>;
  /** When the mailbox may send to the recipient, in epoch milliseconds. */
  from: number;
  /** The delay of the first step in milliseconds. */
  delayMs: number;
}
