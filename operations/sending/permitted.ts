import type { PlanAddress } from "../../domain/access/address-token.ts";
import { AppError } from "../../domain/errors.ts";
import { DAY_MS } from "../../domain/time/durations.ts";
import { scoped } from "../../models/scoped.ts";
import type { Context } from "../context.ts";
import { askPerson, findAsked } from "./ask.ts";
import { intentOf, runBoarded, type SendCall, type VerbRun } from "./boarding.ts";
import { openAccount, payerOf } from "./budget.ts";
import type { Intent } from "./permit.ts";
import { isCommitted, isShownBy, planFor, planOf, planRequiredFor, staleFor } from "./plan-token.ts";

/**
 * Runs an operation that may send emails, as the policy of its credential allows (rules/access 4): shows a plan,
 * commits a plan, runs it directly, requests an approval, or refuses.
 * @throws AppError IDEMPOTENCY_KEY_REQUIRED, PLAN_REQUIRED, PLAN_STALE, SENDING_NOT_ALLOWED, SEND_BUDGET_EXCEEDED,
 * VALIDATION_FAILED, WORKSPACE_SUSPENDED, ADDRESS_NOT_CONFIRMED
 */
export async function runPermitted(ctx: Context, call: SendCall, run: VerbRun): Promise<unknown> {
  const { planOnly = false, planToken, idempotencyKey } = call.input;
  if (planOnly === true) return planFor(ctx, call, await intentOf(run));
  if (call.needsKey && idempotencyKey === undefined)
    throw new AppError(
      "IDEMPOTENCY_KEY_REQUIRED",
      "`idempotencyKey` is required: 8 to 128 characters of A-Za-z0-9._:-",
    );
  const { SENDS: way } = ctx.policy;
  if (ctx.barred !== undefined) throw ctx.barred;
  if (way === "NONE")
    throw new AppError("SENDING_NOT_ALLOWED", "This credential may not send", {
      reason: "POLICY",
      effect: "SENDS",
      policy: way,
    });
  const plan = typeof planToken === "string" ? planOf(ctx, call, planToken) : null;
  const sendKey = typeof idempotencyKey === "string" ? idempotencyKey : null;
  const asked = await findAsked(ctx, call, plan);
  if (asked !== null) return asked;
  if (way === "APPROVAL") return askPerson(ctx, call, plan, run);
  if (plan !== null) return commit(ctx, call, plan, sendKey, run);
  if (way === "PLAN") throw await planRequiredFor(ctx, call, () => intentOf(run));
  return runBoarded({ sendKey, spend: await openAccount(payerOf(ctx)) }, run);
}

/** Commits a plan, once. A repetition returns the result of the first commit and changes nothing. */
async function commit(
  ctx: Context,
  call: SendCall,
  plan: PlanAddress,
  sendKey: string | null,
  run: VerbRun,
): Promise<unknown> {
  const { PlanCommit } = scoped(ctx.workspaceId);
  const check = async (intent: Intent) => {
    if (await isCommitted(ctx, plan)) return;
    const effect = await intent.effect();
    // Another commit of the same plan may have changed the effect
    if (!isShownBy(plan, effect) && !(await isCommitted(ctx, plan)))
      throw await staleFor(ctx, call, plan, intent, effect);
  };
  const note = async () => {
    // When two commits run at once, one of them conflicts here and then finds the commit of the other
    if (await isCommitted(ctx, plan)) throw new IsSpent();
    const { credentialId, verb } = plan;
    await PlanCommit.insert({ _id: plan.id, credentialId, verb, expiresAt: new Date(plan.until + DAY_MS) });
  };
  try {
    return await runBoarded(
      { sendKey: sendKey ?? `plan/${plan.id}`, spend: await openAccount(payerOf(ctx)), check, note },
      run,
    );
  } catch (err) {
    if (!(err instanceof IsSpent)) throw err;
    throw await staleFor(ctx, call, plan, await intentOf(run));
  }
}

/** Thrown when the plan was already committed, so that this call would have a second effect. */
class IsSpent extends Error {}
