import type { BillingPlan, BillingSettings } from "../../domain/billing/plans.ts";
import { AppError, invalid } from "../../domain/errors.ts";
import type { Services } from "../context.ts";

/** @throws AppError PROVIDER_NOT_CONFIGURED naming the setting that is missing */
export function billingOf({ settings }: Pick<Services, "settings">): BillingSettings {
  if (settings.billing !== null) return settings.billing;
  const setting = "STRIPE_SECRET_KEY";
  throw new AppError("PROVIDER_NOT_CONFIGURED", `This deployment has no billing: ${setting} is not set`, { setting });
}

/** @throws AppError VALIDATION_FAILED with the ids of the existing plans */
export function namedPlan({ plans: { plans } }: BillingSettings, planId: string | undefined): BillingPlan {
  const plan = plans.find(({ id }) => id === planId);
  if (plan !== undefined) return plan;
  const planIds = plans.map(({ id }) => id).join(", ");
  if (planId === undefined) throw invalid("planId", `must name a plan: ${planIds}`, "REQUIRED");
  throw invalid(
    "planId",
    planIds === "" ? "names a plan, but this deployment sells none" : `must be one of ${planIds}`,
    "UNKNOWN_PLAN",
  );
}
