import { PLAN_MS, type PlanAddress, readPlan, signPlan } from "../../domain/access/plan-token.ts";
import { AppError, invalid } from "../../domain/errors.ts";
import { DAY_MS } from "../../domain/time/durations.ts";
import { scoped } from "../../models/scoped.ts";
import { newId } from "../../mongo/ids.ts";
import { withRider } from "../../mongo/transaction.ts";
import type { Context } from "../context.ts";
import { budgetOf, openAccount, type Payer } from "./budget.ts";
import type { Intent, Permit } from "./permit.ts";
import { digestOf, Planned, type PlannedEffect } from "./plan.ts";

/** A call of a verb that may put mail on the wire. */
export interface SendCall {
  /** The verb by its name in the audit log. */
  verb: string;
  /** Its fields as they were read, and whether the verb needs a name for its mail. */
  input: Record<string, unknown>;
  needsKey: boolean;
}

type Run = (permit: Permit) => Promise<unknown>;

/**
 * Runs a verb that may put mail on the wire as far as the policy of its credential goes (rules/access 4): shows what it would do, does what
 * a plan showed, does it at once, or refuses.
 * @throws AppError IDEMPOTENCY_KEY_REQUIRED, PLAN_REQUIRED, PLAN_STALE, SENDING_NOT_ALLOWED, SEND_BUDGET_EXCEEDED, VALIDATION_FAILED
 */
export async function runPermitted(ctx: Context, call: SendCall, run: Run): Promise<unknown> {
  const { planOnly = false, planToken, idempotencyKey } = call.input;
  if (planOnly === true) return answerOf(ctx, call, await intentOf(run));
  if (call.needsKey && idempotencyKey === undefined)
    throw new AppError("IDEMPOTENCY_KEY_REQUIRED", "`idempotencyKey` is required: 8 to 128 characters of A-Za-z0-9._:-");
  const { sends } = ctx.policy;
  if (sends === "NONE" || sends === "APPROVAL")
    throw new AppError("SENDING_NOT_ALLOWED", "This credential may not send", { reason: "POLICY", sends });
  const sendKey = typeof idempotencyKey === "string" ? idempotencyKey : null;
  if (typeof planToken === "string") return commit(ctx, call, planOf(ctx, call, planToken), sendKey, run);
  if (sends === "PLAN")
    throw new AppError("PLAN_REQUIRED", "This credential sends only what a plan showed: ask with `planOnly`, then send its `planToken`");
  return boarded(await openAccount(payerOf(ctx)), sendKey, run);
}

/** @throws AppError SENDING_NOT_ALLOWED */
export function refuseUnlessDirect({ policy: { sends } }: Context): void {
  if (sends === "DIRECT") return;
  throw new AppError("SENDING_NOT_ALLOWED", "This lets mail go on that no plan shows: only a credential that sends directly may", {
    reason: "DIRECT_ONLY",
    sends,
  });
}

/** Runs the verb; whatever it changes commits together with what it costs. Nothing commits for which it has not asked. */
async function boarded(
  spend: (cost: number) => Promise<void>,
  sendKey: string | null,
  run: Run,
  check: (intent: Intent) => Promise<void> = async () => {},
  also: () => Promise<void> = async () => {},
): Promise<unknown> {
  let asked: Intent | null = null;
  const permit: Permit = {
    sendKey,
    async commit(intent, act) {
      await check(intent);
      asked = intent;
      return act();
    },
    async unchanged(intent, answer) {
      await check(intent);
      return answer();
    },
  };
  const board = async () => {
    if (asked === null) throw new Error("A verb that sends has not asked for its permit");
    await also();
    await spend(await asked.cost());
  };
  return withRider(board, () => run(permit));
}

class IsShown extends Error {
  readonly intent: Intent;
  constructor(intent: Intent) {
    super("A plan changes nothing");
    this.intent = intent;
  }
}

/** What the verb would do: it runs up to where it asks, and no further. */
async function intentOf(run: Run): Promise<Intent> {
  const show = async (intent: Intent) => {
    throw new IsShown(intent);
  };
  try {
    await withRider(
      async () => {
        throw new Error("A plan changes nothing, but its verb did");
      },
      () => run({ sendKey: null, commit: show, unchanged: show }),
    );
  } catch (err) {
    if (err instanceof IsShown) return err.intent;
    throw err;
  }
  throw new Error("A verb that sends has not asked for its permit");
}

/** The plan of an effect, and a token that commits it. */
async function answerOf(ctx: Context, call: SendCall, intent: Intent, effect?: PlannedEffect) {
  const { shown, identity } = effect ?? (await intent.effect());
  const until = Date.now() + PLAN_MS;
  const { workspaceId, credentialId } = ctx;
  const said = { workspaceId, credentialId, verb: call.verb, asked: digestOf(askedOf(call)), effect: digestOf(identity) };
  const planToken = signPlan(ctx.services.signing.plan, { id: newId("pln"), until, ...said });
  const cost = await intent.cost();
  const plan = { effect: { ...shown, cost }, budget: await budgetOf(payerOf(ctx)), expiresAt: new Date(until) };
  return Planned.parse({ plan, planToken });
}

/** Does what a plan showed, once: a repetition finds what the first commit did, and changes nothing. */
async function commit(ctx: Context, call: SendCall, plan: PlanAddress, ownKey: string | null, run: Run): Promise<unknown> {
  const { PlanCommit } = scoped(ctx.workspaceId);
  const isCommitted = async () => (await PlanCommit.get(plan.id)) !== null;
  const check = async (intent: Intent) => {
    if (await isCommitted()) return;
    const effect = await intent.effect();
    if (plan.until > Date.now() && digestOf(effect.identity) === plan.effect) return;
    // Another commit of the same plan may have been what changed it
    if (!(await isCommitted())) throw await stale(ctx, call, intent, effect);
  };
  const spend = await openAccount(payerOf(ctx));
  const note = async () => {
    // Of two commits at once one conflicts here, and then finds the other's
    if (await isCommitted()) throw new IsSpent();
    const { credentialId, verb } = plan;
    await PlanCommit.insert({ _id: plan.id, credentialId, verb, expiresAt: new Date(plan.until + DAY_MS) });
  };
  try {
    return await boarded(spend, ownKey ?? `plan/${plan.id}`, run, check, note);
  } catch (err) {
    if (!(err instanceof IsSpent)) throw err;
    throw await stale(ctx, call, await intentOf(run));
  }
}

/** The plan was committed already, and this would be a second effect. */
class IsSpent extends Error {}

async function stale(ctx: Context, call: SendCall, intent: Intent, effect?: PlannedEffect): Promise<AppError> {
  const message = "What would be sent is not what the plan showed, or its 15 minutes have passed: nothing was done. Here is the new plan";
  return new AppError("PLAN_STALE", message, await answerOf(ctx, call, intent, effect));
}

/** The plan that a token names. @throws AppError VALIDATION_FAILED when it is none of this credential, verb and request */
function planOf(ctx: Context, call: SendCall, token: string): PlanAddress {
  const plan = readPlan(ctx.services.signing.plan, token, 0);
  const isOwn = plan?.workspaceId === ctx.workspaceId && plan.credentialId === ctx.credentialId;
  if (plan === null || !isOwn || plan.verb !== call.verb)
    throw invalid("planToken", "is no token of a plan that this credential made of this call", "UNKNOWN_PLAN");
  if (plan.asked !== digestOf(askedOf(call)))
    throw invalid("planToken", "is the token of another request: the other fields must be those of the plan", "OTHER_REQUEST");
  return plan;
}

/** The fields that say what is asked, apart from how. */
function askedOf({ input }: SendCall): unknown {
  const { planOnly: _only, planToken: _token, idempotencyKey: _key, ...asked } = input;
  return asked;
}

function payerOf({ workspaceId, credentialId, policy }: Context): Payer {
  return { workspaceId, credentialId, limit: policy.dailySendBudget };
}
