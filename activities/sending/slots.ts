import { COMES_AGAIN, leavesSlot } from "../../domain/sending/yield.ts";
import { MINUTE_MS } from "../../domain/time/durations.ts";

/** Milliseconds within which a send that left its slot comes again. */
const LATEST_MS = 10 * MINUTE_MS;
/** The weight of the latest send in the usual wait of a workspace's sends. */
const WEIGHT = 0.2;
/** More workspaces than this are not remembered; the one that sent longest ago is forgotten first. */
const MOST = 10_000;

/** Reports when a send waits for its mail server. */
export interface ServerWait {
  begins(): void;
  ends(): void;
}

/**
 * The slots of this process for sends. No workspace takes all of them while its mail servers are slow (rules/sending
 * 5.10).
 */
export interface SendSlots {
  /** When to come again (epoch milliseconds), because others need the slot; null when the workspace may have it. */
  leavesUntil(workspaceId: string): number | null;
  /** Runs `send`, which has a slot meanwhile. */
  hold<T>(workspaceId: string, send: (wait: ServerWait) => Promise<T>): Promise<T>;
}

interface Running {
  workspaceId: string;
  /** Since when it waits for its server; null while it does not. */
  since: number | null;
  waitedMs: number;
}

export function createSendSlots(slots: number): SendSlots {
  const running = new Set<Running>();
  const usualWaitMs = new Map<string, number>();
  const lastAt = new Map<string, number>();
  const waitOf = ({ since }: Running) => (since === null ? 0 : performance.now() - since);

  function noteWait({ workspaceId, waitedMs }: Running): void {
    const usual = usualWaitMs.get(workspaceId) ?? waitedMs;
    usualWaitMs.delete(workspaceId);
    usualWaitMs.set(workspaceId, usual + WEIGHT * (waitedMs - usual));
    const [oldest] = usualWaitMs.keys();
    if (usualWaitMs.size > MOST && oldest !== undefined) usualWaitMs.delete(oldest);
  }

  return {
    leavesUntil(workspaceId) {
      const sends = [...running].map((one) => ({ workspaceId: one.workspaceId, waitsMs: waitOf(one) }));
      const why = leavesSlot(workspaceId, sends, slots, usualWaitMs.get(workspaceId) ?? null);
      if (why === null) return null;
      const { afterMs, apartMs } = COMES_AGAIN[why];
      const now = Date.now();
      const at = Math.min(now + LATEST_MS, Math.max(now + afterMs, (lastAt.get(workspaceId) ?? 0) + apartMs));
      lastAt.set(workspaceId, at);
      return at;
    },
    async hold(workspaceId, send) {
      const one: Running = { workspaceId, since: null, waitedMs: 0 };
      const ends = () => {
        one.waitedMs += waitOf(one);
        one.since = null;
      };
      running.add(one);
      try {
        return await send({
          begins: () => {
            one.since ??= performance.now();
          },
          ends,
        });
      } finally {
        ends();
        running.delete(one);
        if (one.waitedMs > 0) noteWait(one);
        if (![...running].some((other) => other.workspaceId === workspaceId)) lastAt.delete(workspaceId);
      }
    },
  };
}
