import { closest, distance } from "fastest-levenshtein";

/** The largest share of letters in which a mistyped name differs from the one that was meant. */
const LIKE = 1 / 3;

/** The known name that a wrong one was probably meant to be; null when none is close. */
export function nearestName(name: string, names: readonly string[]): string | null {
  if (names.length === 0) return null;
  const nearest = closest(name, [...names]);
  return distance(name, nearest) <= Math.max(name.length, 3) * LIKE ? nearest : null;
}
