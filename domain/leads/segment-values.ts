import { z } from "zod";

/**
 * One comparable side of a stored value. A text may read as a number or an instant too, since imports only know texts; what is set but
 * cannot be compared (an object) is OTHER. Instants are epoch milliseconds.
 */
export type Scalar =
  | { kind: "TEXT"; value: string }
  | { kind: "NUMBER"; value: number }
  | { kind: "INSTANT"; value: number }
  | { kind: "FLAG"; value: boolean }
  | { kind: "OTHER"; value: null };

/** The longest part of a text that segments compare, in characters: every declared field fits (behaviours 9). */
export const MAX_COMPARED = 2_000;

/** Case is ignored, nothing else: both forms of the small sigma are one letter. */
export function fold(text: string): string {
  return text.toLowerCase().replaceAll("ς", "σ").slice(0, MAX_COMPARED).toWellFormed();
}

const OTHER: Scalar = { kind: "OTHER", value: null };

/** All sides of a stored value; none when it is unset. The elements of an array count as values of their own, an array among them as OTHER. */
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
  const sides: Scalar[] = [{ kind: "TEXT", value: fold(text) }];
  if (PLAIN_NUMBER.test(text)) sides.push({ kind: "NUMBER", value: Number(text) });
  const instant = instantOf(text);
  if (instant !== null) sides.push({ kind: "INSTANT", value: instant });
  return sides;
}

/** A number as a file writes it. */
export const PLAIN_NUMBER = /^-?\d{1,15}(?:\.\d{1,15})?$/;
const DATE_LIKE = /^\d{4}-\d\d-\d\d/;
const DAY = z.iso.date();
const INSTANT = z.iso.datetime({ offset: true });

/** The instant of a text in epoch milliseconds: any offset, a bare date is 00:00 UTC (behaviours 1.3); null when it is none. */
export function instantOf(text: string): number | null {
  if (!DATE_LIKE.test(text) || !(DAY.safeParse(text).success || INSTANT.safeParse(text).success)) return null;
  const at = Date.parse(text);
  return Number.isNaN(at) ? null : at;
}

/** The letter of a kind in a facet, and the first letter after all of its facets. */
export const KINDS = { TEXT: "t", NUMBER: "n", INSTANT: "d", FLAG: "b", OTHER: "o" } as const;

/**
 * A value as one text that sorts like it: the field, NUL, the letter of its kind, the value. So a single index over the facets of
 * a lead answers equality, prefixes and ranges of every text and custom field. No field's name holds a NUL (security.md 3).
 */
export function facetOf(field: string, scalar: Scalar): string {
  return `${facetPrefix(field, scalar.kind)}${payloadOf(scalar)}`;
}

/** How all facets of one kind of a field begin. */
export function facetPrefix(field: string, kind: Scalar["kind"]): string {
  return `${field}\0${KINDS[kind]}`;
}

function payloadOf({ kind, value }: Scalar): string {
  if (kind === "TEXT") return value;
  if (kind === "FLAG") return value ? "1" : "0";
  return kind === "OTHER" ? "" : sortable(value);
}

const view = new DataView(new ArrayBuffer(8));

/** 16 hexadecimal digits that sort as the numbers do: IEEE 754 with the sign turned, and all bits of negative ones. */
export function sortable(value: number): string {
  view.setFloat64(0, value === 0 ? 0 : value); // -0 is 0
  const bits = view.getBigUint64(0);
  const turned = bits >> 63n === 1n ? ~bits & 0xffff_ffff_ffff_ffffn : bits | (1n << 63n);
  return turned.toString(16).padStart(16, "0");
}

/** The fields of a lead that are compared by their facets; custom fields are too. */
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
    if (typeof text === "string") facets.add(facetOf(field, { kind: "TEXT", value: fold(text) }));
  }
  for (const [key, value] of Object.entries(lead.customFields ?? {})) add(`customFields.${key}`, value);
  return [...facets];
}
