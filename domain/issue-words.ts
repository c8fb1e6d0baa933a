import type { z } from "zod";
import { nearestName } from "./nearest-name.ts";

type ZodIssue = Exclude<z.core.$ZodIssue, z.core.$ZodIssueInvalidUnion | z.core.$ZodIssueUnrecognizedKeys>;

interface Words {
  code: string;
  message: string;
}

/** What a text in a known notation must be, in words for error messages. A pattern has its message in its schema. */
export const NOTATIONS: Readonly<Record<string, string>> = {
  email: "must be an e-mail address",
  datetime: "must be an instant like 2026-11-21T10:00:00Z",
  date: "must be a date like 2026-11-21",
};

const KINDS: Readonly<Record<string, string>> = {
  string: "a text",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
  record: "an object",
};

/** The most values or names that one sentence lists. */
const MOST_LISTED = 20;
/** The most characters of a value that are compared with the values that were possibly meant. */
const MOST_COMPARED = 100;

/** The code and the sentence for one error of a schema. */
export function sentenceOf(issue: ZodIssue): Words {
  switch (issue.code) {
    case "invalid_type":
      return issue.expected === "never"
        ? { code: "INVALID_TYPE", message: "must be left out" }
        : mustBe([kindOf(issue.expected)], issue.input);
    case "too_small":
      return { code: "TOO_SMALL", message: leastOf(issue) };
    case "too_big":
      return {
        code: "TOO_BIG",
        message: `must ${sizeOf(issue.origin)} at most ${amountOf(issue.maximum, issue.origin)}`,
      };
    case "invalid_value":
      return oneOf(issue.values, issue.input);
    case "invalid_format":
      return { code: "INVALID_FORMAT", message: NOTATIONS[issue.format] ?? issue.message };
    case "custom":
      return {
        code: typeof issue.params?.["code"] === "string" ? issue.params["code"] : "INVALID",
        message: issue.message,
      };
    default:
      return { code: issue.code.toUpperCase(), message: "is not valid" };
  }
}

/** The name of a type in a sentence. */
export function kindOf(expected: string): string {
  return KINDS[expected] ?? expected;
}

/** The refusal of a value that is missing or has none of these types. */
export function mustBe(kinds: readonly string[], input: unknown): Words {
  const wanted = kinds.join(" or ");
  if (input === undefined) return { code: "REQUIRED", message: `is required (${wanted})` };
  const actualKind = givenKind(input);
  const isSaid = actualKind === "" || (typeof input === "number" && kinds.includes("a whole number"));
  return { code: "INVALID_TYPE", message: `must be ${wanted}${isSaid ? "" : `, not ${actualKind}`}` };
}

/** The refusal of a value that is not in this list, with the value that was probably meant. */
export function oneOf(values: readonly unknown[], input: unknown): Words {
  const texts = values.map(String);
  const list = `${texts.length > 1 ? "one of " : ""}${listOf(texts)}`;
  if (input === undefined) return { code: "REQUIRED", message: `is required: ${list}` };
  const nearest = typeof input === "string" ? meantOf(input, texts) : null;
  return { code: "INVALID_VALUE", message: `must be ${list}${nearest === null ? "" : `: is ${nearest} meant?`}` };
}

/**
 * The message that `place` has no field of this name, with the field that was probably meant, or else with the fields
 * that it has.
 */
export function fieldNotOf(place: string, name: string, names: readonly string[]): string {
  const nearest = meantOf(name, names);
  if (nearest !== null) return `is not a field of ${place}: is ${nearest} meant?`;
  return `is not a field of ${place}${names.length === 0 ? "" : `: it has ${listOf(names)}`}`;
}

/** The first texts of a list, and how many more there are. */
export function listOf(texts: readonly string[]): string {
  const more = texts.length - MOST_LISTED;
  return more > 0 ? `${texts.slice(0, MOST_LISTED).join(", ")} and ${more} more` : texts.join(", ");
}

/** The name that was probably meant; null if none is similar. Case and the signs between words are ignored. */
function meantOf(text: string, names: readonly string[]): string | null {
  const byFolded = new Map(names.map((one) => [withoutSeparators(one), one]));
  const nearest = nearestName(withoutSeparators(text.slice(0, MOST_COMPARED)), [...byFolded.keys()]);
  return nearest === null ? null : (byFolded.get(nearest) ?? null);
}

function withoutSeparators(text: string): string {
  return text.toLowerCase().replaceAll(/[\s_-]/g, "");
}

/**
 * The kind of a value, in the form that follows "not" in a message; empty for NaN, which stands for a text that is not
 * a number.
 */
function givenKind(input: unknown): string {
  if (typeof input === "string") return "text";
  if (Array.isArray(input)) return "a list";
  if (typeof input === "number") return Number.isNaN(input) ? "" : "a number";
  return typeof input === "object" && input !== null ? "an object" : String(input);
}

function leastOf({ origin, minimum }: z.core.$ZodIssueTooSmall): string {
  const isEmpty = minimum === 1 && (origin === "string" || origin === "array");
  return isEmpty ? "must not be empty" : `must ${sizeOf(origin)} at least ${amountOf(minimum, origin)}`;
}

function sizeOf(origin: string): string {
  return origin === "string" || origin === "array" || origin === "object" || origin === "set" ? "have" : "be";
}

function amountOf(amount: number | bigint, origin: string): string {
  const unit = origin === "string" ? " character" : origin === "array" || origin === "set" ? " item" : "";
  return `${amount}${unit}${unit === "" || Number(amount) === 1 ? "" : "s"}`;
}
