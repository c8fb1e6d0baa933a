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

/** Drops the unsaved changes that a person has in this browser. */
export function dropSequences(userId: string): void {
  for (const name of ["sessionStorage", "localStorage"] as const) {
    try {
      const storage = globalThis[name];
      for (const place of Object.keys(storage))
        if (place.startsWith(SEQUENCES) && place.endsWith(`-${userId}`)) storage.removeItem(place);
    } catch {
      // without storage there are no copies
    }
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
