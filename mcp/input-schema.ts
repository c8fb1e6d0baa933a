import type { z } from "zod";
import { jsonSchemaOf } from "../operations/shown-as.ts";
import { type FieldSchema, isJson, shorten } from "./field-words.ts";

/**
 * Converts a field to the JSON schema that a tool shows. Nested objects are spelled out, because a model cannot guess
 * their fields (rules/tools 3.5).
 */
export function inputSchemaOf(schema: z.core.$ZodType, keepsNull = false): FieldSchema {
  const { $defs, ...described } = jsonSchemaOf(schema, "input", (as) => inputSchemaOf(as, keepsNull));
  return spellOut(described, { defs: isJson($defs) ? $defs : {}, keepsNull });
}

/** What all parts of one schema share. */
interface Whole {
  defs: FieldSchema;
  /** Whether the optional fields of objects keep the form null, as those of a change do. */
  keepsNull: boolean;
}

/**
 * Keywords of a schema that tools keep. Length limits are left out: errors name a wrong length, and the list has a
 * hundred tools.
 */
const KEPT = ["type", "enum", "const", "format", "minimum", "maximum"];
/** Longer lists of values are left out; an error or another tool names them. */
const MOST_VALUES = 30;

function spellOut(schema: FieldSchema, whole: Whole): FieldSchema {
  const ref = schema["$ref"];
  if (typeof ref === "string") {
    const found = whole.defs[ref.slice("#/$defs/".length)];
    return { ...(isJson(found) ? spellOut(found, whole) : { type: "object" }), ...wordsOf(schema) };
  }
  const forms = schema["anyOf"] ?? schema["oneOf"];
  if (Array.isArray(forms)) {
    return { ...unite(forms.filter(isJson).map((form) => spellOut(form, whole))), ...wordsOf(schema) };
  }
  const { type } = schema;
  if (Array.isArray(type)) {
    const forms = type.map(
      (one): FieldSchema => (one === "null" ? { type: one } : spellOut({ ...schema, type: one }, whole)),
    );
    return { ...unite(forms), ...wordsOf(schema) };
  }
  if (type === "object") return { ...objectOf(schema, whole), ...wordsOf(schema) };
  const kept: FieldSchema = {};
  for (const key of KEPT)
    if (schema[key] !== undefined && Math.abs(Number(schema[key])) !== Number.MAX_SAFE_INTEGER) kept[key] = schema[key];
  if (Array.isArray(kept["enum"]) && kept["enum"].length > MOST_VALUES) delete kept["enum"];
  const { items } = schema;
  if (isJson(items)) {
    const { description: _, default: __, ...item } = spellOut(items, whole);
    kept["items"] = item;
  }
  if (kept["format"] === "email") delete kept["format"]; // the name says so
  return { ...kept, ...wordsOf(schema) };
}

function wordsOf({ description, default: value }: FieldSchema): FieldSchema {
  return { ...(description !== undefined && { description }), ...(value !== undefined && { default: value }) };
}

function objectOf({ properties, required, additionalProperties }: FieldSchema, whole: Whole): FieldSchema {
  const shown = Object.entries(isJson(properties) ? properties : {}).filter(([, inner]) => !isIgnored(inner));
  const spelled = shown.map(([name, inner]): [string, FieldSchema] => [
    name,
    isJson(inner) ? spellOut(inner, whole) : {},
  ]);
  const isAsked = (name: string) => Array.isArray(required) && required.includes(name);
  const fields = spelled.map(([name, inner]) => {
    if (isAsked(name)) return [name, shorten(name, inner)];
    const short = shorten(name, withoutNull(inner));
    return [name, whole.keepsNull && isEmptied(inner) ? withNull(short) : short];
  });
  const values =
    isJson(additionalProperties) && Object.keys(additionalProperties).length > 0
      ? spellOut(additionalProperties, whole)
      : null;
  return {
    type: "object",
    ...(fields.length > 0 && { properties: Object.fromEntries(fields) }),
    ...(Array.isArray(required) && required.length > 0 && { required }),
    ...(values !== null && { additionalProperties: values }),
  };
}

/** Returns true for a field that a caller may send back from an answer, without effect. */
function isIgnored(schema: unknown): boolean {
  return isJson(schema) && String(schema["description"]).startsWith("Ignored");
}

/** Joins the forms of a union: forms of one kind become one, and others stay apart. Never a list of types. */
function unite(forms: readonly FieldSchema[]): FieldSchema {
  const distinct: FieldSchema[] = [];
  for (const { description: _, default: __, ...form } of forms) {
    const at = distinct.findIndex((other) => isOneKind(form, other));
    const other = distinct[at];
    if (other === undefined) distinct.push(form);
    else distinct[at] = joinFields(other, form);
  }
  const joined = joinPicked(distinct) ?? distinct;
  const [only] = joined;
  return joined.length === 1 && only !== undefined ? only : { anyOf: joined };
}

/**
 * Joins objects whose kind is picked by the value of one field, like the conditions of a step. A field that only one
 * kind requires names it. Null when no field picks the kind.
 */
function joinPicked(forms: readonly FieldSchema[]): FieldSchema[] | null {
  const [first, ...others] = forms;
  if (first === undefined || others.length < 2) return null;
  const picker = namesOf(first).find((name) => forms.every((form) => valuesOf(form, name).length > 0));
  if (picker === undefined) return null;
  const whole = others.reduce(joinFields, first);
  const always: unknown[] = Array.isArray(whole["required"]) ? whole["required"] : [];
  const fields = new Map(Object.entries(isJson(whole["properties"]) ? whole["properties"] : {}));
  for (const form of forms) {
    const own: unknown[] = Array.isArray(form["required"]) ? form["required"] : [];
    for (const name of own.filter((one) => !always.includes(one))) {
      const field = fields.get(String(name));
      const description = `With ${valuesOf(form, picker).join(", ")}`;
      if (isJson(field)) fields.set(String(name), { ...field, description });
    }
  }
  return [{ ...whole, properties: Object.fromEntries(fields) }];
}

/** The values that a field of an object allows; none when it allows any. */
function valuesOf({ properties }: FieldSchema, name: string): unknown[] {
  const field = isJson(properties) ? properties[name] : undefined;
  if (!isJson(field)) return [];
  return "const" in field ? [field["const"]] : Array.isArray(field["enum"]) ? field["enum"] : [];
}

function isOneKind(one: FieldSchema, other: FieldSchema): boolean {
  if (one["type"] !== other["type"] || one["type"] === undefined) return false;
  return one["type"] !== "object" || namesOf(one).join() === namesOf(other).join();
}

function namesOf({ properties }: FieldSchema): string[] {
  return Object.keys(isJson(properties) ? properties : {}).sort();
}

/** One schema for two of the same type: it allows what either allows. The words are those of the first. */
export function joinFields(one: FieldSchema, other: FieldSchema): FieldSchema {
  const values = [one, other].map((form) => ("const" in form ? [form["const"]] : form["enum"]));
  const all = values.every(Array.isArray) ? [...new Set(values.flat())] : null;
  const [own, theirs] = [one, other].map(({ properties }) => (isJson(properties) ? properties : {}));
  const [asked, alsoAsked] = [one, other].map(({ required }) => (Array.isArray(required) ? required : []));
  const required = (asked ?? []).filter((name) => alsoAsked?.includes(name));
  const properties = { ...theirs, ...own };
  for (const [name, inner] of Object.entries(own ?? {})) {
    const beside = theirs?.[name];
    if (isJson(inner) && isJson(beside) && isOneKind(inner, beside)) properties[name] = joinFields(inner, beside);
  }
  const { const: _, enum: __, required: ___, properties: ____, minimum, maximum, ...rest } = one;
  return {
    ...(other["description"] !== undefined && { description: other["description"] }),
    ...rest,
    ...(all !== null && { enum: all }),
    ...(minimum === other["minimum"] && minimum !== undefined && { minimum }),
    ...(maximum === other["maximum"] && maximum !== undefined && { maximum }),
    ...(Object.keys(properties).length > 0 && { properties }),
    ...(required.length > 0 && { required }),
  };
}

/** The schema of an optional field without the form null, which the instructions explain once for all tools. */
export function withoutNull(schema: FieldSchema): FieldSchema {
  const { anyOf, ...rest } = schema;
  if (!Array.isArray(anyOf)) return schema;
  return { ...unite(anyOf.filter(isJson).filter(({ type }) => type !== "null")), ...rest };
}

/** Returns true for a field that null empties. A choice or a flag has a value for each state, so null is left out. */
function isEmptied(schema: FieldSchema): boolean {
  const { anyOf } = schema;
  const isNullable = Array.isArray(anyOf) && anyOf.some((form) => isJson(form) && form["type"] === "null");
  const { type, enum: values } = withoutNull(schema);
  return isNullable && type !== "boolean" && values === undefined;
}

/** The schema of a field that null empties. */
function withNull({ description, ...form }: FieldSchema): FieldSchema {
  const forms: unknown[] = Array.isArray(form["anyOf"]) ? form["anyOf"] : [form];
  return { anyOf: [...forms, { type: "null" }], ...(description !== undefined && { description }) };
}

/**
 * Removes the descriptions of objects that have the fields of an earlier one in the same tool, as `config` and
 * `customConfig` do.
 */
export function withoutRepeats(properties: Record<string, FieldSchema>): void {
  const met = new Set<string>();
  const walk = (schema: unknown): void => {
    if (!isJson(schema)) return;
    const { properties: fields, items, anyOf } = schema;
    if (isJson(fields)) {
      const names = namesOf(schema).join();
      const isKnown = met.has(names);
      met.add(names);
      for (const field of Object.values(fields)) {
        if (isKnown && isJson(field)) Reflect.deleteProperty(field, "description");
        walk(field);
      }
    }
    walk(items);
    if (Array.isArray(anyOf)) for (const form of anyOf) walk(form);
  };
  for (const field of Object.values(properties)) walk(field);
}
