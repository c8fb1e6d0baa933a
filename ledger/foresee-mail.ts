import { asksApproval, contentHash } from "../domain/approval.ts";
import { AppError } from "../domain/errors.ts";
import { instantOf } from "../domain/explain.ts";
import { utcDay } from "../domain/schedule.ts";
import type { Step } from "../domain/sequence.ts";
import type { Rendered } from "../domain/template.ts";
import { variantFor } from "../domain/variant.ts";
import type { Mailbox } from "../models/mailbox.ts";
import { scoped } from "../models/scoped.ts";
import { isApproved } from "./approvals.ts";
import { calendarOf } from "./calendar.ts";
import { peekPlace } from "./peek.ts";
import type { Prospect } from "./prospect.ts";
import { rendering } from "./rendering.ts";
import type { Situation } from "./situation.ts";
import { capsOf } from "./slots.ts";
import { attemptOf, bookingFor, dueOf, isUnverified, isWrittenElsewhere, mailboxBar, SHORT_WAIT_MS, slotBar } from "./standing.ts";
import { guardReasons, isBlocked } from "./suppress.ts";
import { whyLater } from "./why-later.ts";

/** What becomes of the mail that a recipient waits for, in the order in which the engine asks (B29). */
export async function foreseeMail(prospect: Prospect, situation: Situation, step: Step): Promise<void> {
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
  if (!rests(prospect, mailbox)) return;
  if (!(await reachesSlot(prospect, situation, step, mailbox))) return;
  // Written first, claimed then (mail.md 4.1)
  const mail = rendered(prospect, situation, step, mailbox);
  if (mail === null || (await waitsForApproval(prospect, situation, step, mail))) return;
  if (await keepsSlot(prospect, situation, step, mailbox)) await leaves(prospect, situation, step);
}

/** What an earlier attempt at it left behind decides alone, unless it is known not to have gone out. */
function isUnderWay(prospect: Prospect, { send, recipient }: Situation, stepId: string): boolean {
  const attempt = send === null ? null : attemptOf(send, prospect.at);
  switch (attempt?.kind) {
    case "LEASED":
      prospect.note("SEND_UNDER_WAY", { until: instantOf(attempt.until), phase: send?.phase ?? null });
      // Under way since its claim, it may be out already
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
      prospect.note("SEND_UNKNOWN", { until: instantOf(prospect.at) });
      prospect.happens("ENDED", { stepId, reason: "SEND_UNKNOWN" });
      return true;
    case "BEHIND":
      prospect.note("ENDED", { status: recipient.status, stopReason: recipient.stopReason });
      return true;
  }
  return false;
}

/** False when nobody knows how long the mailbox rests; one that cools down or has a fault is tried again by itself. */
function rests(prospect: Prospect, mailbox: Mailbox): boolean {
  const { _id: mailboxId, status } = mailbox;
  const reason = mailbox.statusReason ?? mailbox.lastError?.code ?? null;
  const now = mailboxBar(mailbox, prospect.now);
  if (now?.kind !== "RESTING") return true;
  const wakes = status !== "PAUSED";
  const until = now.until ?? (wakes ? prospect.now : null);
  if (!wakes || until === null) {
    prospect.note("MAILBOX_RESTING", { mailboxId, status, reason });
    return false;
  }
  prospect.note("MAILBOX_RESTING_UNTIL", { mailboxId, status, reason, until: instantOf(until) });
  if (until > prospect.at) prospect.isEarliest = true;
  prospect.waitUntil(until);
  return true;
}

/** The booked slot; without one the place that booking would find. False when there is none. */
async function reachesSlot(prospect: Prospect, situation: Situation, step: Step, mailbox: Mailbox): Promise<boolean> {
  const { send } = situation;
  const due = await dueOf(situation, step);
  if (send === null || send.state !== "RESERVED" || send.slotAt === null) {
    return booksAnew(prospect, situation, step, mailbox, Math.max(prospect.at, due));
  }
  if (send.attempts > 0) prospect.note("RETRY", { attempts: send.attempts, reason: send.failure?.reason ?? null });
  const slotAt = send.slotAt.getTime();
  prospect.note("BOOKED_SLOT", { slotAt: instantOf(slotAt), mailboxId: mailbox._id, mailbox: mailbox.email });
  await noteWhyNotEarlier(prospect, situation, step, mailbox, Math.max(prospect.now, due), slotAt);
  if (slotAt <= prospect.now) prospect.isEarliest = true;
  prospect.waitUntil(slotAt);
  return true;
}

/** A booked slot holds as long as the claim would take it; else the mail is booked anew. */
async function keepsSlot(prospect: Prospect, situation: Situation, step: Step, mailbox: Mailbox): Promise<boolean> {
  const { send, settings, recipient, lead } = situation;
  if (send === null || send.state !== "RESERVED" || send.slotAt === null) return true;
  const waitMs = (mailbox.nextAt?.getTime() ?? 0) - prospect.at;
  if (waitMs > 0 && waitMs <= SHORT_WAIT_MS) {
    prospect.isEarliest = true;
    prospect.waitUntil(prospect.at + waitMs);
    prospect.note("MAILBOX_BUSY", { until: instantOf(prospect.at) });
  }
  const calendar = await calendarOf(settings, mailbox, recipient.timezone, lead.country, prospect.at);
  const because = slotBar(send, mailbox, calendar, prospect.at) ?? (await dayIsFull(situation, mailbox, prospect.at));
  if (because === null) return true;
  prospect.note("SLOT_LOST", { because });
  return booksAnew(prospect, situation, step, mailbox, prospect.at);
}

async function booksAnew(prospect: Prospect, situation: Situation, step: Step, mailbox: Mailbox, earliest: number): Promise<boolean> {
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

/** What lies between the step's delay and its slot, as far as it still does. */
async function noteWhyNotEarlier(
  prospect: Prospect,
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

/** The claim counts what was sent, not what is booked. */
async function dayIsFull({ campaign, settings }: Situation, mailbox: Mailbox, at: number): Promise<"DAY" | null> {
  const day = await scoped(campaign.workspaceId).MailboxDay.get(`${mailbox._id}:${utcDay(at)}`);
  const { cap, share } = capsOf(mailbox, settings.perMailboxDailyLimit);
  return day !== null && (day.sent >= cap || (day.sentBy[campaign._id] ?? 0) >= share) ? "DAY" : null;
}

const UNSUBSCRIBE = "https://example.com/u/";

/** Null when the mail cannot be written: then what follows from that has been told. */
function rendered(prospect: Prospect, situation: Situation, step: Step, mailbox: Mailbox): Rendered | null {
  const { settings, recipient } = situation;
  const { stepId } = step;
  const variant = variantFor(step, recipient._id);
  const ends = (error: string) => {
    prospect.note("TEMPLATE_ERROR", { stepId, error });
    prospect.happens("ENDED", { stepId, reason: "TEMPLATE_ERROR" });
    return null;
  };
  if (variant === null) return ends("NO_ENABLED_VARIANT");
  try {
    const mail = rendering(situation, { step, variant, mailbox }, UNSUBSCRIBE, new Date(prospect.at));
    const names = mail.missingVariables;
    if (names.length === 0) return mail;
    prospect.note("MISSING_VARIABLE", { stepId, names, policy: settings.missingVariablePolicy });
    if (settings.missingVariablePolicy === "SKIP_STEP") prospect.happens("STEP_SKIPPED", { stepId, reason: "MISSING_VARIABLE" });
    else prospect.happens("PAUSED", { stepId, reason: "MISSING_VARIABLE" });
    return null;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return ends(error.code);
  }
}

/** True when somebody has to approve the mail, and nobody has approved this one: then that has been told. */
async function waitsForApproval(prospect: Prospect, situation: Situation, { stepId, order }: Step, mail: Rendered): Promise<boolean> {
  const { settings, recipient, send } = situation;
  if (!asksApproval(settings, recipient.sentCount)) return false;
  if (send !== null && (await isApproved(send, contentHash(mail, UNSUBSCRIBE)))) return false;
  prospect.note("APPROVAL_REQUIRED", { stepId, order, mode: settings.approvalMode });
  prospect.happens("PAUSED", { stepId, reason: "APPROVAL_REQUIRED" });
  return true;
}

/** The last questions of the claim: guard and block list. */
async function leaves(prospect: Prospect, { recipient }: Situation, { stepId }: Step): Promise<void> {
  const { workspaceId, email } = recipient;
  const reasons = (await guardReasons(workspaceId, [email])).get(email) ?? [];
  const entry = await isBlocked(workspaceId, email);
  if (reasons.length === 0 && entry === null) return prospect.happens("MAIL", { stepId });
  if (entry !== null) prospect.note("BLOCK_LISTED", { value: entry.value });
  if (reasons.length > 0) prospect.note("SUPPRESSED", { reasons });
  const isOptOut = reasons.some((reason) => reason === "UNSUBSCRIBED" || reason === "OPT_OUT_REPLY");
  const isListed = reasons.length === 0 || reasons.includes("BLOCK_LISTED");
  prospect.happens("ENDED", { stepId, reason: isListed ? "BLOCK_LISTED" : isOptOut ? "UNSUBSCRIBED" : "SUPPRESSED" });
}
