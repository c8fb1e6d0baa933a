import { expect, test } from "@jest/globals";
import { contentWarnings } from "../../../domain/sequences/check.ts";
import { textOf } from "../../../domain/templates/body.ts";
import { WARMUP_LANGUAGES, type WarmupLanguage } from "../../../domain/warmup/enrolment.ts";
import { warmupText } from "../../../domain/warmup/text.ts";
import type { WarmupWriter } from "../../../domain/warmup/writer.ts";

const ANN: WarmupWriter = { name: "Ann Miller", email: "ann@one.example", signatureHtml: null };
const LEO: WarmupWriter = { name: "Leo Roth", email: "leo@two.example", signatureHtml: null };
const NOBODY: WarmupWriter = { name: null, email: "office@three.example", signatureHtml: null };
const TURNS = [1, 2, 3, 4] as const;
type Turn = (typeof TURNS)[number];

const MAILS = 10_000;
const LONG_RUN = 8;
const WORD = /[\p{L}\p{M}\p{N}]+(?:['’:.][\p{L}\p{M}\p{N}]+)*/gu;

const write = (openingId: string, turn: Turn, language: WarmupLanguage, from = turn % 2 === 1 ? ANN : LEO, to = from === ANN ? LEO : ANN) =>
  warmupText({ openingId, turn, language, from, to });

/** What a mail says between its greeting and the lines that close it. */
const bodyOf = (text: string) => text.split("\n\n").slice(1, -1).join("\n\n");
const wordsOf = (text: string) => text.match(WORD) ?? [];

/** The most mails that share a run of words in the same order, and that run. */
function mostShared(bodies: readonly string[]): [string, number] {
  const mails = new Map<string, number>();
  for (const body of bodies) {
    const words = wordsOf(body.toLowerCase());
    const runs = words.slice(0, Math.max(0, words.length - LONG_RUN + 1)).map((_, at) => words.slice(at, at + LONG_RUN).join(" "));
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
  ...WARMUP_LANGUAGES.map(
    (language) => [`openings in ${language}`, [1], [language]] as const,
  ),
] as const)(
  "of 10,000 mails of %s no two are equal, and no run of 8 words stands in more than one in a hundred",
  (_what, turns, languages) => {
    const texts = bodies(turns, languages);
    expect(new Set(texts).size).toBe(MAILS);
    const [run, mails] = mostShared(texts);
    expect({ run, isRare: mails <= MAILS / 100 }).toEqual({ run, isRare: true });
  },
);

const sample = WARMUP_LANGUAGES.flatMap((language) =>
  Array.from({ length: 1_000 }, (_, n) =>
    TURNS.map((turn) => ({ language, turn, ...write(`wml_s${n}`, turn, language) })),
  ).flat(),
);

test("the same opening, turn and people always give the same mail, and the turns of a conversation differ", () => {
  for (const language of WARMUP_LANGUAGES) {
    expect(write("wml_1", 2, language)).toEqual(write("wml_1", 2, language));
    expect(new Set(TURNS.map((turn) => write("wml_1", turn, language).text)).size).toBe(4);
  }
});

test("a mail has between 25 and 120 words, also between people whose names nobody knows", () => {
  const lengths = WARMUP_LANGUAGES.flatMap((language) =>
    Array.from(
      { length: 4_000 },
      (_, n) => wordsOf(write(`wml_n${n}`, TURNS[n % 4] ?? 1, language, NOBODY, NOBODY).text).length,
    ),
  );
  expect(Math.min(...lengths)).toBeGreaterThanOrEqual(25);
  expect(Math.max(...lengths, ...sample.map(({ text }) => wordsOf(text).length))).toBeLessThanOrEqual(120);
});

test("no mail has an unfilled slot, a link, an image, a number that could be called, or words that filters distrust", () => {
  const wrong = sample.filter(({ subject, text, html }) => {
    const all = `${subject}\n${text}`;
    const variant = { variantId: "", label: "", subject, bodyHtml: html, bodyText: text, weight: 1, enabled: true, attachments: [] };
    const isUnfinished = /[[\]{}|]|undefined|null| {2}| [,.]|\.\.|,,/.test(all);
    const isReachable = /https?:|www\.|@|<(?!\/?p>|br>)|(?:\d[\s./()-]*){6}/i.test(`${all}\n${html.replaceAll("<p>", "")}`);
    return isUnfinished || isReachable || contentWarnings(variant, true, "").length > 0;
  });
  expect(wrong.map(({ subject, text }) => [subject, text])).toEqual([]);
});

test("the HTML says the same words as the text, in the same order", () => {
  const differing = sample.filter(({ text, html }) => wordsOf(text).join(" ") !== wordsOf(textOf(html)).join(" "));
  expect(differing).toEqual([]);
});

const COMMON: Record<WarmupLanguage, ReadonlySet<string>> = {
  en: new Set("the and to we is are of for you your on with it our will be have that this can so there if".split(" ")),
  de: new Set("der die das und ist sind wir sie ich am für ein eine mit nicht auf den ihr ihre uns dem zu es".split(" ")),
  fr: new Set(
    "le les et nous vous est pour une du des sur votre notre je au dans avec sera pas cette qui ou merci ce si un en que y a ces quelques dès ne plus tout bien mais soit il la peut ou de".split(
      " ",
    ),
  ),
  es: new Set(
    "el los y con para una del por su sus nos las muchas gracias al está lo o todo sin si hay desde que es no se en así más muy queda esta un le como hasta de la que a ha hace".split(
      " ",
    ),
  ),
};

test("a mail is in the language that was asked for, and in no other", () => {
  const foreign = sample.filter(({ language, text }) => {
    const words = wordsOf(bodyOf(text).toLowerCase());
    const count = (one: WarmupLanguage) => words.filter((word) => COMMON[one].has(word)).length;
    return WARMUP_LANGUAGES.some((other) => other !== language && count(other) >= count(language));
  });
  expect(foreign.map(({ language, text }) => [language, text])).toEqual([]);
});

/** What the mails of a language call a day, a time, a month and the number of an order or a paper, and how many a conversation may name. */
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

test("the days, times, months and numbers of a conversation stay the same through its four turns", () => {
  let named = 0;
  for (const language of WARMUP_LANGUAGES) {
    for (let n = 0; n < 2_000; n++) {
      const turns = TURNS.map((turn) => write(`wml_d${n}`, turn, language)).map(({ subject, text }) => `${subject}\n${bodyOf(text)}`);
      const kinds = [...DETAILS[language], REF].map((kind) =>
        turns.flatMap((turn) => turn.match(kind)?.map((detail) => detail.toLowerCase()) ?? []),
      );
      const different = kinds.map((details) => new Set(details).size);
      // A meeting may be moved from one day and hour to another; a month and a number are one only
      expect({ turns, isSteady: different.every((count, kind) => count <= (kind < 2 ? 2 : 1)) }).toEqual({ turns, isSteady: true });
      named += kinds.flat().length;
    }
  }
  expect(named).toBeGreaterThan(40_000);
});

test("an answer speaks of the very order, title or place that the opening named", () => {
  const details = /\border (\d{4})\b|"([^"]+)"|\b((?:tram|bus) \d+|hall \d)\b/;
  let followed = 0;
  for (let n = 0; n < 2_000; n++) {
    const [, second = "", third = "", fourth = ""] = TURNS.map((turn) => bodyOf(write(`wml_e${n}`, turn, "en").text));
    const detail = details
      .exec(second)
      ?.slice(1)
      .find((one) => one !== undefined);
    if (detail === undefined) continue;
    followed += 1;
    expect(`${third} ${fourth}`.toLowerCase()).toContain(detail.toLowerCase());
  }
  expect(followed).toBeGreaterThan(150);
});

test("an answer has the subject of the opening behind Re:, in every turn", () => {
  for (const language of WARMUP_LANGUAGES) {
    for (let n = 0; n < 200; n++) {
      const [first, ...answers] = TURNS.map((turn) => write(`wml_r${n}`, turn, language).subject);
      expect(answers).toEqual([2, 3, 4].map(() => `Re: ${first}`));
      expect(first).not.toMatch(/^re:|[\r\n]/i);
      expect(first?.length).toBeLessThan(100);
    }
  }
});
