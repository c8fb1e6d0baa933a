import { expect, test } from "@jest/globals";
import { contentWarnings } from "../../../domain/sequences/check.ts";
import { textOf } from "../../../domain/templates/body.ts";
import { WARMUP_LANGUAGES, type WarmupLanguage } from "../../../domain/warmup/enrolment.ts";
import type { WarmupWriter } from "../../../domain/warmup/writer.ts";
import { bodyOf, TURNS, wordsOf, write } from "./text-setup.ts";

const NOBODY: WarmupWriter = { name: null, email: "office@three.example", signatureHtml: null };

const sample = WARMUP_LANGUAGES.flatMap((language) =>
  Array.from({ length: 1_000 }, (_, n) =>
    TURNS.map((turn) => ({ language, turn, ...write(`wml_s${n}`, turn, language) })),
  ).flat(),
);

test("a warmup email is always the same for the same opening, turn and people, and the turns of a conversation differ", () => {
  for (const language of WARMUP_LANGUAGES) {
    expect(write("wml_1", 2, language)).toEqual(write("wml_1", 2, language));
    expect(new Set(TURNS.map((turn) => write("wml_1", turn, language).text)).size).toBe(4);
  }
});

test("a warmup email has between 25 and 120 words, also between people without a known name", () => {
  const lengths = WARMUP_LANGUAGES.flatMap((language) =>
    Array.from(
      { length: 4_000 },
      (_, n) => wordsOf(write(`wml_n${n}`, TURNS[n % 4] ?? 1, language, NOBODY, NOBODY).text).length,
    ),
  );
  expect(Math.min(...lengths)).toBeGreaterThanOrEqual(25);
  expect(Math.max(...lengths, ...sample.map(({ text }) => wordsOf(text).length))).toBeLessThanOrEqual(120);
});

test("no warmup email has an unfilled slot, a link, an image, a phone number or words that spam filters distrust", () => {
  const wrong = sample.filter(({ subject, text, html }) => {
    const all = `${subject}\n${text}`;
    const variant = {
      variantId: "",
      label: "",
      subject,
      bodyHtml: html,
      bodyText: text,
      weight: 1,
      enabled: true,
      attachments: [],
    };
    const isUnfinished = /[[\]{}|]|undefined|null| {2}| [,.]|\.\.|,,/.test(all);
    const isReachable = /https?:|www\.|@|<(?!\/?p>|br>)|(?:\d[\s./()-]*){6}/i.test(
      `${all}\n${html.replaceAll("<p>", "")}`,
    );
    return isUnfinished || isReachable || contentWarnings(variant, true, "").length > 0;
  });
  expect(wrong.map(({ subject, text }) => [subject, text])).toEqual([]);
});

test("the HTML of a warmup email has the words of the text in the same order", () => {
  const differing = sample.filter(({ text, html }) => wordsOf(text).join(" ") !== wordsOf(textOf(html)).join(" "));
  expect(differing).toEqual([]);
});

const COMMON: Record<WarmupLanguage, ReadonlySet<string>> = {
  en: new Set("the and to we is are of for you your on with it our will be have that this can so there if".split(" ")),
  de: new Set(
    "der die das und ist sind wir sie ich am für ein eine mit nicht auf den ihr ihre uns dem zu es".split(" "),
  ),
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

test("a warmup email is in the requested language and in no other", () => {
  const foreign = sample.filter(({ language, text }) => {
    const words = wordsOf(bodyOf(text).toLowerCase());
    const count = (one: WarmupLanguage) => words.filter((word) => COMMON[one].has(word)).length;
    return WARMUP_LANGUAGES.some((other) => other !== language && count(other) >= count(language));
  });
  expect(foreign.map(({ language, text }) => [language, text])).toEqual([]);
});

test("the last two emails of a conversation name the order, title or place that the second email named", () => {
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

test("an answer has the subject of the opening after Re:, in every turn", () => {
  for (const language of WARMUP_LANGUAGES) {
    for (let n = 0; n < 200; n++) {
      const [first, ...answers] = TURNS.map((turn) => write(`wml_r${n}`, turn, language).subject);
      expect(answers).toEqual([2, 3, 4].map(() => `Re: ${first}`));
      expect(first).not.toMatch(/^re:|[\r\n]/i);
      expect(first?.length).toBeLessThan(100);
    }
  }
});
