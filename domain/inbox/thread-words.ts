import { foldText } from "../fold.ts";
import type { Address } from "../mail/inbound.ts";
import { domainOf } from "../mail/message.ts";

/**
 * rules/mail 12.1: words of one mail, and of one thread, that are found; characters of one word and of one mail's text
 * that are read.
 */
export const MOST_WORDS = { mail: 300, thread: 1_000 } as const;
const MAX_WORD = 100;
const MAX_TEXT = 20_000;
/**
 * Characters of text between white space whose parts are found: what is longer is no word, and looking for its end
 * would take long.
 */
const MAX_TOKEN = 400;
/** rules/mail 12.3: characters that are found together where a script puts no spaces between words. */
const GRAM = 3;

const NO_SPACES = "\\p{sc=Han}\\p{sc=Hiragana}\\p{sc=Katakana}ー\\p{sc=Thai}\\p{sc=Lao}\\p{sc=Khmer}\\p{sc=Myanmar}";
const RUNS = new RegExp(`[${NO_SPACES}]+|[^${NO_SPACES}]+`, "gu");
const IS_UNSPACED = new RegExp(`^[${NO_SPACES}]`, "u");
const BEFORE = /^(?:[a-z]+:\/\/|www\.|[^\p{L}\p{M}\p{N}])+/u;
const AFTER = /[.,;:!?…)"'»”\]}>]+$/u;
const BETWEEN = /[^\p{L}\p{M}\p{N}]+/u;

/**
 * The terms of a search. Each must begin a word of the thread. A search of nothing but punctuation has one term, which
 * nothing begins with.
 */
export function threadTerms(search: string): string[] {
  const terms = tokensOf(search).flatMap((token) => (isUnspaced(token) ? gramsAsked(token) : [cutWord(token)]));
  return terms.length === 0 ? [foldText(search).trim()] : [...new Set(terms)];
}

/**
 * The words by which a thread is found: addresses, domains and names of its participants, its subject, the words of one
 * more mail, and those that it had before, as many as there is room for. So the words of the newest emails stay when a
 * thread has too many.
 */
export function threadWords(
  { subject, participants }: { subject: string; participants: readonly Address[] },
  text: string,
  before: readonly string[],
): string[] {
  const whole = participants.flatMap(({ address }) => [addressWord(address), addressWord(domainOf(address))]);
  const named = searchWordsOf([...participants.map(({ name }) => name), subject].join(" "));
  return [...new Set([...whole, ...named, ...searchWordsOf(text, MOST_WORDS.mail), ...before])].slice(
    0,
    MOST_WORDS.thread,
  );
}

/** How many words an email of this text adds to its thread at most. */
export function wordCountOf(text: string): number {
  return searchWordsOf(text, MOST_WORDS.mail).length;
}

/** An address as it stands among the words of a thread. */
export function addressWord(address: string): string {
  return cutWord(foldText(address));
}

function searchWordsOf(text: string, most = Number.POSITIVE_INFINITY): string[] {
  const words = new Set<string>();
  for (const token of tokensOf(text.slice(0, MAX_TEXT))) {
    for (const word of isUnspaced(token) ? gramsOf(token) : wordParts(token)) {
      if (words.size >= most) return [...words];
      words.add(cutWord(word));
    }
  }
  return [...words];
}

/**
 * Words between white space, without the punctuation around them; a run of a script without spaces is a token of its
 * own.
 */
function tokensOf(text: string): string[] {
  const runs = foldText(text)
    .split(/\s+/u)
    .flatMap((word) => word.match(RUNS) ?? []);
  return runs
    .map((run) => (isUnspaced(run) ? run : run.slice(0, MAX_TOKEN).replace(BEFORE, "").replace(AFTER, "")))
    .filter(Boolean);
}

/** A word as a whole, by which its first part is found too, and the parts behind punctuation. */
function wordParts(token: string): string[] {
  const [, ...others] = token.split(BETWEEN);
  return [token, ...others.filter((part) => part.length > 1)];
}

function gramsOf(run: string): string[] {
  const characters = [...run];
  return characters.map((_, at) => characters.slice(at, at + GRAM).join(""));
}

/** The grams that a run must have for its text to stand in it: those that fill it up. */
function gramsAsked(run: string): string[] {
  const full = gramsOf(run).filter((gram) => [...gram].length === GRAM);
  return full.length === 0 ? [run] : full;
}

function isUnspaced(token: string): boolean {
  return IS_UNSPACED.test(token);
}

// A character cut in half would be stored as a different character
function cutWord(word: string): string {
  return word.slice(0, MAX_WORD).toWellFormed();
}
