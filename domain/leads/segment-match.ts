import { DAY_MS } from "../time/durations.ts";
import type { LeadField } from "./segment-fields.ts";
import type { Bound, FieldRule, Test } from "./segment-rule.ts";
import { foldText, type Scalar, scalarsOf } from "./segment-values.ts";

/** The fields of a lead as its document stores them. An absent field is unset. */
export type LeadFacts = { readonly [field in Exclude<LeadField, "id" | "createdFrom.kind">]?: unknown } & {
  readonly _id?: string;
  readonly customFields?: Readonly<Record<string, unknown>>;
  readonly createdFrom?: { readonly kind: string } | null;
};

/** Whether the rule holds for the lead at `now`. */
export function matchesFieldRule({ field, negate, test }: FieldRule, lead: LeadFacts, now: Date): boolean {
  return passesTest(test, valueIn(lead, field.name), now) !== negate;
}

function valueIn(lead: LeadFacts, name: string): unknown {
  if (name === "id") return lead._id;
  if (name === "createdFrom.kind") return lead.createdFrom?.kind;
  const custom = name.startsWith("customFields.");
  const holder = custom ? (lead.customFields ?? {}) : lead;
  return new Map(Object.entries(holder)).get(custom ? name.slice("customFields.".length) : name);
}

function passesTest(test: Test, value: unknown, now: Date): boolean {
  if (test.is === "LABELS") {
    const labels = new Set(Array.isArray(value) ? value : []);
    return test.all ? test.labels.every((label) => labels.has(label)) : test.labels.some((label) => labels.has(label));
  }
  const scalars = scalarsOf(value);
  if (test.is === "SET") return scalars.length > 0;
  return scalars.some((scalar) => scalarPasses(test, scalar, now));
}

/** Whether one comparable form of a value passes the test. */
export function scalarPasses(
  test: Exclude<Test, { is: "LABELS" } | { is: "SET" }>,
  scalar: Scalar,
  now: Date,
): boolean {
  switch (test.is) {
    case "AMONG":
      return scalar.kind === "TEXT" && test.texts.includes(foldText(scalar.value));
    case "AMONG_NUMBERS":
      return scalar.kind === "NUMBER" && test.numbers.includes(scalar.value);
    case "FLAG":
      return scalar.kind === "FLAG" && scalar.value === test.flag;
    case "PART":
      return scalar.kind === "TEXT" && holdsPart(test, foldText(scalar.value));
    case "RANGE":
      return scalar.kind === test.of && typeof scalar.value === "number" && isWithin(scalar.value, test.from, test.to);
    case "LAST_DAYS":
      return scalar.kind === "INSTANT" && isWithin(scalar.value, ...lastDays(test.days, now));
  }
}

function holdsPart({ where, text }: { where: "START" | "END" | "ANYWHERE"; text: string }, value: string): boolean {
  if (where === "START") return value.startsWith(text);
  return where === "END" ? value.endsWith(text) : value.includes(text);
}

function isWithin(value: number, from: Bound | null, to: Bound | null): boolean {
  const isAfter = from === null || value > from.at || (from.inclusive && value === from.at);
  return isAfter && (to === null || value < to.at || (to.inclusive && value === to.at));
}

/** The bounds of the last `days` days, including `now` itself. */
export function lastDays(days: number, now: Date): [from: Bound, to: Bound] {
  return [
    { at: now.getTime() - days * DAY_MS, inclusive: true },
    { at: now.getTime(), inclusive: true },
  ];
}
