import { AsyncLocalStorage } from "node:async_hooks";
import PQueue from "p-queue";
import { AppError } from "../domain/errors.ts";
import { SECOND_MS } from "../domain/time/durations.ts";

/** A read waits behind writes and is refused sooner. Stops need no place (rules/limits 1.10). */
type CallKind = "READ" | "WRITE";

/** How many calls a process works on at once. The rest of its 50 connections to the database is for stops. */
export interface CallPlaces {
  inAll: number;
  ofWorkspace: number;
  /** Milliseconds for which a call waits for a place. */
  waitMs: { READ: number; WRITE: number };
  /** Milliseconds after which a call that has a place is ended. */
  mostMs: number;
}

const CALL_PLACES: CallPlaces = {
  inAll: 40,
  ofWorkspace: 24,
  waitMs: { READ: 2 * SECOND_MS, WRITE: 10 * SECOND_MS },
  mostMs: 45 * SECOND_MS,
};

const PRIORITY = { READ: 0, WRITE: 1, RETURN: 2 };
const RETRY_SECONDS = 2;
const BUSY = "Too many requests are being processed: try again in a few seconds";
const TOO_LONG = "The request took too long and was ended. Part of it may have been done: check before you repeat it";

/**
 * Runs `work` when it has a place, and ends it when it takes too long: then its signal aborts.
 * @throws AppError SERVICE_UNAVAILABLE
 */
export type RunInPlace = <T>(
  workspaceId: string,
  kind: CallKind,
  work: (signal: AbortSignal) => Promise<T>,
) => Promise<T>;

/** Bounds the calls that this process works on at once, in all and of one workspace. */
export function createCallPlaces({ inAll, ofWorkspace, waitMs, mostMs }: CallPlaces = CALL_PLACES): RunInPlace {
  const all = new PQueue({ concurrency: inAll });
  const workspaces = new Map<string, { queue: PQueue; calls: number }>();
  return async (workspaceId, kind, work) => {
    const own = workspaces.get(workspaceId) ?? { queue: new PQueue({ concurrency: ofWorkspace }), calls: 0 };
    workspaces.set(workspaceId, own);
    own.calls++;
    const ending = new AbortController();
    const { signal } = ending;
    const endAfter = (ms: number, message: string) =>
      setTimeout(
        () => ending.abort(new AppError("SERVICE_UNAVAILABLE", message, { retryAfterSeconds: RETRY_SECONDS })),
        ms,
      );
    const ended = Promise.withResolvers<never>();
    ended.promise.catch(() => {}); // A call that has ended does not wait for it
    signal.addEventListener("abort", () => ended.reject(signal.reason));
    let timer = endAfter(waitMs[kind], BUSY);
    const take = (priority: number) => takePlace(own.queue, all, { priority, signal });
    try {
      const place = createPlace(await take(PRIORITY[kind]), () => take(PRIORITY.RETURN));
      clearTimeout(timer);
      timer = endAfter(mostMs, TOO_LONG);
      try {
        return await Promise.race([held.run(place, () => work(signal)), ended.promise]);
      } finally {
        place.end();
      }
    } finally {
      clearTimeout(timer);
      // Calls without a place, which wait for a workflow, come back to this queue
      if (--own.calls === 0) workspaces.delete(workspaceId);
    }
  };
}

type Leave = () => Promise<void>;

/** Waits for a place in both queues. Returns a function that leaves it. @throws the reason of the signal */
async function takePlace(own: PQueue, all: PQueue, options: { priority: number; signal: AbortSignal }): Promise<Leave> {
  const taken = Promise.withResolvers<void>();
  const left = Promise.withResolvers<void>();
  const hold = () => {
    taken.resolve();
    return left.promise;
  };
  const done = own.add(() => all.add(hold, options), options);
  await Promise.race([taken.promise, done]);
  return async () => {
    left.resolve();
    await done.catch(() => {}); // A place that was ended is left already
  };
}

interface Place {
  /** Leaves the place permanently. */
  end(): void;
  waitOutside<T>(wait: () => Promise<T>): Promise<T>;
}

const held = new AsyncLocalStorage<Place>();

/** The place of a call, which is left while anything that the call started waits outside. */
function createPlace(first: Leave, takeAgain: () => Promise<Leave>): Place {
  /** Null while no place is held or taken. */
  let taken: Promise<Leave> | null = Promise.resolve(first);
  let waits = 0;
  let isOver = false;
  /** A place that was requested but not granted yet is left once it is granted. */
  function leave(): void {
    taken?.then(
      (leaveIt) => leaveIt(),
      () => {}, // it was never taken, because the call was ended
    );
    taken = null;
  }
  return {
    end() {
      isOver = true;
      leave();
    },
    async waitOutside(wait) {
      waits++;
      leave();
      try {
        return await wait();
      } finally {
        if (--waits === 0 && !isOver) {
          taken = takeAgain();
          await taken;
        }
      }
    },
  };
}

/**
 * Waits for something outside of the database. Meanwhile another call has the place of the running one, which then
 * takes the next free place (rules/limits 1.10).
 */
export function waitWithoutPlace<T>(wait: () => Promise<T>): Promise<T> {
  const place = held.getStore();
  return place === undefined ? wait() : place.waitOutside(wait);
}
