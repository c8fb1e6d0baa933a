import { z } from "zod";
import type { Scope } from "../domain/scopes.ts";
import type { Choice } from "../operations/choice.ts";
import type { ToolRow } from "../operations/declaration.ts";
import { bodyOffset, paging } from "../operations/fields.ts";
import { type AnyOperation, missingScope } from "../operations/operation.ts";
import { shownFor } from "../operations/shown-as.ts";
import { actionsOf, isChoice } from "./tool.ts";

type Json = Record<string, unknown>;

/** A tool as `tools/list` shows it. */
export interface ToolDefinition extends Json {
  name: string;
  title: string;
  description: string;
  inputSchema: { type: "object"; properties: Record<string, object>; required?: string[]; [key: string]: unknown };
  annotations: {
    title: string;
    readOnlyHint: boolean;
    destructiveHint: boolean;
    idempotentHint: boolean;
    openWorldHint: boolean;
  };
}

/**
 * A tool as a credential with these scopes sees it: the actions that it may call, or all actions when it may call none
 * (rules/tools 3).
 */
export function definitionOf(name: string, tool: ToolRow, scopes: ReadonlySet<Scope>): ToolDefinition {
  const all = actionsOf(tool);
  const allowedVerbs = all.filter(([, verb]) => missingScope(verb, scopes) === null);
  const shown = allowedVerbs.length === 0 ? all : allowedVerbs;
  const isReadOnly =
    tool.readOnly === true ||
    (shown.length < all.length && shown.every(([, { scope }]) => scope === tool.operation.scope));
  return {
    name,
    title: tool.title,
    description: `${tool.operation.summary}. ${tool.when}`,
    inputSchema: inputOf(name, tool, shown),
    annotations: {
      title: tool.title,
      readOnlyHint: isReadOnly,
      destructiveHint: !isReadOnly && tool.destructive === true,
      idempotentHint: isReadOnly || tool.idempotent === true,
      openWorldHint: tool.openWorld === true,
    },
  };
}

/**
 * One flat object with the fields of all shown actions. MCP clients refuse a list in which a root schema is a union.
 */
function inputOf(name: string, tool: ToolRow, shown: readonly [string, AnyOperation][]): ToolDefinition["inputSchema"] {
  const properties: Record<string, Json> = pickerOf(tool, shown);
  for (const [, verb] of shown) {
    for (const [field, schema] of Object.entries(shapeOf(tool, verb))) {
      const described = shortened(field, fieldOf(schema));
      const known = properties[field];
      if (known !== undefined && String(known["type"]) !== String(described["type"]))
        throw new Error(`${name}: two types for ${field}`);
      properties[field] ??= described;
    }
  }
  const required = Object.keys(properties).filter((field) =>
    shown.every(([, verb]) => isRequired(shapeOf(tool, verb)[field])),
  );
  const { operation } = tool;
  const picks =
    isChoice(operation) && usualOf(operation, shown) === null && typeof operation.by === "string" ? [operation.by] : [];
  const isOpen = !isChoice(operation) && operation.input._zod.def.catchall?._zod.def.type === "unknown";
  const asked = [...picks, ...required];
  return { type: "object", properties, ...(asked.length > 0 && { required: asked }), additionalProperties: isOpen };
}

function pickerOf({ operation }: ToolRow, shown: readonly [string, AnyOperation][]): Record<string, Json> {
  if (!isChoice(operation) || typeof operation.by !== "string") return {};
  const clauses = shown.map(([action, { summary }]) => `${action}: ${beginningOf(summary)}`);
  const usual = usualOf(operation, shown);
  const otherwise = usual === null ? "" : ` Default: ${usual}`;
  return {
    [operation.by]: {
      type: "string",
      enum: shown.map(([action]) => action),
      description: `${clauses.join(". ")}.${otherwise}`,
    },
  };
}

/** The default action, if it is among the shown ones. */
function usualOf({ otherwise }: Choice, shown: readonly [string, AnyOperation][]): string | null {
  return shown.some(([action]) => action === otherwise) ? otherwise : null;
}

const KEY = z
  .string()
  .regex(/^[A-Za-z0-9._:-]{8,128}$/)
  .describe("Your name for this send; a repeated call with the same name sends nothing more");

/**
 * The fields of an operation as a tool accepts them: with `idempotencyKey` for a send, and with paging for an operation
 * that returns a bare list.
 */
function shapeOf(tool: ToolRow, { input, asksPermit, output }: AnyOperation): Record<string, z.core.$ZodType> {
  const isPaged = tool.paged === true && output._zod.def.type === "array";
  return {
    ...input.shape,
    ...(isPaged && paging),
    ...(tool.hasBodies === true && bodyOffset),
    ...(asksPermit === true && { idempotencyKey: input.shape["idempotencyKey"] ?? KEY }),
  };
}

function isRequired(schema: z.core.$ZodType | undefined): boolean {
  return schema !== undefined && !z.core.safeParse(schema, undefined).success;
}

/** Short descriptions for fields that many tools share, because a connecting model reads the whole list of tools. */
const IN_SHORT: Readonly<Record<string, string>> = {
  page: "From 1",
  pageSize: "1 to 200",
  sort: "The order; `-` is descending",
  planOnly: "true: only shows a plan",
  planToken: "From that plan",
  keepBooked: "true: waiting recipients keep their send times",
  version: "From `view: versions`",
  expectedVersion: "The version that you read",
  idempotencyKey: "Your name for this send, 8 to 128 of A-Za-z0-9._:-; not needed with planOnly",
};

/** The description of an id field. The field name already says what the id identifies. */
const ID = /^The id of the [a-z ]+: (?=`[a-z]+_…`$)/;

/**
 * Shortens the description of a field to its first sentence. The reference has the full text, and errors name the
 * remaining rules.
 */
function shortened(name: string, schema: Json): Json {
  const { description, ...rest } = schema;
  if (typeof description !== "string") return schema;
  const short = IN_SHORT[name];
  if (short === undefined) return { ...rest, description: beginningOf(description).replace(ID, "An id ") };
  // The short description already states the bounds
  const { minimum: _, maximum: __, ...unbounded } = rest;
  return { ...unbounded, description: short };
}

/** The first sentence. A dot inside a name or number does not end it. */
function beginningOf(text: string): string {
  const [first = text] = text.split(/(?<=[^.]{12})\. (?=[A-Z`(])|; /);
  return first;
}

/** Converts a field to JSON schema. Nested objects are described only in words, because errors name each wrong path. */
function fieldOf(schema: z.core.$ZodType): Json {
  const {
    $schema: _,
    $defs,
    ...described
  } = z.toJSONSchema(schema, {
    io: "input",
    unrepresentable: "any",
    reused: "inline",
    override: ({ zodSchema, jsonSchema }) => {
      const as = shownFor(zodSchema);
      if (as === undefined) return;
      const { description } = jsonSchema;
      for (const key of Object.keys(jsonSchema)) Reflect.deleteProperty(jsonSchema, key);
      Object.assign(jsonSchema, fieldOf(as), description !== undefined && { description });
    },
  });
  return plain(described, isJson($defs) ? $defs : {});
}

/**
 * Keywords of a schema that tools keep. Length limits are left out: errors name a wrong length, and the list has a
 * hundred tools.
 */
const KEPT = ["type", "enum", "const", "description", "format", "minimum", "maximum", "default"];
const FREE = { type: "object" };

function plain(schema: Json, named: Json): Json {
  const ref = schema["$ref"];
  if (typeof ref === "string") {
    const found = named[ref.slice("#/$defs/".length)];
    return { ...(isJson(found) ? plain(found, named) : FREE), ...described(schema) };
  }
  const forms = schema["anyOf"] ?? schema["oneOf"];
  if (Array.isArray(forms))
    return { ...united(forms.filter(isJson).map((form) => plain(form, named))), ...described(schema) };
  if (schema["type"] === "object") return { ...FREE, ...described(schema) };
  const kept: Json = {};
  for (const key of KEPT)
    if (schema[key] !== undefined && Math.abs(Number(schema[key])) !== Number.MAX_SAFE_INTEGER) kept[key] = schema[key];
  const { items } = schema;
  if (isJson(items)) {
    const { description: _, ...item } = plain(items, named);
    kept["items"] = item;
  }
  return kept;
}

/** Merges the forms of a union into one nullable type, or into a schema without a type when their types differ. */
function united(forms: readonly Json[]): Json {
  const [first = {}, ...others] = forms.filter(({ type }) => type !== "null");
  const isNullable = others.length < forms.length - 1;
  const base = others.every(({ type }) => type === first["type"]) ? first : {};
  if (!isNullable || base["type"] === undefined) return base;
  const { enum: values } = base;
  return { ...base, type: [base["type"], "null"], ...(Array.isArray(values) && { enum: [...values, null] }) };
}

function described({ description, default: value }: Json): Json {
  return { ...(description !== undefined && { description }), ...(value !== undefined && { default: value }) };
}

function isJson(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
