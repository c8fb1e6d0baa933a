import { branchWords, OPERATOR, filterWords as says } from "./en/sequence.ts";
import { wordFor } from "./states.ts";

/** Values of a rule that are named. */
const NAMED = 5;
const LABELS: readonly string[] = ["tags", "listIds"];

type Fields = Readonly<Record<string, unknown>>;

/** The filter of a condition in words: a tree of rules, or the short form that maps fields to values. */
export function filterInWords(rules: unknown): string {
  const told = groupInWords(rules);
  return told === "" ? branchWords.everyLead : branchWords.matches(told);
}

function groupInWords(group: unknown): string {
  if (!isFields(group)) return "";
  const { rules, combinator } = group;
  if (!Array.isArray(rules)) return Object.entries(group).map(shorthand).join(says.and);
  return rules.map((rule: unknown) => ruleInWords(rule, rules.length > 1)).join(combinator === "OR" ? says.or : says.and);
}

function ruleInWords(rule: unknown, isAmongOthers: boolean): string {
  if (!isFields(rule)) return "";
  if (!Array.isArray(rule["rules"])) return fieldInWords(rule);
  return isAmongOthers && rule["rules"].length > 1 ? `(${groupInWords(rule)})` : groupInWords(rule);
}

function shorthand([field, value]: [string, unknown]): string {
  const operator = LABELS.includes(field) ? "CONTAINS_ANY" : Array.isArray(value) ? "IN" : "EQ";
  return fieldInWords({ field, operator, value });
}

function fieldInWords({ field, operator, value }: Fields): string {
  return [nameOf(String(field)), wordFor(OPERATOR, String(operator)), valueInWords(value)].filter((part) => part !== "").join(" ");
}

/** "job title" of the lead's own fields; a custom field is named as it was declared. */
function nameOf(field: string): string {
  const [, own] = /^customFields\.(.*)$/s.exec(field) ?? [];
  return own === undefined ? field.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`) : says.value(own);
}

function valueInWords(value: unknown): string {
  if (value === undefined || value === null) return "";
  const values: unknown[] = Array.isArray(value) ? value : [value];
  const named = values.slice(0, NAMED).map((one) => (typeof one === "string" ? says.value(one) : String(one)));
  return [...named, ...(values.length > NAMED ? [says.more(values.length - NAMED)] : [])].join(", ");
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
