import { DAY_MS } from "../time/durations.ts";
import { type Condition, conditionsOf, type Facts, judge } from "./conditions.ts";
import { DEFAULT_DELAY, type Step, stepAfter, stepOf } from "./sequence.ts";

/** Where a recipient goes. Instants are epoch milliseconds. */
export type Route =
  /** To this step; its delay counts from `place`, null while no step has been passed. */
  | { kind: "STEP"; step: Step; place: Place | null }
  /** The conditions are open until then; `stepId` is next when none of them matches. */
  | { kind: "WAIT"; until: number; stepId: string | null }
  | { kind: "END" };

/** The step that a recipient has passed last, and when. */
export interface Place {
  stepId: string;
  at: number;
}

/** How long an event is awaited that has no `withinDays`, where no further step would act meanwhile. */
const LAST_WAIT_MS = DEFAULT_DELAY.value * DAY_MS;

/**
 * Where a recipient goes from its place: its conditions are read top-down (behaviours 5), and steps that it has behind it
 * already are passed by without acting again, whatever order the sequence has by now. Without a place, or when that step has
 * gone, it is `waitsAt` that counts. `done` says when steps were sent or acted, or given up.
 */
export function routeFrom(
  steps: readonly Step[],
  place: Place | null,
  waitsAt: string | null,
  done: ReadonlyMap<string, number>,
  facts: Facts,
): Route {
  const passed = stepOf(steps, place?.stepId ?? null);
  let route = passed === null || place === null ? toStep(stepOf(steps, waitsAt), place) : after(steps, passed, place.at, facts);
  // No step is passed by twice, so this ends however the sequence was edited
  for (let left = steps.length; left > 0 && route.kind === "STEP"; left--) {
    const at = done.get(route.step.stepId);
    if (at === undefined) return route;
    route = after(steps, route.step, at, facts);
  }
  return route.kind === "STEP" ? { kind: "END" } : route;
}

function toStep(step: Step | null, place: Place | null): Route {
  return step === null ? { kind: "END" } : { kind: "STEP", step, place };
}

function after(steps: readonly Step[], step: Step, at: number, facts: Facts): Route {
  const place = { stepId: step.stepId, at };
  const next = stepAfter(steps, step.stepId);
  let drawFrom = 0;
  let isLive = false;
  for (const condition of conditionsOf(step)) {
    const verdict = judge(condition, step, at, drawFrom, facts);
    if (verdict === "yes") return toStep(stepOf(steps, condition.nextStepId), place);
    if (typeof verdict === "number") return { kind: "WAIT", until: verdict, stepId: next?.stepId ?? null };
    if (verdict === "live") isLive = true;
    if (condition.if === "RANDOM") drawFrom += condition.percent;
  }
  if (next === null && isLive && facts.now < at + LAST_WAIT_MS) return { kind: "WAIT", until: at + LAST_WAIT_MS, stepId: null };
  return toStep(next, place);
}

/**
 * Where somebody waits who has just been sent a step: at the next in order that has not gone out, as far as known; conditions may
 * lead elsewhere, and then its id may be null. Null when nothing can follow.
 */
export function followerOf(
  steps: readonly Step[],
  stepId: string,
  gone: Readonly<Record<string, unknown>>,
): { stepId: string | null } | null {
  const index = steps.findIndex((step) => step.stepId === stepId);
  const step = steps[index];
  if (step === undefined) return null;
  const rest = steps.slice(index + 1);
  const next = rest.find(({ stepId }) => !Object.hasOwn(gone, stepId));
  if (next !== undefined) return { stepId: next.stepId };
  return [step, ...rest].some(({ conditions }) => conditions.length > 0) ? { stepId: null } : null;
}

/** The steps that may come right after a step: those its conditions name, and the next in order unless one always matches. */
export function edgesOf(steps: readonly Step[], step: Step): string[] {
  if (step.type === "MOVE_TO_CAMPAIGN") return [];
  const read: Condition[] = [];
  for (const condition of conditionsOf(step)) {
    read.push(condition);
    if (condition.if === "ALWAYS") return targets(read);
  }
  const next = stepAfter(steps, step.stepId);
  return [...targets(read), ...(next === null ? [] : [next.stepId])];
}

function targets(conditions: readonly Condition[]): string[] {
  return conditions.flatMap(({ nextStepId }) => nextStepId ?? []);
}

/**
 * The first condition that leads back to where its own step can be reached from; null when the sequence always ends. In order
 * alone it leads forward only, so every circle has such a condition.
 */
export function cycleIn(steps: readonly Step[]): { step: number; condition: number } | null {
  const edges = new Map(steps.map((step) => [step.stepId, edgesOf(steps, step)]));
  for (const [index, step] of steps.entries()) {
    const back = new Set(edges.get(step.stepId)?.filter((target) => steps.findIndex(({ stepId }) => stepId === target) <= index));
    for (const target of back) {
      if (!reachedFrom(edges, [target]).has(step.stepId)) continue;
      return { step: index, condition: conditionsOf(step).findIndex(({ nextStepId }) => nextStepId === target) };
    }
  }
  return null;
}

/** These steps and all that may follow them; none follows those that `isEnd`. */
function reachedFrom(edges: ReadonlyMap<string, string[]>, stepIds: readonly string[], isEnd = (_stepId: string) => false): Set<string> {
  const reached = new Set<string>();
  const queue = [...stepIds];
  for (let stepId = queue.pop(); stepId !== undefined; stepId = queue.pop()) {
    if (reached.has(stepId)) continue;
    reached.add(stepId);
    if (!isEnd(stepId)) queue.push(...(edges.get(stepId) ?? []));
  }
  return reached;
}

/** The e-mails that may be the first to reach somebody: each opens a thread, so each needs a subject. */
export function openersOf(steps: readonly Step[]): Set<string> {
  const edges = new Map(steps.map((step) => [step.stepId, edgesOf(steps, step)]));
  const mails = new Set(steps.filter(({ type }) => type === "EMAIL").map(({ stepId }) => stepId));
  const first = steps.slice(0, 1).map(({ stepId }) => stepId);
  return reachedFrom(edges, first, (stepId) => mails.has(stepId)).intersection(mails);
}
