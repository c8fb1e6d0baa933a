import { type Signal, signalOf } from "../api/signal.ts";
import { DENSITY, keep, readKept, THEME } from "./kept.ts";

export const THEMES = ["auto", "light", "dark"] as const;
/** How high the rows of lists are. */
export const DENSITIES = ["comfortable", "compact"] as const;

/** The theme that this browser has stored; if none is stored, that of the operating system. */
export const theme = signalOf(readChoice(THEME, THEMES));
export const density = signalOf(readChoice(DENSITY, DENSITIES));

export function applyLook(): void {
  const { dataset } = document.documentElement;
  if (theme.get() === "auto") delete dataset["theme"];
  else dataset["theme"] = theme.get();
  dataset["density"] = density.get();
}

export function setTheme(next: string): void {
  choose(theme, THEMES, next, THEME);
}

export function setDensity(next: string): void {
  choose(density, DENSITIES, next, DENSITY);
}

function choose<T extends string>(signal: Signal<T>, values: readonly T[], next: string, place: string): void {
  const found = values.find((one) => one === next);
  if (found === undefined) return;
  signal.set(found);
  applyLook();
  keep(place, found);
}

/** The stored value; the first one if none is stored. */
function readChoice<const T extends string>(place: string, values: readonly [T, ...T[]]): T {
  const stored = readKept(place);
  return values.find((one) => one === stored) ?? values[0];
}
