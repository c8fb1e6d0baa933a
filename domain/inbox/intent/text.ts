/** The most characters of an email that are read. */
const MOST_TEXT = 6_000;
const MOST_SENTENCES = 80;
const LONGEST_SENTENCE = 600;

const LETTERS_WITHOUT_MARK: Record<string, string> = {
  ß: "ss",
  ø: "o",
  ł: "l",
  đ: "d",
  ð: "d",
  þ: "th",
  æ: "ae",
  œ: "oe",
  ı: "i",
  ς: "σ",
};
const SPECIAL = new RegExp(`[${Object.keys(LETTERS_WITHOUT_MARK).join("")}]`, "gu");
/** Scripts without spaces between words. In them, each letter is a token. */
const UNSPACED = "\\p{sc=Han}\\p{sc=Hiragana}\\p{sc=Katakana}ー々";
const IS_UNSPACED = new RegExp(`[${UNSPACED}]`, "u");
/** An address or a link is one token. */
const PLACE = "[\\p{L}\\p{N}._%+-]{1,64}@[\\p{L}\\p{N}.-]{1,200}\\.\\p{L}{2,24}|(?:https?:\\/\\/|www\\.)\\S{1,500}";
const MAY_HAVE_PLACE = /@|\/\/|www\./i;
const MARKS = "[,;:()…/]|(?<=\\s)[-–—](?=\\s)|[—、，；：（）]";
/** Matches the tokens of most sentences, which have no addresses, links or unspaced scripts. `ANY` matches all. */
const SPACED = new RegExp(`[\\p{L}\\p{M}\\p{N}]+'?|${MARKS}`, "gu");
const ANY = new RegExp(`${PLACE}|[${UNSPACED}]|(?:(?![${UNSPACED}])[\\p{L}\\p{M}\\p{N}])+'?|${MARKS}`, "gu");
const IS_WORD = /[\p{L}\p{N}]/u;
/** A line break that a mail program inserted within a sentence. */
const WRAPPED = /(?<=[^\n.!?:;,。！？]{40}),?\n(?=\p{Ll})/gu;
const SENTENCE_END = /\n+|(?<=[^\d\s.][.!?…]["'”»]?)\s+|(?<=[。！？])/u;

/** A word, a letter of a script without spaces, or a mark that separates clauses. */
export interface Token {
  /** In lower case, without accents; empty for a mark. */
  word: string;
  start: number;
  end: number;
}

export interface Sentence {
  text: string;
  tokens: readonly Token[];
  isQuestion: boolean;
}

/** Lower case, without accents and with plain apostrophes: the form in which words are compared. */
export function fold(text: string): string {
  if (/^[\x00-\x7f]*$/.test(text)) return text.toLowerCase();
  return text
    .normalize("NFKD")
    .replace(/[\u0300-\u036f]/g, "")
    .normalize("NFC")
    .toLowerCase()
    .replace(SPECIAL, (letter) => LETTERS_WITHOUT_MARK[letter] ?? letter);
}

/**
 * The sentences of a text. A full stop after a number does not end a sentence, and lines that a mail program wrapped
 * are joined.
 */
export function sentencesOf(text: string): Sentence[] {
  return normaliseText(text)
    .replace(WRAPPED, " ")
    .split(SENTENCE_END)
    .map((sentence) => sentence.replace(/\s+/g, " ").trim().slice(0, LONGEST_SENTENCE))
    .filter((sentence) => IS_WORD.test(sentence))
    .slice(0, MOST_SENTENCES)
    .map((sentence) => ({
      text: sentence,
      tokens: tokensOf(sentence),
      isQuestion: /[?？؟][\s"'”»)!]*$/u.test(sentence),
    }));
}

/** The tokens of a normalised text. */
export function tokensOf(text: string): Token[] {
  const pattern = MAY_HAVE_PLACE.test(text) || IS_UNSPACED.test(text) ? ANY : SPACED;
  return [...text.matchAll(pattern)].map(({ 0: found, index }) => ({
    word: IS_WORD.test(found) ? fold(found) : "",
    start: index,
    end: index + found.length,
  }));
}

function normaliseText(text: string): string {
  return text
    .slice(0, MOST_TEXT)
    .replace(/\r/g, "")
    .normalize("NFC")
    .replace(/[’‘`´]/g, "'");
}
