import { z } from "zod";
import { DRAWS, draw } from "../draw.ts";
import { FIELD_RULES } from "../leads/filter-rules-schema.ts";
import { type LeadFacts, matchesLead, readFilterRules } from "../leads/segment.ts";
import { DAY_MS } from "../time/durations.ts";

/** Days that a NOT_ condition waits without `withinDays`: the same as the default delay. */
const DEFAULT_DAYS = 3;

const EVENTS = ["OPENED", "CLICKED", "REPLIED"] as const;
const ABSENCES = ["NOT_OPENED", "NOT_CLICKED", "NOT_REPLIED"] as const;

export type MailEvent = (typeof EVENTS)[number];

const stepId = z.string().min(1).max(64);
const days = z.number().min(0).max(365);
const of = {
  ofStepId: stepId
    .optional()
    .describe("The step whose email is checked; default: this step, otherwise the last email sent"),
};
/** The id of the next step. Null ends the sequence for this recipient. */
const goesTo = {
  nextStepId: stepId.nullable().describe("The step to continue with; null ends the sequence for this recipient"),
};

/** A condition after a step that leads to another step (rules/campaigns 2.2). Keys that are not declared are kept. */
export const conditionInput = z.discriminatedUnion("if", [
  z.looseObject({
    if: z.enum(EVENTS).describe("The type of condition"),
    ...of,
    withinDays: days
      .optional()
      .describe(
        "Days after the email in which an event counts, 0 to 365. NOT_ conditions wait this long, 3 by default",
      ),
    ...goesTo,
  }),
  z.looseObject({
    if: z.enum(ABSENCES).describe("The type of condition"),
    ...of,
    withinDays: days
      .default(DEFAULT_DAYS)
      .describe(
        "Days after the email in which an event counts, 0 to 365. NOT_ conditions wait this long, 3 by default",
      ),
    ...goesTo,
  }),
  z.looseObject({
    if: z.literal("CATEGORY_IS").describe("The type of condition"),
    category: z.string().min(1).max(50).describe("The category of the newest reply"),
    withinDays: days
      .optional()
      .describe(
        "Days after the email in which an event counts, 0 to 365. NOT_ conditions wait this long, 3 by default",
      ),
    ...goesTo,
  }),
  z.looseObject({
    if: z.literal("FIELD_MATCHES").describe("The type of condition"),
    filterRules: z
      .record(z.string(), z.unknown())
      .meta({ ...FIELD_RULES, description: "A filter over the lead's fields" }),
    ...goesTo,
  }),
  z.looseObject({
    if: z.literal("RANDOM").describe("The type of condition"),
    percent: z.number().min(0).max(100).describe("The chance in percent, 0 to 100, computed from ids"),
    ...goesTo,
  }),
  z.looseObject({ if: z.literal("ALWAYS").describe("The type of condition"), ...goesTo }),
]);
export type Condition = z.output<typeof conditionInput>;

const stored = z.array(conditionInput);

/** The conditions of a stored step. */
export function conditionsOf({ conditions }: { conditions: readonly Record<string, unknown>[] }): Condition[] {
  return conditions.length === 0 ? [] : stored.parse(conditions);
}

/** The facts about one recipient by which conditions are judged. Instants are in epoch milliseconds. */
export interface Facts {
  recipientId: string;
  lead: LeadFacts;
  /** When each step's email was sent to this recipient. */
  sentAt: ReadonlyMap<string, number>;
  /** The step of the email that was sent last. Conditions of a step without an email are about that email. */
  lastMailId: string | null;
  /** When the email of a step was first opened, clicked or answered; null when it never was. */
  firstAt: (event: MailEvent, stepId: string) => number | null;
  /** The category of the newest reply that has one. */
  category: string | null;
  now: number;
}

/**
 * `live`: the condition does not match yet, but an event until the next step still makes it match. A number is the
 * instant until which the condition waits for an event.
 */
export type ConditionVerdict = "yes" | "no" | "live" | number;

/**
 * Judges a condition of a step that was executed at `at`. An event counts immediately. With `withinDays`, the condition
 * waits for the event for that long after the email was sent, and so do the conditions after it. Without `withinDays`,
 * it does not wait. A NOT_ condition holds once its days have passed. `drawFrom` is the percentage that earlier RANDOM
 * conditions of the step have used, because all of them share one random draw.
 */
export function judge(
  condition: Condition,
  step: { stepId: string; type: string },
  at: number,
  drawFrom: number,
  facts: Facts,
): ConditionVerdict {
  switch (condition.if) {
    case "ALWAYS":
      return "yes";
    case "RANDOM": {
      const draw = drawOf(facts.recipientId, step.stepId);
      return draw >= drawFrom && draw < drawFrom + condition.percent ? "yes" : "no";
    }
    case "FIELD_MATCHES":
      return matchesLead(readFilterRules(condition.filterRules, { fieldsOnly: true }), facts.lead, new Date(facts.now))
        ? "yes"
        : "no";
    case "CATEGORY_IS":
      if (facts.category === condition.category) return "yes";
      return condition.withinDays === undefined ? "live" : openUntil(at, condition.withinDays, facts.now);
    default: {
      const mailId = condition.ofStepId ?? (step.type === "EMAIL" ? step.stepId : facts.lastMailId);
      const sentAt = mailId === null ? undefined : facts.sentAt.get(mailId);
      return isAbsence(condition)
        ? judgeAbsence(condition, mailId, sentAt, facts)
        : judgeEvent(condition, mailId, sentAt, facts);
    }
  }
}

type Event = Extract<Condition, { if: MailEvent }>;
type Absence = Extract<Condition, { if: (typeof ABSENCES)[number] }>;

function isAbsence(condition: Event | Absence): condition is Absence {
  return condition.if.startsWith("NOT_");
}

function judgeEvent(
  { if: event, withinDays }: Event,
  mailId: string | null,
  sentAt: number | undefined,
  facts: Facts,
): ConditionVerdict {
  if (mailId === null || sentAt === undefined) return "no";
  const happenedAt = facts.firstAt(event, mailId);
  if (withinDays === undefined) return happenedAt === null ? "live" : "yes";
  if (happenedAt !== null && happenedAt <= sentAt + withinDays * DAY_MS) return "yes";
  return happenedAt === null ? openUntil(sentAt, withinDays, facts.now) : "no";
}

/** An email that was never sent was never opened either. */
function judgeAbsence(
  { if: absence, withinDays }: Absence,
  mailId: string | null,
  sentAt: number | undefined,
  facts: Facts,
): ConditionVerdict {
  if (mailId === null || sentAt === undefined) return "yes";
  const event = EVENTS.find((name) => absence === `NOT_${name}`) ?? "OPENED";
  const happenedAt = facts.firstAt(event, mailId);
  const until = sentAt + withinDays * DAY_MS;
  if (happenedAt !== null && happenedAt <= until) return "no";
  return facts.now >= until ? "yes" : until;
}

function openUntil(from: number, withinDays: number, now: number): ConditionVerdict {
  const until = from + withinDays * DAY_MS;
  return now >= until ? "no" : until;
}

/**
 * A pseudo-random number in [0, 100) that depends only on recipient and step, so that every process gets the same one.
 */
function drawOf(recipientId: string, stepId: string): number {
  return (draw(recipientId, stepId, "branch") / DRAWS) * 100;
}
