import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { replyOf } from "../../../connectors/mime/reply-text.ts";
import { ownWords } from "../../../domain/mail/own-words.ts";
import { threadMs } from "../../support/thread-time.ts";
import { ATTRIBUTIONS, BANNERS, HEADS, SHORT_ATTRIBUTIONS } from "./mail-programs.ts";

const RUNS = { numRuns: 2_000 };

const SENTENCES = [
  ...[
    "Yes, please.",
    "No thanks, we have one.",
    "Could we speak on 2 December at 10:00?",
    "Tuesday works for me",
    "Hello Ann,",
    "Dear Ms Lee",
  ],
  ...[
    "Call me: +49 30 123456.",
    "From: the start we liked it.",
    "To: be honest, no.",
    "I wrote to Bob <bob@b.example> about it.",
    "See below:",
  ],
  ...[
    "On Monday I am free",
    "On 3 May 2026 we begin",
    "2 of us will come",
    "10:30 is fine",
    "Subject to approval: yes",
    "Price: 10 EUR",
    "Date: open",
  ],
  ...[
    "Ich bin interessiert.",
    "Am Montag passt es",
    "Le lundi me convient.",
    "El lunes, por favor",
    "在星期一可以吗？",
    "Понедельник подойдёт.",
    "月曜日でお願いします。",
  ],
  ...[
    "Bob Miller wrote that book.",
    "She wrote: fine",
    "(see attachment)",
    "- first",
    "* second",
    "1. third",
    "Thanks,",
    "Bob",
    "Best",
    "ok",
    "👍",
  ],
];
const own = fc
  .array(fc.oneof({ weight: 6, arbitrary: fc.constantFrom(...SENTENCES) }, fc.constant("")), {
    minLength: 1,
    maxLength: 8,
  })
  .map((lines) => lines.join("\n").trim())
  .filter((text) => text !== "");
const unmarked = fc.string().map((text) => `x ${text}`);
const old = fc.array(fc.oneof(fc.constantFrom(...SENTENCES, "Unsubscribe: https://ours.example/u/1"), unmarked), {
  minLength: 1,
  maxLength: 8,
});
const marked = (lines: readonly string[]) =>
  lines.map((line) => `> ${line.replace(/[\r\n\u2028\u2029]/g, " ")}`).join("\n");
const gap = fc.constantFrom("\n\n", "\n\n\n", "\n \n");

const introduced = fc.oneof(
  fc
    .tuple(fc.constantFrom(...ATTRIBUTIONS.map(([, line]) => line), ...SHORT_ATTRIBUTIONS), old)
    .map(([line, lines]) => `${line}\n${marked(lines)}`),
  fc
    .tuple(fc.constantFrom(...ATTRIBUTIONS.map(([, line]) => line)), old)
    .map(([line, lines]) => `${line}\n\n${lines.join("\n")}`),
  fc
    .tuple(fc.constantFrom(...BANNERS), old)
    .map(([line, lines]) => `${line}\nFrom: ann@ours.example\nSubject: Hello\nDate: 2026-11-02\n\n${lines.join("\n")}`),
  fc
    .tuple(fc.constantFrom(...HEADS), old)
    .map(
      ([[, from, sent, to, subject], lines]) =>
        `${from}: ann@ours.example\n${sent}: 2 Nov 2026 09:05\n${to}: bob@b.example\n${subject}: Hello\n\n${lines.join("\n")}`,
    ),
);

test("a reply's own words are extracted unchanged above a quote in any form", () => {
  fc.assert(
    fc.property(own, gap, introduced, (text, between, quote) => {
      expect(ownWords(`${text}${between}${quote}`).words).toBe(text);
    }),
    RUNS,
  );
});

test("a reply without a quote is kept whole", () => {
  fc.assert(
    fc.property(own, (text) => {
      expect(ownWords(text)).toEqual({ words: text, hasQuote: false });
    }),
    RUNS,
  );
});

const line = fc.oneof(
  fc.constantFrom(...SENTENCES, ...SHORT_ATTRIBUTIONS, ...BANNERS, ...ATTRIBUTIONS.map(([, one]) => one)),
  fc.constantFrom(...HEADS.flatMap(([, ...names]) => names.map((name) => `${name}: ann@ours.example`))),
  fc.constantFrom(
    "> quoted",
    ">",
    "",
    " ",
    "-- ",
    "---",
    "________________",
    "Kind regards",
    "Sent from my iPhone",
    "wrote:",
    "> a\rb",
    "B Ltd\u2028x",
  ),
  fc.string({ unit: "binary" }),
);
const anything = fc
  .array(line, { maxLength: 14 })
  .chain((lines) => fc.constantFrom("\n", "\r\n", "\r").map((end) => lines.join(end)));

test("extracting a reply's own words never adds text, and a second extraction changes nothing", () => {
  fc.assert(
    fc.property(anything, (text) => {
      const { words } = ownWords(text);
      expect(words.length).toBeLessThanOrEqual(text.length);
      expect(ownWords(words).words).toBe(words);
      const left = new Set(text.split(/[^\p{L}\p{N}]+/u));
      expect(
        words.split(/[^\p{L}\p{N}]+/u).every((word) => left.has(word) || [...left].some((one) => one.startsWith(word))),
      ).toBe(true);
    }),
    RUNS,
  );
});

test("the words of an email are empty only if the text part is empty, and the words of HTML are never longer than the HTML", () => {
  fc.assert(
    fc.property(anything, (text) => {
      const reply = replyOf(text, null);
      expect(reply === "").toBe(text.trim() === "");
      const escaped = text.replace(/[&<>]/g, (sign) => `&#${sign.charCodeAt(0)};`);
      const body = escaped.split("\n").map((one) => `<div>${one}</div>`);
      expect(replyOf(null, body.join("")).length).toBeLessThanOrEqual(body.join("").length);
    }),
    { numRuns: 500 },
  );
});

const UNITS = [
  ...[
    " ",
    "\n",
    ">",
    "> \n",
    ":",
    "a:",
    "a:\n",
    "From: a\n",
    "From: a@b\nTo: b\n",
    "On 1 ",
    "On 1 Nov 2026 ",
    "wrote:\n",
    "a <a@b> ",
    "a <a@b>\n",
  ],
  ...[
    "2026-11-02 09:05 GMT+01:00 a\n",
    "-",
    "--\n",
    "---- a ",
    "_",
    "*a:* ",
    "http://",
    "a@",
    "@",
    "a.",
    "(",
    "<",
    "\u200b",
    "Kind regards\na\nb\n",
  ],
  ...[
    "Sent from my iPhone\n",
    "von meinem ",
    "Subject: a Date: b From: c ",
    "On Mon, Nov 2, 2026 at 9:05 AM\n",
    "x wrote\n",
    "10:00 ",
    "の",
    "1.1.2026 ",
  ],
];

test.each(UNITS)(
  "an email of up to 200,000 characters that repeats %j is split into own and quoted words in under a second of processor time",
  (unit) => {
    const text = unit.repeat(unit.endsWith("\n") ? 10_000 : Math.ceil(200_000 / unit.length)).slice(0, 200_000);
    for (const body of [
      text,
      `Hello\n${text}`,
      `${text}\nwrote:`,
      `${text} On 2 Nov 2026 at 10:00, a <a@b.c> wrote:\n> x`,
    ]) {
      const started = threadMs();
      ownWords(body);
      expect(threadMs() - started).toBeLessThan(1_000);
    }
  },
);
