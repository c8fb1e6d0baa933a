import { foldText } from "../fold.ts";

/** How many characters of a word can be searched. Longer words in a search are cut to this length. */
const MAX_WORD = 100;
const MAX_WORDS = 100;

/** The end of the range of all texts that begin with `word`, because no character sorts after it. */
export function afterPrefix(word: string): string {
  return `${word}\u{10ffff}`;
}

/**
 * The words by which something is found: each entry of `whole` unchanged, and the words of `texts` with and without
 * their punctuation. At most 100.
 */
export function searchWordsOf(whole: readonly string[], texts: readonly string[]): string[] {
  const all = texts.map(foldText).join(" ");
  const words = [...whole.map(foldText), ...all.split(/\s+/u), ...all.split(/[^\p{L}\p{M}\p{N}]+/u)];
  // A character cut in half would be stored as a different character, and the lead would differ at every import
  const cut = words.filter(Boolean).map((word) => word.slice(0, MAX_WORD).toWellFormed());
  return [...new Set(cut)].slice(0, MAX_WORDS);
}
