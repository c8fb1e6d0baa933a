import type { PlanAddress } from "../../domain/access/address-token.ts";
import { EFFECTS, type Effect, type Way } from "../../domain/access/policy.ts";
import { AppError } from "../../domain/errors.ts";
import { DAY_MS } from "../../domain/time/durations.ts";
import { scoped } from "../../models/scoped.ts";
import { currentSession, withRider } from "../../mongo/transaction.ts";
import type { Context } from "../context.ts";
import { Apart } from "../idempotency.ts";
import { askPerson, findAsked } from "./ask.ts";
import type { SendCall } from "./boarding.ts";
import { openAccount, payerOf } from "./budget.ts";
import { causedBy } from "./causes.ts";
import type { ChangeEffect } from "./change-effect.ts";
import type { Intent } from "./permit.ts";
import { isCommitted, isShownBy, planFor, planOf, planRequired, planRequiredFor, staleFor } from "./plan-token.ts";
import { type EffectRun, rehearse, runWatched } from "./rehearse.ts";

/**
 * Runs an operation as the policy of its credential allows for its effects (rules/access 4.7): shows a plan, commits a
 * plan, runs it directly, requests an approval, or refuses. The effects are determined before the operation, and again
 * at the end of each of its transactions. A transaction that has meanwhile gained an effect that the policy restricts
 * is rolled back.
 * @throws AppError SENDING_NOT_ALLOWED, EFFECT_NOT_ALLOWED, PLAN_REQUIRED, PLAN_STALE, SEND_BUDGET_EXCEEDED,
 * VALIDATION_FAILED, WORKSPACE_SUSPENDED, ADDRESS_NOT_CONFIRMED
 */
export async function runGated(ctx: Context, call: SendCall, verb: EffectRun): Promise<unknown> {
  const { effects, input } = verb;
  const { planOnly, planToken } = call.input;
  if (planOnly === true) return planFor(ctx, call, intentOf(await rehearse(ctx, verb)));
  const bound = EFFECTS.filter((effect) => effects[effect] !== undefined && ctx.policy[effect] !== "DIRECT");
  const plan = typeof planToken === "string" ? planOf(ctx, call, planToken) : null;
  const caused = await causedBy<never>(ctx, effects, input as never, bound);
  const ways = new Set(caused.map((effect): Way => ctx.policy[effect]));
  for (const effect of caused) if (ctx.policy[effect] === "NONE") throw refusalOf(ctx, effect);
  if (ways.size > 0 || plan !== null) {
    const asked = await findAsked(ctx, call, plan);
    if (asked !== null) return asked;
  }
  if (ways.has("APPROVAL")) {
    const intent = intentOf(await rehearse(ctx, verb));
    return askPerson(ctx, call, plan, (permit) => permit.commit(intent, neverDone));
  }
  if (plan !== null) return commit(ctx, call, plan, verb);
  if (ways.has("PLAN")) throw await planRequiredFor(ctx, call, async () => intentOf(await rehearse(ctx, verb)));
  return direct(ctx, verb, bound);
}

/** Runs an operation without a plan, and rolls it back if it turns out to have another effect. */
async function direct(ctx: Context, verb: EffectRun, bound: readonly Effect[]): Promise<unknown> {
  const check = async () => {
    for (const effect of await causedBy<never>(ctx, verb.effects, verb.input as never, bound)) {
      if (ctx.policy[effect] === "NONE") throw refusalOf(ctx, effect);
      throw planRequired();
    }
  };
  const run = async (as: Context) => {
    if (bound.length === 0) return verb.perform(as);
    if (currentSession() === null) return withRider(check, () => verb.perform(as), { boards: "EACH" });
    const answer = await verb.perform(as); // inside an open transaction, which accepts no further hooks
    await check();
    return answer;
  };
  if (ctx.policy.dailySendBudget === null || verb.effects.SENDS === undefined) return run(ctx);
  const spend = await openAccount(payerOf(ctx));
  return runWatched(ctx, { ...verb, perform: run }, ({ cost }) => spend(cost));
}

/** Commits a plan, once. */
async function commit(ctx: Context, call: SendCall, plan: PlanAddress, verb: EffectRun): Promise<unknown> {
  const spend = await openAccount(payerOf(ctx));
  try {
    if (await isCommitted(ctx, plan)) return await repeat(ctx, verb);
    return await runWatched(ctx, verb, async (effect) => {
      if (!isShownBy(plan, effect) || (await isCommitted(ctx, plan))) throw new IsAnother();
      const { id, credentialId, verb: name, until } = plan;
      await scoped(ctx.workspaceId).PlanCommit.insert({
        _id: id,
        credentialId,
        verb: name,
        expiresAt: new Date(until + DAY_MS),
      });
      await spend(effect.cost);
    });
  } catch (err) {
    if (!(err instanceof IsAnother)) throw err;
    // Inside the transaction of an idempotency key, a rehearsal would wait for the writes of this very call
    if (currentSession() !== null) throw new Apart();
    throw await staleFor(ctx, call, plan, intentOf(await rehearse(ctx, verb)));
  }
}

/**
 * Repeats a call whose plan token was used before. It returns the first result and must not change anything, whatever
 * the policy.
 */
async function repeat(ctx: Context, verb: EffectRun): Promise<unknown> {
  const refuse = ({ shown: { causes, changes } }: ChangeEffect) => {
    if ((causes?.length ?? 0) > 0 || (changes?.length ?? 0) > 0) throw new IsAnother();
  };
  refuse(await rehearse(ctx, verb));
  return runWatched(ctx, verb, async (effect) => refuse(effect));
}

/** The call had another effect than its plan showed, or the plan was committed before. */
class IsAnother extends Error {}

function intentOf(effect: ChangeEffect): Intent {
  return { effect: async () => effect, cost: async () => effect.cost };
}

async function neverDone(): Promise<never> {
  throw new Error("A call that a person must approve does nothing itself");
}

function refusalOf({ barred }: Context, effect: Effect): AppError {
  if (barred !== undefined && (effect === "SENDS" || effect === "CHANGES_SENDING")) return barred;
  const who = "only a person in the console, or a credential with a policy that allows it, can do this";
  const details = { reason: "POLICY", effect, policy: "NONE" };
  if (effect === "SENDS") return new AppError("SENDING_NOT_ALLOWED", `This call would send email: ${who}`, details);
  return new AppError("EFFECT_NOT_ALLOWED", `This call ${WORDS[effect]}: ${who}`, details);
}

const WORDS: Record<Exclude<Effect, "SENDS">, string> = {
  CHANGES_SENDING: "changes what will be sent",
  DISCLOSES: "gives data to a new external destination",
  DESTROYS: "deletes data that cannot be restored",
};
