import type { FieldType } from "../../../domain/states.ts";
import { numberIn } from "../../../domain/values/number.ts";

/** A phone number with its country, or a phone number or postcode with a leading zero, which a number would lose. */
const DIGITS_MATTER = /^\(?\s*(?:\+|0\d)/;
const DATE = /^(?:\d{4}-\d{2}-\d{2}|\d{1,2}[./]\d{1,2}[./]\d{4})$/;
const URL = /^(?:https?:\/\/|www\.)/i;

/** The type that the first cells of a column suggest. */
export function typeOf(samples: readonly string[]): FieldType {
  const every = (fits: (cell: string) => boolean) => samples.length > 0 && samples.every((cell) => fits(cell.trim()));
  const all = (pattern: RegExp) => every((cell) => pattern.test(cell));
  const isNumbers = every((cell) => !DIGITS_MATTER.test(cell) && numberIn(cell) !== null);
  return isNumbers ? "NUMBER" : all(DATE) ? "DATE" : all(URL) ? "URL" : "TEXT";
}
