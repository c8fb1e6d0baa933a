import { type Calendar, dueAfter } from "../time/schedule.ts";
import type { ChangedDelay } from "./edit.ts";
import { type Course, courseOf, type HadStep } from "./graph.ts";
import { type Step, stepOf } from "./sequence.ts";

/** Open recipients that have had the same steps at the same stage. Instants are epoch milliseconds. */
export interface PlannedGroup {
  count: number;
  /** Up to three of them. */
  recipientIds: readonly string[];
  /** The steps that they have had, including an email that is being sent now. */
  had: readonly HadStep[];
  /** The step that they wait for; null if they wait for none. */
  waitsFor: string | null;
  /** The recipients' time zone; null means the campaign's own zone. */
  timezone: string | null;
  /**
   * When the delay of their next step starts; null before their admission, and while an email is being sent to them.
   */
  since: number | null;
  /** The mailbox that sends to them; null before their admission. */
  mailboxId: string | null;
  /**
   * The latest booked slot or next check within an hour among them; null if it is not known.
   */
  slotAt: number | null;
  /** Whether they are paused until someone resumes them. */
  isPaused: boolean;
  /** Whether their email was refused and waits for its next try. */
  isPutOff: boolean;
}

/** The steps and delays after an edit. */
export interface PlannedEdit {
  before: readonly Step[];
  after: readonly Step[];
  delays: readonly ChangedDelay[];
  now: number;
  /**
   * The sending hours in a time zone; null means the campaign's own zone. They matter only for delays in business days.
   */
  calendar: (timezone: string | null) => Calendar;
}

/**
 * The effect of an edit on a group: the steps that it still gets and the step that it waits for, before and after the
 * edit.
 */
export interface GroupOutcome extends PlannedGroup {
  before: Course;
  after: Course;
  waitsForAfter: string | null;
  /** Whether the email that they wait for is booked again. */
  isRebooked: boolean;
  /** When their next step is due by its delay, but not before now; null if they wait for none. */
  dueBefore: number | null;
  dueAfter: number | null;
}

/**
 * One step, with the numbers of people that the edit affects. A removed step has no `order`, a new one no
 * `orderBefore`.
 */
interface PlannedStep {
  stepId: string;
  type: Step["type"];
  order: number | null;
  orderBefore: number | null;
  waitingBefore: number;
  waitingAfter: number;
  getBefore: number;
  getAfter: number;
  mayGetBefore: number;
  mayGetAfter: number;
  /**
   * How many people no longer get the step that they would have got, surely or possibly. `gains` counts the people who
   * get it only because of the edit.
   */
  misses: number;
  missesBecause: "STEP_REMOVED" | "NOT_ON_THEIR_WAY" | null;
  gains: number;
}

export interface EditOutcome {
  people: number;
  steps: PlannedStep[];
  /** How many people wait for another step than before. */
  moved: number;
  earlier: number;
  later: number;
  rebooked: number;
  /** The first and the last instant at which emails that are booked again are due. */
  firstDueAt: number | null;
  lastDueAt: number | null;
  /** How many people had steps left before the edit, and have none now. */
  completed: number;
  /** How many people would get a step again. */
  repeated: number;
}

/** The effect of an edit on each group. Groups with the same past share the computation. */
export function outcomesOf(edit: PlannedEdit, groups: readonly PlannedGroup[]): GroupOutcome[] {
  const courses = new Map<string, { before: Course; after: Course }>();
  return groups.map((group) => {
    const key = group.had.map(({ stepId }) => stepId).join(" ");
    const course = courses.get(key) ?? {
      before: courseOf(edit.before, group.had),
      after: courseOf(edit.after, group.had),
    };
    courses.set(key, course);
    return outcomeOf(edit, group, course);
  });
}

function outcomeOf(
  edit: PlannedEdit,
  group: PlannedGroup,
  { before, after }: { before: Course; after: Course },
): GroupOutcome {
  const { since } = group;
  const [from, to] = [nextOf(edit.before, group, before), nextOf(edit.after, group, after)];
  const change = group.isPutOff ? undefined : edit.delays.find(({ stepId }) => stepId === to?.stepId);
  const isRebooked =
    since !== null && to !== null && (from?.stepId !== to.stepId || (change !== undefined && change.how !== "KEEP"));
  const due = (step: Step | null) => {
    if (step === null || since === null) return null;
    const delay = step === to && change?.how === "KEEP" ? change.before : step.delay;
    const calendar = edit.calendar(group.timezone);
    return Math.max(edit.now, dueAfter(delay, since, group.timezone ?? calendar.zone, calendar));
  };
  return {
    ...group,
    before,
    after,
    waitsForAfter: to?.stepId ?? null,
    isRebooked,
    dueBefore: due(from),
    dueAfter: due(to),
  };
}

/**
 * The step that a group waits for in a version of the sequence. If conditions are undecided, it is the step for which
 * the group waits now.
 */
function nextOf(steps: readonly Step[], { had, waitsFor }: PlannedGroup, { surely, perhaps }: Course): Step | null {
  const [next = null] = surely;
  if (next !== null || perhaps.length === 0) return stepOf(steps, next);
  return had.some(({ stepId }) => stepId === waitsFor) ? null : stepOf(steps, waitsFor);
}

/** The sums over all groups. */
export function sumUp(
  { before, after }: Pick<PlannedEdit, "before" | "after">,
  groups: readonly GroupOutcome[],
): EditOutcome {
  const laterIds = new Set(after.map(({ stepId }) => stepId));
  const steps = [...after, ...before.filter(({ stepId }) => !laterIds.has(stepId))].map((step) =>
    stepOutcome(step, before, after, groups),
  );
  const count = (isMeant: (group: GroupOutcome) => boolean) =>
    groups.reduce((sum, group) => sum + (isMeant(group) ? group.count : 0), 0);
  const dues = groups.flatMap(({ isRebooked, dueAfter }) => (isRebooked && dueAfter !== null ? [dueAfter] : []));
  return {
    people: count(() => true),
    steps,
    moved: count(({ since, waitsFor, waitsForAfter }) => since !== null && waitsFor !== waitsForAfter),
    earlier: count(({ dueBefore, dueAfter }) => dueBefore !== null && dueAfter !== null && dueAfter < dueBefore),
    later: count(({ dueBefore, dueAfter }) => dueBefore !== null && dueAfter !== null && dueAfter > dueBefore),
    rebooked: count(({ isRebooked }) => isRebooked),
    firstDueAt: dues.reduce<number | null>((least, due) => Math.min(least ?? due, due), null),
    lastDueAt: dues.reduce<number | null>((most, due) => Math.max(most ?? due, due), null),
    completed: count((group) => !isEmpty(group.before) && isEmpty(group.after)),
    repeated: count(({ had, after: { surely, perhaps } }) =>
      had.some(({ stepId }) => [...surely, ...perhaps].includes(stepId)),
    ),
  };
}

function isEmpty({ surely, perhaps }: Course): boolean {
  return surely.length === 0 && perhaps.length === 0;
}

function stepOutcome(
  step: Step,
  before: readonly Step[],
  after: readonly Step[],
  groups: readonly GroupOutcome[],
): PlannedStep {
  const { stepId, type } = step;
  const [order, orderBefore] = [after, before].map((steps) => stepOf(steps, stepId)?.order ?? null);
  const count = (isMeant: (group: GroupOutcome) => boolean) =>
    groups.reduce((sum, group) => sum + (isMeant(group) ? group.count : 0), 0);
  const has = ({ surely, perhaps }: Course) => surely.includes(stepId) || perhaps.includes(stepId);
  const misses = count((group) => has(group.before) && !has(group.after));
  return {
    stepId,
    type,
    order: order ?? null,
    orderBefore: orderBefore ?? null,
    waitingBefore: count(({ waitsFor }) => waitsFor === stepId),
    waitingAfter: count(({ since, waitsForAfter }) => since !== null && waitsForAfter === stepId),
    getBefore: count((group) => group.before.surely.includes(stepId)),
    getAfter: count((group) => group.after.surely.includes(stepId)),
    mayGetBefore: count((group) => group.before.perhaps.includes(stepId)),
    mayGetAfter: count((group) => group.after.perhaps.includes(stepId)),
    misses,
    missesBecause: misses === 0 ? null : order === null ? "STEP_REMOVED" : "NOT_ON_THEIR_WAY",
    gains: count((group) => !has(group.before) && has(group.after)),
  };
}
