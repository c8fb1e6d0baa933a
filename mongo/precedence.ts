import { AsyncLocalStorage } from "node:async_hooks";
import { setTimeout as delay } from "node:timers/promises";

/** Milliseconds for which an attempt is held, so that an endless row of stops holds no other write for good. */
const LONGEST_HELD_MS = 1_000;

interface Turn {
  /** Whose writes these are, such as the id of a workspace. */
  owner: string;
  isFirst: boolean;
}

const turns = new AsyncLocalStorage<Turn | null>();
const underWay = new Map<string, Set<Promise<unknown>>>();

/**
 * Runs `work` before the other writes of its owner: in this process no transaction of theirs makes a new attempt meanwhile, and the
 * transactions of `work` are retried without the growing pauses of the others (`inTransaction`).
 */
export function goFirst<T>(owner: string, work: () => Promise<T>): Promise<T> {
  const running = turns.run({ owner, isFirst: true }, work);
  const all = underWay.get(owner) ?? new Set();
  underWay.set(owner, all.add(running));
  const leave = () => {
    all.delete(running);
    if (all.size === 0) underWay.delete(owner);
  };
  running.then(leave, leave);
  return running;
}

/** Runs `work` so that its transactions let those of `goFirst` pass. */
export function goBehind<T>(owner: string, work: () => Promise<T>): Promise<T> {
  return turns.run({ owner, isFirst: false }, work);
}

/** Runs `work` as if it stood alone: it neither goes first nor waits. */
export function goApart<T>(work: () => Promise<T>): Promise<T> {
  return turns.run(null, work);
}

/** Whether what runs goes first. */
export function isFirst(): boolean {
  return turns.getStore()?.isFirst === true;
}

/** Waits until nothing goes first any more, at most a second. A transaction calls it before its first command, while it holds nothing. */
export async function letFirstPass(): Promise<void> {
  const turn = turns.getStore() ?? null;
  if (turn === null || turn.isFirst) return;
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
