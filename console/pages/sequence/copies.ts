import { type Draft, draftOf, hasChanges, type Step, type Stored, withNews } from "./draft.ts";

/** A copy of unsaved changes in this browser. It outlives a reload, the end of the session and a crash of the tab. */
interface Copy {
  base: Stored;
  steps: readonly Step[];
}

/** Changes belong to one person and one campaign, so another person at this browser does not get them. */
export function placeOf(campaignId: string, userId: string): string {
  return `outreach-sequence-${campaignId}-${userId}`;
}

/** The draft to continue: the copy of this tab, else the last one of another tab, else what the server has. */
export function openDraft(place: string, stored: Stored): Draft {
  const copy = readCopy(sessionStorage, place) ?? readCopy(localStorage, place);
  if (copy === null) return draftOf(stored);
  const kept = { ...draftOf(copy.base), steps: copy.steps };
  const draft = copy.base.version === stored.version ? { ...kept, base: stored } : withNews(kept, stored);
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
  const copy: Copy = { base: draft.base, steps: draft.steps };
  return write(place, JSON.stringify(copy));
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
    return isCopy(copy) ? copy : null;
  } catch {
    return null;
  }
}

function isCopy(value: unknown): value is Copy {
  if (typeof value !== "object" || value === null || !("base" in value) || !("steps" in value)) return false;
  const { base, steps } = value;
  return areSteps(steps) && typeof base === "object" && base !== null && "steps" in base && areSteps(base.steps);
}

function areSteps(value: unknown): boolean {
  return Array.isArray(value) && value.every((step: unknown) => isObject(step) && Array.isArray(step["variants"]));
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}
