import { openapiOf } from "../api/openapi.ts";
import { routes } from "../api/routes.ts";
import type { FieldLimits } from "./api/forms.ts";

type Json = Record<string, unknown>;
type Limits = Record<string, FieldLimits>;

/**
 * Prints the limits of each field of every request with a body, from the OpenAPI document, by endpoint (`post
 * /block-list`) and action. It runs in its own process, because the operations that define the limits need as much
 * memory as the bundler.
 */
process.stdout.write(JSON.stringify(limitsByRequest()));

function limitsByRequest(): Record<string, Limits> {
  const document = openapiOf(routes, "http://localhost");
  const schemas = fieldOf(fieldOf(document, "components"), "schemas");
  const found: Record<string, Limits> = {};
  for (const [template, methods] of Object.entries(fieldOf(document, "paths"))) {
    for (const [method, endpoint] of Object.entries(isJson(methods) ? methods : {})) {
      const schema = fieldOf(
        fieldOf(fieldOf(fieldOf(endpoint, "requestBody"), "content"), "application/json"),
        "schema",
      );
      for (const form of formsOf(schema, schemas)) {
        const limits = limitsIn(form, schemas);
        const action = fieldOf(fieldOf(form, "properties"), "action")["const"];
        const name =
          `${method} ${template.replaceAll(/\{(\w+)\}/g, ":$1")} ${typeof action === "string" ? action : ""}`.trim();
        if (Object.keys(limits).length > 0) found[name] = limits;
      }
    }
  }
  return found;
}

function formsOf(schema: Json, schemas: Json): Json[] {
  const several = schema["oneOf"] ?? schema["anyOf"];
  return (Array.isArray(several) ? several.filter(isJson) : [schema]).map((form) => resolve(form, schemas));
}

/** The limits of the fields of a request. Those inside an object have its name before theirs: `config.start`. */
function limitsIn(form: Json, schemas: Json, isInner = false): Limits {
  const required = Array.isArray(form["required"]) ? form["required"] : [];
  const fields = Object.entries(fieldOf(form, "properties")).flatMap(([name, field]): [string, FieldLimits][] => {
    if (name === "action") return [];
    const resolved = resolve(isJson(field) ? field : {}, schemas);
    const { type, minLength, maxLength, minimum, maximum } = resolved;
    const inner = isInner ? [] : Object.entries(limitsIn(resolved, schemas, true));
    const limits: FieldLimits = {
      ...(required.includes(name) && type !== "boolean" && { required: true as const }),
      ...(type === "string" && numericLimit("minLength", minLength)),
      ...(type === "string" && numericLimit("maxLength", maxLength)),
      ...(type !== "string" && numericLimit("min", minimum)),
      ...(type !== "string" && numericLimit("max", maximum)),
    };
    return [
      ...(Object.keys(limits).length === 0 ? [] : ([[name, limits]] satisfies [string, FieldLimits][])),
      ...inner.map(([innerName, own]): [string, FieldLimits] => [`${name}.${innerName}`, own]),
    ];
  });
  return Object.fromEntries(fields);
}

function numericLimit(name: keyof FieldLimits, value: unknown): FieldLimits {
  return typeof value === "number" && Math.abs(value) < Number.MAX_SAFE_INTEGER ? { [name]: value } : {};
}

function resolve(schema: Json, schemas: Json): Json {
  const name = typeof schema["$ref"] === "string" ? schema["$ref"].split("/").at(-1) : undefined;
  return name === undefined ? schema : fieldOf(schemas, name);
}

function fieldOf(value: unknown, name: string): Json {
  const inner = isJson(value) ? value[name] : undefined;
  return isJson(inner) ? inner : {};
}

function isJson(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
