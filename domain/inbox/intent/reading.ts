import { languageAmong } from "./language.ts";
import { type Lexicon, MailingWords, type Tag } from "./lexicon.ts";
import { languages } from "./lexicons.ts";
import type { Found } from "./patterns.ts";
import { type Sentence, sentencesOf, type Token } from "./text.ts";
import { mendSlips } from "./typos.ts";

/**
 * Languages that know at least this share of the words that the best language knows are about equal. Then the letters
 * of the text decide between them.
 */
const NEARLY = 0.95;
/** A language counts for a sentence if it knows at least this share of the words that the best language knows. */
const HEARD = 0.8;
const MOST_HEARD = 4;
/** The most words of a text that is searched for typing errors. */
const MOST_CORRECTED = 60;
const LONGEST_SALUTATION = 5;
/**
 * The fewest letters from which the language of a text can be judged. In a shorter text every language that knows the
 * words counts.
 */
const SHORT = 30;

/** Phrases with a meaning of their own. Inside such a phrase, a single word does not count with its usual meaning. */
const WHOLE: readonly Tag[] = ["lookalikes", "others", "requests", "notInterested", "noNeed", "left", "data"];
/** Words that limit a request, such as "until". As part of a longer phrase they do not limit anything. */
const LIMITS: readonly Tag[] = ["if", "until", "how", "contrast", "days", "joints", "states", "others"];
/** The kinds of phrases that may contain limiting words. */
const PHRASES: readonly Tag[] = [
  "please",
  "filler",
  "courtesy",
  "mail",
  "list",
  "dontWrite",
  "leave",
  "forbid",
  "more",
];
/**
 * Kinds of phrases that describe the whole sentence. In scripts without spaces, other phrases found inside them still
 * count.
 */
const LOOSE: readonly Tag[] = [
  "hints",
  "ensure",
  "interested",
  "meeting",
  "asks",
  "again",
  "refer",
  "erase",
  "complaint",
  "legal",
  "notInterested",
];
const MAILING: ReadonlySet<Tag> = new Set(MailingWords.keyof().options);
/**
 * The kinds of words that may be part of a request to stop: words about email, and reasons or complaints that people
 * add.
 */
const OF_MAILING: ReadonlySet<Tag> = new Set([
  ...MAILING,
  "notInterested",
  "complaint",
  "legal",
  "data",
  "erase",
] as const);

/** The words and phrases of one language that were found in a sentence. */
export interface Reading {
  lexicon: Lexicon;
  sentence: Sentence;
  found: readonly Found<Tag>[];
  /**
   * `known`: the tokens that the language knows. `ofMailing`: the known tokens that may be part of a request to stop.
   * `words`: the number of words.
   */
  known: ReadonlySet<number>;
  ofMailing: ReadonlySet<number>;
  words: number;
}

/** A sentence with its readings in several languages. The language that knows most of its words comes first. */
export interface ReadSentence {
  sentence: Sentence;
  readings: readonly Reading[];
}

export interface ReadText {
  /** Null when no language knows any of its words. */
  language: string | null;
  sentences: readonly ReadSentence[];
  words: number;
}

/** Finds the words and phrases of all languages in a text. */
export function readText(text: string): ReadText {
  const sentences = sentencesOf(text);
  const counts = sentences.map(countsOf);
  const language = mainLanguageOf(counts, text);
  const written = sentences.flatMap(({ tokens }) => tokens.filter(({ word }) => word !== ""));
  const [isTold, mayHaveSlips] = [lettersIn(written) >= SHORT, written.length <= MOST_CORRECTED];
  const read = sentences.map((sentence, at) => {
    const languages = heardOf(counts[at] ?? new Map(), isTold ? language : null);
    return readSentence(sentence, languages, { language, mayHaveSlips });
  });
  return { language, sentences: read, words: written.length };
}

function lettersIn(tokens: readonly Token[]): number {
  return tokens.reduce((sum, { word }) => sum + word.length, 0);
}

/** The languages that count for a sentence: the language of the text, unless another one knows more of the sentence. */
function heardOf(counts: ReadonlyMap<string, number>, language: string | null): string[] {
  const most = Math.max(0, ...counts.values());
  if (language !== null && counts.get(language) === most) return [language];
  const near = [...counts]
    .filter(([one, count]) => count >= most * HEARD || one === language)
    .toSorted((a, b) => b[1] - a[1]);
  return near.slice(0, MOST_HEARD).map(([one]) => one);
}

/** How many words of a sentence each language knows. */
function countsOf({ tokens }: Sentence): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { word } of tokens) {
    if (word !== "")
      for (const language of languages().thatKnow(word)) counts.set(language, (counts.get(language) ?? 0) + 1);
  }
  return counts;
}

function mainLanguageOf(all: readonly ReadonlyMap<string, number>[], text: string): string | null {
  const counts = new Map<string, number>();
  for (const one of all) for (const [language, count] of one) counts.set(language, (counts.get(language) ?? 0) + count);
  const most = Math.max(0, ...counts.values());
  const candidates = [...counts].filter(([, count]) => count >= most * NEARLY).toSorted((a, b) => b[1] - a[1]);
  return (
    languageAmong(
      text,
      candidates.map(([language]) => languages().lexiconOf(language)),
    )?.language ?? null
  );
}

function readSentence(
  sentence: Sentence,
  languages: readonly string[],
  { language, mayHaveSlips }: { language: string | null; mayHaveSlips: boolean },
): ReadSentence {
  const readings = orderReadings(
    languages.map((one) => readingOf(sentence, one)),
    language,
  );
  const [best] = readings;
  if (!mayHaveSlips || best === undefined || best.known.size === best.words) return { sentence, readings };
  const mended = mendSlips(sentence, best.known, best.lexicon.language);
  return mended === null
    ? { sentence, readings }
    : {
        sentence,
        readings: orderReadings(
          languages.map((one) => readingOf(mended, one)),
          language,
        ),
      };
}

function orderReadings(readings: readonly Reading[], language: string | null): Reading[] {
  const isMain = ({ lexicon }: Reading) => Number(lexicon.language === language);
  return readings.toSorted((a, b) => b.known.size - a.known.size || isMain(b) - isMain(a));
}

function readingOf(sentence: Sentence, language: string): Reading {
  const lexicon = languages().lexiconOf(language);
  const found = languages().patternsOf(language).findIn(sentence.tokens);
  const known = new Set(found.flatMap(({ words }) => words));
  const ofMailing = new Set(found.flatMap(({ tag, words }) => (OF_MAILING.has(tag) ? words : [])));
  for (const at of salutationOf(sentence, found)) ofMailing.add(at);
  const words = sentence.tokens.filter(isWord).length;
  return { lexicon, sentence, found: withoutTaken(withoutParts(found, lexicon.isUnspaced)), known, ofMailing, words };
}

/**
 * Whether a token counts as a word of the sentence. An email address does not, because whose address it is decides, and
 * neither does a link after a punctuation mark.
 */
function isWord({ word }: Token, at: number, tokens: readonly Token[]): boolean {
  if (word.includes("@")) return false;
  return word !== "" && !(/^(?:https?:|www\.)/.test(word) && tokens[at - 1]?.word === "");
}

/** The tokens of a greeting up to its comma, including the name. */
function salutationOf({ tokens }: Sentence, found: readonly Found<Tag>[]): number[] {
  const end = tokens.findIndex(({ word }) => word === "");
  const isOne =
    end > 0 && end <= LONGEST_SALUTATION && found.some(({ tag, start }) => tag === "courtesy" && start === 0);
  return isOne ? tokens.slice(0, end).map((_, at) => at) : [];
}

/**
 * Leaves out matches that are only part of a longer match: limiting words within phrases and, in scripts without
 * spaces, words that happen to occur inside other words.
 */
function withoutParts(found: readonly Found<Tag>[], isUnspaced: boolean): readonly Found<Tag>[] {
  const mayHold = (tag: Tag) => (isUnspaced ? !LOOSE.includes(tag) : PHRASES.includes(tag));
  const longer = found.filter(
    ({ tag, start, end, words }) => words.length > 1 && end - start === words.length && mayHold(tag),
  );
  const isPart = (one: Found<Tag>) =>
    longer.some(({ start, end }) => start <= one.start && one.end <= end && end - start > one.end - one.start);
  const whole = found.filter(({ words }) => words.length > 1);
  // "Schrappen" is a part of "uit ... schrappen"
  const isInSame = ({ tag, words }: Found<Tag>) =>
    whole.some(
      (other) =>
        other.tag === tag && other.words.length > words.length && words.every((at) => other.words.includes(at)),
    );
  return found.filter((one) => !((isUnspaced || LIMITS.includes(one.tag)) && isPart(one)) && !isInSame(one));
}

/** Leaves out matches inside a phrase with a meaning of its own, unless they are longer than that phrase. */
function withoutTaken(found: readonly Found<Tag>[]): readonly Found<Tag>[] {
  const whole = found.filter(({ tag }) => WHOLE.includes(tag)).toSorted((a, b) => b.words.length - a.words.length);
  if (whole.length === 0) return found;
  const taken = new Map<number, number>();
  const kept = whole.filter(({ words }) => {
    if (words.some((at) => taken.has(at))) return false;
    for (const at of words) taken.set(at, words.length);
    return true;
  });
  // "Ich melde mich ab Montag": the last word of one phrase begins the other
  const begun = new Set(kept.flatMap(({ tag, words: [first] }) => (tag === "lookalikes" ? (first ?? []) : [])));
  const isTaken = ({ words }: Found<Tag>) =>
    words.some((at) => words.length <= (taken.get(at) ?? Number.NEGATIVE_INFINITY)) ||
    (words.length > 1 && begun.has(words.at(-1) ?? -1));
  // "No nos interesa" contains "nos interesa"
  const denied = new Set(kept.flatMap(({ tag, words }) => (tag === "notInterested" ? words : [])));
  const isDenied = ({ tag, words }: Found<Tag>) => tag === "interested" && words.every((at) => denied.has(at));
  const others = found.filter(
    (one) => !WHOLE.includes(one.tag) && !(MAILING.has(one.tag) && isTaken(one)) && !isDenied(one),
  );
  return [...kept, ...others].toSorted((a, b) => a.start - b.start);
}
