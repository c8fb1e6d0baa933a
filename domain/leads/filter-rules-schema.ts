import { operatorsOf, SEGMENT_EVENTS } from "./segment-fields.ts";
import { MAX_DAYS } from "./segment-rule.ts";

const field = {
  type: "string",
  description: "Such as email, company, country, status, tags, listIds, createdAt or customFields.<key>",
};
const combinator = { type: "string", enum: ["AND", "OR"], description: "Default AND: every rule must match" };
const scalars = ["string", "number", "boolean"].map((type) => ({ type }));

const fieldRule = {
  type: "object",
  properties: {
    field,
    operator: {
      type: "string",
      enum: [...new Set((["TEXT", "CUSTOM", "FLAG", "LABELS"] as const).flatMap((kind) => operatorsOf(kind)))],
      description: "How the field is compared",
    },
    value: {
      anyOf: [...scalars, { type: "array", items: { anyOf: scalars.slice(0, 2) } }],
      description: "A list for IN, NOT_IN, BETWEEN and CONTAINS_ANY or _ALL; none for IS_SET and IS_NOT_SET",
    },
  },
  required: ["field", "operator"],
};

const eventRule = {
  type: "object",
  properties: {
    event: { type: "string", enum: SEGMENT_EVENTS, description: "What happened to the lead" },
    operator: { type: "string", const: "PERFORMED", description: "Always PERFORMED" },
    withinDays: {
      type: "integer",
      minimum: 1,
      maximum: MAX_DAYS,
      description: "In this many last days. Default: ever",
    },
    campaignId: { type: "string", description: "In this campaign. Default: in any" },
    minCount: { type: "integer", minimum: 1, description: "At least this often. Default 1" },
    negate: { type: "boolean", description: "true: leads that did not. Default false" },
  },
  required: ["event", "operator"],
};

function treeOf(leaves: readonly object[]) {
  const group = {
    type: "object",
    properties: {
      combinator,
      rules: { type: "array", items: { type: "object" }, description: "Rules as outside; at most 5 levels" },
    },
    required: ["rules"],
  };
  const properties = {
    combinator,
    rules: {
      type: "array",
      maxItems: 100,
      items: { anyOf: [...leaves, group] },
      description: "At most 100 rules. Without `rules`, each key is a field and its value the required value",
    },
  };
  return { properties };
}

/** The JSON schema of `filterRules`, which `readFilterRules` parses, as the reference and tools show it. */
export const FILTER_RULES = treeOf([fieldRule, eventRule]);
/** The same for a condition of a sequence, which reads only the lead. */
export const FIELD_RULES = treeOf([fieldRule]);
