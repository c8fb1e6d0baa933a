/** What this browser keeps from one visit to the next. Storage may be forbidden or full, which must break nothing. */
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
    // then it is forgotten with the tab
  }
}
