import { type DayOrder, dateIn } from "../values/date.ts";
import { numberIn } from "../values/number.ts";
import type { DeclaredField } from "./custom-field.ts";
import { typedValue } from "./custom-field.ts";

/** What a cell holds beside nothing. */
export type Cell = string | number | boolean | bigint;

/** The value of a cell as its declared field stores it, read in the usual notations first, or why it does not fit (rules/leads 2.5). */
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
      return options?.find((option) => folded(option) === folded(text)) ?? text;
  }
}

/** An address without its scheme, as people write it. */
function webAddress(text: string): string {
  return /^(?:www\.|[\p{L}\d-]+(?:\.[\p{L}\d-]+)*\.\p{L}{2,}(?:[/?#]|$))/iu.test(text) ? `https://${text}` : text;
}

function folded(text: string): string {
  return text.trim().toLowerCase();
}
