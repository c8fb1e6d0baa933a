import {
  DATE_OPERATORS,
  type Field,
  fieldOf,
  NUMBER_OPERATORS,
  type Operator,
  operatorsOf,
  operatorsOfType,
  SEGMENT_EVENTS,
  type SegmentEvent,
} from "../../../domain/leads/segment-fields.ts";
import type { FieldType } from "../../../domain/states.ts";

/** What a filter needs of a custom field. */
export interface CustomField {
  key: string;
  label: string;
  type: FieldType;
  options: readonly string[] | null;
  archived: boolean;
}

/** A filter while a person edits it. Ids tell its parts apart; they are not sent. */
export interface Group {
  id: number;
  kind: "GROUP";
  combinator: "AND" | "OR";
  rules: readonly Rule[];
}
export interface FieldRow {
  id: number;
  kind: "FIELD";
  field: string;
  operator: Operator;
  /** What was typed or chosen: one text, two for BETWEEN, or several. */
  values: readonly string[];
}
export interface EventRow {
  id: number;
  kind: "EVENT";
  event: SegmentEvent;
  negate: boolean;
  withinDays: string;
  minCount: string;
  campaignId: string;
}
/** A rule of the API that the fields of a row cannot show. It is kept as it is. */
interface RawRow {
  id: number;
  kind: "RAW";
  rule: unknown;
}
export type Rule = Group | FieldRow | EventRow | RawRow;

export const CUSTOM = "customFields.";

/** How a value is entered, and how many of them a rule has. */
export interface Shape {
  entry: "TEXT" | "NUMBER" | "DATE" | "DAYS" | "FLAG" | "CHOICE";
  count: "NONE" | "ONE" | "TWO" | "MANY";
}

let lastId = 0;
function newId(): number {
  lastId++;
  return lastId;
}

/** The type of a custom field; TEXT for one that is not declared, and undefined for another field. */
function typeOf(field: string, custom: readonly CustomField[]): FieldType | undefined {
  if (!field.startsWith(CUSTOM)) return undefined;
  return custom.find(({ key }) => `${CUSTOM}${key}` === field)?.type ?? "TEXT";
}

/** The operators that a field takes. The field itself decides, or the type of a custom field. */
export function operatorsFor(field: string, custom: readonly CustomField[]): readonly Operator[] {
  const type = typeOf(field, custom);
  return type === undefined ? operatorsOf(kindOf(field)) : operatorsOfType(type);
}

function kindOf(field: string): Field["kind"] {
  return fieldOf(field)?.kind ?? "TEXT";
}

const MANY: readonly Operator[] = ["IN", "NOT_IN", "CONTAINS_ANY", "CONTAINS_ALL"];
/** The operators that compare whole values, which a person can choose. */
const WHOLE: readonly Operator[] = ["EQ", "NEQ", ...MANY];

export function shapeOf({ field, operator }: Pick<FieldRow, "field" | "operator">, custom: readonly CustomField[]) {
  return { entry: entryOf(field, operator, typeOf(field, custom)), count: countOf(operator) } satisfies Shape;
}

function countOf(operator: Operator): Shape["count"] {
  if (operator === "IS_SET" || operator === "IS_NOT_SET") return "NONE";
  if (operator === "BETWEEN") return "TWO";
  return MANY.includes(operator) ? "MANY" : "ONE";
}

function entryOf(field: string, operator: Operator, type: FieldType | undefined): Shape["entry"] {
  const kind = kindOf(field);
  if (operator === "WITHIN_LAST_DAYS") return "DAYS";
  if (kind === "FLAG") return "FLAG";
  if (kind === "DATE" || type === "DATE") return isOneOf(DATE_OPERATORS, operator) ? "DATE" : "TEXT";
  if (type === "NUMBER") return isOneOf(NUMBER_OPERATORS, operator) ? "NUMBER" : "TEXT";
  const isChosen = kind === "LABELS" || kind === "WORD" || type === "SELECT";
  return isChosen && WHOLE.includes(operator) ? "CHOICE" : "TEXT";
}

function isOneOf(operators: readonly string[], operator: string): boolean {
  return operators.includes(operator);
}

export function newRow(field: string, custom: readonly CustomField[]): FieldRow {
  const [operator = "IS_SET"] = operatorsFor(field, custom);
  const row = { id: newId(), kind: "FIELD" as const, field, operator, values: [] };
  return { ...row, values: firstValues(shapeOf(row, custom)) };
}

export function newEvent(event: SegmentEvent): EventRow {
  return { id: newId(), kind: "EVENT", event, negate: false, withinDays: "", minCount: "", campaignId: "" };
}

export function newGroup(custom: readonly CustomField[]): Group {
  return { id: newId(), kind: "GROUP", combinator: "OR", rules: [newRow(FIRST_FIELD, custom)] };
}

/** The field of a new condition. */
export const FIRST_FIELD = "company";

function firstValues({ entry, count }: Shape): string[] {
  if (count === "NONE" || count === "MANY") return [];
  if (entry === "FLAG") return ["true"];
  return count === "TWO" ? ["", ""] : [""];
}

/** The row with another operator. Its values stay where they are entered in the same way. */
export function withOperator(row: FieldRow, operator: Operator, custom: readonly CustomField[]): FieldRow {
  const [before, after] = [shapeOf(row, custom), shapeOf({ ...row, operator }, custom)];
  const stay = before.entry === after.entry && (before.count === after.count || after.count === "MANY");
  const isOne = before.entry === after.entry && after.count === "ONE" && row.values.length > 0;
  const kept = stay ? row.values.filter((one) => one !== "" || after.count !== "MANY") : row.values.slice(0, 1);
  return { ...row, operator, values: stay || isOne ? kept : firstValues(after) };
}

/** The filter as the API takes it. */
export function rulesOf(group: Group, custom: readonly CustomField[]): Record<string, unknown> {
  return { combinator: group.combinator, rules: group.rules.map((rule) => ruleOf(rule, custom)) };
}

function ruleOf(rule: Rule, custom: readonly CustomField[]): unknown {
  if (rule.kind === "GROUP") return rulesOf(rule, custom);
  if (rule.kind === "RAW") return rule.rule;
  if (rule.kind === "EVENT") {
    const { event, negate, withinDays, minCount, campaignId } = rule;
    return {
      event,
      operator: "PERFORMED",
      ...(withinDays !== "" && { withinDays: Number(withinDays) }),
      ...(campaignId !== "" && { campaignId }),
      ...(minCount !== "" && { minCount: Number(minCount) }),
      ...(negate && { negate }),
    };
  }
  const { field, operator, values } = rule;
  const { entry, count } = shapeOf(rule, custom);
  if (count === "NONE") return { field, operator };
  const typed = values.map((one) =>
    entry === "FLAG" ? one === "true" : entry === "NUMBER" || entry === "DAYS" ? Number(one) : one,
  );
  return { field, operator, value: count === "ONE" ? typed[0] : typed };
}

/** Whether each condition has its values, so that the service can be asked who matches. */
export function isComplete(rule: Rule, custom: readonly CustomField[], isRoot = true): boolean {
  if (rule.kind === "GROUP")
    return (isRoot || rule.rules.length > 0) && rule.rules.every((one) => isComplete(one, custom, false));
  if (rule.kind !== "FIELD") return true;
  const { count } = shapeOf(rule, custom);
  if (count === "NONE") return true;
  return rule.values.length > 0 && rule.values.every((one) => one.trim() !== "");
}

/** The draft of a stored filter, with the same meaning. */
export function draftOf(stored: Readonly<Record<string, unknown>> | null, custom: readonly CustomField[]): Group {
  const root = stored ?? {};
  if (Array.isArray(root["rules"])) return groupOf(root, custom);
  const rules = Object.entries(root).map(([field, value]) => rowOf(fromShortForm(field, value), custom));
  return { id: newId(), kind: "GROUP", combinator: "AND", rules };
}

/** A rule of the short form, which maps fields to values. */
function fromShortForm(field: string, value: unknown): Fields {
  const isLabels = kindOf(field) === "LABELS";
  const operator = isLabels ? "CONTAINS_ANY" : Array.isArray(value) ? "IN" : "EQ";
  return { field, operator, value: isLabels && typeof value === "string" ? [value] : value };
}

type Fields = Readonly<Record<string, unknown>>;

function groupOf({ combinator, rules }: Fields, custom: readonly CustomField[]): Group {
  const all: unknown[] = Array.isArray(rules) ? rules : [];
  return {
    id: newId(),
    kind: "GROUP",
    combinator: combinator === "OR" ? "OR" : "AND",
    rules: all.map((rule) =>
      isFields(rule) && Array.isArray(rule["rules"]) ? groupOf(rule, custom) : rowOf(rule, custom),
    ),
  };
}

function rowOf(rule: unknown, custom: readonly CustomField[]): Rule {
  const read = isFields(rule) ? readRow(rule, custom) : null;
  // Only a row that is sent again as it was may replace the rule
  return read !== null && isSame(ruleOf(read, custom), rule) ? read : { id: newId(), kind: "RAW", rule };
}

function readRow(rule: Fields, custom: readonly CustomField[]): Rule | null {
  const { event, field, value } = rule;
  if (event !== undefined) {
    const known = SEGMENT_EVENTS.find((one) => one === event);
    if (known === undefined) return null;
    const textIn = (name: string) => (rule[name] === undefined || rule[name] === null ? "" : String(rule[name]));
    const minCount = textIn("minCount") === "1" ? "" : textIn("minCount");
    const texts = { withinDays: textIn("withinDays"), minCount, campaignId: textIn("campaignId") };
    return { ...newEvent(known), ...texts, negate: rule["negate"] === true };
  }
  if (typeof field !== "string") return null;
  const operator = operatorsFor(field, custom).find((one) => one === rule["operator"]);
  if (operator === undefined) return null;
  const values = value === undefined || value === null ? [] : Array.isArray(value) ? value : [value];
  return { id: newId(), kind: "FIELD", field, operator, values: values.map(String) };
}

/** Whether two rules are the same, without the fields that have their default. */
function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(plain(one)) === JSON.stringify(plain(other));
}

function plain(rule: unknown): unknown {
  if (!isFields(rule)) return rule;
  const isDefault = ([name, value]: [string, unknown]) =>
    value === null || value === undefined || (name === "minCount" && value === 1) || (name === "negate" && !value);
  return Object.entries(rule)
    .filter((entry) => !isDefault(entry))
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** How many conditions a filter has, in all its groups. */
export function countRules(rule: Rule): number {
  return rule.kind === "GROUP" ? rule.rules.reduce((sum, one) => sum + countRules(one), 0) : 1;
}
