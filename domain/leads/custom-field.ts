import type { Issue } from "../errors.ts";
import { mustBe, oneOf } from "../issue-words.ts";
import type { FieldType } from "../states.ts";
import { BUILT_INS } from "../templates/variables.ts";
import { parseInstant } from "../values/instant.ts";

/** The type of a declared field, and its limits on values. */
export interface DeclaredField {
  key: string;
  type: FieldType;
  /** Only for a SELECT. */
  options: readonly string[] | null;
}

export const KEY = /^[a-z][A-Za-z0-9_]{0,63}$/;
export const KEY_RULE = "must begin with a small letter and have at most 64 letters, digits and underscores";

/** Latin letters that Unicode normalization does not split into a letter and a mark. */
const LETTERS: Readonly<Record<string, string>> = { ß: "ss", ø: "o", æ: "ae", œ: "oe", ł: "l", đ: "d" };

/** Turns `Head count` into `headCount`. Empty if the label has no Latin letter and no digit. */
export function keyOf(label: string): string {
  const plain = label
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .replaceAll(/[ßøæœłđ]/g, (letter) => LETTERS[letter] ?? letter);
  const words = plain.split(/[^A-Za-z0-9]+/).filter(Boolean);
  const key = words.map((word, index) => (index === 0 ? lowerFirst(word) : capitalise(word))).join("");
  return (/^\d/.test(key) ? `field${key}` : key).slice(0, 64);
}

function lowerFirst(word: string): string {
  return word === word.toUpperCase() ? word.toLowerCase() : word.slice(0, 1).toLowerCase() + word.slice(1);
}

function capitalise(word: string): string {
  const rest = word.slice(1);
  return word.slice(0, 1).toUpperCase() + (word === word.toUpperCase() ? rest.toLowerCase() : rest);
}

/** Variable names ignore case and underscores (rules/mail 4.2), so two keys that differ only in these are the same. */
export function variableName(key: string): string {
  return key.replaceAll("_", "").toLowerCase();
}

const TAKEN: ReadonlySet<string> = new Set(
  [...BUILT_INS.map(({ key }) => key), "customFields", "tags", "listIds", "status", "source"].map(variableName),
);

/** Whether this name already has another meaning in a template or a lead. */
export function isBuiltIn(key: string): boolean {
  return TAKEN.has(variableName(key));
}

/**
 * The value as a declared field stores it, or the message for a value of the wrong type. Null erases the value and fits
 * every type.
 */
export function typedValue({ type, options }: DeclaredField, value: unknown): { value: unknown } | { must: string } {
  if (value === null) return { value };
  switch (type) {
    case "TEXT":
      return typeof value === "string" ? { value } : { must: mustBe(["a text"], value).message };
    case "NUMBER":
      return typeof value === "number" && Number.isFinite(value)
        ? { value }
        : { must: mustBe(["a number"], value).message };
    case "DATE":
      return typeof value === "string" && parseInstant(value) !== null
        ? { value }
        : { must: "must be a date, or a time with an offset" };
    case "URL":
      return typeof value === "string" && isWebAddress(value)
        ? { value }
        : { must: "must be a URL that begins with http:// or https://" };
    case "SELECT":
      return options?.some((option) => option === value)
        ? { value }
        : { must: oneOf(options ?? [], value).message.slice(0, 500) };
  }
}

function isWebAddress(text: string): boolean {
  return /^https?:\/\/\S+$/i.test(text) && URL.canParse(text);
}

/**
 * Custom values as the declared fields store them. Undeclared values stay as they are. The path of each issue ends with
 * its key.
 */
export function typedValues(
  fields: readonly DeclaredField[],
  values: Readonly<Record<string, unknown>>,
  at: string,
): { values: Record<string, unknown>; issues: Issue[] } {
  const declared = new Map(fields.map((field) => [field.key, field]));
  const issues: Issue[] = [];
  const typed = Object.entries(values).map(([key, value]) => {
    const field = declared.get(key);
    const read = field === undefined ? { value } : typedValue(field, value);
    if ("value" in read) return [key, read.value] as const;
    issues.push({ path: `${at}.${key}`, code: "TYPE_MISMATCH", message: read.must });
    return [key, value] as const;
  });
  return { values: Object.fromEntries(typed), issues };
}

/** The sample value of a custom field in a preview without a lead. */
export function sampleOf({ key, type, options }: DeclaredField): string {
  const samples = {
    TEXT: key,
    URL: "https://example.com",
    NUMBER: "42",
    DATE: "2026-01-15",
    SELECT: options?.[0] ?? key,
  };
  return samples[type];
}
