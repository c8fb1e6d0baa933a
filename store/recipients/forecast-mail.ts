import { domainOf, organisationOf } from "../../domain/mail/message.ts";
import { isShut } from "../../domain/mailboxes/band.ts";
import { reopenBand, shutUntil } from "../../domain/mailboxes/health-course.ts";
import { pauseInWords } from "../../domain/mailboxes/refusal-evidence.ts";
import { POLICY_WAITS_MS } from "../../domain/mailboxes/refusals.ts";
import { restEvidenceOf } from "../../domain/mailboxes/rest-facts.ts";
import { formatInstant } from "../../domain/recipients/explain.ts";
import { campaignSentOn } from "../../domain/sending/day-use.ts";
import type { Step } from "../../domain/sequences/sequence.ts";
import { utcDay } from "../../domain/time/schedule.ts";
import type { Mailbox } from "../../models/mailboxes/mailbox.ts";
import { scoped } from "../../models/scoped.ts";
import type { Send } from "../../models/sending/send.ts";
import { noteFailover } from "../mailboxes/failover.ts";
import { calendarOf } from "../sending/calendar.ts";
import { peekPlace } from "../sending/slot-preview.ts";
import { capsOf } from "../sending/slots.ts";
import {
  attemptOf,
  bookingFor,
  dueOf,
  hasBeenTrial,
  isUnverified,
  isWrittenElsewhere,
  mailboxBar,
  refusalBarOf,
  SHORT_WAIT_MS,
  slotBar,
} from "./eligibility.ts";
import { forecastClaim, renderForecastMail, waitsForApproval } from "./forecast-claim.ts";
import type { Forecast } from "./forecast-result.ts";
import type { Situation } from "./recipient-state.ts";
import { bandValues, whyLater } from "./slot-delay-reason.ts";

/**
 * Forecasts the email that a recipient waits for. The checks have the same order as in the send workflow (rules/sending
 * 1.5).
 */
export async function forecastMail(prospect: Forecast, situation: Situation, step: Step): Promise<void> {
  const { lead, mailbox } = situation;
  const { stepId } = step;
  if (isUnverified(situation)) {
    prospect.note("INVALID_ADDRESS", { verificationStatus: lead.verificationStatus });
    return prospect.happens("ENDED", { stepId, reason: "INVALID_ADDRESS" });
  }
  if (isUnderWay(prospect, situation, stepId)) return;
  if (await isWrittenElsewhere(situation)) {
    prospect.note("OTHER_CAMPAIGN");
    return prospect.happens("PAUSED", { stepId, reason: "OTHER_CAMPAIGN" });
  }
  const bar = mailboxBar(mailbox, prospect.at);
  if (mailbox === null || bar?.kind === "LOST") {
    prospect.note("MAILBOX_LOST", { mailboxId: mailbox?._id ?? null, status: mailbox?.status ?? "gone" });
    return prospect.happens("PAUSED", { stepId, reason: "MAILBOX_DISCONNECTED" });
  }
  if (!waitsForMailbox(prospect, mailbox)) return;
  if (await noteFailover(prospect, situation, bandSince(mailbox))) return;
  return forecastSend(prospect, situation, step, reopenBand(mailbox));
}

/** Forecasts the slot, the text and the claim of an email whose mailbox can send by then. */
async function forecastSend(prospect: Forecast, situation: Situation, step: Step, mailbox: Mailbox): Promise<void> {
  if (!(await reachesSlot(prospect, situation, step, mailbox))) return;
  // The send workflow renders first and claims afterwards (rules/sending 5.1)
  const mail = renderForecastMail(prospect, situation, step, mailbox);
  if (mail === null || (await waitsForApproval(prospect, situation, step, mail))) return;
  if (await keepsSlot(prospect, situation, step, mailbox)) await forecastClaim(prospect, situation, step);
}

/**
 * Whether an earlier attempt determines the outcome. It always does, unless that attempt is known not to have sent the
 * email.
 */
function isUnderWay(prospect: Forecast, { send, recipient }: Situation, stepId: string): boolean {
  const attempt = send === null ? null : attemptOf(send, prospect.at);
  switch (attempt?.kind) {
    case "LEASED":
      prospect.note("SEND_UNDER_WAY", { until: formatInstant(attempt.until), phase: send?.phase ?? null });
      // The attempt may have finished transmission since the claim
      prospect.isEarliest = true;
      prospect.at = send?.claimedAt?.getTime() ?? prospect.now;
      prospect.happens("MAIL", { stepId });
      return true;
    case "DEAD":
      if (attempt.phase === "CLAIMED") return false;
      prospect.note("SEND_UNDER_WAY", { until: null, phase: attempt.phase });
      prospect.happens("LOST", { stepId });
      return true;
    case "UNKNOWN":
    case "GIVEN_UP":
      prospect.waitUntil(attempt.kind === "UNKNOWN" ? attempt.until : prospect.at);
      prospect.note("SEND_UNKNOWN", { until: formatInstant(prospect.at) });
      prospect.happens("ENDED", { stepId, reason: "SEND_UNKNOWN" });
      return true;
    case "BEHIND":
      prospect.note("ENDED", { status: recipient.status, stopReason: recipient.stopReason });
      return true;
  }
  return false;
}

/**
 * Returns false when it is not known for how long the mailbox cannot send. A mailbox that is cooling down or has a
 * fault is tried again automatically.
 */
function waitsForMailbox(prospect: Forecast, mailbox: Mailbox): boolean {
  const { _id: mailboxId, status } = mailbox;
  const reason = mailbox.statusReason ?? mailbox.lastError?.code ?? null;
  const now = mailboxBar(mailbox, prospect.now);
  if (now?.kind !== "RESTING") return true;
  const shutAt = status === "CONNECTED" && mailbox.health ? shutUntil(mailbox.health) : null;
  if (shutAt !== null) {
    prospect.note("MAILBOX_BAND", { mailboxId, ...bandValues(mailbox.health), until: formatInstant(shutAt) });
    prospect.isEarliest = true;
    prospect.waitUntil(now.until ?? prospect.now);
    return true;
  }
  const wakes = status !== "PAUSED";
  const until = now.until ?? (wakes ? prospect.now : null);
  if (!wakes || until === null) {
    prospect.note("MAILBOX_RESTING", { mailboxId, status, reason });
    return false;
  }
  prospect.note("MAILBOX_RESTING_UNTIL", { mailboxId, status, reason, until: formatInstant(until) });
  const evidence = restEvidenceOf(mailbox);
  if (evidence !== null) prospect.note("REFUSALS", { mailboxId, evidence });
  if (until > prospect.at) prospect.isEarliest = true;
  prospect.waitUntil(until);
  return true;
}

/** Since when the health band of a mailbox has not allowed sending; null while it allows sending. */
function bandSince(mailbox: Mailbox): number | null {
  return mailbox.status === "CONNECTED" && mailbox.health && isShut(mailbox.health.band)
    ? mailbox.health.since.getTime()
    : null;
}

/**
 * Moves the forecast to the booked slot; without one, to the slot that a booking would find. Returns false when there
 * is none.
 */
async function reachesSlot(prospect: Forecast, situation: Situation, step: Step, mailbox: Mailbox): Promise<boolean> {
  const { send } = situation;
  const due = await dueOf(situation, step);
  if (send !== null) noteRefusal(prospect, situation, step, send, due);
  if (send?.heldBack) noteHeldBack(prospect, step, send.heldBack);
  const othersUntil = await noteOthersFirst(prospect, situation, mailbox);
  if (send !== null && hasBeenTrial(send, mailbox, Math.max(prospect.at, othersUntil))) {
    prospect.waitUntil(othersUntil);
    prospect.happens("ENDED", { stepId: step.stepId, reason: "REFUSED_BY_POLICY" });
    return false;
  }
  if (othersUntil > prospect.at && othersUntil > (send?.slotAt?.getTime() ?? 0)) {
    return booksAnew(prospect, situation, step, mailbox, Math.max(othersUntil, due));
  }
  if (send === null || send.state !== "RESERVED" || send.slotAt === null) {
    return booksAnew(prospect, situation, step, mailbox, Math.max(prospect.at, due));
  }
  if (send.attempts > 0) prospect.note("RETRY", { attempts: send.attempts, reason: send.failure?.reason ?? null });
  const slotAt = send.slotAt.getTime();
  prospect.note("BOOKED_SLOT", { slotAt: formatInstant(slotAt), mailboxId: mailbox._id, mailbox: mailbox.email });
  await noteWhyNotEarlier(prospect, situation, step, mailbox, Math.max(prospect.now, due), slotAt);
  if (slotAt <= prospect.now) prospect.isEarliest = true;
  prospect.waitUntil(slotAt);
  return true;
}

/** Adds to the forecast that a policy refused the email before, and when it is tried again. */
function noteRefusal(
  prospect: Forecast,
  { recipient }: Situation,
  { order }: Step,
  { to, policyRefusals = 0 }: Send,
  due: number,
): void {
  if (policyRefusals === 0) return;
  const until = formatInstant(Math.max(prospect.now, due));
  const values = {
    order,
    code: recipient.bounce?.code ?? null,
    until,
    used: policyRefusals,
    most: POLICY_WAITS_MS.length + 1,
  };
  prospect.note("REFUSED", { organisation: organisationOf(domainOf(to)), ...values });
}

/** Adds to the forecast that the email is held back because the database is slow, and until when. */
function noteHeldBack(prospect: Forecast, { order }: Step, { until, times }: NonNullable<Send["heldBack"]>): void {
  if (until.getTime() <= prospect.now) return;
  prospect.note("DATABASE_SLOW", { order, until: formatInstant(until), times });
  prospect.isEarliest = true;
  prospect.waitUntil(until.getTime());
}

/**
 * Adds to the forecast why the mailbox contacts other recipients first. Returns until when (epoch milliseconds), or 0
 * when it does not.
 */
async function noteOthersFirst(prospect: Forecast, situation: Situation, mailbox: Mailbox): Promise<number> {
  const { _id: mailboxId } = mailbox;
  const bar = await refusalBarOf(situation, mailbox, prospect.now);
  if (bar === null) return 0;
  const until = formatInstant(bar.until);
  if (bar.kind === "PROVIDER") {
    prospect.note("PROVIDER_PAUSED", {
      mailboxId,
      provider: bar.pause.provider,
      until,
      evidence: pauseInWords(bar.pause),
    });
  } else {
    prospect.note("AFTER_COOL_DOWN", { mailboxId, organisation: bar.organisation, until });
  }
  return bar.until;
}

/** Keeps a booked slot if the claim would accept it. Otherwise the email is booked again. */
async function keepsSlot(prospect: Forecast, situation: Situation, step: Step, mailbox: Mailbox): Promise<boolean> {
  const { send, settings, recipient, lead } = situation;
  if (send === null || send.state !== "RESERVED" || send.slotAt === null) return true;
  const waitMs = (mailbox.nextAt?.getTime() ?? 0) - prospect.at;
  if (waitMs > 0 && waitMs <= SHORT_WAIT_MS) {
    prospect.isEarliest = true;
    prospect.waitUntil(prospect.at + waitMs);
    prospect.note("MAILBOX_BUSY", { until: formatInstant(prospect.at) });
  }
  const calendar = await calendarOf(settings, mailbox, recipient.timezone, lead.country, prospect.at);
  const because = slotBar(send, mailbox, calendar, prospect.at) ?? (await dayIsFull(situation, mailbox, prospect.at));
  if (because === null) return true;
  prospect.note("SLOT_LOST", { because });
  return booksAnew(prospect, situation, step, mailbox, prospect.at);
}

async function booksAnew(
  prospect: Forecast,
  situation: Situation,
  step: Step,
  mailbox: Mailbox,
  earliest: number,
): Promise<boolean> {
  const request = await bookingFor(situation, mailbox, step, earliest);
  const { slotAt, passed } = await peekPlace(request, situation.send);
  for (const one of passed) prospect.tell(whyLater(one, request.calendar));
  if (slotAt === null) {
    prospect.note("NO_OPENING");
    return false;
  }
  prospect.isEarliest = true;
  prospect.waitUntil(slotAt);
  return true;
}

/** Adds to the forecast what delays the slot beyond the step's own delay, if that still applies. */
async function noteWhyNotEarlier(
  prospect: Forecast,
  situation: Situation,
  step: Step,
  mailbox: Mailbox,
  due: number,
  slotAt: number,
): Promise<void> {
  if (due >= slotAt) return;
  const request = { ...(await bookingFor(situation, mailbox, step, due)), latest: slotAt };
  const { passed } = await peekPlace(request, situation.send);
  for (const one of passed) prospect.tell(whyLater(one, request.calendar));
}

/** Whether the mailbox has reached its limit for the day. The claim counts sent emails, not booked ones. */
async function dayIsFull({ campaign, settings }: Situation, mailbox: Mailbox, at: number): Promise<"DAY" | null> {
  const day = await scoped(campaign.workspaceId).MailboxDay.get(`${mailbox._id}:${utcDay(at)}`);
  if (day === null) return null;
  const { cap, room, share } = capsOf(mailbox, settings.perMailboxDailyLimit);
  const isFull = day.sent >= cap || campaignSentOn(day) >= room || (day.sentBy[campaign._id] ?? 0) >= share;
  return isFull ? "DAY" : null;
}
