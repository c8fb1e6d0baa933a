import { AppError, invalid } from "../errors.ts";
import { readFilterRules } from "../leads/segment.ts";
import { conditionsOf } from "./conditions.ts";
import { cycleIn } from "./graph.ts";
import type { Step } from "./sequence.ts";
import { checkConfig } from "./step-config.ts";

/**
 * Refuses everything except emails without conditions, because DEFAULT mode allows nothing else (rules/campaigns 2.1).
 * @throws SEQUENCE_NOT_LINEAR
 */
export function refuseBranches(steps: readonly { type: Step["type"]; conditions: readonly unknown[] }[]): void {
  for (const [index, { type, conditions }] of steps.entries()) {
    const details = { path: `steps.${index}`, order: index + 1 };
    if (type !== "EMAIL")
      throw new AppError(
        "SEQUENCE_NOT_LINEAR",
        `Step ${index + 1} is ${type}: in DEFAULT mode a sequence has only EMAIL steps`,
        details,
      );
    if (conditions.length > 0)
      throw new AppError(
        "SEQUENCE_NOT_LINEAR",
        `Step ${index + 1} has conditions: in DEFAULT mode a sequence has none`,
        details,
      );
  }
}

/**
 * The steps with the references in their conditions resolved. `names` maps the caller's names to ids.
 * @throws VALIDATION_FAILED for a name that no step has
 */
export function withReferences(steps: readonly Step[], names: ReadonlyMap<string, string>): Step[] {
  return steps.map((step, index) => ({
    ...step,
    conditions: conditionsOf(step).map((condition, at) => {
      const path = `steps.${index}.conditions.${at}`;
      const found = (name: string, field: string) => {
        const stepId = names.get(name);
        if (stepId === undefined) throw invalid(`${path}.${field}`, "is not a step of this sequence", "UNKNOWN_STEP");
        return stepId;
      };
      const nextStepId = condition.nextStepId === null ? null : found(condition.nextStepId, "nextStepId");
      const ofStepId = "ofStepId" in condition && typeof condition.ofStepId === "string" ? condition.ofStepId : null;
      return { ...condition, nextStepId, ...(ofStepId !== null && { ofStepId: found(ofStepId, "ofStepId") }) };
    }),
  }));
}

/**
 * Checks the config of each step by its type, the content of its conditions, and that no branch leads to an earlier
 * step again.
 * @throws VALIDATION_FAILED, FILTER_INVALID
 */
export function checkBranches(steps: readonly Step[]): void {
  for (const [index, step] of steps.entries()) {
    checkConfig(step, `steps.${index}.config`);
    checkConditions(steps, step, `steps.${index}.conditions`);
  }
  refuseCycles(steps);
}

/** @throws VALIDATION_FAILED */
export function refuseCycles(steps: readonly Step[]): void {
  const cycle = cycleIn(steps);
  if (cycle === null) return;
  throw invalid(
    `steps.${cycle.step}.conditions.${cycle.condition}.nextStepId`,
    "leads back to a step that comes before it",
    "CYCLE",
  );
}

function checkConditions(steps: readonly Step[], step: Step, path: string): void {
  if (step.type === "CONDITION" && step.conditions.length === 0)
    throw invalid(path, "must have at least 1 item", "TOO_SMALL");
  let percent = 0;
  for (const [at, condition] of conditionsOf(step).entries()) {
    if (condition.if === "FIELD_MATCHES") {
      readFilterRules(condition.filterRules, { at: `${path}.${at}.filterRules`, fieldsOnly: true });
    }
    if (condition.if === "RANDOM") percent += condition.percent;
    if (percent > 100)
      throw invalid(`${path}.${at}.percent`, "adds up to more than 100 with the conditions before it", "OUT_OF_RANGE");
    const { ofStepId } = { ofStepId: null, ...condition };
    if (typeof ofStepId === "string" && steps.find(({ stepId }) => stepId === ofStepId)?.type !== "EMAIL")
      throw invalid(`${path}.${at}.ofStepId`, "must name an EMAIL step", "NOT_AN_EMAIL");
  }
}
