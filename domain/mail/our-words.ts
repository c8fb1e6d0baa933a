const MAX_TEXT = 20_000;
/** Beginnings of the same three words that are tried. */
const MOST_PLACES = 20;
const BEGINNING = 3;
/** So many words in our order are our text; fewer may be what we asked a person to write. */
const LONG_RUN = 12;
const LEAST_RUN = 4;
/** Of all our words, in a short mail. */
const MOST_OF_IT = 0.6;
const WORD =
  /https?:\/\/[^\s<>"')\]]{1,2000}|\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Thai}|(?:(?!\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Thai})[\p{L}\p{M}\p{N}])+/gu;
const ADDRESS = "\u0000";

interface Word {
  word: string;
  start: number;
  end: number;
  /** As it is written; null for another word. */
  address: string | null;
}

/**
 * A text without what we wrote ourselves, where a program pasted our mail without any mark (mail.md 12): longer pieces in our words and
 * order, however they are wrapped, and what stands around a link of ours. The words that we asked a person to write stay.
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

/** Where the words of ours begin, by the first three; a link by itself, since a label and a link are a whole footer. */
function placesOf(mine: readonly Word[]): ReadonlyMap<string, number[]> {
  const places = new Map<string, number[]>();
  for (let at = 0; at < mine.length; at++) {
    for (const key of keysAt(mine, at)) {
      const known = places.get(key) ?? [];
      if (known.length < MOST_PLACES) places.set(key, [...known, at]);
    }
  }
  return places;
}

function keysAt(words: readonly Word[], at: number): string[] {
  const [first, second] = [words[at], words[at + 1]];
  const beginning = words.slice(at, at + BEGINNING).map(({ word }) => word);
  const isFooter = first?.address !== null || second?.word === ADDRESS;
  return [...(beginning.length === BEGINNING ? [beginning.join(" ")] : []), ...(isFooter ? [beginning.slice(0, 2).join(" ")] : [])];
}

function longestRun(theirs: readonly Word[], mine: readonly Word[], at: number, places: ReadonlyMap<string, number[]>): number {
  let longest = 0;
  for (const place of new Set(keysAt(theirs, at).flatMap((key) => places.get(key) ?? []))) {
    let length = 0;
    while (theirs[at + length] !== undefined && theirs[at + length]?.word === mine[place + length]?.word) length++;
    longest = Math.max(longest, length);
  }
  return longest;
}

/** Also where a scanner of mail has wrapped it into one of its own. */
function isAmong(address: string, links: ReadonlySet<string>): boolean {
  if (links.has(address)) return true;
  const written = address.replace(/%(?:25)?([0-9a-f]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
  return [...links].some((link) => written.includes(link));
}
