import type { PlanLimitValues } from "../../domain/billing/plans.ts";
import { type Base, globalModel } from "../../mongo/schema.ts";

/**
 * The limits of one plan of this deployment. Every start of the program writes them again. `_id` is the plan, or
 * `NO_PLAN`. Without billing there are no such documents.
 */
export interface PlanLimits extends Base {
  limits: PlanLimitValues;
}

/** The id of the limits for workspaces without a plan. No plan can have this name. */
export const NO_PLAN = "/";

export const PlanLimits = globalModel<PlanLimits>("PlanLimits", "plan_limits", {
  limits: { type: Object, required: true, default: {} },
});
