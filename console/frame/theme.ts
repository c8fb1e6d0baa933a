import { signalOf } from "../api/signal.ts";
import { keep, readKept, THEME } from "./kept.ts";

export const THEMES = ["auto", "light", "dark"] as const;
export type Theme = (typeof THEMES)[number];

/** The theme that this browser has stored; if none is stored, that of the operating system. */
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
  keep(THEME, next);
}

function readTheme(): Theme {
  const storedTheme = readKept(THEME);
  return THEMES.find((one) => one === storedTheme) ?? "auto";
}
