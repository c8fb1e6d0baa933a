import { formatInstant, type Rule, rule, shareInPercent } from "../../domain/recipients/explain.ts";
import { hadOf } from "../../domain/recipients/had.ts";
import { conditionsOf } from "../../domain/sequences/conditions.ts";
import type { Step } from "../../domain/sequences/sequence.ts";
import { stepOf } from "../../domain/sequences/sequence.ts";
import { OPEN } from "../../domain/states.ts";
import { scoped } from "../../models/scoped.ts";
import { lastAskedOf } from "../campaigns/approvals.ts";
import { noteFailover } from "../mailboxes/failover.ts";
import { loadHolds } from "../suppression/open-questions.ts";
import { barOf, delaySince, dueOf, findNextRoute, isPutOff, mailboxBar, refusalBarOf } from "./eligibility.ts";
import { forecastAdmission } from "./forecast-admission.ts";
import { forecastMail } from "./forecast-mail.ts";
import { Forecast } from "./forecast-result.ts";
import { loadSituationAt, type Situation } from "./recipient-state.ts";
import { belongsElsewhere, hasOtherSender } from "./waits.ts";

/** The maximum number of steps in a forecast. No sequence has more, and each step is passed at most once. */
const MOST_TURNS = 100;

/**
 * Forecasts a recipient under the assumption that nothing else happens: every rule that prevents or delays its emails,
 * and the coming events, the next one first. It makes the same checks as the send workflow, for the instants at which
 * the workflow will make them.
 */
export async function forecastRecipient(situation: Situation, now: number): Promise<Forecast> {
  const prospect = new Forecast(now);
  await forecastState(prospect, situation);
  endAtTheLatest(prospect, situation);
  return prospect;
}

async function forecastState(prospect: Forecast, situation: Situation): Promise<void> {
  const { recipient, campaign } = situation;
  const { admittedAt, nextSendAt, parkedEpoch, status, stopReason } = recipient;
  const bar = barOf(situation, prospect.now);
  if (bar?.kind === "ENDED") {
    prospect.note("ENDED", { status, stopReason });
    if (stopReason === "HOLD_OUT") prospect.note("HOLD_OUT", { share: shareInPercent(recipient.assignedShare ?? 0) });
    return;
  }
  const rest = whyResting(situation);
  if (rest !== null) prospect.tell(rest);
  if (campaign.status === "COMPLETED") {
    const reason = campaign.completedReason === "SCHEDULE_ENDED" ? "SCHEDULE_ENDED" : "CAMPAIGN_COMPLETED";
    return prospect.happens("ENDED", { reason });
  }
  if (bar?.kind === "PAUSED") return forecastPause(prospect, situation, bar.until);
  if (rest !== null) return forecastInactive(prospect, situation);
  if (status === "PENDING" && admittedAt === null) return forecastAdmission(prospect, situation);
  if (parkedEpoch !== null) prospect.note("PARKED");
  else if (nextSendAt !== null && nextSendAt.getTime() > prospect.now)
    await forecastWake(prospect, situation, nextSendAt.getTime());
  return goOn(prospect, situation);
}

/**
 * Forecasts a recipient whose workflow wakes at a known instant. If conditions are undecided until then, the recipient
 * waits for them.
 */
async function forecastWake(prospect: Forecast, situation: Situation, until: number): Promise<void> {
  const route = await findNextRoute(situation, prospect.now);
  if (route?.kind === "WAIT") noteConditions(prospect, situation, route.until);
  prospect.waitUntil(until);
}

function noteConditions(prospect: Forecast, situation: Situation, until: number): void {
  prospect.note("CONDITION_WAIT", { until: formatInstant(until), conditions: openConditions(situation) });
}

function whyResting({ campaign, settings }: Situation): Rule | null {
  const { status, pauseReason, completedReason, statusChangedAt } = campaign;
  switch (status) {
    case "ACTIVE":
      return null;
    case "DRAFT":
      return rule("CAMPAIGN_DRAFT");
    case "SCHEDULED":
      return rule("CAMPAIGN_SCHEDULED", { startAt: settings.startAt });
    case "PAUSED":
      return rule("CAMPAIGN_PAUSED", { reason: pauseReason, since: formatInstant(statusChangedAt) });
    case "COMPLETED":
      return rule("CAMPAIGN_COMPLETED", { reason: completedReason });
    case "ARCHIVED":
      return rule("CAMPAIGN_ARCHIVED");
  }
}

/**
 * Forecasts a recipient of a campaign that is not active and therefore sends nothing. A scheduled campaign starts
 * automatically. A recipient that wakes after the campaign's end date is ended.
 */
function forecastInactive(prospect: Forecast, { recipient, campaign, settings }: Situation): void {
  const { admittedAt, nextSendAt, parkedEpoch } = recipient;
  if (campaign.status === "SCHEDULED") {
    prospect.waitUntil(settings.startAt === null ? prospect.now : Date.parse(settings.startAt));
    prospect.happens("CAMPAIGN_STARTED");
    return;
  }
  const wakesAt =
    admittedAt === null || parkedEpoch !== null ? null : Math.max(prospect.now, nextSendAt?.getTime() ?? prospect.now);
  if (wakesAt === null || settings.endAt === null || Date.parse(settings.endAt) > wakesAt) return;
  prospect.note("SCHEDULE_ENDED", { endAt: settings.endAt });
  prospect.waitUntil(wakesAt);
  prospect.happens("ENDED", { reason: "SCHEDULE_ENDED" });
}

async function forecastPause(prospect: Forecast, situation: Situation, until: number | null): Promise<void> {
  const { recipient, campaign } = situation;
  const reason = recipient.pauseReason;
  if (until === null) {
    prospect.note("RECIPIENT_PAUSED", { reason });
    if (reason === "APPROVAL_REQUIRED") await noteAsked(prospect, situation);
    if (reason === "MISSING_VARIABLE") noteMissing(prospect, situation);
    return reason === "MAILBOX_DISCONNECTED" ? forecastLostMailbox(prospect, situation) : undefined;
  }
  prospect.note("RECIPIENT_PAUSED_UNTIL", { reason, until: formatInstant(until) });
  prospect.waitUntil(until);
  prospect.happens("RESUMED", { stepId: recipient.nextStepId });
  if (campaign.status !== "ACTIVE") return;
  const status = recipient.sentCount === 0 ? "PENDING" : "IN_PROGRESS";
  return goOn(prospect, { ...situation, recipient: { ...recipient, status, pauseReason: null, pausedUntil: null } });
}

/**
 * Adds to the forecast which variables the lead lacked when its email was due. For recipients that were paused by
 * earlier versions, these names are not stored.
 */
function noteMissing(prospect: Forecast, { recipient, settings }: Situation): void {
  const { nextStepId: stepId, missingVariables: names = [] } = recipient;
  if (names.length > 0) prospect.note("MISSING_VARIABLE", { stepId, names, policy: settings.missingVariablePolicy });
}

/**
 * Adds to the forecast the approval of the email that the recipient waits for, or the open opt-out question. APPROVAL
 * steps have no such approval.
 */
async function noteAsked(prospect: Forecast, { recipient, step }: Situation): Promise<void> {
  const questions = (await loadHolds(recipient.workspaceId, [recipient.email])).get(recipient.email);
  if (questions !== undefined) return prospect.note("OPT_OUT_ASKED", { approvalIds: questions });
  const approval = step === null ? null : await lastAskedOf(recipient, step.stepId);
  if (approval === null || step === null) return;
  const { _id: approvalId, status, createdAt, expiresAt } = approval;
  if (expiresAt === null) return;
  const isOpen = status === "PENDING" && expiresAt.getTime() > prospect.now;
  const values = {
    stepId: step.stepId,
    order: step.order,
    approvalId,
    since: formatInstant(createdAt),
    until: formatInstant(expiresAt),
  };
  prospect.note(isOpen ? "APPROVAL_PENDING" : "APPROVAL_EXPIRED", values);
}

/** Adds to the forecast whether another mailbox takes over from a disconnected one (rules/sending 4.3). */
async function forecastLostMailbox(prospect: Forecast, situation: Situation): Promise<void> {
  const { recipient, mailbox } = situation;
  prospect.note("MAILBOX_LOST", { mailboxId: recipient.mailboxId, status: mailbox?.status ?? "gone" });
  await noteFailover(prospect, situation, recipient.updatedAt.getTime());
}

/** Simulates one check of the send workflow after the other, until an event happens. */
async function goOn(prospect: Forecast, start: Situation): Promise<void> {
  let situation = start;
  for (let left = MOST_TURNS; left > 0; left--) {
    const bar = barOf(situation, prospect.at);
    if (bar?.kind === "SCHEDULE_ENDED")
      return situation.step === null ? undefined : noteDelay(prospect, situation, situation.step);
    if (situation.step === null && situation.recipient.nextStepId !== null) prospect.note("STEP_REMOVED");
    const route = await findNextRoute(situation, prospect.at);
    if (route === null) break;
    if (route.kind === "END") return prospect.happens("ENDED", { reason: "SEQUENCE_FINISHED" });
    if (route.kind === "WAIT") {
      noteConditions(prospect, situation, route.until);
      prospect.waitUntil(route.until);
      situation = await loadSituationAt(situation, route.stepId);
      continue;
    }
    situation = await loadSituationAt(situation, route.step.stepId);
  }
  const { step } = situation;
  if (step === null) return;
  const live = openConditions(situation);
  if (live.length > 0) prospect.note("EVENT_MAY_INTERVENE", { conditions: live });
  await noteDelay(prospect, situation, step);
  if (step.type === "EMAIL" && (await leavesMailbox(prospect, situation))) {
    return forecastAdmission(prospect, {
      ...situation,
      recipient: { ...situation.recipient, admittedAt: null, mailboxId: null },
    });
  }
  return step.type === "EMAIL"
    ? forecastMail(prospect, situation, step)
    : forecastNonMailStep(prospect, situation, step);
}

/** Whether another mailbox may take over a recipient that was never contacted and whose mailbox cannot send. */
async function leavesMailbox(prospect: Forecast, situation: Situation): Promise<boolean> {
  const { mailbox } = situation;
  if (mailbox === null) return false;
  const bar = mailboxBar(mailbox, prospect.at);
  if (bar === null && (await refusalBarOf(situation, mailbox, prospect.at)) !== null)
    return hasOtherSender(situation, mailbox);
  if (bar === null || !(await belongsElsewhere(situation, bar, mailbox))) return false;
  const { _id: mailboxId, status, statusReason, lastError } = mailbox;
  prospect.note("MAILBOX_RESTING", { mailboxId, status, reason: statusReason ?? lastError?.code ?? null });
  return true;
}

/** The conditions that are still undecided, because an event could meet them or their days have not passed. */
function openConditions({ recipient, sequence }: Situation): string[] {
  const passed = stepOf(sequence.steps, hadOf(recipient).at(-1)?.stepId ?? null);
  if (passed === null) return [];
  return conditionsOf(passed).flatMap((condition) => {
    if (condition.if === "ALWAYS" || condition.if === "RANDOM" || condition.if === "FIELD_MATCHES") return [];
    const within = condition.withinDays === undefined ? "" : ` within ${condition.withinDays} days`;
    return [`${condition.if}${within} leads to ${condition.nextStepId ?? "the end"}`];
  });
}

async function noteDelay(prospect: Forecast, situation: Situation, step: Step): Promise<void> {
  const since = delaySince(situation);
  // When a refusal has postponed the step, the time at which it is due no longer follows from its delay
  if (since === null || (situation.recipient.due?.stepId === step.stepId && isPutOff(situation.send))) return;
  const due = await dueOf(situation, step);
  const { value, unit } = step.delay;
  const values = {
    stepId: step.stepId,
    order: step.order,
    value,
    unit,
    since: formatInstant(since),
    until: formatInstant(due),
  };
  if (due > prospect.now) prospect.note("STEP_DELAY", values);
}

/** Forecasts a step that is no email: it waits only for its delay. */
async function forecastNonMailStep(prospect: Forecast, situation: Situation, step: Step): Promise<void> {
  const { recipient } = situation;
  const { stepId, order, type } = step;
  prospect.waitUntil(await dueOf(situation, step));
  prospect.note("STEP_ACTS", { stepId, order, type });
  if (type === "MOVE_TO_CAMPAIGN") return prospect.happens("ENDED", { stepId, reason: "MOVED" });
  const row = await scoped(recipient.workspaceId).StepExecution.findOne({ recipientId: recipient._id, stepId });
  if (row?.state === "POSTING") prospect.note("RETRY", { attempts: row.attempts, reason: row.failure });
  if (type === "APPROVAL" && row?.state !== "APPROVED") {
    prospect.note("APPROVAL_STEP", { stepId, order });
    return prospect.happens("PAUSED", { stepId, reason: "APPROVAL_REQUIRED" });
  }
  prospect.happens("STEP", { stepId });
}

/**
 * Ends the forecast at the campaign's end date, at which an active campaign ends every open recipient, whatever the
 * recipient waits for (rules/sending 3.6).
 */
function endAtTheLatest(prospect: Forecast, { campaign, recipient, settings }: Situation): void {
  if (campaign.status !== "ACTIVE" || settings.endAt === null || !OPEN.includes(recipient.status)) return;
  const endAt = Math.max(prospect.now, Date.parse(settings.endAt));
  const late = prospect.events.findIndex(({ at }) => at >= endAt);
  if (late >= 0) prospect.events.splice(late);
  else if (prospect.events.at(-1)?.event === "ENDED") return;
  if (late >= 0 || prospect.events.length === 0) {
    prospect.note("SCHEDULE_ENDED", { endAt: settings.endAt });
    prospect.events.push({ event: "ENDED", at: endAt, isEarliest: false, stepId: null, reason: "SCHEDULE_ENDED" });
  }
}
