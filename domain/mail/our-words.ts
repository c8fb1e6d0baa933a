const MAX_TEXT = 20_000;
/** The most positions in our text that are compared when several begin with the same three words. */
const MOST_PLACES = 20;
const BEGINNING = 3;
/** This many words in the order of our text are our text. Fewer words may be what we asked the person to write. */
const LONG_RUN = 12;
const LEAST_RUN = 4;
/** The share of our email's words that a match must cover if our email is short. */
const MOST_OF_IT = 0.6;
const WORD =
  /https?:\/\/[^\s<>"')\]]{1,2000}|\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Thai}|(?:(?!\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Thai})[\p{L}\p{M}\p{N}])+/gu;
const ADDRESS = "\u0000";

interface Word {
  word: string;
  start: number;
  end: number;
  /** The URL as it is written; null for any other word. */
  address: string | null;
}

/**
 * Removes what we wrote ourselves from a text, for programs that paste our email without marking it (rules/mail 11.1):
 * longer passages of our email, however their lines are wrapped, and the text around one of our links. Words that we
 * asked the person to write stay.
 */
export function withoutOurs(text: string, ours: readonly string[]): string {
  return ours.reduce(withoutOne, text.slice(0, MAX_TEXT));
}

function withoutOne(text: string, our: string): string {
  const [theirs, mine] = [wordsIn(text), wordsIn(our.slice(0, MAX_TEXT))];
  const links = new Set(mine.flatMap(({ address }) => address ?? []));
  const places = placesOf(mine);
  let left = "";
  let from = 0;
  for (let at = 0; at < theirs.length; ) {
    const run = longestRun(theirs, mine, at, places);
    const [first, last] = [theirs[at], theirs[at + run - 1]];
    const isOurs =
      run >= LONG_RUN ||
      (run >= LEAST_RUN && run >= mine.length * MOST_OF_IT) ||
      theirs.slice(at, at + run).some(({ address }) => address !== null && isAmong(address, links));
    if (first !== undefined && last !== undefined && isOurs) {
      left += `${text.slice(from, first.start)}\n`;
      from = last.end;
    }
    at += isOurs ? run : 1;
  }
  return left + text.slice(from);
}

function wordsIn(text: string): Word[] {
  return [...text.matchAll(WORD)].map(({ index, 0: found }) => {
    const isAddress = /^https?:/.test(found);
    return {
      word: isAddress ? ADDRESS : found.normalize("NFKC").toLowerCase(),
      start: index,
      end: index + found.length,
      address: isAddress ? found : null,
    };
  });
}

/**
 * The positions in our text by the three words that begin there. A link also has an entry by itself, because a footer
 * may consist only of a label and a link.
 */
function placesOf(mine: readonly Word[]): ReadonlyMap<string, number[]> {
  const places = new Map<string, number[]>();
  for (let at = 0; at < mine.length; at++) {
    for (const key of keysAt(mine, at)) {
      const starts = places.get(key) ?? [];
      if (starts.length < MOST_PLACES) places.set(key, [...starts, at]);
    }
  }
  return places;
}

function keysAt(words: readonly Word[], at: number): string[] {
  const [first, second] = [words[at], words[at + 1]];
  const beginning = words.slice(at, at + BEGINNING).map(({ word }) => word);
  const isFooter = first?.address !== null || second?.word === ADDRESS;
  return [
    ...(beginning.length === BEGINNING ? [beginning.join(" ")] : []),
    ...(isFooter ? [beginning.slice(0, 2).join(" ")] : []),
  ];
}

function longestRun(
  theirs: readonly Word[],
  mine: readonly Word[],
  at: number,
  places: ReadonlyMap<string, number[]>,
): number {
  let longest = 0;
  for (const place of new Set(keysAt(theirs, at).flatMap((key) => places.get(key) ?? []))) {
    let length = 0;
    while (theirs[at + length] !== undefined && theirs[at + length]?.word === mine[place + length]?.word) length++;
    longest = Math.max(longest, length);
  }
  return longest;
}

/** Whether a URL is one of our links, also when an email scanner has wrapped it into its own URL. */
function isAmong(address: string, links: ReadonlySet<string>): boolean {
  if (links.has(address)) return true;
  const written = address.replace(/%(?:25)?([0-9a-f]{2})/gi, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
  return [...links].some((link) => written.includes(link));
}
