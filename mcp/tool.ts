import type { Choice } from "../operations/choice.ts";
import type { ToolRow } from "../operations/declaration.ts";
import type { AnyOperation } from "../operations/operation.ts";

export function isChoice(operation: AnyOperation | Choice): operation is Choice {
  return "actions" in operation;
}

/** The verbs of a tool, by their actions; the verb itself has no name. */
export function actionsOf({ operation }: ToolRow): [name: string, verb: AnyOperation][] {
  return isChoice(operation) ? Object.entries(operation.actions) : [["", operation]];
}
