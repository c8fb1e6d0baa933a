import type { Condition as Known } from "../../../domain/sequences/conditions.ts";
import type { Step } from "./draft.ts";
import { changeStep } from "./edits.ts";

/** A condition after a step, with all keys that the server has stored. */
export type Condition = Step["conditions"][number];
type Kind = Known["if"];

export const KINDS = [
  "REPLIED",
  "NOT_REPLIED",
  "OPENED",
  "NOT_OPENED",
  "CLICKED",
  "NOT_CLICKED",
  "CATEGORY_IS",
  "FIELD_MATCHES",
  "RANDOM",
  "ALWAYS",
] as const satisfies readonly Kind[];

/** The days of a new condition: the same as the usual wait before a step. */
const USUAL_DAYS = 3;

/** What each kind of condition begins with, besides the step that it leads to. */
const FIRST: Record<Kind, Condition> = {
  REPLIED: { withinDays: USUAL_DAYS },
  NOT_REPLIED: { withinDays: USUAL_DAYS },
  OPENED: { withinDays: USUAL_DAYS },
  NOT_OPENED: { withinDays: USUAL_DAYS },
  CLICKED: { withinDays: USUAL_DAYS },
  NOT_CLICKED: { withinDays: USUAL_DAYS },
  CATEGORY_IS: { category: "INTERESTED", withinDays: USUAL_DAYS },
  FIELD_MATCHES: { filterRules: { rules: [{ field: "country", operator: "IS_SET" }] } },
  RANDOM: { percent: 50 },
  ALWAYS: {},
};

export function kindOf({ if: kind }: Condition): Kind | undefined {
  return KINDS.find((one) => one === kind);
}

export function addCondition(conditions: readonly Condition[]): Condition[] {
  return [...conditions, { if: "REPLIED", ...FIRST.REPLIED, nextStepId: null }];
}

/** The condition with another kind. It still leads to the same step. */
export function withKind({ nextStepId }: Condition, picked: string): Condition {
  const kind = KINDS.find((one) => one === picked) ?? "ALWAYS";
  return { if: kind, ...FIRST[kind], nextStepId };
}

export function changeConditions(steps: readonly Step[], stepId: string, conditions: readonly Condition[]): Step[] {
  return changeStep(steps, stepId, { conditions: [...conditions] });
}

/** The only rule of a simple filter; null for a filter with several rules or in the short form. */
export function ruleOf({ filterRules }: Condition): Readonly<Record<string, unknown>> | null {
  if (!isRecord(filterRules) || !Array.isArray(filterRules["rules"])) return null;
  const [rule, ...others]: unknown[] = filterRules["rules"];
  return isRecord(rule) && others.length === 0 && typeof rule["field"] === "string" ? rule : null;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}
