/** The longest part of a word that is searched by; a search has at most as many characters. */
const MAX_WORD = 100;
const MAX_WORDS = 100;

/** The words a search asks for: each must begin a word of what is found. */
export function searchTerms(search: string): string[] {
  return [...new Set(folded(search).split(/\s+/u).filter(Boolean))];
}

/** The end of the range of all texts that begin with `word`: no character sorts after it. */
export function afterPrefix(word: string): string {
  return `${word}\u{10ffff}`;
}

/** What something is found by: each of `whole` as it is, and the words of `texts`, with and without their punctuation. At most 100. */
export function searchWordsOf(whole: readonly string[], texts: readonly string[]): string[] {
  const all = texts.map(folded).join(" ");
  const words = [...whole.map(folded), ...all.split(/\s+/u), ...all.split(/[^\p{L}\p{M}\p{N}]+/u)];
  // A character cut in half would be stored as another one, and differ at every import
  const cut = words.filter(Boolean).map((word) => word.slice(0, MAX_WORD).toWellFormed());
  return [...new Set(cut)].slice(0, MAX_WORDS);
}

function folded(text: string): string {
  return text.normalize("NFKC").toLowerCase();
}
