import { AsyncLocalStorage } from "node:async_hooks";
import { setTimeout as delay } from "node:timers/promises";
import pLimit, { type LimitFunction } from "p-limit";

/**
 * The longest time in milliseconds for which other writes wait, so that an endless series of stops does not block them
 * forever.
 */
const LONGEST_HELD_MS = 1_000;

interface Turn {
  /** The owner of the writes, for example the id of a workspace. */
  owner: string;
  isFirst: boolean;
  /**
   * Whether this code already runs as the current attempt. Work that it does outside of its transaction must not wait
   * for itself.
   */
  hasTurn?: true;
  /** Once it aborts, no further attempt at a transaction begins. */
  signal?: AbortSignal;
}

const turns = new AsyncLocalStorage<Turn>();
const underWay = new Map<string, Set<Promise<unknown>>>();

/** Attempts that have met a conflict. Each owner has one queue for writes with priority, and one for all others. */
const queues = new Map<string, LimitFunction>();

/**
 * Runs `work` with priority over the other writes of its owner. Until it ends, no other transaction of this owner
 * starts a new attempt in this process.
 */
export function goFirst<T>(owner: string, work: () => Promise<T>): Promise<T> {
  const running = turns.run({ owner, isFirst: true }, work);
  const all = underWay.get(owner) ?? new Set();
  underWay.set(owner, all.add(running));
  const removeRunning = () => {
    all.delete(running);
    if (all.size === 0) underWay.delete(owner);
  };
  running.then(removeRunning, removeRunning);
  return running;
}

/**
 * Runs `work` so that its transactions wait for those of `goFirst`. Once `signal` aborts, it begins no further
 * transaction.
 */
export function goBehind<T>(owner: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  return turns.run({ owner, isFirst: false, ...(signal && { signal }) }, work);
}

/**
 * Runs one attempt of a transaction. The first attempt starts immediately. A further attempt waits until the attempts
 * of the same owner that met a conflict earlier have ended. Without this queue, they would conflict again and again
 * while their pauses grow.
 */
export async function inTurn<T>(isFurther: boolean, attempt: () => Promise<T>): Promise<T> {
  const turn = turns.getStore();
  if (!isFurther || turn === undefined || turn.hasTurn === true) return attempt();
  const name = `${turn.isFirst} ${turn.owner}`;
  const queue = queues.get(name) ?? pLimit(1);
  queues.set(name, queue);
  try {
    return await queue(() => turns.run({ ...turn, hasTurn: true }, attempt));
  } finally {
    if (queue.activeCount + queue.pendingCount === 0 && queues.get(name) === queue) queues.delete(name);
  }
}

/** Whether the running code was started by `goFirst` or `goBehind`, so that its attempts are queued by owner. */
export function takesTurns(): boolean {
  return turns.getStore() !== undefined;
}

/** Whether the running code has priority. */
export function isFirst(): boolean {
  return turns.getStore()?.isFirst === true;
}

/**
 * Waits until no work with priority is running, at most a second. A transaction calls it before its first command,
 * while it holds no locks.
 * @throws the reason for which the work was ended
 */
export async function letFirstPass(): Promise<void> {
  const turn = turns.getStore();
  turn?.signal?.throwIfAborted();
  if (turn === undefined || turn.isFirst) return;
  const ending = new AbortController();
  const late = delay(LONGEST_HELD_MS, undefined, { signal: ending.signal }).catch(() => {});
  let isLate = false;
  void late.then(() => {
    isLate = true;
  });
  try {
    for (let all = underWay.get(turn.owner); all !== undefined && !isLate; all = underWay.get(turn.owner)) {
      await Promise.race([Promise.allSettled(all), late]);
    }
  } finally {
    ending.abort();
  }
}
