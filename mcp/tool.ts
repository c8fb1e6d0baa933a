import type { Choice } from "../operations/choice.ts";
import type { ToolRow } from "../operations/declaration.ts";
import type { AnyOperation } from "../operations/operation.ts";

export function isChoice(operation: AnyOperation | Choice): operation is Choice {
  return "actions" in operation;
}

/**
 * Returns true when a call of this operation may have an idempotency key that the door checks: every write, except where
 * the operation has the key among its own fields.
 */
export function takesKey(tool: ToolRow, { scope, input }: AnyOperation): boolean {
  if (Object.hasOwn(input.shape, "idempotencyKey") || tool.readOnly === true || scope === null) return false;
  return !scope.endsWith(":read");
}

/** Returns true when the tool shows long texts in parts, from the argument `offset` on. */
export function takesOffset({ hasBodies, hasLongTexts }: ToolRow): boolean {
  return hasBodies === true || hasLongTexts === true;
}

/** The actions of a tool with their operations. A tool with one operation has one entry with an empty name. */
export function actionsOf({ operation }: ToolRow): [name: string, verb: AnyOperation][] {
  return isChoice(operation) ? Object.entries(operation.actions) : [["", operation]];
}
