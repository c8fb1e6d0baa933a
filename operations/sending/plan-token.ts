import type { z } from "zod";
import { PLAN_MS, type PlanAddress, readPlan, signPlan } from "../../domain/access/address-token.ts";
import { AppError, invalid } from "../../domain/errors.ts";
import { scoped } from "../../models/scoped.ts";
import { newId } from "../../mongo/ids.ts";
import type { Context } from "../context.ts";
import { askedDigest, type SendCall } from "./boarding.ts";
import { budgetOf, payerOf } from "./budget.ts";
import type { Intent } from "./permit.ts";
import { digestOf, Planned, type PlannedEffect } from "./plan.ts";
import { seenBy } from "./seen-by.ts";

/** The plan of an intent, with a token that commits it. */
export async function planFor(ctx: Context, call: SendCall, intent: Intent, effect?: PlannedEffect) {
  const { shown, identity } = effect ?? (await intent.effect());
  const until = Date.now() + PLAN_MS;
  const { workspaceId, credentialId } = ctx;
  const claims = { workspaceId, credentialId, verb: call.verb, asked: askedDigest(call), effect: digestOf(identity) };
  const planToken = signPlan(ctx.services.signing.plan, { id: newId("pln"), until, ...claims });
  const cost = await intent.cost();
  const plan = { effect: { ...shown, cost }, budget: await budgetOf(payerOf(ctx)), expiresAt: new Date(until) };
  const planned = Planned.parse({ plan, planToken });
  return { ...planned, plan: { ...planned.plan, effect: seenBy(ctx, planned.plan.effect) } };
}

/**
 * The refusal of a call that needs a plan first. For a caller that shows a plan to a person at once, it contains the
 * plan.
 */
export async function planRequiredFor(ctx: Context, call: SendCall, intent: () => Promise<Intent>): Promise<AppError> {
  return planRequired(ctx.showsPlan === true ? await planFor(ctx, call, await intent()) : undefined);
}

export function planRequired(planned?: z.output<typeof Planned>): AppError {
  return new AppError(
    "PLAN_REQUIRED",
    "This credential must plan first: call with `planOnly`, then repeat the call with the returned `planToken`",
    planned,
  );
}

/** Why a plan can no longer be committed. */
const STALE = {
  EXPIRED: "The plan's 15 minutes have passed: nothing was done. Here is a new plan",
  EFFECT_CHANGED: "The effect differs from the plan: nothing was done. Here is the new plan",
  COMMITTED: "This plan was committed before: nothing was done. Here is a new plan",
};

/** The refusal of a plan that can no longer be committed, with the reason and a new plan. */
export async function staleFor(
  ctx: Context,
  call: SendCall,
  plan: PlanAddress,
  intent: Intent,
  effect?: PlannedEffect,
): Promise<AppError> {
  const now = effect ?? (await intent.effect());
  // A commit changes the effect, so it is asked about first
  const isOver = plan.until <= Date.now();
  const reason = (await isCommitted(ctx, plan)) ? "COMMITTED" : isOver ? "EXPIRED" : "EFFECT_CHANGED";
  return new AppError("PLAN_STALE", STALE[reason], { reason, ...(await planFor(ctx, call, intent, now)) });
}

/** Returns true when a call has committed this plan. */
export async function isCommitted({ workspaceId }: Context, { id }: PlanAddress): Promise<boolean> {
  return (await scoped(workspaceId).PlanCommit.get(id)) !== null;
}

/** Returns true when a plan showed this effect and can still be committed. */
export function isShownBy({ until, effect }: PlanAddress, { identity }: PlannedEffect): boolean {
  return until > Date.now() && digestOf(identity) === effect;
}

/**
 * The plan of a token. @throws AppError VALIDATION_FAILED when the token does not belong to this credential, operation
 * and request
 */
export function planOf(ctx: Context, call: SendCall, token: string): PlanAddress {
  const plan = readPlan(ctx.services.signing.plan, token, 0);
  const isOwn = plan?.workspaceId === ctx.workspaceId && plan.credentialId === ctx.credentialId;
  if (plan === null || !isOwn || plan.verb !== call.verb)
    throw invalid("planToken", "is not a plan token of this credential for this call", "UNKNOWN_PLAN");
  if (plan.asked !== askedDigest(call))
    throw invalid(
      "planToken",
      "belongs to another request: the other fields must equal those of the plan",
      "OTHER_REQUEST",
    );
  return plan;
}
