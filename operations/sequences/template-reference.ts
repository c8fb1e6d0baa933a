import { FILTERS, TAGS } from "../../domain/templates/liquid.ts";
import { BUILT_INS } from "../../domain/templates/variables.ts";

/** Templates that the reference shows. A test renders each of them. */
export const TEMPLATE_EXAMPLES: readonly (readonly [about: string, source: string])[] = [
  ["A greeting that works without a first name", 'Hi {{ firstName | default: "there" }},'],
  [
    "A sentence that only some recipients get",
    "{% if jobTitle %}As {{ jobTitle }} you see this every week.{% else %}You see this every week.{% endif %}",
  ],
  [
    "One of several wordings, always the same for one recipient",
    "{Shall we talk|Do you have ten minutes} on {{ weekday }}?",
  ],
  ["A date in words", 'It is {{ today | date: "%-d %B" }}.'],
];

/** The reference of templates in Markdown, from the definitions that render an email (rules/mail 4). */
export function describeTemplates(): string {
  const rows = BUILT_INS.map(
    ({ key, label, type, sample }) => `| \`{{ ${key} }}\` | ${label} | ${type} | ${cell(sample)} |`,
  );
  return [
    "# Templates",
    "Subjects, bodies and signatures are Liquid templates. Names ignore case and underscores: `first_name` is `firstName`. Values are escaped in HTML. A template that cannot be read is refused with TEMPLATE_INVALID, line and column.",
    "## Variables",
    ["| Variable | What it is | Type | Sample |", "| --- | --- | --- | --- |", ...rows].join("\n"),
    "A custom field is `{{ customFields.<key> }}`, or `{{ <key> }}` where no variable has this name. The tool `custom_fields` with `action: variables` lists all of them for the workspace.",
    "An email with an empty variable is not sent: the campaign's `missingVariablePolicy` decides whether the recipient waits, skips the step or gets a fallback. Give a `default` to each variable that a lead may lack.",
    "## Tags and filters",
    `Tags: ${TAGS.join(", ")}. There are no loops and no includes.`,
    `Filters: ${FILTERS.join(", ")}.`,
    "## Spintax",
    "`{Hi|Hello}` is one of its alternatives, chosen by the recipient, the step and the variant, so that a preview and the email agree. Alternatives may nest; `\\{`, `\\|` and `\\}` are literal.",
    "## Examples",
    ...TEMPLATE_EXAMPLES.map(([about, source]) => `${about}:\n\n\`\`\`liquid\n${source}\n\`\`\``),
  ].join("\n\n");
}

/** A text that ends no cell of a table. */
function cell(text: string): string {
  return text.includes("|") ? text.replaceAll("|", "\\|") : text;
}
