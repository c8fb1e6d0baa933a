import {
  allHandlersFinished,
  condition,
  continueAsNew,
  defineQuery,
  defineSignal,
  isCancellation,
  proxyActivities,
  setHandler,
  workflowInfo,
} from "@temporalio/workflow";
import type { WarmupActivities } from "../activities/warmup/turns.ts";
import {
  AFTER_FAILED_TURN_MS,
  WARMUP_PLAN,
  WARMUP_TURN,
  type WarmupIds,
  type WarmupPlan,
  type WarmupTurn,
} from "../domain/warmup/contract.ts";

export const changedSignal = defineSignal("changed");
/** At the given time, in epoch milliseconds, emails in the mailbox need warmup actions. */
export const dueSignal = defineSignal<[{ at: number }]>("due");
export const stopSignal = defineSignal("stop");
export const planQuery = defineQuery<WarmupPlan | null>("plan");

const { nextWarmup, closeWarmupDay } = proxyActivities<WarmupActivities>({ ...WARMUP_TURN, taskQueue: "engine" });
const { warmupSend } = proxyActivities<WarmupActivities>({ ...WARMUP_TURN, taskQueue: "smtp" });
const { warmupEngage } = proxyActivities<WarmupActivities>({ ...WARMUP_TURN, taskQueue: "imap" });
const { planWarmupDay } = proxyActivities<WarmupActivities>({ ...WARMUP_PLAN, taskQueue: "jobs" });

const NEVER = Number.POSITIVE_INFINITY;
const WAITS_FOR = { send: "its next mail", engage: "mail to be read", close: "the end of its day" } as const;

/**
 * Warms up one mailbox: determines the next action, waits until it is due or a signal arrives, runs it, and continues
 * with the action that it returns.
 */
export async function warmup(ids: WarmupIds): Promise<string> {
  let isChanged = false;
  let isStopped = false;
  let dueAt = NEVER;
  let plan: WarmupPlan | null = null;
  setHandler(changedSignal, () => {
    isChanged = true;
  });
  setHandler(dueSignal, ({ at }) => {
    dueAt = Math.min(dueAt, at);
  });
  setHandler(stopSignal, () => {
    isStopped = true;
  });
  setHandler(planQuery, () => plan);
  const isTold = () => isChanged || isStopped;
  const tryTurn = async (doing: () => Promise<WarmupTurn>): Promise<WarmupTurn | null> => {
    // An action that starts now reads from the database everything that was signalled so far
    dueAt = NEVER;
    try {
      return await doing();
    } catch (error) {
      if (isCancellation(error)) throw error;
      // All attempts failed. The database records the progress, so the next attempt continues from there
      await condition(isTold, AFTER_FAILED_TURN_MS, { summary: "another look" });
      return null;
    }
  };

  let turn: WarmupTurn | null = null;
  while (!isStopped) {
    if (workflowInfo().continueAsNewSuggested && allHandlersFinished()) await continueAsNew<typeof warmup>(ids);
    if (turn === null || isChanged) {
      isChanged = false;
      turn = await tryTurn(() => nextWarmup(ids));
    }
    if (turn === null) continue;
    turn = orSooner(turn, dueAt);
    plan = turn.plan;
    if (turn.kind === "gone") {
      // A signal that arrived meanwhile may have started the warmup again
      if (dueAt < NEVER) isChanged = true;
      if (!isChanged) return "ended";
    } else if (turn.kind === "parked") {
      await condition(isTold);
    } else {
      const { kind, at }: { kind: keyof typeof WAITS_FOR; at: number } = turn;
      const summary = WAITS_FOR[kind];
      const isToldOfSooner = () => isTold() || dueAt < at;
      if (at > Date.now() && (await condition(isToldOfSooner, Math.max(1, at - Date.now()), { summary }))) continue;
      const due: WarmupTurn = turn;
      turn = await tryTurn(() =>
        due.kind === "send" ? warmupSend({ ...ids, mailId: due.mailId }) : doerOf(kind)(ids),
      );
    }
  }
  return "stopped";
}

/** The next action, or an earlier one for emails that are due sooner. */
function orSooner(turn: WarmupTurn, dueAt: number): WarmupTurn {
  if (!("at" in turn) || dueAt >= turn.at) return turn;
  return { kind: "engage", at: dueAt, plan: { ...turn.plan, nextEngagementAt: new Date(dueAt).toISOString() } };
}

function doerOf(kind: keyof typeof WAITS_FOR): (ids: WarmupIds) => Promise<WarmupTurn> {
  return kind === "close" ? closeWarmupDay : warmupEngage;
}

/** Plans the warmup emails of the new day (rules/warmup 2). */
export async function planWarmup(): Promise<{ mails: number }> {
  return planWarmupDay();
}
