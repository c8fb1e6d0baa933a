import { formatValue, isDateFormat, serialToDate } from "hucre";

/**
 * The format of a number in a workbook: plain digits, a date, a percentage or a fixed number of digits.
 */
type Format = { kind: "plain" } | { kind: "date" | "elapsed" | "percent" | "digits"; code: string };

const PLAIN: Format = { kind: "plain" };
/** The numbers of built-in formats for dates and times, some of them East Asian. No workbook defines them. */
const DATES = [[14, 22], [27, 36], [45, 47], [50, 58]] as const; // biome-ignore format: pairs
const PERCENTS = [9, 10];

export function formatOf(id: number, code: string | undefined): Format {
  if (code === undefined) {
    if (DATES.some(([first, last]) => id >= first && id <= last)) return { kind: "date", code: "yyyy-mm-dd" };
    return PERCENTS.includes(id) ? { kind: "percent", code: "0%" } : PLAIN;
  }
  if (/\[(?:h+|m+|s+)\]/i.test(code)) return { kind: "elapsed", code };
  if (isDateFormat(code)) return { kind: "date", code };
  const bare = code.replaceAll(/\[[^\]]*\]|"([^"]*)"|\\(.)|[_*]./g, (_all, quoted, escaped) =>
    digitsOnly(quoted ?? escaped ?? ""),
  );
  if (/^[^;]*%/.test(bare)) return { kind: "percent", code };
  return /^[\d#+\-()/ ;]+$/.test(bare) ? { kind: "digits", code } : PLAIN;
}

/**
 * The literal digits and phone signs in a number format, such as the zero before a phone number, which are part of the
 * value. Other literal text becomes "x".
 */
function digitsOnly(literal: string): string {
  return /^[\d+\-()/ ]*$/.test(literal) ? literal : "x";
}

/**
 * From this size on, spreadsheet programs lose digits of a number. Such a number is written in scientific notation to
 * show the loss.
 */
const INEXACT = 1e15;
const LAST_SERIAL = 2_958_466;

/** The number as text, as in a CSV file, but with all digits and with dates in ISO 8601. */
export function numberText(written: string, format: Format, is1904: boolean): string {
  const number = Number(written);
  if (!Number.isFinite(number)) return written;
  const isDate = format.kind === "date" || format.kind === "elapsed";
  if (isDate && number >= 0 && number < LAST_SERIAL) {
    return format.kind === "elapsed" ? formatValue(number, format.code) : dateText(number, is1904);
  }
  if (Math.abs(number) >= INEXACT) return number.toExponential().toUpperCase();
  if (format.kind === "percent") return `${Number((number * 100).toPrecision(12))}%`;
  return format.kind === "digits" && Number.isInteger(number)
    ? formatValue(number, format.code).trim()
    : String(number);
}

/** A date, with a time of day if there is one. Without a date, only the time of day. */
function dateText(serial: number, is1904: boolean): string {
  const at = new Date(Math.round(serialToDate(serial, is1904).getTime() / 1_000) * 1_000).toISOString();
  const [day, time] = [at.slice(0, 10), at.slice(11, 19)];
  if (serial < 1) return time;
  return time === "00:00:00" ? day : `${day}T${time}`;
}

/** Escapes for characters that XML cannot contain, such as `_x000D_` for a carriage return. */
export function decodeEscapes(text: string): string {
  return text.includes("_x")
    ? text.replaceAll(/_x([0-9a-f]{4})_/gi, (_all, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    : text;
}
