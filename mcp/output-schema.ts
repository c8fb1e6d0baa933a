import { z } from "zod";
import type { ToolRow } from "../operations/declaration.ts";
import { pageOf } from "../operations/fields.ts";
import type { AnyOperation } from "../operations/operation.ts";
import { jsonSchemaOf } from "../operations/shown-as.ts";
import { type FieldSchema, isJson } from "./field-words.ts";
import { MAIL_FIELDS } from "./strangers.ts";
import { actionsOf, isChoice, takesOffset } from "./tool.ts";
import { tools } from "./tools.ts";

/** The schema of a result, as `tools/list` shows it. */
export interface OutputSchema extends FieldSchema {
  type: "object";
  properties: Record<string, object>;
}

/** The tools with a schema of their result: the reads that the ten jobs use most (rules/tools 3.7). */
export const STRUCTURED: ReadonlySet<string> = new Set([
  "account_get",
  "analytics_report",
  "campaign_sequence_get",
  "campaign_sequence_preview",
  "campaign_settings_get",
  "campaign_validate",
  "campaigns_get",
  "campaigns_list",
  "deliverability_domains",
  "deliverability_recommendations",
  "inbox_summary",
  "inbox_thread_get",
  "inbox_threads_list",
  "lead_search_browse",
  "leads_activity",
  "leads_get",
  "leads_search",
  "mailboxes_list",
  "recipients_list",
  "warmup_list",
]);

const schemas = new Map<string, OutputSchema>();

/** The schema of a tool's result; null for a tool without one. */
export function outputSchemaOf(name: string): OutputSchema | null {
  const known = schemas.get(name);
  if (known !== undefined) return known;
  const row = STRUCTURED.has(name) ? tools.find((one) => one.name === name) : undefined;
  if (row === undefined) return null;
  const schema = schemaOf(row.tool);
  schemas.set(name, schema);
  return schema;
}

/**
 * The fields of all results of a tool. None is required, because a tool has several actions, and a result that is too
 * long in every part becomes a preview.
 */
function schemaOf(tool: ToolRow): OutputSchema {
  const properties: Record<string, FieldSchema> = {};
  for (const form of pickedBy(tool).flatMap((verb) => formsOf(tool, verb)))
    for (const [field, schema] of Object.entries(isJson(form["properties"]) ? form["properties"] : {}))
      properties[field] = joinForms(properties[field], isJson(schema) ? schema : {});
  const { items } = properties;
  if (tool.detail === true && items !== undefined && isJson(items["items"]))
    properties["items"] = withoutRequired(items);
  for (const [field, schema] of Object.entries(marksOf(tool))) properties[field] = joinForms(properties[field], schema);
  return { type: "object", properties };
}

/** The operations that a call can pick: two where the presence of a field picks, or else all. */
function pickedBy(tool: ToolRow): AnyOperation[] {
  const { operation } = tool;
  const names =
    isChoice(operation) && typeof operation.by === "object" ? [operation.otherwise, operation.by.action] : null;
  return actionsOf(tool).flatMap(([name, verb]) => (names === null || names.includes(name) ? [verb] : []));
}

/** The shapes of an operation's result: more than one for a union, and a page for a bare list. */
function formsOf(tool: ToolRow, { output }: AnyOperation): FieldSchema[] {
  const isList = output._zod.def.type === "array";
  const shown = isList && tool.paged !== true ? z.object({ items: output }) : isList ? pageOfList(output) : output;
  const { $defs, ...schema } = jsonSchemaOf(shown, "output", shownPart);
  const simple = simplify(schema, isJson($defs) ? $defs : {}, []);
  const forms = simple["anyOf"];
  return Array.isArray(forms) ? forms.filter(isJson) : [simple];
}

function shownPart(as: z.ZodType): FieldSchema {
  const { $defs, ...schema } = jsonSchemaOf(as, "output", shownPart);
  return simplify(schema, isJson($defs) ? $defs : {}, []);
}

function pageOfList(list: z.ZodType): z.ZodType {
  return pageOf(z.unknown()).extend({ items: list }).omit({ totalIsExact: true });
}

/** Keywords that also hold for a result whose texts and lists are cut. */
const KEPT = ["type", "enum", "const"];
const INSTANTS = ["date-time", "date"];
/** Longer lists of values are left out, as in the schemas of arguments. */
const MOST_VALUES = 30;

/**
 * The part of a schema that every result fulfils: objects may have more fields, such as the mark of text from other
 * people, and no length or notation of a text is promised. Descriptions are left out; the reference has them.
 */
function simplify(schema: unknown, defs: FieldSchema, above: readonly string[]): FieldSchema {
  if (!isJson(schema)) return {};
  const within = (inner: unknown) => simplify(inner, defs, above);
  const ref = schema["$ref"];
  if (typeof ref === "string") {
    const name = ref.slice("#/$defs/".length);
    return above.includes(name) ? {} : simplify(defs[name], defs, [...above, name]);
  }
  const { anyOf, oneOf, allOf, items, format, additionalProperties } = schema;
  const forms = anyOf ?? oneOf;
  if (Array.isArray(forms)) return unite(forms.map(within));
  if (Array.isArray(allOf)) return { allOf: allOf.map(within) };
  const kept = Object.fromEntries(KEPT.flatMap((key) => (key in schema ? [[key, schema[key]]] : [])));
  if (Array.isArray(kept["enum"]) && kept["enum"].length > MOST_VALUES) delete kept["enum"];
  if (schema["type"] === "object")
    return { ...kept, ...fieldsOf(schema, within), ...valuesOf(additionalProperties, within) };
  if (isJson(items)) return { ...kept, items: within(items) };
  return { ...kept, ...(INSTANTS.includes(String(format)) && { format }) };
}

/** One of several forms. A form that may be null is one schema with two types. */
function unite(forms: FieldSchema[]): FieldSchema {
  const [form, none] = forms;
  const isNullable = forms.length === 2 && none?.["type"] === "null" && typeof form?.["type"] === "string";
  if (!isNullable || "const" in form) return { anyOf: forms };
  const values = form["enum"];
  return { ...form, type: [form["type"], "null"], ...(Array.isArray(values) && { enum: [...values, null] }) };
}

function fieldsOf({ properties, required }: FieldSchema, within: (inner: unknown) => FieldSchema): FieldSchema {
  if (!isJson(properties)) return {};
  const spelled = Object.entries(properties).map(([name, inner]): [string, FieldSchema] => [name, within(inner)]);
  const fields = isMail(properties) ? spelled.flatMap(bodyOnce) : spelled;
  const asked: unknown[] = Array.isArray(required) ? required : [];
  // A field of any type may be left out, although its schema does not say so
  const kept = fields.filter(([name, inner]) => asked.includes(name) && Object.keys(inner).length > 0);
  const names = kept.map(([name]) => name);
  return { properties: Object.fromEntries(fields), ...(names.length > 0 && { required: names }) };
}

function isMail(properties: FieldSchema): boolean {
  return MAIL_FIELDS.every((name) => Object.hasOwn(properties, name));
}

/** The fields of an email as results show it, with one body. */
function bodyOnce([name, schema]: [string, FieldSchema]): [string, FieldSchema][] {
  if (name === "bodyHtml" || name === "replyText") return [];
  if (name !== "bodyText") return [[name, schema]];
  return [
    ["body", { type: "string" }],
    ["bodyCharacters", { type: "integer" }],
    ["ownCharacters", { type: "integer" }],
  ];
}

/** The schema of the values of an object with any names. */
function valuesOf(additional: unknown, within: (inner: unknown) => FieldSchema): FieldSchema {
  const values = isJson(additional) ? within(additional) : {};
  return Object.keys(values).length === 0 ? {} : { additionalProperties: values };
}

function joinForms(known: FieldSchema | undefined, schema: FieldSchema): FieldSchema {
  if (known === undefined) return schema;
  const forms = Array.isArray(known["anyOf"]) ? known["anyOf"] : [known];
  const isKnown = forms.some((one) => JSON.stringify(one) === JSON.stringify(schema));
  return isKnown ? known : { anyOf: [...forms, schema] };
}

/** A list whose entries may lack fields, as `detail: low` shows it. */
function withoutRequired({ items, ...list }: FieldSchema): FieldSchema {
  const { required: _, ...entry } = isJson(items) ? items : {};
  return { ...list, items: entry };
}

const CUT = { type: "array", items: { type: "object" } };

/** The fields that the tool server adds to a result (rules/tools 3.3, 3.4, 4.1). */
function marksOf(tool: ToolRow): Record<string, FieldSchema> {
  return {
    truncated: { type: "boolean" },
    cut: CUT,
    next: { type: "object" },
    untrusted: { type: "boolean" },
    ...(takesOffset(tool) && { nextOffset: { type: "integer" } }),
  };
}
