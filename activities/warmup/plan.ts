import { setTimeout as sleep } from "node:timers/promises";
import { Context } from "@temporalio/activity";
import { scoped } from "../../models/scoped.ts";
import type { WarmupGround } from "../../store/warmup/ground.ts";
import { type PlannedRound, type PlanScope, planWarmupRound } from "../../store/warmup/plan-round.ts";
import type { RoundLog } from "../round.ts";

export interface PlanDependencies {
  log: RoundLog;
  /** Follows the news that a mailbox of a workspace has nobody to write to, or somebody again. */
  onChanged(workspaceId: string): Promise<void>;
}

/** Plans the day of everybody; the heartbeat tells that it goes on. */
export async function planEverybody(deps: PlanDependencies): Promise<{ mails: number }> {
  const { mails } = await plan("ALL", deps);
  return { mails };
}

let running: Promise<unknown> = Promise.resolve();
/** Milliseconds in which those that start together come together, so that they find each other. */
const GATHER_MS = 2_000;

/**
 * Plans what is left of today for a mailbox that has started or changed, and with it for all others that wait for that: a thousand that
 * start at once cost one round, and have each other as partners.
 */
export function planRest({ mailbox: { workspaceId, _id } }: WarmupGround, deps: PlanDependencies): Promise<void> {
  const turn = running.then(async () => {
    const current = await scoped(workspaceId).WarmupEnrolment.get(_id);
    if (!current?.replanAt) return;
    await sleep(GATHER_MS);
    await plan("WAITING", deps);
  });
  running = turn.catch(() => {});
  return turn;
}

async function plan(scope: PlanScope, { log, onChanged }: PlanDependencies): Promise<PlannedRound> {
  const context = Context.current();
  const round = await planWarmupRound(scope, () => context.heartbeat());
  for (const workspaceId of round.news) {
    await onChanged(workspaceId).catch((err) => log.warn({ err, workspaceId }, "it was not told who has no partner for the warmup"));
  }
  return round;
}
