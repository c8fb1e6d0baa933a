import type { Chrono, ParsedComponents, ParsedResult, ParsingReference } from "chrono-node";
// The package is not imported whole, because it reads eight more languages and takes twice as long to load
import * as de from "chrono-node/de";
import * as en from "chrono-node/en";
import * as es from "chrono-node/es";
import * as fr from "chrono-node/fr";
import * as it from "chrono-node/it";
import * as nl from "chrono-node/nl";
import * as pt from "chrono-node/pt";
import * as sv from "chrono-node/sv";
import { DAY_MS } from "../time/durations.ts";
import { absenceDatesIn } from "./dates-in-text.ts";
import { type DayLanguage, mayNameDay, mayNameSpan } from "./day-words.ts";

const MAX_DAYS = 180;
const WINDOW = 70;
const RANGE_WINDOW = 400;
const MAX_CUES = 12;
/** Characters from the start. A signature further down may contain dates too. */
const NOTE = 1_000;

const READERS: Record<DayLanguage, Pick<Chrono, "parse">> = { en, de, fr, es, it, pt, nl, sv };

// The words before a return date, with the language whose parser reads what follows. The day stands before the month, except in English
const CUES: readonly (readonly [RegExp, DayLanguage])[] = [
  [
    /\b(?:until|till|through|thru|(?<!(?:get|come|gets|write|call|reply) )back|return(?:ing)?|resume|available|from|between|starting)\b/giu,
    "en",
  ],
  [/(?<!\p{L})(?:bis|ab|wieder|zurück|zurueck|am|vom)(?!\p{L})/giu, "de"],
  [/(?<!\p{L})(?:jusqu['’]?(?:au|à|en)?|retour|à partir|du|dès)(?!\p{L})/giu, "fr"],
  [/(?<!\p{L})(?:hasta|regres\p{L}*|vuelv\p{L}*|vuelta|volver\p{L}*|a partir|del)(?!\p{L})/giu, "es"],
  [/(?<!\p{L})(?:fino|rientr\p{L}*|torn\p{L}*|a partire|dal)(?!\p{L})/giu, "it"],
  [/(?<!\p{L})(?:até|retorn\p{L}*|volt\p{L}*|regress\p{L}*|a partir|de)(?!\p{L})/giu, "pt"],
  [/(?<!\p{L})(?:tot|t\/m|terug|vanaf|weer|van)(?!\p{L})/giu, "nl"],
  [/(?<!\p{L})(?:till|tills|tillbaka|åter|från|tilbage|tilbake|til|fra)(?!\p{L})/giu, "sv"],
];

/**
 * The latest date that a note of absence names after "until", "back on" and the like, as YYYY-MM-DD. It must lie after the local day of
 * `at` (epoch ms, in `timeZone`) and at most 180 days ahead. Null when there is none. An unknown time zone reads as UTC.
 */
export function returnDateIn(text: string, at: number, timeZone: string): string | null {
  const today = localDay(at, timeZone);
  const reference = { instant: new Date(today + DAY_MS / 2), timezone: 0 };
  const plain = withYears(text.slice(0, 3_000).replace(/\s+/g, " "), today);
  // A range such as "July 10-31" needs no word before it
  const opening = plain.slice(0, RANGE_WINDOW);
  const ranges = (mayNameSpan(opening) ? CUES : [])
    .flatMap(([, language]) => parsed(opening, language, reference))
    .filter(({ start, end }) => start.isCertain("day") && end)
    .flatMap(({ end }) => dayOf(end));
  const after = CUES.flatMap(([cue, language]) =>
    [...plain.matchAll(cue)].slice(0, MAX_CUES).flatMap((found) => {
      const start = found.index + found[0].length;
      return daysIn(plain.slice(start, start + WINDOW), language, reference);
    }),
  );
  const days = [...ranges, ...after, ...absenceDatesIn(plain.slice(0, NOTE), today)].filter(
    (day) => day > today && day <= today + MAX_DAYS * DAY_MS,
  );
  return days.length === 0 ? null : new Date(Math.max(...days)).toISOString().slice(0, 10);
}

/** A parser tries all of its patterns and is asked only where its language may name a day. */
function parsed(text: string, language: DayLanguage, reference: ParsingReference): ParsedResult[] {
  return mayNameDay(text, language) ? READERS[language].parse(text, reference, { forwardDate: true }) : [];
}

function daysIn(text: string, language: DayLanguage, reference: ParsingReference): number[] {
  const [first] = parsed(text, language, reference);
  if (first === undefined || first.index > WINDOW / 2 || /[.!?]\s+\p{Lu}/u.test(text.slice(0, first.index))) return [];
  return [...dayOf(first.start), ...dayOf(first.end)];
}

function dayOf(part: ParsedComponents | null | undefined): number[] {
  if (!part || !(part.isCertain("day") || part.isCertain("weekday"))) return []; // "until 5 pm" and "in May" name no day
  const [year, month, day] = [part.get("year"), part.get("month"), part.get("day")];
  return year === null || month === null || day === null ? [] : [Date.UTC(year, month - 1, day)];
}

// All over central Europe "07.12." is written without its year, which the parsers do not know
function withYears(text: string, today: number): string {
  return text.replace(/(?<![\d.])(\d{1,2})\.\s?(\d{1,2})\.(?!\s?\d)/g, (written, day: string, month: string) => {
    const year = new Date(today).getUTCFullYear();
    const thisYear = Date.UTC(year, Number(month) - 1, Number(day));
    const isDate = Number(month) >= 1 && Number(month) <= 12 && Number(day) >= 1 && Number(day) <= 31;
    return isDate ? `${day}.${month}.${thisYear < today ? year + 1 : year}` : written;
  });
}

/** The local calendar day as the epoch of its UTC midnight. */
function localDay(at: number, timeZone: string): number {
  const [year = 1970, month = 1, day = 1] = formatter(timeZone).format(new Date(at)).split("-").map(Number);
  return Date.UTC(year, month - 1, day);
}

/** Formatters by zone: making one takes longer than all that is read with it. There are only some hundred zones. */
const FORMATTERS = new Map<string, Intl.DateTimeFormat>();

function formatter(timeZone: string): Intl.DateTimeFormat {
  const known = FORMATTERS.get(timeZone);
  if (known !== undefined) return known;
  try {
    const made = new Intl.DateTimeFormat("en-CA", { timeZone, year: "numeric", month: "2-digit", day: "2-digit" });
    FORMATTERS.set(timeZone, made);
    return made;
  } catch {
    return formatter("UTC");
  }
}
