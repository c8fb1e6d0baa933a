import { Context } from "@temporalio/activity";
import { scoped } from "../../models/scoped.ts";
import type { WarmupGround } from "../../store/warmup/ground.ts";
import { planWarmupRound } from "../../store/warmup/plan-round.ts";

/** Plans the day of everybody; the heartbeat tells that it goes on. */
export async function planEverybody(): Promise<{ mails: number }> {
  const context = Context.current();
  return { mails: await planWarmupRound("ALL", () => context.heartbeat()) };
}

let running: Promise<unknown> = Promise.resolve();

/**
 * Plans what is left of today for a mailbox that has started or changed, and with it for all others that wait for that: a thousand that
 * start at once cost one round.
 */
export function planRest({ mailbox: { workspaceId, _id } }: WarmupGround): Promise<void> {
  const context = Context.current();
  const turn = running.then(async () => {
    const current = await scoped(workspaceId).WarmupEnrolment.get(_id);
    if (current?.replanAt) await planWarmupRound("WAITING", () => context.heartbeat());
  });
  running = turn.catch(() => {});
  return turn;
}
