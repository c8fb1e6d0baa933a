import { parseInstant } from "../values/instant.ts";
import { countryOf } from "./country.ts";
import {
  DATE_OPERATORS,
  type Field,
  FLAG_OPERATORS,
  fieldOf,
  NUMBER_OPERATORS,
  type Operator,
  operatorsOf,
  TEXT_OPERATORS,
} from "./segment-fields.ts";
import { foldText, MAX_COMPARED } from "./segment-values.ts";

/** A rule on a field. `negate` reverses the test, so a negative rule also matches a lead whose field is unset. */
export interface FieldRule {
  kind: "FIELD";
  field: Field;
  negate: boolean;
  test: Test;
}

/** The test that a rule applies to the values of a field. Texts are folded; times are in epoch milliseconds. */
export type Test =
  | { is: "SET" }
  | { is: "AMONG"; texts: string[] }
  | { is: "AMONG_NUMBERS"; numbers: number[] }
  | { is: "FLAG"; flag: boolean }
  | { is: "PART"; where: "START" | "END" | "ANYWHERE"; text: string }
  | { is: "RANGE"; of: "NUMBER" | "INSTANT"; from: Bound | null; to: Bound | null }
  | { is: "LAST_DAYS"; days: number }
  /** Labels and ids are compared exactly as they are stored. */
  | { is: "LABELS"; all: boolean; labels: string[] };

export interface Bound {
  at: number;
  inclusive: boolean;
}

export interface RuleRefusal {
  at: "field" | "operator" | "value";
  code: "UNKNOWN_FIELD" | "BAD_OPERATOR" | "BAD_VALUE";
  message: string;
}

const MAX_VALUES = 1_000;
export const MAX_DAYS = 36_500;

/** Reads one rule on a field as a caller wrote it. */
export function readFieldRule(rule: { field: unknown; operator: unknown; value: unknown }): FieldRule | RuleRefusal {
  const field = typeof rule.field === "string" ? fieldOf(rule.field) : null;
  if (field === null) {
    return { at: "field", code: "UNKNOWN_FIELD", message: "is not a field of a lead, listIds or customFields.<key>" };
  }
  const operators = operatorsOf(field.kind);
  const operator = operators.find((one) => one === rule.operator);
  if (operator === undefined)
    return { at: "operator", code: "BAD_OPERATOR", message: `must be one of ${operators.join(", ")}` };
  if (operator === "IS_SET" || operator === "IS_NOT_SET") {
    if (rule.value !== undefined && rule.value !== null) return badValue("must be absent");
    return { kind: "FIELD", field, negate: operator === "IS_NOT_SET", test: { is: "SET" } };
  }
  const test = testOf(field, operator, rule.value);
  return typeof test === "string" ? badValue(test) : { kind: "FIELD", field, negate: NEGATIVES.has(operator), test };
}

const NEGATIVES: ReadonlySet<Operator> = new Set(["NEQ", "NOT_IN", "NOT_CONTAINS"]);

function badValue(message: string): RuleRefusal {
  return { at: "value", code: "BAD_VALUE", message };
}

/** The test of a rule, or a message that says what the value must be. */
function testOf(field: Field, operator: Operator, value: unknown): Test | string {
  switch (field.kind) {
    case "TEXT":
      return field.name === "country" ? countryTest(operator, value) : textTest(operator, value);
    case "WORD":
      return wordTest(field.words, operator, value);
    case "DATE":
      return dateTest(operator, value);
    case "FLAG":
      return typeof value === "boolean" ? { is: "FLAG", flag: value } : "must be true or false";
    case "LABELS":
      return labelsTest(operator, value);
    case "CUSTOM":
      return customTest(operator, value);
  }
}

function textTest(operator: Operator, value: unknown): Test | string {
  if (operator === "IN" || operator === "NOT_IN") {
    return isFull(value, isText)
      ? { is: "AMONG", texts: value.map(foldText) }
      : `must be an array of 1 to ${MAX_VALUES} texts`;
  }
  if (!isText(value)) return `must be a text of at most ${MAX_COMPARED} characters`;
  if (operator === "EQ" || operator === "NEQ") return { is: "AMONG", texts: [foldText(value)] };
  if (value === "") return "must have at least 1 character";
  const where = operator === "STARTS_WITH" ? "START" : operator === "ENDS_WITH" ? "END" : "ANYWHERE";
  return { is: "PART", where, text: foldText(value) };
}

/**
 * A country matches by its code and by its name (rules/leads 1.5), also on leads that were stored before the service
 * turned names into codes.
 */
function countryTest(operator: Operator, value: unknown): Test | string {
  const test = textTest(operator, value);
  if (typeof test === "string" || test.is !== "AMONG") return test;
  return { ...test, texts: [...new Set(test.texts.flatMap((text) => [text, foldText(countryOf(text))]))] };
}

/** An unknown word is refused when the operator compares whole words (rules/states 1.3). */
function wordTest(words: readonly string[], operator: Operator, value: unknown): Test | string {
  const test = textTest(operator, value);
  if (typeof test === "string" || test.is !== "AMONG") return test;
  const knownWords = new Set(words.map(foldText));
  return test.texts.every((text) => knownWords.has(text)) ? test : `must be one or more of ${words.join(", ")}`;
}

function dateTest(operator: Operator, value: unknown): Test | string {
  if (operator === "WITHIN_LAST_DAYS") {
    const isDays = typeof value === "number" && Number.isInteger(value) && value >= 1 && value <= MAX_DAYS;
    return isDays ? { is: "LAST_DAYS", days: value } : `must be a whole number of days from 1 to ${MAX_DAYS}`;
  }
  if (operator === "BETWEEN") {
    const [from, to] = Array.isArray(value) && value.length === 2 ? value.map(instantFrom) : [];
    return rangeTest("INSTANT", from ?? null, to ?? null) ?? "must be two times, the earlier first";
  }
  const at = instantFrom(value);
  if (at === null) return "must be a date, or a time with an offset";
  const bound = { at, inclusive: false };
  return {
    is: "RANGE",
    of: "INSTANT",
    from: operator === "AFTER" ? bound : null,
    to: operator === "BEFORE" ? bound : null,
  };
}

function instantFrom(value: unknown): number | null {
  return typeof value === "string" ? parseInstant(value) : null;
}

function labelsTest(operator: Operator, value: unknown): Test | string {
  if (!isFull(value, isText)) return `must be an array of 1 to ${MAX_VALUES} texts`;
  return { is: "LABELS", all: operator === "CONTAINS_ALL", labels: [...new Set(value)] };
}

/**
 * The type of a custom field follows from the value it is compared with, because an undeclared field has no other type.
 */
function customTest(operator: Operator, value: unknown): Test | string {
  if (typeof value === "boolean" && isOneOf(FLAG_OPERATORS, operator)) return { is: "FLAG", flag: value };
  if (operator === "BETWEEN") {
    const isOfNumbers = Array.isArray(value) && value.some((one) => typeof one === "number");
    return isOfNumbers ? numberTest(operator, value) : dateTest(operator, value);
  }
  if (isOneOf(DATE_OPERATORS, operator)) return dateTest(operator, value);
  const isNumbers =
    typeof value === "number" ||
    (Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === "number"));
  if (isNumbers && isOneOf(NUMBER_OPERATORS, operator)) return numberTest(operator, value);
  if (isOneOf(TEXT_OPERATORS, operator)) return textTest(operator, value);
  return numberTest(operator, value);
}

function numberTest(operator: Operator, value: unknown): Test | string {
  if (operator === "IN" || operator === "NOT_IN") {
    return isFull(value, isNumber)
      ? { is: "AMONG_NUMBERS", numbers: value }
      : `must be an array of 1 to ${MAX_VALUES} numbers`;
  }
  if (operator === "BETWEEN") {
    const [from, to]: unknown[] = Array.isArray(value) && value.length === 2 ? value : [];
    return (
      (isNumber(from) && isNumber(to) ? rangeTest("NUMBER", from, to) : null) ??
      "must be two numbers, the smaller first"
    );
  }
  if (!isNumber(value)) return "must be a number";
  if (operator === "EQ" || operator === "NEQ") return { is: "AMONG_NUMBERS", numbers: [value] };
  const bound = { at: value, inclusive: operator === "GTE" || operator === "LTE" };
  const isFrom = operator === "GT" || operator === "GTE";
  return { is: "RANGE", of: "NUMBER", from: isFrom ? bound : null, to: isFrom ? null : bound };
}

function rangeTest(of: "NUMBER" | "INSTANT", from: number | null, to: number | null): Test | null {
  if (from === null || to === null || from > to) return null;
  return { is: "RANGE", of, from: { at: from, inclusive: true }, to: { at: to, inclusive: true } };
}

function isFull<T>(value: unknown, isOne: (one: unknown) => one is T): value is T[] {
  return Array.isArray(value) && value.length >= 1 && value.length <= MAX_VALUES && value.every(isOne);
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value.length <= MAX_COMPARED && !value.includes("\0");
}

function isNumber(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value);
}

function isOneOf<T extends string>(operators: readonly T[], operator: string): operator is T {
  return operators.some((one) => one === operator);
}
