import { fold, type Token, tokensOf } from "./text.ts";

/** How many letters at the beginning of a word are the key by which the patterns for it are found. */
export const KEY = 4;

export interface WordOption {
  word: string;
  /** Whether it is only the beginning of a word. */
  isStem: boolean;
}
type Element = { kind: "gap" } | { kind: "one"; options: readonly (readonly WordOption[])[]; isOptional: boolean };

/** The words that make up a pattern. Some are only beginnings of words. */
export function wordsOfPattern(written: string): WordOption[] {
  return written.split(" ").flatMap((element) => {
    const read = elementOf(element);
    return read.kind === "gap" ? [] : read.options.flat();
  });
}

/**
 * A pattern of several words. If its first word is found in a text, the text after that word is compared with the rest.
 */
interface Phrase<T> {
  tag: T;
  elements: readonly Element[];
  /** The most tokens that `...` in the pattern stands for. */
  widest: number;
}

interface Beginnings<T> {
  tags: readonly T[];
  phrases: readonly Phrase<T>[];
}

/** The most words whose results are kept. Texts use few different words, so most of them are found again. */
const MOST_REMEMBERED = 4_000;
const LONGEST_REMEMBERED = 30;

/** A cache of results by word. */
export class Remembered<V> {
  readonly #answers = new Map<string, V>();
  readonly #find: (word: string) => V;

  constructor(find: (word: string) => V) {
    this.#find = find;
  }

  of(word: string): V {
    const cachedAnswer = this.#answers.get(word);
    if (cachedAnswer !== undefined) return cachedAnswer;
    const answer = this.#find(word);
    if (this.#answers.size >= MOST_REMEMBERED) this.#answers.clear();
    if (word.length <= LONGEST_REMEMBERED) this.#answers.set(word, answer);
    return answer;
  }
}

/**
 * The position of a found pattern: from the token `start` to the token before `end`. `words` are its tokens without the
 * tokens of gaps.
 */
export interface Found<T> {
  tag: T;
  start: number;
  end: number;
  words: readonly number[];
}

/**
 * A set of word patterns. A text is searched for all of them in one pass. In a pattern `word*` is the beginning of a
 * word, `a|b_c` one or the other, `word?` may be missing, and `...` stands for a few words of the same clause.
 */
export class Patterns<T> {
  readonly #widest: number;
  readonly #words = new Map<string, T[]>();
  readonly #stems = new Map<string, [stem: string, tag: T][]>();
  readonly #phrases = new Map<string, Phrase<T>[]>();
  readonly #stemPhrases = new Map<string, [stem: string, phrase: Phrase<T>][]>();
  readonly #beginnings = new Remembered((word) => this.#beginningWith(word));

  /** `widest` is the most tokens that `...` in a pattern stands for. */
  constructor(widest: number) {
    this.#widest = widest;
  }

  add(tag: T, written: string): void {
    const elements = written.split(" ").map(elementOf);
    for (const beginning of beginningsOf(elements)) {
      const [first, ...rest] = beginning;
      if (first?.kind !== "one") throw new Error(`A pattern begins with a word: ${written}`);
      const phrase = { tag, elements: beginning, widest: this.#widest };
      for (const [option, ...more] of first.options) {
        if (option === undefined) throw new Error(`A pattern without a word: ${written}`);
        const { word, isStem } = option;
        const isWord = rest.length === 0 && more.length === 0;
        if (isWord && !isStem) addTo(this.#words, word, tag);
        else if (isWord) addTo(this.#stems, word.slice(0, KEY), [word, tag]);
        else if (!isStem) addTo(this.#phrases, word, phrase);
        else addTo(this.#stemPhrases, word.slice(0, KEY), [word, phrase]);
      }
    }
  }

  /** All matches: the longest of each tag at each position. */
  findIn(tokens: readonly Token[]): Found<T>[] {
    return tokens.flatMap(({ word }, start) => (word === "" ? [] : this.#findAt(tokens, start, word)));
  }

  #findAt(tokens: readonly Token[], start: number, word: string): Found<T>[] {
    const { tags, phrases } = this.#beginnings.of(word);
    if (phrases.length === 0) return tags.map((tag) => ({ tag, start, end: start + 1, words: [start] }));
    const longest = new Map<T, readonly number[]>(tags.map((tag) => [tag, [start]]));
    for (const phrase of phrases) {
      const words = matchAt(phrase, 0, tokens, start);
      if (words !== null && endOf(words) > endOf(longest.get(phrase.tag) ?? [])) longest.set(phrase.tag, words);
    }
    return [...longest].map(([tag, words]) => ({ tag, start, end: endOf(words), words }));
  }

  /** The patterns that begin with a word: the tags of one-word patterns, and the patterns of several words. */
  #beginningWith(word: string): Beginnings<T> {
    const tags = new Set([...(this.#words.get(word) ?? []), ...startsOf(this.#stems, word)]);
    return { tags: [...tags], phrases: [...(this.#phrases.get(word) ?? []), ...startsOf(this.#stemPhrases, word)] };
  }
}

export function addTo<V>(map: Map<string, V[]>, key: string, value: V): void {
  const values = map.get(key);
  if (values === undefined) map.set(key, [value]);
  else values.push(value);
}

/** The values that are stored under the beginnings of a word. */
export function startsOf<V>(stems: ReadonlyMap<string, readonly [string, V][]>, word: string): V[] {
  const found: V[] = [];
  for (let length = 1; length <= Math.min(KEY, word.length); length++) {
    for (const [stem, value] of stems.get(word.slice(0, length)) ?? []) {
      if (stem.length === length || (length === KEY && word.startsWith(stem))) found.push(value);
    }
  }
  return found;
}

/** The forms of a pattern. A pattern with an optional first word has two forms, with it and without it. */
function beginningsOf(elements: readonly Element[]): (readonly Element[])[] {
  const [first, ...rest] = elements;
  return first?.kind === "one" && first.isOptional
    ? [[{ ...first, isOptional: false }, ...rest], ...beginningsOf(rest)]
    : [elements];
}

function elementOf(written: string): Element {
  if (written === "...") return { kind: "gap" };
  const isOptional = written.endsWith("?");
  const options = (isOptional ? written.slice(0, -1) : written).split("|").map((option) => {
    const isStem = option.endsWith("*");
    const words = wordsIn(isStem ? option.slice(0, -1) : option);
    return words.map((word, at) => ({ word, isStem: isStem && at === words.length - 1 }));
  });
  return { kind: "one", options, isOptional };
}

/** The words of a pattern's part. Plain words are returned directly, because there are many thousands of them. */
function wordsIn(written: string): string[] {
  return /^[a-z0-9]+$/.test(written) ? [written] : tokensOf(fold(written).replaceAll("_", " ")).map(({ word }) => word);
}

function endOf(words: readonly number[]): number {
  return (words.at(-1) ?? -1) + 1;
}

/**
 * The tokens that match a pattern of several words from its element `next` on, starting at the token `at`; null if the
 * tokens do not match.
 */
function matchAt<T>(phrase: Phrase<T>, next: number, tokens: readonly Token[], at: number): readonly number[] | null {
  const element = phrase.elements[next];
  if (element === undefined) return [];
  if (element.kind === "gap") {
    for (let width = 0; width <= phrase.widest; width++) {
      if (width > 0 && (tokens[at + width - 1]?.word ?? "") === "") return null;
      const rest = matchAt(phrase, next + 1, tokens, at + width);
      if (rest !== null) return rest;
    }
    return null;
  }
  let longest = element.isOptional ? matchAt(phrase, next + 1, tokens, at) : null;
  for (const option of element.options) {
    if (!isWritten(option, tokens, at)) continue;
    const rest = matchAt(phrase, next + 1, tokens, at + option.length);
    if (rest === null || (longest !== null && rest.length + option.length <= longest.length)) continue;
    longest = [...option.map((_, offset) => at + offset), ...rest];
  }
  return longest;
}

/**
 * Whether the tokens from `at` on are the words of one option of a pattern, such as `b_c` in `a|b_c`. It runs for every
 * pattern of several words at every word of a text, so it avoids closures for speed.
 */
function isWritten(option: readonly WordOption[], tokens: readonly Token[], at: number): boolean {
  let next = at;
  for (const { word, isStem } of option) {
    const token = tokens[next++];
    if (token === undefined || !(isStem ? token.word.startsWith(word) : token.word === word)) return false;
  }
  return true;
}
