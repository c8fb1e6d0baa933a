import { RULE_TEXTS, type RuleCode, type Value } from "../../domain/recipients/explain.ts";
import { smtpWords } from "./en/why.ts";
import { formatInstant } from "./format.ts";
import { PAUSE_REASON, RECIPIENT_STATUS, STOP_REASON } from "./states.ts";

interface RuleInWords {
  code: RuleCode;
  text: string;
  values: Readonly<Record<string, Value>>;
}

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?Z$/;
const SMTP_STAGE: Readonly<Record<string, string>> = smtpWords.stage;
const SMTP_CAUSE: Readonly<Record<string, string>> = smtpWords.cause;
const STATES: Readonly<Record<string, string>> = { ...PAUSE_REASON, ...RECIPIENT_STATUS, ...STOP_REASON };

/**
 * A rule from the server as text, with times in the viewer's time zone and names instead of ids. For a rule of a newer
 * server that is not known here, the server's own sentence is used.
 */
export function ruleInWords({ code, text, values }: RuleInWords, nameOf: (id: string) => string | null): string {
  const templates: Readonly<Record<string, string>> = RULE_TEXTS;
  const template = templates[code];
  if (template === undefined) return text;
  return template.replaceAll(/\{(\w+)\}/g, (_, name: string) => valueInWords(values[name] ?? null, nameOf));
}

function valueInWords(value: Value, nameOf: (id: string) => string | null): string {
  if (value === null) return "nothing";
  if (Array.isArray(value)) return value.map((one) => valueInWords(one, nameOf)).join(", ");
  if (typeof value !== "string") return String(value);
  if (INSTANT.test(value)) return formatInstant(value);
  return nameOf(value) ?? STATES[value] ?? faultInWords(value) ?? value;
}

/** The text for an SMTP failure code such as `RCPT_REFUSED`: how the attempt failed, and at which command. */
function faultInWords(value: string): string | null {
  const [, stage = "", cause = ""] = /^([A-Z]+)_([A-Z]+)$/.exec(value) ?? [];
  const [at, how] = [SMTP_STAGE[stage], SMTP_CAUSE[cause]];
  return at === undefined || how === undefined ? null : `${how} ${at}`;
}
