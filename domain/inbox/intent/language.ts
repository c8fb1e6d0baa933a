import { francAll } from "franc";
import type { Lexicon } from "./lexicon.ts";

/** The fewest letters that distinguish a few languages, or one language from all others. */
const LEAST_LETTERS = { among: 30, ofAll: 60 } as const;
const MOST_TEXT = 2_000;
/** From 0 to 1; the best language of a text has 1. A language with a lower value is not the text's language. */
const LIKELY = 0.85;

/** Which of these languages a text is in, by its letters; the first when the text is too short to tell. */
export function languageAmong(text: string, lexicons: readonly Lexicon[]): Lexicon | undefined {
  const [first, second] = lexicons;
  if (second === undefined || countLetters(text) < LEAST_LETTERS.among) return first;
  const only = lexicons.map(({ code }) => code);
  const [[best] = []] = francAll(text.slice(0, MOST_TEXT), { only, minLength: 1 });
  return lexicons.find(({ code }) => code === best) ?? first;
}

/** Whether the letters of a text show another language than this one, although it has some words of this one. */
export function isForeign(text: string, { code }: Lexicon): boolean {
  const read = text.slice(0, MOST_TEXT);
  if (countLetters(read) < LEAST_LETTERS.ofAll) return false;
  const likely = francAll(read, { minLength: LEAST_LETTERS.ofAll }).find(([found]) => found === code);
  return likely === undefined || likely[1] < LIKELY;
}

function countLetters(text: string): number {
  return (text.match(/\p{L}/gu) ?? []).length;
}
