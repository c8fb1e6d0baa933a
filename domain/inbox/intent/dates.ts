import type { Chrono } from "chrono-node";
// The package is not imported whole, because it reads eight more languages and takes twice as long to load
import * as de from "chrono-node/de";
import * as en from "chrono-node/en";
import * as es from "chrono-node/es";
import * as fr from "chrono-node/fr";
import * as it from "chrono-node/it";
import * as nl from "chrono-node/nl";
import * as pt from "chrono-node/pt";
import * as sv from "chrono-node/sv";
import { DAY_MS, HOUR_MS } from "../../time/durations.ts";
import { dateOf, dayAt, dayOf, instantOf } from "../../time/zone.ts";
import type { TimeTag } from "./lexicon.ts";
import type { Reading } from "./reading.ts";

/** The most days ahead that a date may be. A later date is taken for an error. */
const MOST_DAYS = 730;
/** The hour of the day at which a promise is due. */
const DUE_HOUR = 9;
/** The most characters between a word such as "after" and the date to which it belongs. */
const BEFORE_DATE = 12;

const PARSERS: Readonly<Record<string, Pick<Chrono, "parse">>> = { de, en, es, fr, it, nl, pt, sv };

/** The future day that a sentence names, as YYYY-MM-DD; null if it names no possible day. */
export function dateNamedIn(reading: Reading, at: number, timeZone: string): string | null {
  const today = dayAt(timeZone, at);
  const day = dayNamedIn(reading, today);
  return day === null || day <= today || day > today + MOST_DAYS ? null : dateOf(day);
}

/**
 * The instant at which something on that day is due: 9:00 in that time zone. Null when the day is past or too far
 * ahead.
 */
export function dueAtOf(date: string, at: number, timeZone: string): Date | null {
  const ahead = dayOf(date) - dayAt(timeZone, at);
  if (!Number.isFinite(ahead) || ahead < 1 || ahead > MOST_DAYS) return null;
  return new Date(instantOf(timeZone, dayOf(date) * DAY_MS + DUE_HOUR * HOUR_MS));
}

/**
 * The day that a sentence names, as a day number since 1970-01-01. A range counts as its first day, and "after" a day
 * means the next day.
 */
function dayNamedIn(reading: Reading, today: number): number | null {
  const { year, month, weekday } = dateParts(today);
  const has = (tag: TimeTag) => reading.found.some((one) => one.tag === tag);
  const bare = bareDayIn(reading, today);
  if (bare !== undefined) return bare;
  const quarter = /(?<!\p{L})Q([1-4])(?: ?(20\d\d))?(?!\p{L})/u.exec(reading.sentence.text);
  if (quarter !== null) {
    const first = (Number(quarter[1]) - 1) * 3;
    return daysOf(quarter[2] === undefined ? (first <= month ? year + 1 : year) : Number(quarter[2]), first, 1);
  }
  if (has("nextQuarter")) return daysOf(year, (Math.floor(month / 3) + 1) * 3, 1);
  if (has("afterSummer")) return daysOf(month >= 8 ? year + 1 : year, 8, 1);
  if (has("afterHolidays")) return daysOf(year + 1, 0, 7);
  if (has("nextWeek")) return today + ((8 - weekday) % 7 || 7);
  const named =
    withoutYearIn(reading.sentence.text, { year, today }) ??
    dateIn(reading, today) ??
    monthIn(reading, { year, month });
  if (named !== null) return named;
  if (has("nextMonth")) return daysOf(year, month + 1, 1);
  return has("nextYear") ? daysOf(year + 1, 0, 7) : null;
}

/**
 * The day after a date without a month, as in "after the 15th". Undefined when the sentence has no such date, null when
 * no month has such a day.
 */
function bareDayIn(reading: Reading, today: number): number | null | undefined {
  const { tokens } = reading.sentence;
  const { year, month, date } = dateParts(today);
  for (const { tag, end } of reading.found) {
    const [, written] =
      (tag === "afterDay" && /^(\d{1,2})(?:st|nd|rd|th|e|de|ste)?$/.exec(tokens[end]?.word ?? "")) || [];
    const isWhole = [tokens[end + 1], tokens[end + 2]].some((next) => monthOf(next?.word ?? "", reading) !== null);
    if (written === undefined || isWhole || /^\d/.test(tokens[end + 1]?.word ?? "")) continue;
    const day = Number(written);
    return day < 1 || day > 31 ? null : daysOf(year, day < date ? month + 1 : month, day) + 1;
  }
  return undefined;
}

/** In all of central Europe "07.12." is written without a year, which the parsers do not know. */
function withoutYearIn(sentence: string, { year, today }: { year: number; today: number }): number | null {
  const [, date = "", month = ""] = /(?<![\d.])(\d{1,2})\.\s?(\d{1,2})\.(?!\s?\d)/.exec(sentence) ?? [];
  if (date === "" || Number(date) < 1 || Number(date) > 31 || Number(month) < 1 || Number(month) > 12) return null;
  const day = daysOf(year, Number(month) - 1, Number(date));
  return day > today ? day : daysOf(year + 1, Number(month) - 1, Number(date));
}

/** The day number of a date with a day, or of a time from today such as "in three weeks". Null if there is none. */
function dateIn({ lexicon, sentence, found }: Reading, today: number): number | null {
  const parser = PARSERS[lexicon.language];
  if (parser === undefined) return null;
  const afters = found.filter(({ tag }) => tag === "after").map(({ start }) => sentence.tokens[start]?.start ?? 0);
  const reference = { instant: new Date(today * DAY_MS + DAY_MS / 2), timezone: 0 };
  for (const { start, text, index } of parser.parse(sentence.text, reference, { forwardDate: true })) {
    const isDay = start.isCertain("day") || start.isCertain("weekday") || /\d|\p{L}+ \p{L}+/u.test(text);
    const [year, month, day] = [start.get("year"), start.get("month"), start.get("day")];
    if (!isDay || year === null || month === null || day === null) continue;
    // The parser also reads a month alone as a date, and "2 pm" names no day
    if (!start.isCertain("day") && !start.isCertain("weekday")) continue;
    // The short name of a weekday may be a word of another language: "qui", "ma", "do"
    if (!start.isCertain("day") && !/\d|\p{L}{5}/u.test(text)) continue;
    const isAfter = afters.some((at) => at >= index - BEFORE_DATE && at < index + text.length);
    const named = daysOf(year, month - 1, day);
    if (named > today) return isAfter ? named + 1 : named;
  }
  return null;
}

/** The first day of a month that is named without a day. Null for the current month, because its first day is past. */
function monthIn(reading: Reading, now: { year: number; month: number }): number | null {
  const { tokens } = reading.sentence;
  // "May" is also a verb, so a month counts only after a preposition
  for (const { tag, end } of reading.found) {
    if (tag !== "beforeMonths") continue;
    const at = ["the", "end", "start", "beginning", "middle", "of"].includes(tokens[end]?.word ?? "") ? end + 1 : end;
    const month = monthOf(tokens[at]?.word ?? "", reading);
    if (month === null) continue;
    const [year] = [tokens[at + 1], tokens[at + 2]].flatMap((next) =>
      /^20\d\d$/.test(next?.word ?? "") ? Number(next?.word) : [],
    );
    if (year === undefined && month === now.month) return null;
    return daysOf(year ?? (month < now.month ? now.year + 1 : now.year), month, 1);
  }
  return null;
}

function monthOf(word: string, { lexicon: { months } }: Reading): number | null {
  const at = months?.findIndex((stem) => word.startsWith(stem) && word.length - stem.length <= 7) ?? -1;
  return at < 0 ? null : at;
}

function dateParts(day: number) {
  const at = new Date(day * DAY_MS);
  return { year: at.getUTCFullYear(), month: at.getUTCMonth(), date: at.getUTCDate(), weekday: at.getUTCDay() };
}

function daysOf(year: number, month: number, date: number): number {
  return Date.UTC(year, month, date) / DAY_MS;
}
