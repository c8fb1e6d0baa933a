import type { Choice } from "../operations/choice.ts";
import type { AnyOperation } from "../operations/operation.ts";

/** One tool: a verb of the catalogue, and what an agent must know beside its summary. */
export interface ToolRow {
  operation: AnyOperation | Choice;
  title: string;
  /** When to use it and not its neighbour, which tool yields its ids, and what it changes. No commands to the reader. */
  when: string;
  /** Changes nothing. */
  readOnly?: true;
  /** May overwrite or remove what is there. */
  destructive?: true;
  /** A repetition changes nothing more. What is read only is so by itself. */
  idempotent?: true;
  /** Reaches servers beyond this service. */
  openWorld?: true;
  /** Its answer holds text that others have written, such as mail. */
  untrusted?: true;
  /** Its answer holds emails, whose bodies the tool pages by `offset`. */
  hasBodies?: true;
  /** The verb answers a bare list, which the tool pages. */
  paged?: true;
}

export function isChoice(operation: AnyOperation | Choice): operation is Choice {
  return "actions" in operation;
}

/** The verbs of a tool, by their actions; the verb itself has no name. */
export function actionsOf({ operation }: ToolRow): [name: string, verb: AnyOperation][] {
  return isChoice(operation) ? Object.entries(operation.actions) : [["", operation]];
}
