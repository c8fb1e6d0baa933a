import { DAY_MS } from "../time/durations.ts";
import { type Condition, conditionsOf, type Facts, judge } from "./conditions.ts";
import { DEFAULT_DELAY, type Step, stepAfter, stepOf } from "./sequence.ts";

/** Where a recipient goes next. Instants are in epoch milliseconds. */
export type RecipientRoute =
  /** The recipient goes to this step. Its delay counts from `place`, which is null while the recipient has passed no step. */
  | { kind: "STEP"; step: Step; place: SequencePlace | null }
  /** The conditions are open until then; `stepId` comes next when none of them matches. */
  | { kind: "WAIT"; until: number; stepId: string | null }
  | { kind: "END" };

/** The step that a recipient has passed last, and when. */
export interface SequencePlace {
  stepId: string;
  at: number;
}

/** Milliseconds for which an event without `withinDays` is awaited when no further step follows. */
const LAST_WAIT_MS = DEFAULT_DELAY.value * DAY_MS;

/**
 * Where a recipient goes from its place. The conditions of that step are read from the top (rules/campaigns 2.2). Steps that the recipient
 * has
 * already passed are skipped without being executed again, whatever order the sequence has now. When there is no place, or its step was
 * removed, the recipient goes to `waitsAt`. `done` holds when each step was sent, executed or given up.
 */
export function routeFrom(
  steps: readonly Step[],
  place: SequencePlace | null,
  waitsAt: string | null,
  done: ReadonlyMap<string, number>,
  facts: Facts,
): RecipientRoute {
  const passed = stepOf(steps, place?.stepId ?? null);
  let route = passed === null || place === null ? toStep(stepOf(steps, waitsAt), place) : after(steps, passed, place.at, facts);
  // No step is skipped twice, so this loop ends however the sequence was edited
  for (let left = steps.length; left > 0 && route.kind === "STEP"; left--) {
    const at = done.get(route.step.stepId);
    if (at === undefined) return route;
    route = after(steps, route.step, at, facts);
  }
  return route.kind === "STEP" ? { kind: "END" } : route;
}

function toStep(step: Step | null, place: SequencePlace | null): RecipientRoute {
  return step === null ? { kind: "END" } : { kind: "STEP", step, place };
}

function after(steps: readonly Step[], step: Step, at: number, facts: Facts): RecipientRoute {
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
 * Where a recipient waits after a step was sent: at the next step in order that has not been sent, as far as is known. When conditions may
 * lead elsewhere, its id may be null. Null when nothing can follow.
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

/** The steps that may come right after a step: those that its conditions name, and the next in order unless a condition always matches. */
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
 * The first condition that leads back to a step from which its own step can be reached; null when the sequence always ends. The order alone
 * leads only forward, so every cycle contains such a condition.
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

/** The given steps and all steps that may follow them. Nothing follows a step for which `isEnd` holds. */
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

/** The e-mails that may be the first one a recipient receives. Each of them opens a thread and needs a subject. */
export function openersOf(steps: readonly Step[]): Set<string> {
  const edges = new Map(steps.map((step) => [step.stepId, edgesOf(steps, step)]));
  const mails = new Set(steps.filter(({ type }) => type === "EMAIL").map(({ stepId }) => stepId));
  const first = steps.slice(0, 1).map(({ stepId }) => stepId);
  return reachedFrom(edges, first, (stepId) => mails.has(stepId)).intersection(mails);
}
