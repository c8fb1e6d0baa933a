import { signalOf } from "../api/signal.ts";

export const THEMES = ["auto", "light", "dark"] as const;
export type Theme = (typeof THEMES)[number];

const PLACE = "outreach-theme";

/** How the console looks, as this browser keeps it. A browser that keeps nothing looks as its system does. */
export const theme = signalOf<Theme>(readTheme());

export function applyTheme(): void {
  const { documentElement } = document;
  const chosen = theme.get();
  if (chosen === "auto") delete documentElement.dataset["theme"];
  else documentElement.dataset["theme"] = chosen;
}

export function setTheme(next: Theme): void {
  theme.set(next);
  applyTheme();
  write(PLACE, next);
}

function readTheme(): Theme {
  const kept = read(PLACE);
  return THEMES.find((one) => one === kept) ?? "auto";
}

/** Storage may be forbidden or full, which must break nothing. */
export function read(place: string): string | null {
  try {
    return localStorage.getItem(place);
  } catch {
    return null;
  }
}

export function write(place: string, value: string): void {
  try {
    localStorage.setItem(place, value);
  } catch {
    // then it is forgotten with the tab
  }
}
