import { mayKeepSequences } from "../../frame/kept.ts";
import { type Draft, draftOf, hasChanges, type Step, type Stored, withNews } from "./draft.ts";

/**
 * A copy of unsaved changes in this browser. It outlives a reload, the end of the session and a crash of the tab. It
 * contains no setting of a webhook that the server already has, because such a setting may contain a secret.
 */
interface Copy {
  base: Stored;
  steps: readonly Step[];
  sends: Draft["sends"];
}

/** The draft to continue: the copy of this tab, else the last one of another tab, else what the server has. */
export function openDraft(place: string, stored: Stored): Draft {
  const copy = readCopy(sessionStorage, place) ?? readCopy(localStorage, place);
  if (copy === null) return draftOf(stored);
  // An older answer may contain an older URL
  const known = stored.version < copy.base.version ? [] : stored.steps;
  const filled = (steps: readonly Step[]) => withSettings(steps, known);
  const isSameVersion = copy.base.version === stored.version;
  // Someone else may have changed a setting that the copy changes too. The base then lacks it, so that `withNews` asks
  const bare = withoutNames(known, copy.steps);
  const base = isSameVersion ? stored : { ...copy.base, steps: withSettings(copy.base.steps, bare) };
  const kept = { ...draftOf(base), steps: filled(copy.steps), sends: copy.sends.map(filled) };
  const draft = withNews(kept, stored);
  if (!hasChanges(draft)) dropCopy(place);
  return draft;
}

/**
 * Keeps a copy while there are changes. Returns whether a reload would bring all of them back. A tab without changes
 * leaves the copy of another tab alone.
 */
export function keepCopy(place: string, draft: Draft): boolean {
  if (!hasChanges(draft)) {
    if (readCopy(sessionStorage, place) !== null) dropCopy(place);
    return true;
  }
  if (!mayKeepSequences()) return false;
  const { base, steps, sends } = draft;
  const bare = (steps: readonly Step[]) => withoutSettings(steps, base.steps);
  const copy: Copy = { base: { ...base, steps: bare(base.steps) }, steps: bare(steps), sends: sends.map(bare) };
  return write(place, JSON.stringify(copy)) || write(place, JSON.stringify({ ...copy, sends: [] }));
}

export function dropCopy(place: string): void {
  for (const storage of [sessionStorage, localStorage]) {
    try {
      storage.removeItem(place);
    } catch {
      // without storage there is no copy
    }
  }
}

/** The steps without the settings of webhooks that are the same in `base`. */
function withoutSettings(steps: readonly Step[], base: readonly Step[]): Step[] {
  return steps.map((step) => {
    if (step.type !== "WEBHOOK") return step;
    const known = base.find(({ stepId }) => stepId === step.stepId)?.config ?? {};
    const isNew = ([name, value]: [string, unknown]) => JSON.stringify(value) !== JSON.stringify(known[name]);
    return { ...step, config: Object.fromEntries(Object.entries(step.config).filter(isNew)) };
  });
}

/** The steps with the settings of webhooks that a copy leaves out. */
function withSettings(steps: readonly Step[], stored: readonly Step[]): Step[] {
  return steps.map((step) => {
    if (step.type !== "WEBHOOK") return step;
    const known = stored.find(({ stepId }) => stepId === step.stepId)?.config;
    return { ...step, config: { ...known, ...step.config } };
  });
}

/** The steps without the settings of webhooks that `others` contain, whatever their values. */
function withoutNames(steps: readonly Step[], others: readonly Step[]): Step[] {
  return steps.map((step) => {
    const named = others.find(({ stepId }) => stepId === step.stepId)?.config ?? {};
    return { ...step, config: Object.fromEntries(Object.entries(step.config).filter(([name]) => !(name in named))) };
  });
}

/** A full storage keeps nothing: an older copy would bring back an older text. */
function write(place: string, text: string): boolean {
  try {
    sessionStorage.setItem(place, text);
    localStorage.setItem(place, text);
    return true;
  } catch {
    dropCopy(place);
    return false;
  }
}

function readCopy(storage: Storage, place: string): Copy | null {
  try {
    const copy: unknown = JSON.parse(storage.getItem(place) ?? "null");
    // Copies of earlier versions of the console have no `sends`
    const whole = isObject(copy) ? { sends: [], ...copy } : null;
    return isCopy(whole) ? whole : null;
  } catch {
    return null;
  }
}

function isCopy(value: unknown): value is Copy {
  if (!isObject(value)) return false;
  const { base, steps, sends } = value;
  const areSends = Array.isArray(sends) && sends.every(areSteps);
  return areSends && areSteps(steps) && isObject(base) && areSteps(base["steps"]);
}

function areSteps(value: unknown): boolean {
  return Array.isArray(value) && value.every((step: unknown) => isObject(step) && Array.isArray(step["variants"]));
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}
