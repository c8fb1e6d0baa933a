import type { z } from "zod";
import { jsonSchemaOf } from "../../operations/shown-as.ts";
import { isObject, type Json, objectAt } from "./json.ts";

/** The schemas that have a name, as the document's components; filled while the paths are written. */
export type Components = Record<string, Json>;

const AT = "#/components/schemas/";

/** Converts one of our schemas to JSON schema. A schema with an `id` becomes a component that others refer to. */
export function schemaOf(schema: z.ZodType, io: "input" | "output", components: Components): Json {
  const { $defs, ...rest } = jsonSchemaOf(schema, io, (as) => schemaOf(as, io, components));
  for (const [name, named] of Object.entries($defs ?? {})) component(name, tidy(named, io), components);
  return tidy(rest, io);
}

/**
 * Returns a reference to a component with this schema. @throws Error when the name already belongs to another schema
 */
export function component(name: string, schema: Json, components: Components): Json {
  const known = components[name] ?? schema;
  components[name] = known;
  if (JSON.stringify(known) !== JSON.stringify(schema)) throw new Error(`Two schemas are called ${name}`);
  return { $ref: `${AT}${name}` };
}

/** Returns the schema to which a reference points, or the schema itself. */
export function resolveRef(schema: unknown, components: Components): Json {
  if (!isObject(schema)) return {};
  const ref = schema["$ref"];
  return typeof ref === "string" ? objectAt(components, ref.slice(AT.length)) : schema;
}

const FORMATS: Record<string, string> = {
  "date-time": "2026-03-02T09:00:00.000Z",
  date: "2026-03-02",
  email: "ada@people.example",
};

/**
 * Removes the bounds that every integer has, and adds an example where tools would otherwise show the pattern of a
 * format.
 */
function tidy(value: unknown, io: "input" | "output"): Json {
  const schema: Json = {};
  for (const [key, inner] of Object.entries(isObject(value) ? value : {})) {
    if (key === "minimum" && inner === Number.MIN_SAFE_INTEGER) continue;
    if (key === "maximum" && inner === Number.MAX_SAFE_INTEGER) continue;
    if (key === "propertyNames" && Object.keys(objectAt(value, key)).join() === "type") continue;
    if (key === "default") continue; // some generated clients would always require or send the field
    schema[key] = key === "$ref" ? String(inner).replace("#/$defs/", AT) : tidied(key, inner, io);
  }
  if (io === "input" && isObject(value) && "default" in value)
    schema["description"] = withDefault(schema["description"], value["default"]);
  const described = describedForm(schema);
  if (described !== undefined) schema["description"] = described;
  const example = FORMATS[String(schema["format"])];
  if (example === undefined) return schema;
  const { pattern: _, ...rest } = schema;
  return { examples: [example], ...rest };
}

/** Adds the default to the description, unless the description mentions it. */
function withDefault(description: unknown, value: unknown): string {
  const text = typeof description === "string" ? description : "";
  return /default/i.test(text) ? text : `${text}${text === "" ? "" : ". "}Default: \`${JSON.stringify(value)}\``;
}

/** The description of the only non-null form, when the whole schema has none. */
function describedForm({ description, anyOf }: Json): unknown {
  const forms = Array.isArray(anyOf) ? anyOf.filter((form) => isObject(form) && form["type"] !== "null") : [];
  return description === undefined && forms.length === 1 ? forms[0]["description"] : undefined;
}

/** Tidies schemas, and tables and lists of schemas. Other values stay unchanged. */
function tidied(key: string, inner: unknown, io: "input" | "output"): unknown {
  if (key === "properties" && isObject(inner))
    return Object.fromEntries(Object.entries(inner).map(([name, field]) => [name, tidy(field, io)]));
  if (key === "default" || key === "examples" || key === "const" || key === "enum" || key === "required") return inner;
  if (Array.isArray(inner)) return inner.map((one) => (isObject(one) ? tidy(one, io) : one));
  return isObject(inner) ? tidy(inner, io) : inner;
}
