import { AppError, type Issue } from "../errors.ts";
import { fieldOf, MAX_DEPTH, MAX_RULES, SEGMENT_EVENTS, type SegmentEvent } from "./segment-fields.ts";
import { type LeadFacts, matchesFieldRule } from "./segment-match.ts";
import type { FieldRule } from "./segment-rule.ts";
import { MAX_DAYS, readFieldRule } from "./segment-rule.ts";

export type { LeadFacts };

/**
 * The checked rules of a segment: every field and operator is known, and every value has the right type (rules/leads
 * 1.1).
 */
export type FilterTree = RuleGroup;
interface RuleGroup {
  kind: "GROUP";
  combinator: "AND" | "OR";
  /** Empty only in the root, where it matches every lead. */
  rules: SegmentRule[];
}
export type SegmentRule = RuleGroup | FieldRule | EventRule;

/**
 * Requires at least `minCount` events of the type within the given days, in any campaign or in one. `negate` reverses
 * the rule.
 */
export interface EventRule {
  kind: "EVENT";
  event: SegmentEvent;
  withinDays: number | null;
  campaignId: string | null;
  minCount: number;
  negate: boolean;
}

const MAX_COUNT = 1_000_000;
const MAX_ISSUES = 100;

export interface ReadOptions {
  /** The path of the rules in the request. Every issue's path begins with it. */
  at?: string;
  /** Whether rules about events are refused. A CONDITION step of a sequence reads only the lead. */
  fieldsOnly?: boolean;
}

/**
 * Reads the `filterRules` of a caller: a tree of groups at most 5 deep with at most 100 rules, or the shorthand that
 * maps fields to values. `{}` matches every lead. Only checked names, operators and values reach the tree.
 * @throws FILTER_INVALID {issues}: UNKNOWN_FIELD, BAD_OPERATOR or BAD_VALUE, each with its path
 */
export function readFilterRules(value: unknown, { at = "", fieldsOnly = false }: ReadOptions = {}): FilterTree {
  const reader = new Reader(fieldsOnly);
  const tree = reader.root(value, at);
  if (reader.issues.length > 0)
    throw new AppError("FILTER_INVALID", "The filter rules are not valid", { issues: reader.issues });
  return tree;
}

/**
 * Whether a lead is in the segment at `now`, with the same result as the database query. Only the database can decide
 * rules about events.
 */
export function matchesLead(tree: FilterTree, lead: LeadFacts, now: Date): boolean {
  const holds = (rule: SegmentRule): boolean => {
    if (rule.kind === "FIELD") return matchesFieldRule(rule, lead, now);
    if (rule.kind === "EVENT") throw new Error("Only the database can decide rules about events");
    return rule.combinator === "AND" || rule.rules.length === 0 ? rule.rules.every(holds) : rule.rules.some(holds);
  };
  return holds(tree);
}

type Fields = Record<string, unknown>;

class Reader {
  readonly issues: Issue[] = [];
  private readonly fieldsOnly: boolean;
  private count = 0;

  constructor(fieldsOnly: boolean) {
    this.fieldsOnly = fieldsOnly;
  }

  root(value: unknown, path: string): RuleGroup {
    if (!isFields(value)) return this.refuse(path, "BAD_VALUE", "must be an object", EVERYONE);
    if (!Object.hasOwn(value, "rules")) return this.shorthand(value, path);
    const { version, ...group } = value;
    if (version !== undefined && version !== 1) this.refuse(join(path, "version"), "BAD_VALUE", "must be 1");
    return this.group(group, path, 1);
  }

  private shorthand(value: Fields, path: string): RuleGroup {
    const rules = Object.entries(value).map(([name, wanted]) => {
      const isLabels = fieldOf(name)?.kind === "LABELS";
      const operator = isLabels ? "CONTAINS_ANY" : Array.isArray(wanted) ? "IN" : "EQ";
      const given = isLabels && typeof wanted === "string" ? [wanted] : wanted;
      const place = join(path, name);
      return this.field({ field: name, operator, value: given }, { field: place, operator: place, value: place });
    });
    return { kind: "GROUP", combinator: "AND", rules: rules.filter((rule) => rule !== null) };
  }

  private group(value: Fields, path: string, depth: number): RuleGroup {
    if (depth > MAX_DEPTH)
      return this.refuse(path, "BAD_VALUE", `must not be nested more than ${MAX_DEPTH} levels deep`, EVERYONE);
    const { combinator = "AND", rules, ...others } = value;
    this.refuseOthers(others, path);
    if (combinator !== "AND" && combinator !== "OR")
      this.refuse(join(path, "combinator"), "BAD_VALUE", "must be AND or OR");
    if (!Array.isArray(rules))
      return this.refuse(join(path, "rules"), "BAD_VALUE", "must be an array of rules", EVERYONE);
    if (rules.length === 0 && depth > 1) this.refuse(join(path, "rules"), "BAD_VALUE", "must have at least one rule");
    const read: (SegmentRule | null)[] = [];
    for (const [index, rule] of rules.entries()) {
      if (this.count > MAX_RULES || this.issues.length >= MAX_ISSUES) break;
      read.push(this.rule(rule, join(path, `rules.${index}`), depth));
    }
    return {
      kind: "GROUP",
      combinator: combinator === "OR" ? "OR" : "AND",
      rules: read.filter((rule) => rule !== null),
    };
  }

  private rule(value: unknown, path: string, depth: number): SegmentRule | null {
    if (!isFields(value)) return this.refuse(path, "BAD_VALUE", "must be a rule: an object", null);
    if (Object.hasOwn(value, "rules")) return this.group(value, path, depth + 1);
    if (Object.hasOwn(value, "event")) return this.event(value, path);
    const { field, operator, value: wanted, ...others } = value;
    this.refuseOthers(others, path);
    const places = { field: join(path, "field"), operator: join(path, "operator"), value: join(path, "value") };
    return this.field({ field, operator, value: wanted }, places);
  }

  private field(
    rule: Parameters<typeof readFieldRule>[0],
    places: Record<"field" | "operator" | "value", string>,
  ): FieldRule | null {
    if (this.isOneTooMany(places.field)) return null;
    const read = readFieldRule(rule);
    if ("kind" in read) return read;
    return this.refuse(places[read.at], read.code, read.message, null);
  }

  private event(value: Fields, path: string): EventRule | null {
    if (this.isOneTooMany(path)) return null;
    const { event, operator, withinDays = null, campaignId = null, minCount = 1, negate = false, ...others } = value;
    this.refuseOthers(others, path);
    if (this.fieldsOnly)
      return this.refuse(
        join(path, "event"),
        "UNKNOWN_FIELD",
        "is not possible here: use only fields of the lead",
        null,
      );
    const named = SEGMENT_EVENTS.find((one) => one === event);
    if (named === undefined)
      return this.refuse(join(path, "event"), "BAD_VALUE", `must be one of ${SEGMENT_EVENTS.join(", ")}`, null);
    if (operator !== "PERFORMED") return this.refuse(join(path, "operator"), "BAD_OPERATOR", "must be PERFORMED", null);
    if (withinDays !== null && !isWhole(withinDays, MAX_DAYS))
      return this.refuse(join(path, "withinDays"), "BAD_VALUE", `must be a whole number from 1 to ${MAX_DAYS}`, null);
    if (campaignId !== null && !(typeof campaignId === "string" && campaignId.length >= 1 && campaignId.length <= 64))
      return this.refuse(join(path, "campaignId"), "BAD_VALUE", "must be the id of a campaign", null);
    if (!isWhole(minCount, MAX_COUNT))
      return this.refuse(join(path, "minCount"), "BAD_VALUE", `must be a whole number from 1 to ${MAX_COUNT}`, null);
    if (typeof negate !== "boolean")
      return this.refuse(join(path, "negate"), "BAD_VALUE", "must be true or false", null);
    return { kind: "EVENT", event: named, withinDays, campaignId, minCount, negate };
  }

  private isOneTooMany(path: string): boolean {
    this.count++;
    if (this.count === MAX_RULES + 1)
      this.refuse(path, "BAD_VALUE", `exceeds the limit of ${MAX_RULES} rules in total`);
    return this.count > MAX_RULES;
  }

  private refuseOthers(others: Fields, path: string): void {
    for (const name of Object.keys(others)) this.refuse(join(path, name), "UNKNOWN_FIELD", "is not a field of a rule");
  }

  private refuse(path: string, code: string, message: string): void;
  private refuse<T>(path: string, code: string, message: string, instead: T): T;
  private refuse<T>(path: string, code: string, message: string, instead?: T): T | undefined {
    if (this.issues.length < MAX_ISSUES) this.issues.push({ path: path.slice(0, 500), code, message });
    return instead;
  }
}

const EVERYONE: RuleGroup = { kind: "GROUP", combinator: "AND", rules: [] };

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isWhole(value: unknown, max: number): value is number {
  return typeof value === "number" && Number.isInteger(value) && value >= 1 && value <= max;
}

function join(path: string, name: string): string {
  return path === "" ? name : `${path}.${name}`;
}
