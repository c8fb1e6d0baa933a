import type { PlanLimitValues } from "../../domain/billing/plans.ts";
import { type Base, globalModel } from "../../mongo/schema.ts";

/**
 * What a plan of this installation allows, written anew at each start. `_id` is the plan, or `NO_PLAN`. Without billing
 * there is none.
 */
export interface PlanLimits extends Base {
  limits: PlanLimitValues;
}

/** The id under which stands what a workspace without a plan may have: no plan can be called so. */
export const NO_PLAN = "/";

export const PlanLimits = globalModel<PlanLimits>("PlanLimits", "plan_limits", {
  limits: { type: Object, required: true, default: {} },
});
