import { foldText } from "../fold.ts";
import type { Address } from "../mail/inbound.ts";
import { domainOf } from "../mail/message.ts";

/**
 * Limits of rules/mail 12.1: how many words of one email and of one thread a search can find, and how many characters of
 * one word and of one email's text are read.
 */
export const MOST_WORDS = { mail: 300, thread: 1_000 } as const;
const MAX_WORD = 100;
const MAX_TEXT = 20_000;
/**
 * The most characters between white space that are split into words. A longer run of characters is not a word, and
 * splitting it would be slow.
 */
const MAX_TOKEN = 400;
/** The characters of one search term in scripts without spaces between words (rules/mail 12.3). */
const GRAM = 3;

const NO_SPACES = "\\p{sc=Han}\\p{sc=Hiragana}\\p{sc=Katakana}ー\\p{sc=Thai}\\p{sc=Lao}\\p{sc=Khmer}\\p{sc=Myanmar}";
const RUNS = new RegExp(`[${NO_SPACES}]+|[^${NO_SPACES}]+`, "gu");
const IS_UNSPACED = new RegExp(`^[${NO_SPACES}]`, "u");
const BEFORE = /^(?:[a-z]+:\/\/|www\.|[^\p{L}\p{M}\p{N}])+/u;
const AFTER = /[.,;:!?…)"'»”\]}>]+$/u;
const BETWEEN = /[^\p{L}\p{M}\p{N}]+/u;

/**
 * The terms of a search. A thread matches if each term is the beginning of one of its words. A search with only
 * punctuation has one term that matches no word.
 */
export function threadTerms(search: string): string[] {
  const terms = tokensOf(search).flatMap((token) => (isUnspaced(token) ? gramsAsked(token) : [cutWord(token)]));
  return terms.length === 0 ? [foldText(search).trim()] : [...new Set(terms)];
}

/**
 * The search words of a thread after one more email: addresses, domains and names of its participants, its subject, the
 * words of the email, and as many earlier words as fit. If there are too many, the words of the newest emails stay.
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

/** The most words that an email with this text adds to its thread. */
export function wordCountOf(text: string): number {
  return searchWordsOf(text, MOST_WORDS.mail).length;
}

/** An address in the form in which it is stored among the search words of a thread. */
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
 * Words between white space, without the punctuation around them. A run of a script without spaces is a separate token.
 */
function tokensOf(text: string): string[] {
  const runs = foldText(text)
    .split(/\s+/u)
    .flatMap((word) => word.match(RUNS) ?? []);
  return runs
    .map((run) => (isUnspaced(run) ? run : run.slice(0, MAX_TOKEN).replace(BEFORE, "").replace(AFTER, "")))
    .filter(Boolean);
}

/** A whole word and its parts after punctuation. A search finds each of them by its beginning. */
function wordParts(token: string): string[] {
  const [, ...others] = token.split(BETWEEN);
  return [token, ...others.filter((part) => part.length > 1)];
}

function gramsOf(run: string): string[] {
  const characters = [...run];
  return characters.map((_, at) => characters.slice(at, at + GRAM).join(""));
}

/** The groups of three characters in the searched text. Any text that contains the searched text has all of them. */
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
