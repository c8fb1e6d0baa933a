import { newcomerLimitsAt } from "../domain/access/newcomer.ts";
import {
  LIMITED_THINGS,
  WORKSPACE_LIMITS,
  type WorkspaceLimit,
  type WorkspaceLimits,
} from "../domain/access/workspace-limits.ts";
import { type BillingPlans, NO_PLANS } from "../domain/billing/plans.ts";
import { AppError } from "../domain/errors.ts";
import { NO_PLAN, PlanLimits } from "../models/access/plan-limits.ts";
import { Workspace } from "../models/access/workspace.ts";
import { trusted } from "../mongo/collection.ts";
import { sessionOption } from "../mongo/direct.ts";
import { loadNewcomerLimits } from "./newcomers.ts";

/** The limits of a workspace: the general ones, or those of its plan (rules/billing 3.1), or those of a new workspace. */
export async function loadLimits(workspaceId: string): Promise<WorkspaceLimits> {
  const workspace = await Workspace.findOne({ _id: workspaceId }, { plan: 1, newSince: 1 }, sessionOption()).lean<
    Pick<Workspace, "plan" | "newSince">
  >();
  const plan = workspace?.plan ?? null;
  const found = await PlanLimits.findOne({ _id: plan?.id ?? NO_PLAN }, null, sessionOption()).lean<PlanLimits>();
  const limits =
    found === null
      ? WORKSPACE_LIMITS
      : { ...WORKSPACE_LIMITS, ...(plan !== null && { members: plan.seats }), ...found.limits };
  const newSince = workspace?.newSince ?? null;
  return newSince === null || plan !== null ? limits : withinNewcomer(limits, newSince);
}

/** The limits of a new workspace without a plan (rules/access 8.4). */
async function withinNewcomer(limits: WorkspaceLimits, newSince: Date): Promise<WorkspaceLimits> {
  const newcomer = await loadNewcomerLimits();
  const at = newcomer === null ? null : newcomerLimitsAt(newcomer, newSince, Date.now());
  if (at === null) return limits;
  const { mailboxes, members } = limits;
  return { ...limits, mailboxes: Math.min(mailboxes, at.mailboxes), members: Math.min(members, at.members) };
}

/** Refuses one more item when the limit is reached; `have` is the present number. @throws AppError LIMIT_EXCEEDED */
export async function refuseBeyondLimit(workspaceId: string, what: WorkspaceLimit, have: number): Promise<void> {
  const { [what]: limit } = await loadLimits(workspaceId);
  if (have >= limit)
    throw new AppError("LIMIT_EXCEEDED", `A workspace has at most ${limit} ${LIMITED_THINGS[what]}`, { limit });
}

/**
 * Stores the limits of each plan, so that every process and every operation uses the same. Null: there is no billing.
 */
export async function announcePlans(plans: BillingPlans | null): Promise<void> {
  const { plans: sold, free } = plans ?? NO_PLANS;
  const rows =
    plans === null
      ? []
      : [{ _id: NO_PLAN, limits: free.limits }, ...sold.map(({ id, limits }) => ({ _id: id, limits }))];
  for (const { _id, limits } of rows) await PlanLimits.updateOne({ _id }, { $set: { limits } }, { upsert: true });
  await PlanLimits.deleteMany({ _id: trusted({ $nin: rows.map(({ _id }) => _id) }) });
}
