import { AppError } from "../../domain/errors.ts";
import { currentSession, inTransaction, outsideTransaction, withRider } from "../../mongo/transaction.ts";
import { WatchedTooLong, type Written, watch } from "../../mongo/witness.ts";
import type { Context } from "../context.ts";
import type { Effects } from "../effects.ts";
import { asOneTransaction } from "../idempotency.ts";
import { campaignIn, editPlanFor, type Version } from "../sequences/edit-plan.ts";
import { type ChangeEffect, changeEffectOf, groundOf, lackingIn } from "./change-effect.ts";
import type { Intent } from "./permit.ts";
import { gatherSends } from "./within.ts";

/** A verb with effects, ready to run: what it can cause, the fields without those of the plan, and how it is run. */
export interface EffectRun {
  effects: Effects<never>;
  input: Record<string, unknown>;
  perform: (ctx: Context) => Promise<unknown>;
}

/** A transaction of ten seconds is ended by the database. */
const LONGEST_MS = 6_000;

/** Ends a rehearsal: everything that it wrote is undone. */
class Rehearsed extends Error {
  readonly effect: ChangeEffect;
  readonly edit: Version | null;
  constructor(effect: ChangeEffect, edit: Version | null) {
    super("This call was only rehearsed");
    this.effect = effect;
    this.edit = edit;
  }
}

/**
 * Runs a verb in a transaction that is always undone, and says what it came to. Where the verb would hand over to the
 * engine, it ends there: what a job does later is shown by the job. The checks of the verb refuse as they would.
 */
export async function rehearse(ctx: Context, { effects, input, perform }: EffectRun): Promise<ChangeEffect> {
  const ground = await groundOf(ctx, effects, input);
  const until = performance.now() + LONGEST_MS;
  try {
    return await outsideTransaction(() =>
      inTransaction(() =>
        watched(async (written, within): Promise<never> => {
          const show = async (): Promise<never> => {
            const effect = await changeEffectOf(ctx, { effects, input, ground, written, within });
            const edit = await campaignIn(ctx.workspaceId, written);
            throw new Rehearsed({ ...effect, shown: { ...effect.shown, lacking: await lackingIn(ctx, input) } }, edit);
          };
          const engine = { ...ctx.services.engine, execute: show, start: show };
          await perform({ ...ctx, services: { ...ctx.services, engine } });
          return show();
        }, until),
      ),
    );
  } catch (err) {
    if (err instanceof Rehearsed) return withEditPlan(err);
    if (err instanceof WatchedTooLong)
      throw new AppError("LIMIT_EXCEEDED", "This call changes too much for one plan: name fewer people or leads", {
        limit: "plan",
      });
    throw err;
  }
}

/**
 * The edit's plan reads everybody in the campaign, so it is made once the transaction has ended, and no claim conflicts
 * with it.
 */
async function withEditPlan({ effect, edit }: Rehearsed): Promise<ChangeEffect> {
  return edit === null
    ? effect
    : { ...effect, shown: { ...effect.shown, edit: await outsideTransaction(() => editPlanFor(edit)) } };
}

/** Runs a call, and shows it which documents were written, and what was to be sent, meanwhile. */
function watched<T>(
  work: (written: ReadonlyMap<string, Written>, within: readonly Intent[]) => Promise<T>,
  until?: number,
): Promise<T> {
  return gatherSends((within) => watch((written) => work(written, within), until));
}

/**
 * Runs a verb and has `atEnd` look at what it came to, in the transaction of its writes: what `atEnd` throws undoes
 * them. A verb that awaits the engine is looked at in the first transaction that it commits.
 */
export async function runWatched(
  ctx: Context,
  { effects, input, perform }: EffectRun,
  atEnd: (effect: ChangeEffect) => Promise<void>,
): Promise<unknown> {
  const ground = await groundOf(ctx, effects, input);
  const look = async (written: ReadonlyMap<string, Written>, within: readonly Intent[]) => {
    await atEnd(await changeEffectOf(ctx, { effects, input, ground, written, within }));
  };
  const whole = (as: Context) =>
    watched(async (written, within) => {
      const answer = await perform(as);
      await look(written, within);
      return answer;
    });
  if (currentSession() !== null) return whole(ctx);
  const done = await asOneTransaction(ctx, whole);
  if (done !== null) return done.answer;
  return watched((written, within) =>
    withRider(
      () => look(written, within),
      async (hasArrived) => {
        const answer = await perform(ctx);
        if (!hasArrived()) await look(written, within); // it wrote without a transaction
        return answer;
      },
    ),
  );
}
