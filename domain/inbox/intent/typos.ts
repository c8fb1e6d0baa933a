import { distance } from "fastest-levenshtein";
import type { MailingTag } from "./lexicon.ts";
import { languages } from "./lexicons.ts";
import { fold, type Sentence, tokensOf } from "./text.ts";

/** Only words with these tags are corrected, because they decide the meaning. */
const TAGS: readonly MailingTag[] = ["leave", "remove", "stop", "contact", "receive", "mail", "list", "address"];
/**
 * Words with fewer letters than the first number are not corrected, because they are too similar to others. Words with
 * at least the second number of letters may have two errors.
 */
const [SHORT, LONG] = [6, 10];

/** The words of a language by their first letters. */
type Words = ReadonlyMap<string, readonly string[]>;
const wordsByLanguage = new Map<string, Words>();

/** The sentence with corrected typing errors in unknown words; null if nothing was corrected. */
export function mendSlips(sentence: Sentence, knownTokens: ReadonlySet<number>, language: string): Sentence | null {
  let isMended = false;
  const tokens = sentence.tokens.map((token, at) => {
    const word = knownTokens.has(at) || token.word.length < SHORT ? null : meantBy(token.word, language);
    if (word === null) return token;
    isMended = true;
    return { ...token, word };
  });
  return isMended ? { ...sentence, tokens } : null;
}

function meantBy(written: string, language: string): string | null {
  const words = knownWordsOf(language).get(written.slice(0, 1)) ?? [];
  if (words.includes(written)) return null;
  const isMeant = (word: string) => {
    const most = word.length >= LONG ? 2 : 1;
    if (Math.abs(word.length - written.length) > most) return false;
    const slips = distance(word, written);
    return slips <= most || (slips === 2 && sortedLetters(word) === sortedLetters(written));
  };
  return words.find(isMeant) ?? null;
}

/** The letters of a word in alphabetical order, so that two swapped letters count as one error. */
function sortedLetters(word: string): string {
  return [...word].toSorted().join("");
}

function knownWordsOf(language: string): Words {
  const cachedWords = wordsByLanguage.get(language);
  if (cachedWords !== undefined) return cachedWords;
  const { mailing } = languages().lexiconOf(language);
  const written = TAGS.flatMap((tag) => mailing[tag]).flatMap((pattern) =>
    tokensOf(fold(pattern)).map(({ word }) => word),
  );
  const words = [...new Set(written)].filter((word) => word.length >= SHORT);
  const byLetter = Map.groupBy(words, (word) => word.slice(0, 1));
  wordsByLanguage.set(language, byLetter);
  return byLetter;
}
