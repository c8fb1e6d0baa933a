/**
 * Names of values that this browser stores between visits. Storage may be forbidden or full, which must not cause an
 * error.
 */
export const LAST_WORKSPACE = "outreach-workspace";
export const THEME = "outreach-theme";
export const DENSITY = "outreach-density";
export const SIDEBAR = "outreach-sidebar";

/** Whether a person has hidden the checklist of a workspace. */
export function placeOfChecklist(workspaceId: string, userId: string): string {
  return `outreach-checklist-${workspaceId}-${userId}`;
}

/** The columns of a list that a person has hidden. */
export function placeOfColumns(list: string): string {
  return `outreach-columns-${list}`;
}

const SEQUENCES = "outreach-sequence-";

/** Unsaved changes of a sequence belong to one person, so another person at this browser does not get them. */
export function placeOfSequence(campaignId: string, userId: string): string {
  return `${SEQUENCES}${campaignId}-${userId}`;
}

/** The sequences with unsaved changes of a person in this browser. */
export function placesOfSequences(userId: string): Set<string> {
  const isOwn = (place: string) => place.startsWith(SEQUENCES) && place.endsWith(`-${userId}`);
  return new Set(STORAGES.flatMap((name) => placesIn(name).filter(isOwn)));
}

let areDropped = false;

/** Drops the unsaved changes that a person has in this browser. An editor that is still open keeps none after that. */
export function dropSequences(userId: string): void {
  areDropped = true;
  for (const place of placesOfSequences(userId)) for (const name of STORAGES) globalThis[name].removeItem(place);
}

export function mayKeepSequences(): boolean {
  return !areDropped;
}

const STORAGES = ["sessionStorage", "localStorage"] as const;

function placesIn(name: (typeof STORAGES)[number]): string[] {
  try {
    const storage = globalThis[name];
    return Array.from(storage, (_, at) => storage.key(at) ?? "");
  } catch {
    return []; // without storage there are no copies
  }
}

export function readKept(place: string): string | null {
  try {
    return localStorage.getItem(place);
  } catch {
    return null;
  }
}

export function keep(place: string, value: string): void {
  try {
    localStorage.setItem(place, value);
  } catch {
    // the value is lost when the tab closes
  }
}
