import { z } from "zod";
import type { Scope } from "../domain/scopes.ts";
import type { Choice } from "../operations/choice.ts";
import type { ToolRow } from "../operations/declaration.ts";
import { detail, paging, textOffset } from "../operations/fields.ts";
import { type AnyOperation, missingScope } from "../operations/operation.ts";
import { beginningOf, type FieldSchema, firstPartOf, repeats, shorten } from "./field-words.ts";
import { inputSchemaOf, joinFields, withoutNull, withoutRepeats } from "./input-schema.ts";
import { type OutputSchema, outputSchemaOf } from "./output-schema.ts";
import { actionsOf, isChoice, takesKey, takesOffset } from "./tool.ts";

/** Shorter words about a tool follow its summary; longer ones and the title say enough. */
const SHORTEST_ALONE = 60;
/** A longer summary of an action is left to the reference. */
const LONGEST_CLAUSE = 62;
/** What a provider is called is known only from the words. */
const PROVIDER = /provider [AB]\b/;
/** Actions whose names say what they do. */
const PLAIN = /^(?:list|get|create|update|delete|remove|status|save|discard|cancel)$/;

/** A tool as `tools/list` shows it. */
export interface ToolDefinition extends FieldSchema {
  name: string;
  /** Only where it says more than the name. */
  title?: string;
  description: string;
  inputSchema: { type: "object"; properties: Record<string, object>; required?: string[]; [key: string]: unknown };
  annotations: {
    readOnlyHint?: boolean;
    destructiveHint?: boolean;
    idempotentHint?: boolean;
    openWorldHint?: boolean;
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
    ...(!repeats(name, tool.title, 0.5) && { title: tool.title }),
    description: `${tool.when.length < SHORTEST_ALONE ? `${beginningOf(tool.operation.summary)}. ` : ""}${tool.when}${needsOf(tool)}`,
    inputSchema: inputOf(name, tool, shown),
    // Hints that have the protocol's default are left out, and those that mean nothing for a tool that only reads
    annotations: {
      ...(isReadOnly && { readOnlyHint: true }),
      ...(!isReadOnly && tool.destructive !== true && { destructiveHint: false }),
      ...(!isReadOnly && tool.idempotent === true && { idempotentHint: true }),
      ...(tool.openWorld !== true && { openWorldHint: false }),
    },
  };
}

/** A tool as an application that knows structured content sees it (rules/tools 3.7). */
export interface StructuredDefinition extends ToolDefinition {
  outputSchema?: OutputSchema;
}

/** The definition with the schema of the tool's result, where it has one. */
export function withOutputSchema(definition: ToolDefinition): StructuredDefinition {
  const outputSchema = outputSchemaOf(definition.name);
  return outputSchema === null ? definition : { ...definition, outputSchema };
}

/**
 * One flat object with the fields of all shown actions. MCP clients refuse a list in which a root schema is a union.
 */
function inputOf(name: string, tool: ToolRow, shown: readonly [string, AnyOperation][]): ToolDefinition["inputSchema"] {
  const properties: Record<string, FieldSchema> = pickerOf(tool, shown);
  for (const [, verb] of shown) {
    for (const [field, schema] of Object.entries(shapeOf(tool, verb))) {
      const spelled = inputSchemaOf(schema, CHANGED.includes(field));
      const described = shortened(field, isRequired(schema) ? spelled : withoutNull(spelled));
      const known = properties[field];
      if (known !== undefined && String(known["type"]) !== String(described["type"]))
        throw new Error(`${name}: two types for ${field}`);
      properties[field] = known === undefined ? described : joinFields(known, described);
    }
  }
  withoutRepeats(properties);
  const required = Object.keys(properties).filter((field) =>
    shown.every(([, verb]) => isRequired(shapeOf(tool, verb)[field])),
  );
  const { operation } = tool;
  const picks =
    isChoice(operation) && usualOf(operation, shown) === null && typeof operation.by === "string" ? [operation.by] : [];
  const asked = [...picks, ...required];
  return { type: "object", properties, ...(asked.length > 0 && { required: asked }) };
}

/** The fields that hold a change. Within them null empties a field, and applications that validate a call must allow it. */
const CHANGED = ["patch", "settings", "input"];

function pickerOf(
  { operation, title }: ToolRow,
  shown: readonly [string, AnyOperation][],
): Record<string, FieldSchema> {
  if (!isChoice(operation) || typeof operation.by !== "string") return {};
  const clauses = shown.flatMap(([action, verb]) => {
    const words = firstPartOf(beginningOf(verb.summary));
    const needed = neededBy(verb, shown);
    const isSaid =
      !PROVIDER.test(words) &&
      (PLAIN.test(action) || words.length > LONGEST_CLAUSE || repeats(`${action} ${title}`, words, 0.5));
    return isSaid && needed === "" ? [] : [`${action}${needed}${isSaid ? "" : `: ${words}`}`];
  });
  const usual = usualOf(operation, shown);
  return {
    [operation.by]: {
      type: "string",
      enum: shown.map(([action]) => action),
      ...(usual !== null && { default: usual }),
      ...(clauses.length > 0 && { description: clauses.join(". ") }),
    },
  };
}

/** The alternatives of a tool with one operation, which its schema cannot express. */
function needsOf({ operation }: ToolRow): string {
  const alternatives = isChoice(operation) ? pickingFields(operation) : (operation.needsOneOf ?? []);
  return alternatives.length === 0 ? "" : ` Needs ${alternatives.join(" or ")}.`;
}

/** The fields of which a call needs one, for a choice that is picked by the presence of a field. */
function pickingFields({ by, actions }: Choice): string[] {
  const all = Object.entries(actions);
  if (typeof by === "string") return [];
  const own = all.map(([, { input }]) =>
    Object.keys(input.shape).filter(
      (field) => isRequired(input.shape[field]) && !all.every(([, verb]) => isRequired(verb.input.shape[field])),
    ),
  );
  return own.every((fields) => fields.length > 0) ? own.map((fields) => fields.join(" and ")) : [];
}

/** The fields that this action requires and another one does not, as `(listId, ids|filter)`. */
function neededBy({ input, needsOneOf = [] }: AnyOperation, shown: readonly [string, AnyOperation][]): string {
  const own = Object.keys(input.shape).filter(
    (field) => isRequired(input.shape[field]) && !shown.every(([, verb]) => isRequired(verb.input.shape[field])),
  );
  const needed = [...own, ...(needsOneOf.length > 0 ? [needsOneOf.join("|")] : [])];
  return needed.length === 0 ? "" : `(${needed.join(", ")})`;
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
 * The key of a write that sends nothing. The instructions explain it once, because most tools have it. A tool that may be
 * repeated anyway takes the key too, but does not show it.
 */
const WRITE_KEY = z.string().optional();

/**
 * The fields of an operation as a tool accepts them: with `idempotencyKey` for a write, and with paging for an operation
 * that returns a bare list.
 */
function shapeOf(tool: ToolRow, verb: AnyOperation): Record<string, z.core.$ZodType> {
  const { input, asksPermit, output } = verb;
  const isPaged = tool.paged === true && output._zod.def.type === "array";
  return {
    ...input.shape,
    ...(isPaged && paging),
    ...(takesOffset(tool) && textOffset),
    ...(tool.detail === true && detail),
    ...(takesKey(tool, verb) &&
      (asksPermit === true || tool.idempotent !== true) && { idempotencyKey: asksPermit === true ? KEY : WRITE_KEY }),
  };
}

function isRequired(schema: z.core.$ZodType | undefined): boolean {
  return schema !== undefined && !z.core.safeParse(schema, undefined).success;
}

/** Short descriptions for fields that many tools share, because a connecting model reads the whole list of tools. */
const IN_SHORT: Readonly<Record<string, string | null>> = {
  planToken: null,
  page: null,
  pageSize: null,
  sort: null,
  planOnly: null,
  keepBooked: "true: waiting recipients keep their send times",
  version: "From `view: versions`",
  expectedVersion: null,
  idempotencyKey: "Required unless planOnly",
};

/**
 * Shortens the description of a field to its first sentence. The reference has the full text, and errors name the
 * remaining rules.
 */
function shortened(name: string, schema: FieldSchema): FieldSchema {
  const { description, ...rest } = schema;
  if (typeof description !== "string") return schema;
  const short = IN_SHORT[name];
  if (short === undefined) return shorten(name, schema);
  // The short description already states the bounds
  const { minimum: _, maximum: __, default: ___, ...unbounded } = rest;
  return short === null ? unbounded : { ...unbounded, description: short };
}
