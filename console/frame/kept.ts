/**
 * Names of values that this browser stores between visits. Storage may be forbidden or full, which must not cause an
 * error.
 */
export const LAST_WORKSPACE = "outreach-workspace";
export const THEME = "outreach-theme";

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
