import { DAY_MS } from "../time/durations.ts";
import { type Condition, conditionsOf, type Facts, judge } from "./conditions.ts";
import { DEFAULT_DELAY, type Step, stepAfter, stepOf } from "./sequence.ts";

/** Where a recipient goes next. Instants are in epoch milliseconds. */
export type RecipientRoute =
  | { kind: "STEP"; step: Step }
  /** The conditions can still match before `until`; if none of them does, `stepId` is the next step. */
  | { kind: "WAIT"; until: number; stepId: string | null }
  | { kind: "END" };

/** A step that a recipient has had: sent, executed or skipped; and when, in epoch milliseconds. */
export interface HadStep {
  stepId: string;
  at: number;
}

/** How many milliseconds a condition without `withinDays` waits for its event if no further step follows. */
const LAST_WAIT_MS = DEFAULT_DELAY.value * DAY_MS;

/**
 * Where a recipient goes: to the first step that it has not had on its way through the current sequence
 * (rules/campaigns 2.2). The walk begins at the first step and follows the order and the branches that the recipient
 * took. The recipient therefore still gets a step that an edit has put before others, but no step of a branch that it
 * did not take. `had` is in the order of its instants.
 */
export function routeFrom(steps: readonly Step[], had: readonly HadStep[], facts: Facts): RecipientRoute {
  return walkRoute(steps, had, (step, at, followed) => after(steps, step, at, followed, facts));
}

/**
 * The probable next step of a recipient. `isDecided` is false if conditions may lead to another step. The step's id is
 * null if no other step follows.
 */
export interface Follower {
  stepId: string | null;
  isDecided: boolean;
}

/**
 * The step that probably comes next for a recipient, found without evaluating conditions. Null when no step can follow.
 */
export function followerOf(steps: readonly Step[], had: readonly HadStep[]): Follower | null {
  let isDecided = true;
  const route = walkRoute(steps, had, (step, _at, followed) => {
    const nextStep = takenFrom(steps, step, followed);
    if (nextStep === null && step.conditions.length > 0) isDecided = false;
    return toStep(nextStep ?? stepAfter(steps, step.stepId));
  });
  if (route.kind === "STEP") return { stepId: route.step.stepId, isDecided };
  return isDecided ? null : { stepId: null, isDecided };
}

/**
 * The steps that a recipient still gets, in order, if it does not reply and nothing stops it. Conditions decide which
 * steps of `perhaps` it gets.
 */
export interface Course {
  surely: string[];
  perhaps: string[];
}

/** The rest of the sequence for a recipient. The instants in `had` are not used. */
export function courseOf(steps: readonly Step[], had: readonly HadStep[]): Course {
  const surely: string[] = [];
  for (;;) {
    const passed = [...had, ...surely.map((stepId) => ({ stepId, at: 0 }))];
    const next = followerOf(steps, passed);
    if (next === null) return { surely, perhaps: [] };
    if (!next.isDecided) return { surely, perhaps: steps.map(({ stepId }) => stepId).filter(isAhead(steps, passed)) };
    const step = stepOf(steps, next.stepId);
    if (step === null) return { surely, perhaps: [] };
    surely.push(step.stepId);
    if (step.type === "MOVE_TO_CAMPAIGN") return { surely, perhaps: [] };
  }
}

/** Whether a step can follow the last step that the recipient had, and the recipient has not had it yet. */
function isAhead(steps: readonly Step[], passed: readonly HadStep[]): (stepId: string) => boolean {
  const edges = new Map(steps.map((step) => [step.stepId, edgesOf(steps, step)]));
  const known = passed.map(({ stepId }) => stepId).filter((stepId) => edges.has(stepId));
  const reached = reachedFrom(
    edges,
    known.length === 0 ? steps.slice(0, 1).map(({ stepId }) => stepId) : known.slice(-1),
  );
  return (stepId) => reached.has(stepId) && !known.includes(stepId);
}

/**
 * Finds the route from a step that the recipient had at an instant; `followed` is the step that the recipient had next.
 */
type Onward = (step: Step, at: number, followed: HadStep | null) => RecipientRoute;

function walkRoute(steps: readonly Step[], had: readonly HadStep[], onward: Onward): RecipientRoute {
  const places = new Map(had.map(({ stepId }, place) => [stepId, place]));
  let route = toStep(steps[0] ?? null);
  // Each step is visited at most once, so this loop ends however the sequence was edited
  for (let left = steps.length; left > 0 && route.kind === "STEP"; left--) {
    const place = places.get(route.step.stepId);
    if (place === undefined) return route;
    route = onward(route.step, had[place]?.at ?? 0, had[place + 1] ?? null);
  }
  return route.kind === "STEP" ? { kind: "END" } : route;
}

function toStep(step: Step | null): RecipientRoute {
  return step === null ? { kind: "END" } : { kind: "STEP", step };
}

/** The step that a recipient took from another one, if the sequence still leads there. */
function takenFrom(steps: readonly Step[], step: Step, followed: HadStep | null): Step | null {
  return followed !== null && edgesOf(steps, step).includes(followed.stepId) ? stepOf(steps, followed.stepId) : null;
}

/**
 * If the sequence no longer leads to the step that the recipient had next, the conditions are judged by the facts at
 * the time of that step.
 */
function after(
  steps: readonly Step[],
  step: Step,
  at: number,
  followed: HadStep | null,
  present: Facts,
): RecipientRoute {
  const nextStep = takenFrom(steps, step, followed);
  if (nextStep !== null) return toStep(nextStep);
  const facts = followed === null ? present : factsAt(present, followed.at);
  const next = stepAfter(steps, step.stepId);
  let drawFrom = 0;
  let isLive = false;
  for (const condition of conditionsOf(step)) {
    const verdict = judge(condition, step, at, drawFrom, facts);
    if (verdict === "yes") return toStep(stepOf(steps, condition.nextStepId));
    if (typeof verdict === "number" && followed === null)
      return { kind: "WAIT", until: verdict, stepId: next?.stepId ?? null };
    if (verdict === "live" && followed === null) isLive = true;
    if (condition.if === "RANDOM") drawFrom += condition.percent;
  }
  if (next === null && isLive && facts.now < at + LAST_WAIT_MS)
    return { kind: "WAIT", until: at + LAST_WAIT_MS, stepId: null };
  return toStep(next);
}

/**
 * The facts as they were at an earlier instant. The time at which a reply got its category is not stored, so the facts
 * contain no category.
 */
function factsAt(facts: Facts, now: number): Facts {
  const firstAt: Facts["firstAt"] = (event, stepId) => {
    const at = facts.firstAt(event, stepId);
    return at !== null && at <= now ? at : null;
  };
  return { ...facts, firstAt, category: null, now };
}

/**
 * The steps that may come right after a step: those that its conditions name, and the next in order unless a condition
 * always matches.
 */
export function edgesOf(steps: readonly Step[], step: Step): string[] {
  if (step.type === "MOVE_TO_CAMPAIGN") return [];
  const read: Condition[] = [];
  for (const condition of conditionsOf(step)) {
    read.push(condition);
    if (condition.if === "ALWAYS") return targetIds(read);
  }
  const next = stepAfter(steps, step.stepId);
  return [...targetIds(read), ...(next === null ? [] : [next.stepId])];
}

function targetIds(conditions: readonly Condition[]): string[] {
  return conditions.flatMap(({ nextStepId }) => nextStepId ?? []);
}

/**
 * The first condition that leads back to a step from which its own step can be reached; null when the sequence always
 * ends. The order alone leads only forward, so every cycle contains such a condition.
 */
export function cycleIn(steps: readonly Step[]): { step: number; condition: number } | null {
  const edges = new Map(steps.map((step) => [step.stepId, edgesOf(steps, step)]));
  for (const [index, step] of steps.entries()) {
    const back = new Set(
      edges.get(step.stepId)?.filter((target) => steps.findIndex(({ stepId }) => stepId === target) <= index),
    );
    for (const target of back) {
      if (!reachedFrom(edges, [target]).has(step.stepId)) continue;
      return { step: index, condition: conditionsOf(step).findIndex(({ nextStepId }) => nextStepId === target) };
    }
  }
  return null;
}

/** The given steps and all steps that may follow them. Nothing follows a step for which `isEnd` holds. */
function reachedFrom(
  edges: ReadonlyMap<string, string[]>,
  stepIds: readonly string[],
  isEnd = (_stepId: string) => false,
): Set<string> {
  const reached = new Set<string>();
  const queue = [...stepIds];
  for (let stepId = queue.pop(); stepId !== undefined; stepId = queue.pop()) {
    if (reached.has(stepId)) continue;
    reached.add(stepId);
    if (!isEnd(stepId)) queue.push(...(edges.get(stepId) ?? []));
  }
  return reached;
}

/** The emails that may be the first one a recipient receives. Each of them opens a thread and needs a subject. */
export function openersOf(steps: readonly Step[]): Set<string> {
  const edges = new Map(steps.map((step) => [step.stepId, edgesOf(steps, step)]));
  const mails = new Set(steps.filter(({ type }) => type === "EMAIL").map(({ stepId }) => stepId));
  const first = steps.slice(0, 1).map(({ stepId }) => stepId);
  return reachedFrom(edges, first, (stepId) => mails.has(stepId)).intersection(mails);
}
