import { AppError, invalid } from "../domain/errors.ts";
import { mustBe, oneOf } from "../domain/issue-words.ts";
import type { Scope } from "../domain/scopes.ts";
import type { AnyOperation } from "./operation.ts";

/**
 * Several operations behind one endpoint or tool, selected by `action`. The scope of the choice only controls whether
 * the tool is listed.
 */
export interface Choice<Actions extends Record<string, AnyOperation> = Record<string, AnyOperation>> {
  summary: string;
  scope: Scope;
  actions: Actions;
  /** The default action; null when a call must name one. */
  otherwise: string | null;
  by: Pick;
}

/** How the action is selected: by the argument of this name, or by whether the call contains this id. */
export type Pick = string | { given: string; action: string };

/** Creates a choice that keeps the types of its actions. */
export function choice<Actions extends Record<string, AnyOperation>>(
  scope: Scope,
  summary: string,
  actions: Actions,
  otherwise: (keyof Actions & string) | null = null,
  by: Pick = "action",
): Choice<Actions> {
  return { summary, scope, actions, otherwise, by };
}

/**
 * Returns the selected operation and its own fields. Fields of other actions are dropped; undeclared fields are kept,
 * so that validation refuses them.
 */
export function pickAction(
  choice: Choice,
  raw: unknown,
): { action: AnyOperation; name: string; input: Record<string, unknown> } {
  const verbs = Object.values(choice.actions);
  if (typeof raw !== "object" || raw === null || Array.isArray(raw)) {
    throw new AppError("VALIDATION_FAILED", "The request is not valid", {
      issues: [{ path: "", ...mustBe(["an object"], raw) }],
    });
  }
  const { named, fields } = namedIn(choice, { ...raw });
  const names = Object.keys(choice.actions);
  const action = typeof named === "string" && Object.hasOwn(choice.actions, named) ? choice.actions[named] : undefined;
  if (typeof named !== "string" || action === undefined) {
    const { code, message } = oneOf(names, named ?? undefined);
    throw invalid(typeof choice.by === "string" ? choice.by : choice.by.given, message, code);
  }
  const others = new Set(verbs.flatMap(({ input }) => Object.keys(input.shape)));
  const kept = Object.entries(fields).filter(([name]) => Object.hasOwn(action.input.shape, name) || !others.has(name));
  return { action, name: named, input: Object.fromEntries(kept) };
}

/** The action that a call names, or the default; null for an unknown one. */
export function actionNamed(choice: Choice, raw: unknown): string | null {
  if (typeof raw !== "object" || raw === null || Array.isArray(raw)) return null;
  const { named } = namedIn(choice, { ...raw });
  return typeof named === "string" && Object.hasOwn(choice.actions, named) ? named : null;
}

function namedIn(
  { by, otherwise }: Choice,
  raw: Record<string, unknown>,
): { named: unknown; fields: Record<string, unknown> } {
  if (typeof by === "object") return { named: raw[by.given] === undefined ? otherwise : by.action, fields: raw };
  const { [by]: named = otherwise, ...fields } = raw;
  return { named, fields };
}
