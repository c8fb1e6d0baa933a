import { expect, test } from "@jest/globals";
import { WARMUP_LANGUAGES, type WarmupLanguage } from "../../../domain/warmup/enrolment.ts";
import { bodyOf, TURNS, type Turn, wordsOf, write } from "./text-setup.ts";

const MAILS = 10_000;

const LONG_RUN = 8;

/** The most emails that share a run of words in the same order, and that run. */
function mostShared(bodies: readonly string[]): [string, number] {
  const mails = new Map<string, number>();
  for (const body of bodies) {
    const words = wordsOf(body.toLowerCase());
    const runs = words
      .slice(0, Math.max(0, words.length - LONG_RUN + 1))
      .map((_, at) => words.slice(at, at + LONG_RUN).join(" "));
    for (const run of new Set(runs)) mails.set(run, (mails.get(run) ?? 0) + 1);
  }
  return [...mails].reduce<[string, number]>((most, one) => (one[1] > most[1] ? one : most), ["", 0]);
}

/** Ten thousand bodies: the turns after one another, of a conversation after the other. */
const bodies = (turns: readonly Turn[], languages: readonly WarmupLanguage[]) =>
  Array.from({ length: MAILS }, (_, n) => {
    const turn = turns[n % turns.length] ?? 1;
    const conversation = Math.floor(n / turns.length);
    return bodyOf(write(`wml_${conversation}`, turn, languages[conversation % languages.length] ?? "en").text);
  });

test.each([
  ["conversations of all languages", TURNS, WARMUP_LANGUAGES],
  // Most warmup mail opens a conversation, so openings alone must keep the bound too
  ...WARMUP_LANGUAGES.map((language) => [`openings in ${language}`, [1], [language]] as const),
] as const)(
  "among 10,000 emails of %s no two are equal, and no run of 8 words appears in more than one in a hundred",
  (_what, turns, languages) => {
    const texts = bodies(turns, languages);
    expect(new Set(texts).size).toBe(MAILS);
    const [run, mails] = mostShared(texts);
    expect({ run, isRare: mails <= MAILS / 100 }).toEqual({ run, isRare: true });
  },
);

/**
 * The words of a language for a day, a time, a month and the number of an order or a paper, and how many of them a
 * conversation may name.
 */
const DETAILS: Record<WarmupLanguage, readonly RegExp[]> = {
  en: [
    /\b(?:Mon|Tues|Wednes|Thurs|Fri)day\b/g,
    /\b\d{1,2}:\d\d/g,
    /\b(?:January|February|March|April|June|July|August|September|October|November|December)\b/g,
  ],
  de: [
    /\b(?:Montag|Dienstag|Mittwoch|Donnerstag|Freitag)\b/g,
    /\b\d{1,2}(?::\d\d)? Uhr/g,
    /\b(?:Januar|Februar|März|April|Mai|Juni|Juli|August|September|Oktober|November|Dezember)\b/g,
  ],
  fr: [
    /\b(?:lundi|mardi|mercredi|jeudi|vendredi)\b/gi,
    /\b\d{1,2} h(?: \d\d)?/g,
    /\b(?:janvier|février|mars|mai|juin|juillet|septembre|novembre|décembre)\b/gi,
  ],
  es: [
    /\b(?:lunes|martes|miércoles|jueves|viernes)\b/gi,
    /\b\d{1,2}:\d\d/g,
    /\b(?:enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre)\b/gi,
  ],
};

const REF = /\b\d{4}\b/g;

test("the days, times, months and numbers of a warmup conversation stay consistent through all four turns", () => {
  let named = 0;
  for (const language of WARMUP_LANGUAGES) {
    for (let n = 0; n < 2_000; n++) {
      const turns = TURNS.map((turn) => write(`wml_d${n}`, turn, language)).map(
        ({ subject, text }) => `${subject}\n${bodyOf(text)}`,
      );
      const kinds = [...DETAILS[language], REF].map((kind) =>
        turns.flatMap((turn) => turn.match(kind)?.map((detail) => detail.toLowerCase()) ?? []),
      );
      const different = kinds.map((details) => new Set(details).size);
      // A meeting may be moved from one day and hour to another; a month and a number are one only
      expect({ turns, isSteady: different.every((count, kind) => count <= (kind < 2 ? 2 : 1)) }).toEqual({
        turns,
        isSteady: true,
      });
      named += kinds.flat().length;
    }
  }
  expect(named).toBeGreaterThan(40_000);
});
