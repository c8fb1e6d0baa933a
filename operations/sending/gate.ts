import { EFFECTS, type Effect, mayCause } from "../../domain/access/effects.ts";
import { AppError } from "../../domain/errors.ts";
import { withRider } from "../../mongo/transaction.ts";
import type { Context } from "../context.ts";

/** Whether a call causes an effect, by its fields and by what it finds: `true` is always. */
export type Trigger<In> = true | ((ctx: Context, input: In) => boolean | Promise<boolean>);
/** The effects of a verb that shows no plan of them. A verb that only stops sending has none. */
export type Effects<In> = { readonly [E in Effect]?: Trigger<In> };

/**
 * Runs a verb if its credential may cause what it would cause. It is asked before the verb, and again at the end of each of its
 * transactions by the state that this one read: what has become a sending one meanwhile is undone.
 * @throws AppError SENDING_NOT_ALLOWED, EFFECT_NOT_ALLOWED
 */
export function runGated<In, T>(ctx: Context, effects: Effects<In>, input: In, run: () => Promise<T>): Promise<T> {
  const refused = EFFECTS.filter((effect) => effects[effect] !== undefined && !mayCause(ctx.policy, effect));
  if (refused.length === 0) return run();
  const check = async () => {
    for (const effect of refused) if (await isCaused(effects[effect], ctx, input)) throw refusalOf(ctx, effect);
  };
  return check().then(() => withRider(check, run, { boards: "EACH" }));
}

function isCaused<In>(cause: Trigger<In> | undefined, ctx: Context, input: In): boolean | Promise<boolean> {
  return typeof cause === "function" ? cause(ctx, input) : cause === true;
}

function refusalOf({ policy: { sends } }: Context, effect: Effect): AppError {
  const reason = sends === "NONE" ? "POLICY" : "DIRECT_ONLY";
  const who = "only a credential whose policy is DIRECT may, such as a person in the console";
  if (effect === "SENDS")
    return new AppError("SENDING_NOT_ALLOWED", `This would put email on the wire, and shows no plan of it: ${who}`, {
      reason,
      sends,
      effect,
    });
  return new AppError("EFFECT_NOT_ALLOWED", `This ${WORDS[effect]}: ${who}`, { reason, sends, effect });
}

const WORDS: Record<Exclude<Effect, "SENDS">, string> = {
  CHANGES_SENDING: "changes what will be sent",
  DISCLOSES: "gives data to a new place outside",
  DESTROYS: "loses data that nothing restores",
};
