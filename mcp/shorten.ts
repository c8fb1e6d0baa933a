/** Texts of at most this length are never halved. */
const SHORTEST_TEXT = 200;
const MOST_CUTS = 500;

/** A text or list that was cut: where it is, how much of it is shown, and how long it is. */
export interface Cut {
  path: string;
  kept: number;
  of: number;
}

/**
 * Halves the longest list or text until the result fits; null when nothing is left to halve. `before` are the texts that
 * were cut already.
 */
export function shortenTo(
  value: Record<string, unknown>,
  fits: (copy: Record<string, unknown>, cut: readonly Cut[]) => string | null,
  before: readonly Cut[] = [],
): string | null {
  const copy: Record<string, unknown> = structuredClone({ ...value });
  const cuts = new Map<string, Cut>(before.map((cut) => [cut.path, cut]));
  for (let round = 0; round < MOST_CUTS; round++) {
    const text = fits(copy, [...cuts.values()]);
    if (text !== null) return text;
    const longest = longestIn(copy);
    if (longest === null) return null;
    halve(longest, cuts);
  }
  return null;
}

interface Place {
  holder: Record<string, unknown> | unknown[];
  key: string | number;
  path: string;
  length: number;
}

function longestIn(root: Record<string, unknown>): Place | null {
  let longest: Place | null = null;
  const consider = (place: Place) => {
    if (longest === null || place.length > longest.length) longest = place;
  };
  const walk = (holder: Record<string, unknown> | unknown[], path: string): void => {
    for (const [key, inner] of Object.entries(holder)) {
      const at = path === "" ? key : `${path}.${key}`;
      const place = { holder, key, path: at };
      if (typeof inner === "string" && inner.length > SHORTEST_TEXT) consider({ ...place, length: inner.length });
      if (Array.isArray(inner)) {
        if (inner.length > 1) consider({ ...place, length: JSON.stringify(inner).length });
        walk(inner, at);
      } else if (typeof inner === "object" && inner !== null) walk(inner as Record<string, unknown>, at); // JSON has no other objects
    }
  };
  walk(root, "");
  return longest;
}

function halve({ holder, key, path }: Place, cuts: Map<string, Cut>): void {
  const inner: unknown = Reflect.get(holder, key);
  if (Array.isArray(inner)) {
    const kept = Math.floor(inner.length / 2);
    cuts.set(path, { path, kept, of: cuts.get(path)?.of ?? inner.length });
    for (let at = kept; at < inner.length; at++) {
      const gone = `${path}.${at}`;
      for (const one of cuts.keys()) if (one === gone || one.startsWith(`${gone}.`)) cuts.delete(one);
    }
    Reflect.set(holder, key, inner.slice(0, kept));
    return;
  }
  const before = cuts.get(path);
  // The note that replaced the end of a text is no part of it
  const text = String(inner).slice(0, before?.kept);
  const of = before?.of ?? text.length;
  const kept = wholeCharacters(text, Math.floor(text.length / 2));
  cuts.set(path, { path, kept: kept.length, of });
  Reflect.set(holder, key, `${kept}...[${of - kept.length} more characters]`);
}

/** The first characters of a text. It never ends with half of a surrogate pair. */
function wholeCharacters(text: string, length: number): string {
  const isSplit = /[\uD800-\uDBFF]/.test(text[length - 1] ?? "");
  return text.slice(0, isSplit ? length - 1 : length);
}
