import { parseInstant } from "./instant.ts";

/**
 * Whether the day or the month comes first in a column. For `05/06/2024`, only another cell of the column shows it.
 */
export type DayOrder = "DAY_FIRST" | "MONTH_FIRST";

/** Characters. No date is longer. */
const LONGEST = 60;
const LANGUAGES = ["en", "de", "fr", "es", "it", "pt", "nl"];
const MONTHS = new Map(
  LANGUAGES.flatMap((language) =>
    (["long", "short"] as const).flatMap((month) => {
      const format = new Intl.DateTimeFormat(language, { month, timeZone: "UTC" });
      return Array.from({ length: 12 }, (_, at): [string, number] => [
        foldMonth(format.format(Date.UTC(2024, at, 15))),
        at + 1,
      ]);
    }),
  ),
);
MONTHS.set("sept", 9);

const TIME =
  /[T ,]+(?<hour>\d{1,2}):(?<minute>\d\d)(?::(?<second>\d\d)(?:\.\d+)?)?\s?(?<half>[ap]\.?m\.?)?(?:\s?(?:Z|UTC))?$/i;
const YEAR_FIRST = /^(?<year>\d{4})[-/.](?<month>\d{1,2})(?:[-/.](?<day>\d{1,2}))?$/;
const NUMBERS = /^(?<first>\d{1,2})(?<mark>[./-])(?<second>\d{1,2})\k<mark>(?<year>\d{4})$/;
const MONTH_AND_YEAR = /^(?<month>\d{1,2})[./-](?<year>\d{4})$/;
const DAY_NAMED =
  /^(?:\p{L}+\.?,?\s)?(?<day>\d{1,2})(?:st|nd|rd|th|er|º|\.)?[\s-]+(?:de\s)?(?<name>\p{L}{3,}\.?)[\s,-]+(?:de\s)?(?<year>\d{4})$/u;
const NAME_FIRST =
  /^(?:(?!\p{L}+\.?\s\d{4}$)\p{L}+\.?,\s)?(?<name>\p{L}{3,}\.?)(?:[\s-]+(?<day>\d{1,2})(?:st|nd|rd|th)?)?[\s,-]+(?:de\s)?(?<year>\d{4})$/u;

/**
 * The date or time in a cell of a file, in ISO 8601 (rules/leads 2.5). A month without a day means its first day, and a
 * time without an offset is in UTC. `05/06/2024` is AMBIGUOUS unless the order of its column is known. Null if the text
 * is not a date.
 */
export function dateIn(text: string, order: DayOrder | null): string | "AMBIGUOUS" | null {
  const trimmed = text.trim();
  if (trimmed.length > LONGEST) return null;
  if (parseInstant(trimmed) !== null) return trimmed;
  const time = TIME.exec(trimmed)?.groups;
  const day = dayIn(time === undefined ? trimmed : trimmed.replace(TIME, ""), order);
  if (day === null || day === "AMBIGUOUS") return day;
  const written = time === undefined ? day : `${day}T${clockOf(time)}Z`;
  return parseInstant(written) === null ? null : written;
}

/** The order that a cell shows for its column; null if it shows none. */
export function dayOrderIn(text: string): DayOrder | null {
  const { mark, first, second } = NUMBERS.exec(text.slice(0, LONGEST).trim().replace(TIME, ""))?.groups ?? {};
  if (mark === undefined || mark === ".") return null;
  if (Number(first) > 12 && Number(second) <= 12) return "DAY_FIRST";
  return Number(second) > 12 && Number(first) <= 12 ? "MONTH_FIRST" : null;
}

function dayIn(text: string, order: DayOrder | null): string | "AMBIGUOUS" | null {
  const numbers = NUMBERS.exec(text)?.groups;
  if (numbers !== undefined) return dayOfNumbers(numbers, order);
  const { year, month, day = "1" } = YEAR_FIRST.exec(text)?.groups ?? MONTH_AND_YEAR.exec(text)?.groups ?? {};
  if (year !== undefined && month !== undefined) return isoDay(year, Number(month), day);
  const named = DAY_NAMED.exec(text)?.groups ?? NAME_FIRST.exec(text)?.groups;
  const at = MONTHS.get(foldMonth(named?.["name"] ?? ""));
  return named === undefined || at === undefined ? null : isoDay(named["year"] ?? "", at, named["day"] ?? "1");
}

function dayOfNumbers(
  { first = "", second = "", mark, year = "" }: Record<string, string>,
  order: DayOrder | null,
): string | "AMBIGUOUS" {
  const usedOrder =
    mark === "." ? "DAY_FIRST" : (dayOrderIn(`${first}/${second}/${year}`) ?? (first === second ? "DAY_FIRST" : order));
  if (usedOrder === null) return "AMBIGUOUS";
  return usedOrder === "DAY_FIRST" ? isoDay(year, Number(second), first) : isoDay(year, Number(first), second);
}

function isoDay(year: string, month: number, day: string): string {
  return `${year}-${String(month).padStart(2, "0")}-${day.padStart(2, "0")}`;
}

function clockOf({ hour = "", minute = "", second = "00", half }: Record<string, string>): string {
  const noon = half === undefined ? null : half.toLowerCase().startsWith("p");
  const hours = noon === null ? Number(hour) : (Number(hour) % 12) + (noon ? 12 : 0);
  return `${String(hours).padStart(2, "0")}:${minute}:${second}`;
}

/** A month's name in lower case, without accents and full stops. */
function foldMonth(name: string): string {
  return name
    .normalize("NFD")
    .replaceAll(/[\p{M}.]/gu, "")
    .toLowerCase();
}
