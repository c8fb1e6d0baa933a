import { afterPrefix } from "./search-words.ts";
import type { EventRule, FilterTree, SegmentRule } from "./segment.ts";
import type { Field } from "./segment-fields.ts";
import { lastDays, scalarPasses } from "./segment-match.ts";
import type { Bound, FieldRule, Test } from "./segment-rule.ts";
import { FACET_FIELDS, facetOf, facetPrefix, foldText, type Scalar, sortable } from "./segment-values.ts";

/** A MongoDB filter for the `$match` of an aggregation. It contains only names and values of a checked tree. */
export type Query = Record<string, unknown>;

/**
 * The filter that finds the documents of the matching leads at `now`, with the same result as `matchesLead`. Equality,
 * sets, prefixes and ranges become index bounds. `answerOf` gives the filter of a rule about events, before negation is
 * applied.
 */
export function queryOf(tree: FilterTree, now: Date, answerOf: (rule: EventRule) => Query): Query {
  const compile = (rule: SegmentRule): Query => {
    if (rule.kind === "EVENT") return negateIf(rule.negate, answerOf(rule));
    if (rule.kind === "FIELD") return ofField(rule, now);
    if (rule.rules.length === 0) return {};
    if (rule.combinator === "OR") return { $or: rule.rules.map(compile) };
    const bounding = boundingOf(rule.rules);
    return {
      $and: rule.rules.map((one) => (isFacetRule(one) && one !== bounding ? withoutIndex(compile(one)) : compile(one))),
    };
  };
  return compile(tree);
}

/**
 * The rule on facets that limits the index scan. Only one of several such rules can do so, and MongoDB would pick any
 * of them. So the narrowest rule stays unchanged, and the others are wrapped, so that they only filter its results.
 */
function boundingOf(rules: readonly SegmentRule[]): SegmentRule | null {
  const candidates = rules.filter(isFacetRule).filter(({ negate }) => !negate);
  return candidates.toSorted((one, other) => breadthOf(one.test) - breadthOf(other.test))[0] ?? null;
}

function isFacetRule(rule: SegmentRule): rule is FieldRule {
  return rule.kind === "FIELD" && isFacet(rule.field);
}

/** MongoDB does not look for index bounds inside a negation, so a double negation hides a query from the index. */
function withoutIndex(query: Query): Query {
  return { $nor: [{ $nor: [query] }] };
}

/** A rough estimate of the share of a workspace's leads that pass a test, used only to compare tests. */
function breadthOf(test: Test): number {
  switch (test.is) {
    case "AMONG":
      return test.texts.length;
    case "AMONG_NUMBERS":
      return test.numbers.length;
    case "PART":
      return test.where === "START" ? 5 : 1_000;
    case "RANGE":
      return test.from === null || test.to === null ? 500 : 100;
    case "LAST_DAYS":
      return 100;
    case "FLAG":
      return 500;
    default:
      return 2_000;
  }
}

/** The rules about events in a tree. Each must be answered before the tree is compiled. */
export function eventRules(rule: SegmentRule): EventRule[] {
  if (rule.kind === "EVENT") return [rule];
  return rule.kind === "GROUP" ? rule.rules.flatMap(eventRules) : [];
}

function ofField({ field, negate, test }: FieldRule, now: Date): Query {
  // No $nor here, because $nor would not use the separate index of the few suppressed leads
  if (field.kind === "FLAG" && test.is === "FLAG") return { [field.name]: test.flag !== negate };
  return negateIf(negate, isFacet(field) ? ofFacet(field.name, test, now) : ofStored(field, test, now));
}

function negateIf(negate: boolean, query: Query): Query {
  return negate ? { $nor: [query] } : query;
}

const facetFields: ReadonlySet<string> = new Set(FACET_FIELDS);

function isFacet(field: Field): boolean {
  return field.kind === "CUSTOM" || facetFields.has(field.name);
}

function ofFacet(name: string, test: Test, now: Date): Query {
  switch (test.is) {
    case "SET":
      return oneFacet({ $gte: `${name}\0`, $lt: `${name}\u0001` });
    case "AMONG":
      return anyFacet(test.texts.map((value) => facetOf(name, { kind: "TEXT", value })));
    case "AMONG_NUMBERS":
      return anyFacet(test.numbers.map((value) => facetOf(name, { kind: "NUMBER", value })));
    case "FLAG":
      return anyFacet([facetOf(name, { kind: "FLAG", value: test.flag })]);
    case "PART": {
      if (test.where === "START") return oneFacet(startingWith(facetOf(name, { kind: "TEXT", value: test.text })));
      return oneFacet({ ...allOf(name, "TEXT"), $regex: `^[^\\x00]*\\x00t${expressionOf(test, false)}` });
    }
    case "RANGE":
      return oneFacet(facetRange(name, test.of, test.from, test.to));
    case "LAST_DAYS":
      return oneFacet(facetRange(name, "INSTANT", ...lastDays(test.days, now)));
    case "LABELS":
      throw new Error(`${name} has no labels`);
  }
}

function anyFacet(facets: string[]): Query {
  return { facets: facets.length === 1 ? facets[0] : { $in: facets } };
}

// With $elemMatch, one element of the array must be within both bounds. Without $elemMatch, two elements could meet one
// bound each
function oneFacet(range: Query): Query {
  return { facets: { $elemMatch: range } };
}

function allOf(name: string, kind: Scalar["kind"]): Query {
  const prefix = facetPrefix(name, kind);
  const next = String.fromCodePoint((prefix.codePointAt(prefix.length - 1) ?? 0) + 1);
  return { $gte: prefix, $lt: prefix.slice(0, -1) + next };
}

function facetRange(name: string, kind: "NUMBER" | "INSTANT", from: Bound | null, to: Bound | null): Query {
  const prefix = facetPrefix(name, kind);
  return {
    ...allOf(name, kind),
    ...(from !== null && {
      $gte: prefix + sortable(from.at),
      ...(!from.inclusive && { $ne: prefix + sortable(from.at) }),
    }),
    ...(to !== null && (to.inclusive ? { $lt: `${prefix}${sortable(to.at)}\0` } : { $lt: prefix + sortable(to.at) })),
  };
}

function startingWith(text: string): Query {
  return { $gte: text, $lt: afterPrefix(text) };
}

/**
 * The filter on a field that the lead stores in comparable form: addresses in lower case, enumerated words, instants
 * and ids.
 */
function ofStored(field: Field, test: Test, now: Date): Query {
  const name = field.name === "id" ? "_id" : field.name;
  if (test.is === "SET") return isList(name) ? { [`${name}.0`]: { $exists: true } } : { [name]: { $ne: null } };
  if (test.is === "LABELS") return { [name]: test.all ? { $all: test.labels } : { $in: test.labels } };
  if (test.is === "RANGE") return { [name]: dateRange(test.from, test.to) };
  if (test.is === "LAST_DAYS") return { [name]: dateRange(...lastDays(test.days, now)) };
  if (field.kind === "WORD") {
    return {
      [name]: { $in: field.words.filter((word) => scalarPasses(test, { kind: "TEXT", value: foldText(word) }, now)) },
    };
  }
  if (test.is !== "AMONG" && test.is !== "PART") throw new Error(`${name} has only texts`);
  return { [name]: LOWER_CASED.has(name) ? inLowerCase(name, test) : inAnyCase(test) };
}

const LOWER_CASED: ReadonlySet<string> = new Set(["email", "emailDomain", "secondaryEmails"]);

type TextTest = Extract<Test, { is: "AMONG" | "PART" }>;

function inLowerCase(name: string, test: TextTest): Query {
  if (test.is === "AMONG") return { $in: test.texts };
  const range = test.where === "START" ? startingWith(test.text) : { $regex: expressionOf(test, true) };
  return isList(name) ? { $elemMatch: range } : range;
}

/** Ids and sources are either few or combined with other rules, so they may be compared without an index. */
function inAnyCase(test: TextTest): Query {
  const whole = (text: string) => new RegExp(`^${escapeRegExp(text)}${END}`, "i");
  return test.is === "AMONG" ? { $in: test.texts.map(whole) } : { $regex: expressionOf(test, true), $options: "i" };
}

function dateRange(from: Bound | null, to: Bound | null): Query {
  return {
    ...(from !== null && { [from.inclusive ? "$gte" : "$gt"]: new Date(from.at) }),
    ...(to !== null && { [to.inclusive ? "$lte" : "$lt"]: new Date(to.at) }),
  };
}

function isList(name: string): boolean {
  return name === "secondaryEmails" || name === "tags" || name === "listIds";
}

/** Matches the end of a text. `$` would also match before a final line break. */
const END = "(?![\\s\\S])";

function expressionOf({ where, text }: Extract<Test, { is: "PART" }>, isWhole: boolean): string {
  if (where === "START") return `${isWhole ? "^" : ""}${escapeRegExp(text)}`;
  return `${isWhole ? "" : "[\\s\\S]*"}${escapeRegExp(text)}${where === "END" ? END : ""}`;
}

/** Escapes a caller's text so that the expression matches only that text. */
function escapeRegExp(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&");
}
