import { parseInstant } from "../values/instant.ts";
import { PLAIN_NUMBER } from "../values/number.ts";

/**
 * One comparable form of a stored value. A text may also be read as a number or a time, because imports have only texts.
 * A value that is set but cannot be compared (an object) is OTHER. Times are in epoch milliseconds.
 */
export type Scalar =
  | { kind: "TEXT"; value: string }
  | { kind: "NUMBER"; value: number }
  | { kind: "INSTANT"; value: number }
  | { kind: "FLAG"; value: boolean }
  | { kind: "OTHER"; value: null };

/** The most characters of a text that segments compare. No lead field is longer (rules/limits 2.1). */
export const MAX_COMPARED = 2_000;

/**
 * A text in the form in which texts are compared: in lower case, with both forms of the Greek small sigma as one
 * letter.
 */
export function foldText(text: string): string {
  return text.toLowerCase().replaceAll("ς", "σ").slice(0, MAX_COMPARED).toWellFormed();
}

const OTHER: Scalar = { kind: "OTHER", value: null };

/**
 * All comparable forms of a stored value; empty when it is unset. The elements of an array count as separate values,
 * and a nested array counts as OTHER.
 */
export function scalarsOf(value: unknown): Scalar[] {
  if (value === null || value === undefined) return [];
  if (Array.isArray(value)) return value.flatMap((element) => (Array.isArray(element) ? [OTHER] : scalarsOf(element)));
  if (value instanceof Date) return [{ kind: "INSTANT", value: value.getTime() }];
  switch (typeof value) {
    case "string":
      return sidesOf(value);
    case "number":
      return [
        { kind: "NUMBER", value },
        { kind: "TEXT", value: String(value) },
      ];
    case "boolean":
      return [
        { kind: "FLAG", value },
        { kind: "TEXT", value: String(value) },
      ];
    default:
      return [OTHER];
  }
}

function sidesOf(text: string): Scalar[] {
  const sides: Scalar[] = [{ kind: "TEXT", value: foldText(text) }];
  if (PLAIN_NUMBER.test(text)) sides.push({ kind: "NUMBER", value: Number(text) });
  const instant = parseInstant(text);
  if (instant !== null) sides.push({ kind: "INSTANT", value: instant });
  return sides;
}

/** The letter that marks each kind of value in a facet. */
const KINDS = { TEXT: "t", NUMBER: "n", INSTANT: "d", FLAG: "b", OTHER: "o" } as const;

/**
 * Writes a value as one text that sorts like the value: the field, NUL, the letter of the kind, the value. A single
 * index over a lead's facets therefore answers equality, prefixes and ranges for every text and custom field. No field
 * name contains a NUL (rules/limits 1.2).
 */
export function facetOf(field: string, scalar: Scalar): string {
  return `${facetPrefix(field, scalar.kind)}${payloadOf(scalar)}`;
}

/** The prefix of all facets of one kind of a field. */
export function facetPrefix(field: string, kind: Scalar["kind"]): string {
  return `${field}\0${KINDS[kind]}`;
}

function payloadOf({ kind, value }: Scalar): string {
  if (kind === "TEXT") return value;
  if (kind === "FLAG") return value ? "1" : "0";
  return kind === "OTHER" ? "" : sortable(value);
}

const view = new DataView(new ArrayBuffer(8));

/**
 * Writes a number as 16 hexadecimal digits that sort like the numbers: the IEEE 754 bits with the sign bit inverted,
 * and for negative numbers all bits inverted.
 */
export function sortable(value: number): string {
  view.setFloat64(0, value === 0 ? 0 : value); // -0 becomes 0
  const bits = view.getBigUint64(0);
  const turned = bits >> 63n === 1n ? ~bits & 0xffff_ffff_ffff_ffffn : bits | (1n << 63n);
  return turned.toString(16).padStart(16, "0");
}

/** The lead fields that are compared by their facets. Custom fields are compared the same way. */
export const FACET_FIELDS = [
  ...(["firstName", "lastName", "fullName", "company", "website", "jobTitle", "phone"] as const),
  ...(["city", "state", "country", "timezone"] as const),
];

/** The facets of a lead's texts and custom fields, each once. */
export function facetsOf(
  lead: { readonly [field in (typeof FACET_FIELDS)[number]]?: string | null } & {
    readonly customFields?: Readonly<Record<string, unknown>>;
  },
): string[] {
  const facets = new Set<string>();
  const add = (field: string, value: unknown) => {
    for (const scalar of scalarsOf(value)) facets.add(facetOf(field, scalar));
  };
  for (const field of FACET_FIELDS) {
    const text = lead[field];
    if (typeof text === "string") facets.add(facetOf(field, { kind: "TEXT", value: foldText(text) }));
  }
  for (const [key, value] of Object.entries(lead.customFields ?? {})) add(`customFields.${key}`, value);
  return [...facets];
}
