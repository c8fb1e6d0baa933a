import {
  FIELDS,
  type Field,
  MAX_DEPTH,
  MAX_RULES,
  operatorsOf,
  SEGMENT_EVENTS,
} from "../../domain/leads/segment-fields.ts";

/** What the value of a rule is, by the kind of its field. */
const VALUES: Record<Field["kind"], string> = {
  TEXT: "a text; a list of texts for IN and NOT_IN. Case is ignored",
  WORD: "one of the words of the field; a list of them for IN and NOT_IN",
  DATE: "a date or a time with an offset; two of them for BETWEEN; a whole number of days for WITHIN_LAST_DAYS",
  FLAG: "true or false",
  LABELS: "a list of texts, compared exactly",
  CUSTOM: "a text, number, date, or true or false: the type of the value decides how it is compared",
};
const KINDS = Object.keys(VALUES) as Field["kind"][]; // they are the keys of this record

/** Filters that the reference shows. A test reads each of them as a call would. */
export const FILTER_EXAMPLES: readonly (readonly [about: string, rules: object])[] = [
  ["Every lead", {}],
  ["Leads in Germany with the tag `fair`", { country: "DE", tags: ["fair"] }],
  [
    "Leads that opened an email of the last 30 days, are not suppressed, and have more than 50 employees or no number of employees",
    {
      combinator: "AND",
      rules: [
        { event: "OPEN", operator: "PERFORMED", withinDays: 30 },
        { field: "suppressed", operator: "EQ", value: false },
        {
          combinator: "OR",
          rules: [
            { field: "customFields.employees", operator: "GT", value: 50 },
            { field: "customFields.employees", operator: "IS_NOT_SET" },
          ],
        },
      ],
    },
  ],
  [
    "Leads that no campaign has contacted in the last 90 days",
    { rules: [{ event: "SENT", operator: "PERFORMED", withinDays: 90, negate: true }] },
  ],
];

/** The reference of `filterRules` in Markdown, from the definitions that check a filter (rules/leads 1). */
export function describeFilters(): string {
  return [
    "# Filters of leads",
    `\`filterRules\` of a DYNAMIC list, and the condition of a branch, is a tree of groups \`{combinator, rules}\`: AND (the default) needs every rule, OR any of them. Groups nest at most ${MAX_DEPTH} deep, with at most ${MAX_RULES} rules together. An object without \`rules\` maps fields to values that must match. A wrong filter is refused with FILTER_INVALID and the path.`,
    "## Rules about a field: `{field, operator, value}`",
    tableOf(["Field", "Kind", "Values"], FIELDS.map(rowOf)),
    "A custom field is `customFields.<key>`, of the kind CUSTOM. The tool `custom_fields` lists the keys.",
    tableOf(
      ["Kind", "Operators", "Value"],
      KINDS.map((kind) => [kind, operatorsOf(kind).join(", "), VALUES[kind]]),
    ),
    "IS_SET and IS_NOT_SET take no value. A negative operator (NEQ, NOT_IN, NOT_CONTAINS) also matches a lead whose field is not set.",
    '## Rules about an event: `{event, operator: "PERFORMED", withinDays?, campaignId?, minCount?, negate?}`',
    `Events: ${SEGMENT_EVENTS.join(", ")}. With \`negate: true\` the rule matches leads without such events. A branch of a sequence takes no rules about events.`,
    "## Examples",
    ...FILTER_EXAMPLES.map(([about, rules]) => `${about}:\n\n\`\`\`json\n${JSON.stringify(rules)}\n\`\`\``),
  ].join("\n\n");
}

function rowOf(field: Field): string[] {
  return [`\`${field.name}\``, field.kind, field.kind === "WORD" ? field.words.join(", ") : ""];
}

function tableOf(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}
