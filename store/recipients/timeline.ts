import { hadOf } from "../../domain/recipients/had.ts";
import { followerOf } from "../../domain/sequences/graph.ts";
import { stepOf } from "../../domain/sequences/sequence.ts";
import { dueAfter, nextOpening } from "../../domain/time/schedule.ts";
import { calendarOf } from "../sending/calendar.ts";
import { forecastRecipient } from "./forecast.ts";
import type { Situation } from "./recipient-state.ts";

/** A future step of a recipient, in epoch milliseconds. `isEarliest`: the step may also happen later. */
export interface TimelineStep {
  stepId: string;
  at: number;
  isEarliest: boolean;
}

/** Events of a forecast after which the sequence continues. */
const GOES_ON = ["MAIL", "STEP", "STEP_SKIPPED"];

/**
 * The future steps of a recipient if nothing else happens. The next step comes from the forecast, with current slots.
 * Later steps follow from their delays and the campaign's hours. The list ends where conditions decide.
 */
export async function timelineOf(situation: Situation, now: number): Promise<TimelineStep[]> {
  const { recipient, settings, sequence, mailbox, lead } = situation;
  const { events } = await forecastRecipient(situation, now);
  const last = events.at(-1);
  if (last === undefined || last.stepId === null || !GOES_ON.includes(last.event)) return [];
  const timeline = [{ stepId: last.stepId, at: last.at, isEarliest: last.isEarliest }];
  for (let { at, stepId } = last; ; ) {
    const had = [...hadOf(recipient), ...timeline.map((step) => ({ stepId: step.stepId, at: step.at }))];
    if (stepOf(sequence.steps, stepId)?.type === "MOVE_TO_CAMPAIGN") return timeline;
    const next = followerOf(sequence.steps, had);
    const step = stepOf(sequence.steps, next?.stepId ?? null);
    if (step === null || next?.isDecided === false) return timeline;
    const calendar = await calendarOf(settings, mailbox, recipient.timezone, lead.country, at);
    const due = dueAfter(step.delay, at, recipient.timezone ?? settings.timezone, calendar);
    const opens = step.type === "EMAIL" ? nextOpening(calendar, due)?.at : due;
    if (opens === undefined) return timeline;
    at = opens;
    stepId = step.stepId;
    timeline.push({ stepId, at, isEarliest: true });
  }
}
