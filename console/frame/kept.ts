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
