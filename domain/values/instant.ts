import { z } from "zod";

const DATE_LIKE = /^\d{4}-\d\d-\d\d/;
const DAY = z.iso.date();
const INSTANT = z.iso.datetime({ offset: true });

/**
 * Reads a time with any offset and returns epoch milliseconds; a date alone means 00:00 UTC (rules/states 1.2). Null if
 * the text is not a time.
 */
export function parseInstant(text: string): number | null {
  if (!DATE_LIKE.test(text) || !(DAY.safeParse(text).success || INSTANT.safeParse(text).success)) return null;
  const at = Date.parse(text);
  return Number.isNaN(at) ? null : at;
}
