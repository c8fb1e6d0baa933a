import { AppError } from "../../domain/errors.ts";
import { currentSession, inTransaction, outsideTransaction, withRider } from "../../mongo/transaction.ts";
import { WatchedTooLong, type Written, watch } from "../../mongo/witness.ts";
import type { Context } from "../context.ts";
import type { Effects } from "../effects.ts";
import { asOneTransaction } from "../idempotency.ts";
import type { ForeseenChanges } from "../operation.ts";
import { campaignIn, editPlanFor, type Version } from "../sequences/edit-plan.ts";
import { type ChangeEffect, changeEffectOf, groundOf, lackingIn } from "./change-effect.ts";
import type { Intent } from "./permit.ts";
import { gatherSends } from "./within.ts";

/**
 * An operation with effects, ready to run: its possible effects, its input without the fields of a plan, and the
 * function that runs it.
 */
export interface EffectRun {
  effects: Effects<never>;
  input: Record<string, unknown>;
  perform: (ctx: Context) => Promise<unknown>;
  /** What the job of the operation will change; absent where the operation makes its changes itself. */
  foresee?: (ctx: Context) => Promise<ForeseenChanges>;
}

/** Shorter than ten seconds, after which the database aborts a transaction. */
const LONGEST_MS = 6_000;

/** Thrown to end a rehearsal: all its writes are rolled back. */
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
 * Determines the effect of an operation by running it in a transaction that is always rolled back. It stops where the
 * operation would start a workflow; the effect then includes the job that would run. The checks of the operation refuse
 * as usual.
 */
export async function rehearse(ctx: Context, { foresee, ...run }: EffectRun): Promise<ChangeEffect> {
  const effect = await rehearseWrites(ctx, run);
  if (foresee === undefined) return effect;
  const { changes, kept } = await foresee(ctx);
  const foreseen = changes.map((one) => ({ ...one, created: 0, fields: [] }));
  return { ...effect, shown: { ...effect.shown, changes: foreseen, kept } };
}

async function rehearseWrites(ctx: Context, { effects, input, perform }: EffectRun): Promise<ChangeEffect> {
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
 * Adds the plan of a sequence edit. It reads all recipients of the campaign, so it runs after the transaction, where it
 * cannot conflict with send claims.
 */
async function withEditPlan({ effect, edit }: Rehearsed): Promise<ChangeEffect> {
  return edit === null
    ? effect
    : { ...effect, shown: { ...effect.shown, edit: await outsideTransaction(() => editPlanFor(edit)) } };
}

/** Runs `work`, and passes it the documents that were written and the emails that were to be sent meanwhile. */
function watched<T>(
  work: (written: ReadonlyMap<string, Written>, within: readonly Intent[]) => Promise<T>,
  until?: number,
): Promise<T> {
  return gatherSends((within) => watch((written) => work(written, within), until));
}

/**
 * Runs an operation and calls `atEnd` with its effect, in the transaction of its writes. If `atEnd` throws, they are
 * rolled back. For an operation that waits for a workflow, this happens in the first transaction that it commits.
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
