import type { Settings } from "../../domain/campaigns/settings.ts";
import { domainOf, organisationOf } from "../../domain/mail/message.ts";
import { maySendCampaigns } from "../../domain/mailboxes/band.ts";
import { shutUntil } from "../../domain/mailboxes/health-course.ts";
import type { RefusalBar } from "../../domain/mailboxes/refusal-evidence.ts";
import { nextTryOf } from "../../domain/mailboxes/rest-facts.ts";
import { hadOf } from "../../domain/recipients/had.ts";
import type { ChangedDelay } from "../../domain/sequences/edit.ts";
import type { RecipientRoute } from "../../domain/sequences/graph.ts";
import type { Step } from "../../domain/sequences/sequence.ts";
import { isOpenStatus } from "../../domain/states.ts";
import { HORIZON_MS } from "../../domain/time/durations.ts";
import { type Calendar, dueAfter, isOpen } from "../../domain/time/schedule.ts";
import { sendingVerdictOf, verificationSettingsOf } from "../../domain/verification.ts";
import type { Mailbox } from "../../models/mailboxes/mailbox.ts";
import type { Recipient } from "../../models/recipients/recipient.ts";
import { scoped } from "../../models/scoped.ts";
import type { Send } from "../../models/sending/send.ts";
import { trusted } from "../../mongo/collection.ts";
import { findRefusalBar } from "../mailboxes/refusal-bar.ts";
import { calendarOf } from "../sending/calendar.ts";
import { EVIDENCE_MS } from "../sending/record.ts";
import type { BookingRequest } from "../sending/slot-search.ts";
import type { Situation } from "./recipient-state.ts";
import { BEHIND, loadRoute } from "./route.ts";

/**
 * The questions that decide what happens to a recipient. None of them has an effect. The send workflow uses them for
 * the present and acts on the answers; a forecast uses them for the future. All instants are in epoch milliseconds.
 */

/**
 * Milliseconds. When a claim fails only because the mailbox's gap has not passed, and less than this remains, it waits
 * instead of booking again (rules/sending 2.10).
 */
export const SHORT_WAIT_MS = 30_000;

/** A reason that blocks every step of a recipient. */
export type Bar =
  | { kind: "ENDED" }
  | { kind: "CAMPAIGN_COMPLETED" }
  | { kind: "SCHEDULE_ENDED"; endAt: number }
  /** `until` is null when a user must resume the recipient. */
  | { kind: "PAUSED"; until: number | null };

export function barOf({ recipient, campaign, settings }: Situation, now: number): Bar | null {
  if (!isOpenStatus(recipient.status)) return { kind: "ENDED" };
  if (campaign.status === "COMPLETED") return { kind: "CAMPAIGN_COMPLETED" };
  const endAt = settings.endAt === null ? Number.POSITIVE_INFINITY : Date.parse(settings.endAt);
  if (endAt <= now) return { kind: "SCHEDULE_ENDED", endAt };
  const until = recipient.pausedUntil?.getTime() ?? null;
  return recipient.status === "PAUSED" && (until === null || until > now) ? { kind: "PAUSED", until } : null;
}

const ON_ITS_WAY = ["SENDING", "UNKNOWN"];

/**
 * The next step of a recipient in the current sequence. Null while it already waits for the right step, and while an
 * email to it is being sent. A finished email counts as passed, although the recipient still waits for it.
 */
export async function findNextRoute(
  { sequence, recipient, send, lead }: Situation,
  now: number,
): Promise<RecipientRoute | null> {
  if (send !== null && ON_ITS_WAY.includes(send.state)) return null;
  const done = send !== null && BEHIND.includes(send.state) && send.stepId !== null ? send : null;
  const had = [
    ...hadOf(recipient),
    ...(done?.stepId ? [{ stepId: done.stepId, at: (done.sentAt ?? done.updatedAt).getTime() }] : []),
  ];
  const route = await loadRoute({ ...recipient, had }, sequence, lead, now);
  return route.kind === "STEP" && route.step.stepId === recipient.nextStepId ? null : route;
}

/**
 * When the delay of a step has passed, counted from the previous step, or from admission for the first step. A recorded
 * instant is kept, unless an edit has changed the delay since.
 */
export async function dueOf(situation: Situation, step: Step): Promise<number> {
  const { recipient, settings, mailbox, lead, send } = situation;
  const edited = changedDelayOf(situation, step);
  const isKept = edited === null || edited.how === "KEEP" || isPutOff(send);
  if (isKept && recipient.due?.stepId === step.stepId) return recipient.due.at.getTime();
  const since = delaySince(situation) ?? Date.now();
  const calendar = await calendarOf(settings, mailbox, recipient.timezone, lead.country, since);
  const delay = edited?.how === "KEEP" ? edited.before : step.delay;
  return dueAfter(delay, since, recipient.timezone ?? settings.timezone, calendar);
}

/** The pending change of a step's delay by an edit; null when there is none. */
export function changedDelayOf({ campaign }: Pick<Situation, "campaign">, { stepId }: Step): ChangedDelay | null {
  return campaign.unsettled?.delays.find((change) => change.stepId === stepId) ?? null;
}

/** Whether a refusal, not the step's delay, decides when the email is tried again. */
export function isPutOff(send: Pick<Send, "policyRefusals" | "softFailures"> | null): boolean {
  return (send?.policyRefusals ?? 0) > 0 || (send?.softFailures ?? 0) > 0;
}

/**
 * The earliest time of the first email to a recipient that is admitted now: after the step's delay, or when the email
 * was due before the recipient had to wait for admission again.
 */
export function dueAtAdmission(
  { due, timezone }: Recipient,
  first: Step,
  settings: Settings,
  calendar: Calendar,
  now: number,
): number {
  if (due?.stepId === first.stepId) return Math.max(now, due.at.getTime());
  return Math.max(now, dueAfter(first.delay, now, timezone ?? settings.timezone, calendar));
}

/** The instant from which a step's delay counts; null before admission. */
export function delaySince({ recipient, sequence }: Situation): number | null {
  const { lastSentAt, admittedAt } = recipient;
  const last = sequence.mode === "VISUAL" ? hadOf(recipient).at(-1) : undefined;
  return last?.at ?? (lastSentAt ?? admittedAt)?.getTime() ?? null;
}

/** Whether the result of address verification forbids email to the recipient (rules/sending 1). */
export function isUnverified({ lead, settings, workspace }: Situation): boolean {
  const verdict = sendingVerdictOf(lead.verificationStatus, verificationSettingsOf(workspace.verification));
  return verdict === "INVALID" || (verdict === "RISKY" && !settings.allowRiskyRecipients);
}

/**
 * The state that an earlier attempt at an email left behind (rules/sending 8.4); null when the email must still be
 * tried.
 */
export type SendAttempt =
  | { kind: "LEASED"; until: number }
  /**
   * The attempt died: in phase CLAIMED before content was transmitted, so the email is unsent; in phase DATA during
   * transmission.
   */
  | { kind: "DEAD"; phase: "CLAIMED" | "DATA" }
  | { kind: "UNKNOWN"; until: number }
  | { kind: "GIVEN_UP" }
  | { kind: "BEHIND" };

export function attemptOf(send: Send, now: number): SendAttempt | null {
  if (BEHIND.includes(send.state)) return { kind: "BEHIND" };
  if (send.state === "SENDING") {
    const until = send.leaseUntil?.getTime() ?? 0;
    return until > now
      ? { kind: "LEASED", until }
      : { kind: "DEAD", phase: send.phase === "CLAIMED" ? "CLAIMED" : "DATA" };
  }
  if (send.state !== "UNKNOWN") return null;
  const until = (send.unknownAt?.getTime() ?? 0) + EVIDENCE_MS;
  return until > now ? { kind: "UNKNOWN", until } : { kind: "GIVEN_UP" };
}

/**
 * Whether another active campaign has contacted this recipient, if this campaign skips such duplicates (rules/sending
 * 1).
 */
export async function isWrittenElsewhere({ recipient, campaign, settings }: Situation): Promise<boolean> {
  if (recipient.sentCount > 0 || !settings.skipDuplicatesInOtherCampaigns) return false;
  const { Recipient, Campaign } = scoped(recipient.workspaceId);
  const others = await Recipient.find(
    { email: recipient.email, status: "IN_PROGRESS", campaignId: trusted({ $ne: campaign._id }) },
    { limit: 20 },
  );
  if (others.length === 0) return false;
  return (
    (await Campaign.findOne({
      _id: trusted({ $in: others.map(({ campaignId }) => campaignId) }),
      status: "ACTIVE",
    })) !== null
  );
}

/** Why a mailbox cannot send. LOST: until it is connected again. `until` is null when the end is not known. */
export type MailboxBar = { kind: "LOST" } | { kind: "RESTING"; until: number | null };

export function mailboxBar(mailbox: Mailbox | null, now: number): MailboxBar | null {
  if (mailbox === null || mailbox.status === "DISCONNECTED" || mailbox.status === "RECONNECT_REQUIRED")
    return { kind: "LOST" };
  const retryAt = mailbox.retryAt?.getTime() ?? 0;
  if (maySendCampaigns(mailbox) && retryAt <= now) return null;
  // A health band ends within an hour after its term, when the hourly task judges the mailbox (rules/health 2.2)
  const shutUntilAt = mailbox.status === "CONNECTED" && mailbox.health ? (shutUntil(mailbox.health) ?? 0) : 0;
  const until = Math.max(retryAt, shutUntilAt);
  return { kind: "RESTING", until: until > now ? until : null };
}

/** When a mailbox can send, in epoch milliseconds; null when that is not known. */
export function freeAt(mailbox: Mailbox, now: number): number | null {
  const bar = mailboxBar(mailbox, now);
  if (bar === null) return now;
  return bar.kind === "RESTING" ? (nextTryOf(mailbox, now)?.getTime() ?? null) : null;
}

/**
 * Why a mailbox that can send must still wait before it contacts this recipient: organisations that refused it recently
 * are contacted last (rules/sending 10.8, 10.9).
 */
export function refusalBarOf(
  { recipient }: Pick<Situation, "recipient">,
  mailbox: Mailbox | null,
  now: number,
): Promise<RefusalBar | null> {
  return findRefusalBar(mailbox, recipient.email, now);
}

/** The earliest time at which a step may be sent, according to its delay and the refusals of its mailbox. */
export async function earliestOf(situation: Situation, mailbox: Mailbox, step: Step, now: number): Promise<number> {
  const bar = await refusalBarOf(situation, mailbox, now);
  return Math.max(now, await dueOf(situation, step), bar?.until ?? 0);
}

/**
 * Whether an email was refused in the trial period after an earlier cooldown and would be sent in a trial period again.
 * No recipient is used for that twice (rules/sending 10.9).
 */
export function hasBeenTrial(send: Send, mailbox: Mailbox, now: number): boolean {
  const { trial } = mailbox;
  const before = send.triedAfterRest?.getTime();
  if (!trial || before === undefined || trial.restsUntil.getTime() > now) return false;
  return before < trial.restsUntil.getTime() && trial.refusedBy.includes(organisationOf(domainOf(send.to)));
}

/**
 * Why an email cannot be sent at its slot and needs another one: its mailbox sent too recently, the sending window has
 * closed, or the period of its throttle has ended.
 */
export type SlotBar = "GAP" | "WINDOW" | "THROTTLE";

export function slotBar(send: Send, mailbox: Mailbox, calendar: Calendar, now: number): SlotBar | null {
  if ((mailbox.nextAt?.getTime() ?? 0) - now > SHORT_WAIT_MS) return "GAP";
  if (!isOpen(calendar, now)) return "WINDOW";
  return send.throttled && send.throttled.until.getTime() <= now ? "THROTTLE" : null;
}

/** The request to book the step that a recipient waits for, not before an instant. */
export async function bookingFor(
  situation: Situation,
  mailbox: Mailbox,
  step: Step,
  earliest: number,
): Promise<BookingRequest> {
  const { campaign, settings, recipient, lead } = situation;
  const calendar = await calendarOf(settings, mailbox, recipient.timezone, lead.country, earliest);
  const bounds = { earliest, latest: earliest + HORIZON_MS };
  return {
    campaign,
    settings,
    recipient,
    mailbox,
    calendar,
    stepId: step.stepId,
    ...bounds,
    isNewLead: recipient.sentCount === 0,
  };
}
