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
import { type DayLanguage, mayNameDay, mayNameSpan } from "./day-words.ts";

const MAX_DAYS = 180;
const WINDOW = 70;
const RANGE_WINDOW = 400;
const MAX_CUES = 12;
/** How many characters from the start are read. A signature further down may contain dates too. */
const NOTE = 1_000;

const READERS: Record<DayLanguage, Pick<Chrono, "parse">> = { en, de, fr, es, it, pt, nl, sv };

// The words before a return date, with the language whose parser reads what follows. The day precedes the month, except
// in English
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
 * The latest date that a note of absence names after "until", "back on" and the like, as YYYY-MM-DD. It must lie after
 * the local day of `at` (epoch ms, in `timeZone`) and at most 180 days ahead. Null when there is none. An unknown time
 * zone reads as UTC.
 */
export function returnDateIn(text: string, at: number, timeZone: string): string | null {
  const today = localDay(at, timeZone);
  const reference = { instant: new Date(today + DAY_MS / 2), timezone: 0 };
  const plain = withYears(text.slice(0, 3_000).replace(/\s+/g, " "), today);
  // A range such as "July 10-31" needs no word before it
  const opening = plain.slice(0, RANGE_WINDOW);
  const ranges = (mayNameSpan(opening) ? CUES : [])
    .flatMap(([, language]) => parseIfLikely(opening, language, reference))
    .filter(({ start, end }) => start.isCertain("day") && end)
    .flatMap(({ end }) => midnightOf(end));
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

/**
 * Runs a language's parser only if the text may name a day in that language, because a parser slowly tries all of its
 * patterns.
 */
function parseIfLikely(text: string, language: DayLanguage, reference: ParsingReference): ParsedResult[] {
  return mayNameDay(text, language) ? READERS[language].parse(text, reference, { forwardDate: true }) : [];
}

function daysIn(text: string, language: DayLanguage, reference: ParsingReference): number[] {
  const [first] = parseIfLikely(text, language, reference);
  if (first === undefined || first.index > WINDOW / 2 || /[.!?]\s+\p{Lu}/u.test(text.slice(0, first.index))) return [];
  return [...midnightOf(first.start), ...midnightOf(first.end)];
}

function midnightOf(part: ParsedComponents | null | undefined): number[] {
  if (!part || !(part.isCertain("day") || part.isCertain("weekday"))) return []; // "until 5 pm" and "in May" name no day
  const [year, month, day] = [part.get("year"), part.get("month"), part.get("day")];
  return year === null || month === null || day === null ? [] : [Date.UTC(year, month - 1, day)];
}

// In all of central Europe "07.12." is written without a year, which the parsers do not know
function withYears(text: string, today: number): string {
  return text.replace(/(?<![\d.])(\d{1,2})\.\s?(\d{1,2})\.(?!\s?\d)/g, (written, day: string, month: string) => {
    const year = new Date(today).getUTCFullYear();
    const thisYear = Date.UTC(year, Number(month) - 1, Number(day));
    const isDate = Number(month) >= 1 && Number(month) <= 12 && Number(day) >= 1 && Number(day) <= 31;
    return isDate ? `${day}.${month}.${thisYear < today ? year + 1 : year}` : written;
  });
}

/** The calendar day in a time zone at an instant, as the epoch milliseconds of that day's midnight in UTC. */
function localDay(at: number, timeZone: string): number {
  const [year = 1970, month = 1, day = 1] = formatter(timeZone).format(new Date(at)).split("-").map(Number);
  return Date.UTC(year, month - 1, day);
}

/** Formatters by time zone. They are kept because creating one is slow, and there are only a few hundred zones. */
const FORMATTERS = new Map<string, Intl.DateTimeFormat>();

function formatter(timeZone: string): Intl.DateTimeFormat {
  const cachedFormatter = FORMATTERS.get(timeZone);
  if (cachedFormatter !== undefined) return cachedFormatter;
  try {
    const formatter = new Intl.DateTimeFormat("en-CA", { timeZone, year: "numeric", month: "2-digit", day: "2-digit" });
    FORMATTERS.set(timeZone, formatter);
    return formatter;
  } catch {
    return formatter("UTC");
  }
}

/**
 * The stems of the month names, one entry per month, in the languages that chrono does not read. Accents and case are
 * removed.
 */
const MONTHS: readonly string[] = [
  "jan sty led oca tamm ian ιαν янв січ ינו يناير كانون",
  "feb lut uno sub helm fev φεβ фев лют פבר فبراير شباط",
  "mar brez maal μαρ мар берез מרץ מרס مارس",
  "apr kwi dub nis huht απρ апр квіт אפר ابريل نيسان",
  "maj mai may mei kve touk μαι мая май трав מאי مايو",
  "jun cze cervn haz kesa iun ιουν июн черв יונ يونيو حزيران",
  "jul lip cervenc tem hein iul ιουλ июл лип יול يوليو تموز",
  "aug sie srp agu elo avg αυγ авг серп אוג اغسطس",
  "sep wrz zar eyl syys szep σεπ сен верес ספט سبتمبر ايلول",
  "okt oct paz rij eki loka οκτ окт жовт אוק اكتوبر",
  "nov lis kas marr noi νοε ноя листоп נוב نوفمبر",
  "dec des gru pro ara joul δεκ дек груд דצמ ديسمبر",
];

const DATES: readonly (readonly [RegExp, (parts: readonly string[]) => readonly [string, string, string]])[] = [
  [
    /(?<![\d.])(\d{1,2})[./-]\s?(\d{1,2})[./-]\s?(20\d\d|\d\d)(?!\d)/gu,
    ([, day = "", month = "", year = ""]) => [year, month, day],
  ],
  [
    /(?<!\d)(20\d\d)[./-]\s?(\d{1,2})[./-]\s?(\d{1,2})(?!\d)/gu,
    ([, year = "", month = "", day = ""]) => [year, month, day],
  ],
  [
    /(?<!\d)(?:(20\d\d)\s?[年년]\s?)?(\d{1,2})\s?[月월]\s?(\d{1,2})\s?[日号號일]/gu,
    ([, year = "", month = "", day = ""]) => [year, month, day],
  ],
  [
    /(?<![\d.])(\d{1,2})\.?\s(\p{L}{3,12})\.?(?:\s(20\d\d))?/gu,
    ([, day = "", month = "", year = ""]) => [year, month, day],
  ],
  [
    /(?<!\p{L})(?:(20\d\d)\.?\s)?(\p{L}{3,12})\s(\d{1,2})(?![\d:])/gu,
    ([, year = "", month = "", day = ""]) => [year, month, day],
  ],
];

/** Words next to a date that show that the date is the end of an absence. */
const CUE =
  /(?<!\p{L})(?:do|od|wracam|powr\p{L}*|zp[eě]t|til|fra|tilba\p{L}*|igen|asti|saakka|kadar|tarihine|itibaren|d[oö]n\p{L}*|visszat\p{L}*|p[aâă]n[aă]|din|revin|έως|μέχρι|από|επιστρ\p{L}*|до|по|с|вернусь|вернемся|возвращ\p{L}*|повернусь|з|đến|tới|hingga|sampai|kembali|עד|ועד|(?:א|י|נ)?חזור|אשוב|מיום|החל|حتى|الى|إلى|سأعود|أعود|من)(?!\p{L})|-(?:ig|t[oő]l)\b|まで|から|より|復帰|戻|回来|返回|返岗|恢复|至|到|까지|부터|복귀/iu;

/** English dates are left to chrono, because English writes the month first. */
const ENGLISH = /\b(?:until|till|through|back|return|from|available)\b/i;

/**
 * Finds dates near a word of absence, in languages that chrono does not read, and returns each as the epoch
 * milliseconds of its UTC midnight. A date without a year is the next one after `today`. The day is read before the
 * month.
 */
function absenceDatesIn(text: string, today: number): number[] {
  return DATES.flatMap(([pattern, partsOf]) =>
    [...text.matchAll(pattern)].slice(0, 20).flatMap((found) => {
      const end = found.index + found[0].length;
      const around = `${text.slice(Math.max(0, found.index - 40), found.index)} | ${text.slice(end, end + 25)}`;
      if (!CUE.test(around) || ENGLISH.test(around)) return [];
      const [year, month, day] = partsOf([...found]);
      return upcomingDay(year, monthOf(month), Number(day), today);
    }),
  );
}

function monthOf(written: string): number {
  if (/^\d+$/.test(written)) return Number(written);
  const folded = written
    .normalize("NFD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replaceAll("ı", "i")
    .replaceAll("ł", "l");
  return MONTHS.findIndex((stems) => stems.split(" ").some((stem) => folded.startsWith(stem))) + 1;
}

function upcomingDay(year: string, month: number, day: number, today: number): number[] {
  if (month < 1 || month > 12 || day < 1 || day > 31) return [];
  const current = new Date(today).getUTCFullYear();
  const fullYear = year === "" ? null : Number(year) + (year.length === 2 ? 2_000 : 0);
  const at = Date.UTC(fullYear ?? current, month - 1, day);
  if (new Date(at).getUTCDate() !== day) return [];
  return [fullYear === null && at < today ? Date.UTC(current + 1, month - 1, day) : at];
}
