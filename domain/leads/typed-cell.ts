import { type DayOrder, dateIn } from "../values/date.ts";
import { numberIn } from "../values/number.ts";
import { type DeclaredField, typedValue } from "./custom-field.ts";

/** The content of a cell that is not empty. */
export type Cell = string | number | boolean | bigint;

/**
 * The value of a cell as its declared field stores it, or why it does not fit. The usual notations are tried first
 * (rules/leads 2.5).
 */
export function typedCell(
  field: DeclaredField,
  cell: Cell,
  order: DayOrder | null,
): { value: unknown } | { code: "AMBIGUOUS_DATE" | "TYPE_MISMATCH" } {
  const read = typeof cell === "string" ? readAs(field, cell, order) : field.type === "TEXT" ? String(cell) : cell;
  if (read === "AMBIGUOUS") return { code: "AMBIGUOUS_DATE" };
  const typed = read === null ? { must: "" } : typedValue(field, read);
  return "value" in typed ? typed : { code: "TYPE_MISMATCH" };
}

function readAs({ type, options }: DeclaredField, text: string, order: DayOrder | null): unknown {
  switch (type) {
    case "TEXT":
      return text;
    case "NUMBER":
      return numberIn(text);
    case "DATE":
      return dateIn(text, order);
    case "URL":
      return webAddress(text.trim());
    case "SELECT":
      return options?.find((option) => foldOption(option) === foldOption(text)) ?? text;
  }
}

/** Adds `https://` to a web address that is written without a scheme. */
function webAddress(text: string): string {
  return /^(?:www\.|[\p{L}\d-]+(?:\.[\p{L}\d-]+)*\.\p{L}{2,}(?:[/?#]|$))/iu.test(text) ? `https://${text}` : text;
}

function foldOption(text: string): string {
  return text.trim().toLowerCase();
}

/** A tag that needs no quotes: no separator, no white space at its edges and no quote at its start. */
const PLAIN = /^(?![\s"])[^,;]*(?<!\s)$/u;
/** One tag and the separator after it. The tag has no quotes, or is in quotes with each inner quote doubled. */
const NEXT = /\s*(?:"(?<quoted>(?:[^"]|"")*)"\s*(?=[,;]|$)|(?<plain>[^,;]*))(?:[,;]|$)/gu;

/** Writes tags as one text that `tagsIn` reads back. Only tags that would otherwise change are quoted. */
export function tagList(tags: readonly string[]): string {
  return tags.map((tag) => (PLAIN.test(tag) ? tag : `"${tag.replaceAll('"', '""')}"`)).join(", ");
}

/** The tags of a list that is separated by commas or semicolons. */
export function tagsIn(text: string): string[] {
  const tags = [...text.matchAll(NEXT)].map(
    ({ groups }) => groups?.["quoted"]?.replaceAll('""', '"') ?? groups?.["plain"]?.trim() ?? "",
  );
  return tags.filter(Boolean);
}
