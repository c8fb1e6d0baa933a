import { DAY_MS, HOUR_MS } from "../time/durations.ts";
import { dateOf, dayAt, dayOf, instantOf } from "../time/zone.ts";
import { addressesIn } from "./links.ts";
import { mayPromise, PROMISE_LANGUAGES, type PromiseLanguage, REFERS, REFERS_NOT } from "./promise-words.ts";

const MOST_TEXT = 6_000;
const LONGEST_SENTENCE = 500;
const MOST_SENTENCES = 80;
const MOST_PROMISES = 5;
/** Further ahead nobody means it. */
const MOST_DAYS = 730;
/** The hour of its day at which a promise is due. */
const DUE_HOUR = 9;

export type FoundPromise = { kind: "TIME"; sentence: string; date: string } | { kind: "REFERRAL"; sentence: string; address: string };

/**
 * What a person announces or asks for in a mail: to be written to again at a time, or that somebody else is written to (rules/agent 5.1).
 * `at` is when it came (epoch ms). It would rather miss one than make one up: a sentence counts only with a word for writing again and a
 * time in it, neither denied nor told of the past.
 */
export function findPromises(text: string, at: number, timeZone: string, ownAddresses: readonly string[]): FoundPromise[] {
  const today = dayAt(timeZone, at);
  const read = text.slice(0, MOST_TEXT).normalize("NFC").replace(/[’‘`]/g, "'");
  const sentences = sentencesOf(read);
  const timed = mayPromise(read) ? sentences.flatMap((sentence) => timeIn(sentence, today) ?? []) : [];
  const own = new Set(ownAddresses.map((one) => one.toLowerCase()));
  const referred = sentences.flatMap((sentence) => referralsIn(sentence, own));
  return [...timed, ...referred].slice(0, MOST_PROMISES);
}

/** When a promise of that day is due: in the morning there. Null when the day is past or too far. */
export function dueAtOf(date: string, at: number, timeZone: string): Date | null {
  const ahead = dayOf(date) - dayAt(timeZone, at);
  if (!Number.isFinite(ahead) || ahead < 1 || ahead > MOST_DAYS) return null;
  return new Date(instantOf(timeZone, dayOf(date) * DAY_MS + DUE_HOUR * HOUR_MS));
}

function timeIn(sentence: string, today: number): FoundPromise | null {
  // Languages share words for writing, so each one's denial counts
  if (PROMISE_LANGUAGES.some(({ never }) => never.test(sentence))) return null;
  for (const language of PROMISE_LANGUAGES) {
    if (!language.again.test(sentence)) continue;
    const day = dayNamedIn(sentence, language, today);
    if (day === null || day <= today || day > today + MOST_DAYS) continue;
    return { kind: "TIME", sentence, date: dateOf(day) };
  }
  return null;
}

/** The day that a sentence names, counted from 1970. A span begins with its first day, and "after" a day is the next one. */
function dayNamedIn(sentence: string, language: PromiseLanguage, today: number): number | null {
  const { year, month, date, weekday } = partsOf(today);
  const [, afterDay] = language.afterDay.exec(sentence) ?? [];
  if (afterDay !== undefined) {
    const day = Number(afterDay);
    if (day < 1 || day > 31) return null;
    return daysOf(year, day < date ? month + 1 : month, day) + 1;
  }
  const quarter = /(?<!\p{L})Q([1-4])(?: ?(20\d\d))?(?!\p{L})/u.exec(sentence);
  if (quarter !== null) {
    const first = (Number(quarter[1]) - 1) * 3;
    const named = quarter[2] === undefined ? null : Number(quarter[2]);
    return daysOf(named ?? (first <= month ? year + 1 : year), first, 1);
  }
  if (language.nextQuarter.test(sentence)) return daysOf(year, (Math.floor(month / 3) + 1) * 3, 1);
  if (language.afterSummer.test(sentence)) return daysOf(month >= 8 ? year + 1 : year, 8, 1);
  if (language.afterHolidays.test(sentence)) return daysOf(year + 1, 0, 7);
  if (language.nextWeek.test(sentence)) return today + ((8 - weekday) % 7 || 7);
  const named =
    withoutYearIn(sentence, { year, today }) ?? dateIn(sentence, language, today) ?? monthIn(sentence, language, { year, month });
  if (named !== null) return named;
  if (language.nextMonth.test(sentence)) return daysOf(year, month + 1, 1);
  return language.nextYear.test(sentence) ? daysOf(year + 1, 0, 7) : null;
}

/** All over central Europe "07.12." is written without its year, which the parsers do not know. */
function withoutYearIn(sentence: string, { year, today }: { year: number; today: number }): number | null {
  const [, date = "", month = ""] = /(?<![\d.])(\d{1,2})\.\s?(\d{1,2})\.(?!\s?\d)/.exec(sentence) ?? [];
  if (date === "" || Number(date) < 1 || Number(date) > 31 || Number(month) < 1 || Number(month) > 12) return null;
  const day = daysOf(year, Number(month) - 1, Number(date));
  return day > today ? day : daysOf(year + 1, Number(month) - 1, Number(date));
}

/** A date with its day, or a span from today such as "in three weeks". */
function dateIn(sentence: string, { dates, after }: PromiseLanguage, today: number): number | null {
  const reference = { instant: new Date(today * DAY_MS + DAY_MS / 2), timezone: 0 };
  for (const { start, text, index } of dates.parse(sentence, reference, { forwardDate: true })) {
    const isDay = start.isCertain("day") || start.isCertain("weekday") || /\d|\p{L}+ \p{L}+/u.test(text);
    const [year, month, day] = [start.get("year"), start.get("month"), start.get("day")];
    if (!isDay || year === null || month === null || day === null) continue;
    // A month alone is read as one, and "2 pm" names no day
    if (!start.isCertain("day") && !start.isCertain("weekday")) continue;
    // A short name of a weekday is a word of another language: "qui", "ma", "do"
    if (!start.isCertain("day") && !/\d|\p{L}{5}/u.test(text)) continue;
    const isAfter = after.test(sentence.slice(Math.max(0, index - 12), index + text.length));
    const found = daysOf(year, month - 1, day);
    if (found > today) return isAfter ? found + 1 : found;
  }
  return null;
}

/** The first day of a month that is named alone; the running month is no time to come. */
function monthIn(sentence: string, { months }: PromiseLanguage, now: { year: number; month: number }): number | null {
  const names = months.split(" ");
  // "May" is a word too: a month stands after a preposition, or with a year
  const before =
    "in|until|till|before|by|of|early|late|mid|end|around|after|im|ab|ende|anfang|mitte|bis|vor|en|fin|début|mi|à partir de|de|a|a partir de|finales de|principios de|da|dal|fine|inizio|metà|em|no|eind|begin|vanaf|half|i|från|slutet av|början av|mitten av|efter|na|nach|après|dopo|depois de|después de";
  for (const [index, stem] of names.entries()) {
    const pattern = new RegExp(
      `(?<!\\p{L})(?:${before})[\\s-]+(?:the (?:end|start|beginning|middle) of )?${stem}\\p{L}{0,7}\\.?(?:[\\s,]+(?:de |of )?(20\\d\\d))?(?!\\p{L})`,
      "iu",
    );
    const found = pattern.exec(sentence);
    if (found === null) continue;
    const [, named] = found;
    if (named === undefined && index === now.month) return null;
    return daysOf(named === undefined ? (index < now.month ? now.year + 1 : now.year) : Number(named), index, 1);
  }
  return null;
}

function referralsIn(sentence: string, own: ReadonlySet<string>): FoundPromise[] {
  if (!REFERS.test(sentence) || REFERS_NOT.test(sentence)) return [];
  return addressesIn(sentence).flatMap((address) => (own.has(address) ? [] : [{ kind: "REFERRAL" as const, sentence, address }]));
}

/** The sentences of a text. A point after a number ends none: "am 1. März". Lines that a mail program has wrapped are one. */
function sentencesOf(text: string): string[] {
  return text
    .replace(/\r/g, "")
    .replace(/(?<=[^\n.!?:;,]{40}),?\n(?=\p{Ll})/gu, " ")
    .split(/\n+|(?<=[^\d\s.][.!?…]["')]?)\s+/u)
    .map((sentence) => sentence.replace(/\s+/g, " ").trim())
    .filter((sentence) => sentence.length >= 5 && sentence.length <= LONGEST_SENTENCE)
    .slice(0, MOST_SENTENCES);
}

function partsOf(day: number) {
  const at = new Date(day * DAY_MS);
  return { year: at.getUTCFullYear(), month: at.getUTCMonth(), date: at.getUTCDate(), weekday: at.getUTCDay() };
}

function daysOf(year: number, month: number, date: number): number {
  return Date.UTC(year, month, date) / DAY_MS;
}
