import type { Choice } from "../operations/choice.ts";
import type { ToolRow } from "../operations/declaration.ts";
import type { AnyOperation } from "../operations/operation.ts";

export function isChoice(operation: AnyOperation | Choice): operation is Choice {
  return "actions" in operation;
}

/** The actions of a tool with their operations. A tool with one operation has one entry with an empty name. */
export function actionsOf({ operation }: ToolRow): [name: string, verb: AnyOperation][] {
  return isChoice(operation) ? Object.entries(operation.actions) : [["", operation]];
}
