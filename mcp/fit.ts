/** Characters of one result, errors included (rules/tools 4). */
export const MOST_CHARACTERS = 25_000;

/** Sizes that a page may shrink to, largest first. */
const SIZES = [100, 50, 40, 25, 20, 16, 10, 8, 5, 4, 2, 1];
/** Texts of at most this length are never halved. */
const SHORTEST_TEXT = 200;
const MOST_CUTS = 500;

export interface Fitted {
  text: string;
  isTruncated: boolean;
}

interface Cut {
  path: string;
  kept: number;
  of: number;
}

/**
 * Returns JSON of at most 25,000 characters. A page shrinks to a smaller page of the same list, so that following
 * `next` returns each entry once. Anything else loses the ends of its longest lists and texts, which `cut` lists. Ids,
 * numbers and dates are never cut.
 */
export function fitText(value: unknown): Fitted {
  const whole = JSON.stringify(value ?? null);
  if (whole.length <= MOST_CHARACTERS) return { text: whole, isTruncated: false };
  const text = (isPage(value) ? smallerPage(value) : null) ?? shortened(value) ?? lastResort(whole);
  return { text, isTruncated: true };
}

interface Page {
  items: unknown[];
  total: number;
  page: number;
  pageSize: number;
}

function isPage(value: unknown): value is Page {
  if (typeof value !== "object" || value === null) return false;
  const { items, total, page, pageSize }: Record<string, unknown> = { ...value };
  return Array.isArray(items) && [total, page, pageSize].every((one) => typeof one === "number");
}

/** The largest smaller page that fits and starts at the same entry; null when not even one entry fits. */
function smallerPage(value: Page): string | null {
  const { items, total, page, pageSize } = value;
  const offset = (page - 1) * pageSize;
  const lengths = items.map((item) => JSON.stringify(item ?? null).length + 1);
  const rest = JSON.stringify({ ...value, items: [] }).length + 120; // the fields that mark a shortened page
  for (const size of SIZES) {
    if (size >= pageSize || offset % size !== 0) continue;
    const length = lengths.slice(0, size).reduce((sum, one) => sum + one, rest);
    if (length > MOST_CHARACTERS) continue;
    const at = offset / size + 1;
    const next = offset + size < total ? { next: { page: at + 1, pageSize: size } } : {};
    return JSON.stringify({
      ...value,
      items: items.slice(0, size),
      page: at,
      pageSize: size,
      truncated: true,
      ...next,
    });
  }
  return null;
}

/** Halves the longest list or text until the result fits; null when nothing is left to halve. */
function shortened(value: unknown): string | null {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return null;
  const copy: Record<string, unknown> = structuredClone({ ...value });
  const cuts = new Map<string, Cut>();
  for (let round = 0; round < MOST_CUTS; round++) {
    const text = JSON.stringify({ ...copy, truncated: true, cut: [...cuts.values()] });
    if (text.length <= MOST_CHARACTERS) return text;
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
    Reflect.set(holder, key, inner.slice(0, kept));
    return;
  }
  const text = String(inner).replace(MARK, "");
  const of = cuts.get(path)?.of ?? text.length;
  const kept = wholeCharacters(text, Math.floor(text.length / 2));
  cuts.set(path, { path, kept: kept.length, of });
  Reflect.set(holder, key, `${kept}...[${of - kept.length} more characters]`);
}

const MARK = /\.\.\.\[\d+ more characters\]$/;

/** The first characters of a text. It never ends with half of a surrogate pair. */
function wholeCharacters(text: string, length: number): string {
  const isSplit = /[\uD800-\uDBFF]/.test(text[length - 1] ?? "");
  return text.slice(0, isSplit ? length - 1 : length);
}

function lastResort(whole: string): string {
  const message = "The result is too long and could not be shortened in parts: request less";
  for (let length = 20_000; ; length = Math.floor(length / 2)) {
    const text = JSON.stringify({ truncated: true, message, preview: wholeCharacters(whole, length) });
    if (text.length <= MOST_CHARACTERS) return text;
  }
}
