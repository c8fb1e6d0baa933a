import { type AdaptiveLimit, adjust, START } from "../../domain/sending/adaptive-limit.ts";
import { YIELDS_AFTER_MS } from "../../domain/sending/yield.ts";
import { SECOND_MS } from "../../domain/time/durations.ts";
import { sendTransactions } from "../../store/sending/transaction-times.ts";
import { FairQueue } from "../fair-queue.ts";
import type { ServerWait } from "./slots.ts";

/** Milliseconds between two adjustments of the limit. */
const PERIOD_MS = SECOND_MS;

/** Milliseconds between two questions whether email waits to be read. */
const ASKS_EVERY_MS = 5 * SECOND_MS;

/** Milliseconds for which a send waits for its turn before it is held back and leaves its place to others. */
const LONGEST_WAIT_MS = 20_000;

/**
 * Limits how many sends of this process are written, or are between claim and last byte, by how long their transactions
 * take (rules/sending 5.9). Workspaces take turns: a send waits for about as many sends of each other workspace as of
 * its own.
 */
export interface SendTurns {
  /**
   * Runs `send` at its turn. Null: the turn did not come in time, and nothing was done. While the send waits for its
   * mail server it does not count towards the limit, because it costs the database nothing: a server that stalls delays
   * no other mailbox.
   */
  run<T>(workspaceId: string, wait: ServerWait, send: (wait: ServerWait) => Promise<T>): Promise<T | null>;
  /** How many may be in flight now. */
  limit(): number;
}

/** `unreadMs`: how long an arrived email has waited to be read, which has priority over sending. */
export function createSendTurns({ unreadMs }: { unreadMs: () => Promise<number> }): SendTurns {
  let mustYield = false;
  let askedAt = Number.NEGATIVE_INFINITY;

  /** Asks from time to time, and does not wait for the answer. */
  function askForUnread(now: number): void {
    if (now - askedAt < ASKS_EVERY_MS) return;
    askedAt = now;
    unreadMs().then(
      (ms) => {
        mustYield = ms > YIELDS_AFTER_MS;
      },
      () => {},
    );
  }

  let state: AdaptiveLimit = START;
  let adjustedAt = performance.now();
  let isFull = false;
  let atServer = 0;
  const inFlight = new FairQueue(state.limit);

  function keepUp(): void {
    const now = performance.now();
    if (now - adjustedAt < PERIOD_MS) return;
    askForUnread(now);
    state = adjust(state, { now, meanMs: sendTransactions.meanSince(adjustedAt), isFull, mustYield });
    adjustedAt = now;
    isFull = inFlight.isWaitedFor;
    setPlaces();
  }

  function setPlaces(): void {
    inFlight.setConcurrency(state.limit + atServer);
  }

  /** The wait of one send, which also releases its place to others while it waits for its server. */
  function placesDuring({ begins, ends }: ServerWait): ServerWait {
    let isWaiting = false;
    const mark = (waits: boolean) => {
      if (waits === isWaiting) return;
      isWaiting = waits;
      atServer += waits ? 1 : -1;
      setPlaces();
    };
    return {
      begins() {
        begins();
        mark(true);
      },
      ends() {
        ends();
        mark(false);
      },
    };
  }

  return {
    async run(workspaceId, wait, send) {
      keepUp();
      if (inFlight.running - atServer >= state.limit) isFull = true;
      const cameAt = performance.now();
      return inFlight.add(workspaceId, async () => {
        if (performance.now() - cameAt > LONGEST_WAIT_MS) return null;
        const own = placesDuring(wait);
        try {
          return await send(own);
        } finally {
          own.ends();
          keepUp();
        }
      });
    },
    limit: () => state.limit,
  };
}
