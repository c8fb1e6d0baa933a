import { expect, test } from "@jest/globals";
import { z } from "zod";
import { DAY_WORDS, mayNameDay, mayNameSpan } from "../../../domain/mail/day-words.ts";
import { returnDateIn } from "../../../domain/mail/return-date.ts";

const NOON = Date.parse("2026-11-02T12:00:00Z");
const Languages = z.enum(["en", "de", "fr", "es", "it", "pt", "nl", "sv"]);
const Dictionaries = z.object({
  MONTH_DICTIONARY: z.record(z.string(), z.number()),
  WEEKDAY_DICTIONARY: z.record(z.string(), z.number()),
  TIME_UNIT_DICTIONARY: z.record(z.string(), z.string()).default({}),
});
/** Units within one day name no other day. */
const WITHIN_A_DAY = new Set(["second", "minute", "s", "m"]);

test.each(Object.keys(DAY_WORDS))(
  "each month, weekday and time unit that the date parser for %s knows is recognised as a possible date word",
  async (language) => {
    const file = new URL(
      `../../../node_modules/chrono-node/dist/esm/locales/${language}/constants.js`,
      import.meta.url,
    );
    const known = Dictionaries.parse(await import(file.href));
    const of = Languages.parse(language);
    const units = Object.entries(known.TIME_UNIT_DICTIONARY).flatMap(([word, unit]) =>
      WITHIN_A_DAY.has(unit) ? [] : [word],
    );
    const words = [...Object.keys(known.MONTH_DICTIONARY), ...Object.keys(known.WEEKDAY_DICTIONARY), ...units];
    // One of the words has a Cyrillic letter among its Latin ones
    const written = words.filter((word) => !/\p{sc=Cyrillic}/u.test(word));
    expect(written.filter((word) => !mayNameDay(`12 ${word} x`, of))).toEqual([]);
  },
);

test.each([
  ["Away July 10-31", "2026-07-02T12:00:00Z", "2026-07-31"],
  ["Away 10-20 November", "2026-11-02T12:00:00Z", "2026-11-20"],
  ["Away Nov 10th to Nov 20th", "2026-11-02T12:00:00Z", "2026-11-20"],
  ["Out tomorrow - Friday", "2026-11-02T12:00:00Z", "2026-11-06"],
  ["Urlaub 10.11.2026-20.11.2026", "2026-11-02T12:00:00Z", "2026-11-20"],
  ["Urlaub 10. – 20. November", "2026-11-02T12:00:00Z", "2026-11-20"],
  ["Urlaub 10.11. - 20.11.", "2026-11-02T12:00:00Z", "2026-11-20"],
  ["Absent 10 au 20 novembre", "2026-11-02T12:00:00Z", "2026-11-20"],
  ["Vacaciones 10 - 20 de noviembre", "2026-11-02T12:00:00Z", "2026-11-20"],
  ["Ferie 10 al 20 novembre", "2026-11-02T12:00:00Z", "2026-11-20"],
  ["Vakantie 10 november - 20 november", "2026-11-02T12:00:00Z", "2026-11-20"],
  ["Out 2026-11-10 - 2026-11-20", "2026-11-02T12:00:00Z", "2026-11-20"],
])("a date range without a word such as until gives the last day as the return date: %s", (text, at, date) => {
  expect(returnDateIn(text, Date.parse(at), "UTC")).toBe(date);
});

test.each([
  "Date: Mon, 10 Nov 2014 20:11:12 -0500",
  "550 5.1.1 <ann@firm.example>: Recipient address rejected, host mx-10.firm.example [192.10.11.12]",
  "The original message was received at 2014-11-10 20:11:12 from localhost",
])("a line of a delivery report is not passed to the date range parser: %s", (line) => {
  expect(mayNameSpan(line)).toBe(false);
});

test("an IP address or a status code is not read as a date", () => {
  expect(mayNameDay("550 5.1.1 from host [192.10.11.12]", "en")).toBe(false);
  expect(returnDateIn("Refused from 192.20.11.26", NOON, "UTC")).toBeNull();
});
