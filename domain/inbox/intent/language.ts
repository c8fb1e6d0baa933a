import { francAll } from "franc";
import type { Lexicon } from "./lexicon.ts";

/**
 * The fewest letters of a text for telling a few languages apart (`among`), and for telling one language from all
 * others (`ofAll`).
 */
const LEAST_LETTERS = { among: 30, ofAll: 60 } as const;
const MOST_TEXT = 2_000;
/**
 * The lowest score, from 0 to 1, of a language that may be the text's language. The most probable language of a text
 * has 1.
 */
const LIKELY = 0.85;

/** The language of a text among these, judged by its letters; the first of them if the text is too short to judge. */
export function languageAmong(text: string, lexicons: readonly Lexicon[]): Lexicon | undefined {
  const [first, second] = lexicons;
  if (second === undefined || countLetters(text) < LEAST_LETTERS.among) return first;
  const only = lexicons.map(({ code }) => code);
  const [[best] = []] = francAll(text.slice(0, MOST_TEXT), { only, minLength: 1 });
  return lexicons.find(({ code }) => code === best) ?? first;
}

/** Whether the letters of a text show that it is not in this language, although some of its words are. */
export function isForeign(text: string, { code }: Lexicon): boolean {
  const read = text.slice(0, MOST_TEXT);
  if (countLetters(read) < LEAST_LETTERS.ofAll) return false;
  const likely = francAll(read, { minLength: LEAST_LETTERS.ofAll }).find(([found]) => found === code);
  return likely === undefined || likely[1] < LIKELY;
}

function countLetters(text: string): number {
  return (text.match(/\p{L}/gu) ?? []).length;
}
