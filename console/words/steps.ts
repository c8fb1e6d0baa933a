import type { Condition } from "../../domain/sequences/conditions.ts";
import type { Step } from "../../domain/sequences/sequence.ts";
import { categoryWord } from "./en/categories.ts";
import { branchWords, DELAY_UNIT, filterWords, OPERATOR, branchWords as says, sequenceWords } from "./en/sequence.ts";
import { formatShare } from "./format.ts";
import { wordFor } from "./states.ts";

type Placed = Pick<Step, "stepId" | "order" | "type" | "delay" | "conditions">;
type Fields = Readonly<Record<string, unknown>>;

/**
 * The delay before a step, such as "3 days after the email before". The delay of the first step begins at admission.
 */
export function delayInWords({ order, delay: { value, unit } }: Placed, steps: readonly Placed[]): string {
  const { since, atOnce, after } = sequenceWords;
  const before = steps.find((step) => step.order === order - 1);
  const from = before === undefined ? since.admission : before.type === "EMAIL" ? since.email : since.step;
  return value === 0 ? atOnce(from) : after(DELAY_UNIT[unit](value), from);
}

/**
 * Which step follows: a sentence for each condition, and one for when none is met; empty for a step without conditions.
 */
export function branchesInWords(step: Placed, steps: readonly Placed[]): string[] {
  const { conditions, order } = step;
  if (conditions.length === 0) return [];
  const lines = conditions.map((condition, index) =>
    says.line(
      conditionInWords(condition, { step, steps, isFirst: index === 0 }),
      targetOf(condition["nextStepId"], steps),
    ),
  );
  if (conditions.some((condition) => condition["if"] === "ALWAYS")) return lines;
  const next = steps.find((one) => one.order === order + 1);
  return [...lines, says.line(says.otherwise, next === undefined ? says.end : says.step(next.order))];
}

function targetOf(nextStepId: unknown, steps: readonly Placed[]): string {
  if (nextStepId === null) return says.end;
  const target = steps.find(({ stepId }) => stepId === nextStepId);
  return target === undefined ? says.removed : says.step(target.order);
}

interface About {
  step: Placed;
  steps: readonly Placed[];
  isFirst: boolean;
}

/** A condition as text. A newer server may send conditions that are not known here. */
function conditionInWords(condition: Fields, about: About): string {
  const kind = String(condition["if"]);
  return isKnown(kind) ? KINDS[kind](condition, about) : says.unknown(wordFor({}, kind));
}

function isKnown(kind: string): kind is Condition["if"] {
  return Object.hasOwn(KINDS, kind);
}

const KINDS: Record<Condition["if"], (condition: Fields, about: About) => string> = {
  OPENED: (condition, about) => says.opened(emailOf(condition, about), whenOf(condition)),
  CLICKED: (condition, about) => says.clicked(emailOf(condition, about), whenOf(condition)),
  REPLIED: (condition, about) => says.replied(emailOf(condition, about), whenOf(condition)),
  NOT_OPENED: (condition, about) => says.notOpened(emailOf(condition, about), whenOf(condition)),
  NOT_CLICKED: (condition, about) => says.notClicked(emailOf(condition, about), whenOf(condition)),
  NOT_REPLIED: (condition, about) => says.notReplied(emailOf(condition, about), whenOf(condition)),
  CATEGORY_IS: (condition) => says.category(categoryWord(String(condition["category"])), whenOf(condition)),
  FIELD_MATCHES: ({ filterRules }) => filterInWords(filterRules),
  RANDOM: ({ percent }) => says.random(formatShare(Number(percent) / 100)),
  ALWAYS: (_, { isFirst }) => (isFirst ? says.always : says.otherwise),
};

/** The email that a condition is about: the one it names, else this step's, else the last one sent. */
function emailOf({ ofStepId }: Fields, { step, steps }: About): string {
  if (typeof ofStepId !== "string") return step.type === "EMAIL" ? says.email.own : says.email.last;
  if (ofStepId === step.stepId) return says.email.own;
  const named = steps.find(({ stepId }) => stepId === ofStepId);
  return named === undefined ? says.email.removed : says.email.of(named.order);
}

/** The time within which an event must happen; without `withinDays`, until the next step is executed. */
function whenOf({ withinDays }: Fields): string {
  return typeof withinDays === "number" ? says.within(withinDays) : says.beforeNext;
}

/** The most values of a rule that are listed. */
const NAMED = 5;
const LABELS: readonly string[] = ["tags", "listIds"];

/** The filter of a condition in words: a tree of rules, or the short form that maps fields to values. */
function filterInWords(rules: unknown): string {
  const told = groupInWords(rules);
  return told === "" ? branchWords.everyLead : branchWords.matches(told);
}

function groupInWords(group: unknown): string {
  if (!isFields(group)) return "";
  const { rules, combinator } = group;
  if (!Array.isArray(rules)) return Object.entries(group).map(shortRuleInWords).join(filterWords.and);
  return rules
    .map((rule: unknown) => ruleInWords(rule, rules.length > 1))
    .join(combinator === "OR" ? filterWords.or : filterWords.and);
}

function ruleInWords(rule: unknown, isAmongOthers: boolean): string {
  if (!isFields(rule)) return "";
  if (!Array.isArray(rule["rules"])) return fieldInWords(rule);
  return isAmongOthers && rule["rules"].length > 1 ? `(${groupInWords(rule)})` : groupInWords(rule);
}

function shortRuleInWords([field, value]: [string, unknown]): string {
  const operator = LABELS.includes(field) ? "CONTAINS_ANY" : Array.isArray(value) ? "IN" : "EQ";
  return fieldInWords({ field, operator, value });
}

function fieldInWords({ field, operator, value }: Fields): string {
  return [fieldName(String(field)), wordFor(OPERATOR, String(operator)), valueInWords(value)]
    .filter((part) => part !== "")
    .join(" ");
}

/** The name of a lead's field as text, such as "job title". A custom field keeps the name that a user gave it. */
function fieldName(field: string): string {
  const [, own] = /^customFields\.(.*)$/s.exec(field) ?? [];
  return own === undefined
    ? field.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
    : filterWords.value(own);
}

function valueInWords(value: unknown): string {
  if (value === undefined || value === null) return "";
  const values: unknown[] = Array.isArray(value) ? value : [value];
  const named = values.slice(0, NAMED).map((one) => (typeof one === "string" ? filterWords.value(one) : String(one)));
  return [...named, ...(values.length > NAMED ? [filterWords.more(values.length - NAMED)] : [])].join(", ");
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
