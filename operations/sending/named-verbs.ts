import type { Choice } from "../choice.ts";
import type { AnyOperation } from "../operation.ts";

const byName = new Map<string, AnyOperation>();
const names = new WeakMap<AnyOperation, string>();

/** Stores the name of each operation in a table: its name in the audit log if it has one, else its row and action. */
export function nameVerbs(table: Readonly<Record<string, AnyOperation | Choice>>): void {
  for (const [line, verb] of Object.entries(table)) {
    if ("actions" in verb) for (const [action, one] of Object.entries(verb.actions)) name(one, `${line} ${action}`);
    else name(verb, line);
  }
}

function name(verb: AnyOperation, own: string): void {
  const called = verb.audits ?? own;
  names.set(verb, called);
  byName.set(called, verb);
}

/** The name under which plans and approvals of the operation are stored. */
export function nameOf(verb: AnyOperation): string {
  const found = names.get(verb) ?? verb.audits;
  if (found === undefined) throw new Error(`An operation is missing from the tables: ${verb.summary}`);
  return found;
}

export function verbNamed(called: string): AnyOperation | undefined {
  return byName.get(called);
}
