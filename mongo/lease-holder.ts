import { type Holder, type LeaseChange, type LeasePlan, type LeaseTable, nextEndMs, planLeases } from "./lease-plan.ts";

/** Milliseconds for which a lease lasts after each renewal. */
export const LEASE_MS = 4_000;
/**
 * Milliseconds by which a process stops before its lease ends by the database's clock. Their clocks may run apart by
 * as much during a lease.
 */
const MARGIN_MS = 500;
const RENEW_MS = 1_000;
/** Milliseconds to wait after the end of another lease, so that it is surely over when it is looked at. */
const AFTER_END_MS = 20;
/** Milliseconds over which processes spread that wait for the end of the same lease. */
const SPREAD_MS = 200;
/** How often a change of the table is tried again at once when another process was faster. */
const MOST_TRIES = 10;
/** Milliseconds to wait after a failed renewal. */
const AGAIN_MS = 500;

/** Reads and writes the one table of leases. */
export interface LeaseStore {
  /** Renews the lease of a holder, or adds the holder. Returns the table after that. */
  renew(id: string, holder: Omit<Holder, "until">): Promise<LeaseTable>;
  /** Applies a change unless the parts or one of these leases have been written meanwhile. Returns whether it did. */
  change(change: LeaseChange): Promise<boolean>;
}

/** The parts that one use works with. */
export interface Hold {
  parts: number[];
  /** Whether the process may still work on these parts. Call it before each effect. */
  isHeld(): boolean;
  /** Whether a part is held, and no other process waits for it. */
  isWanted(part: number): boolean;
  /** Fires when it may not any more. */
  lost: AbortSignal;
}

export interface LeaseHolder {
  /** Renews the lease and changes the table if necessary. Returns the milliseconds until the next call; never throws. */
  renew(): Promise<number>;
  /**
   * Runs `work` with the parts of a kind; null when the process holds none now. They are not given up meanwhile. While
   * a use has lasted longer than `mostMs`, nothing is renewed, so that other processes take over.
   */
  use<T>(kind: string, work: (hold: Hold) => Promise<T>, mostMs?: number): Promise<T> | null;
  /** From now on the process does not take part in this kind of work. The next `renew` gives its parts up. */
  leave(kind: string): void;
  /** How many parts of a kind may be worked on now. */
  count(kind: string): number;
  /** Fires `lost` of the uses whose parts are not held any more. Call it often. */
  endLost(): void;
  /** From now on the process holds nothing and renews nothing. */
  stop(): void;
}

interface Use {
  kind: string;
  parts: number[];
  /** When it has lasted too long, by the clock of this process. */
  dueAt: number;
  ending: AbortController;
}

export interface HolderOptions {
  id: string;
  store: LeaseStore;
  /** How many parts each kind of work has. */
  sizes: Record<string, number>;
  /** The monotonic clock of this process in milliseconds. */
  nowMs(): number;
  /** The level of this process now (`Holder`). */
  level(): number;
  /** A number from 0 up to 1. */
  random(): number;
  onFault(error: unknown): void;
  /** Is called when a use has ended whose parts must be given up. */
  onFreed(): void;
}

/**
 * One process that shares work by parts. The database alone decides which parts a process holds, by its own clock. The
 * process measures its lease with its monotonic clock, from before it asked for the renewal, and stops before it ends.
 */
export function createLeaseHolder(options: HolderOptions): LeaseHolder {
  const { id, store, sizes, nowMs, level, random, onFault } = options;
  const kinds = new Set(Object.keys(sizes));
  const uses = new Set<Use>();
  let held: LeasePlan["held"] = new Map();
  let excess: LeasePlan["excess"] = new Map();
  let seen = new Map<string, { until: number; at: number }>();
  let endsAt = Number.NEGATIVE_INFINITY;
  let quietUntil = Number.NEGATIVE_INFINITY;
  let isProbing = false;
  let isStopped = false;

  const isLeased = () => !isStopped && nowMs() < endsAt;
  const isIn = (parts: LeasePlan["held"], kind: string, part: number) => parts.get(kind)?.has(part) === true;
  const isBusy = (kind: string, part: number) => [...uses].some((use) => use.kind === kind && use.parts.includes(part));
  const usable = (kind: string) =>
    isLeased() ? [...(held.get(kind) ?? [])].filter((part) => !isIn(excess, kind, part)) : [];
  const isHeld = ({ kind, parts }: Use) => isLeased() && parts.every((part) => isIn(held, kind, part));
  const isLate = (askedAt: number) => nowMs() >= askedAt + LEASE_MS - MARGIN_MS;

  function endLost(): void {
    for (const use of uses) if (!isHeld(use)) use.ending.abort(new Error("Another process may do this work now"));
  }

  async function renew(): Promise<number> {
    for (let tries = 0; tries < MOST_TRIES && !isStopped; tries++) {
      if (nowMs() < quietUntil) return quietUntil - nowMs();
      const askedAt = nowMs();
      try {
        const nextMs = await changeTable(askedAt);
        if (nextMs !== null) return nextMs;
      } catch (error) {
        onFault(error);
        if (!isLate(askedAt)) return AGAIN_MS;
        // The database may have renewed a lease that is of no use here. It must end before it can be taken for granted
        quietUntil = nowMs() + LEASE_MS + MARGIN_MS;
        isProbing = true;
      }
    }
    return AFTER_END_MS;
  }

  /** Returns the milliseconds until the next renewal; null when it must be repeated soon. */
  async function changeTable(askedAt: number): Promise<number | null> {
    if ([...uses].some(({ dueAt }) => dueAt < askedAt)) throw new Error("Work has lasted too long to renew its lease");
    // A process whose answers come too late for a lease takes no part until one comes in time
    const table = await store.renew(id, { kinds: isProbing ? [] : [...kinds], level: level() });
    if (isLate(askedAt)) throw new Error("The answer came after the end of the lease");
    if (isProbing) {
      isProbing = false;
      return null;
    }
    noteLeases(table);
    const plan = planLeases(table, id, { sizes, isBusy, isOver: (other) => isOverdue(other, askedAt) });
    // What is about to be given up or taken may not be used until the table says so
    held = stillHeld(table, plan);
    excess = plan.excess;
    endsAt = askedAt + LEASE_MS - MARGIN_MS;
    endLost();
    if (!plan.isChanged) {
      const endMs = Math.max(0, nextEndMs(table, id)) + AFTER_END_MS + SPREAD_MS * random();
      return Math.min(RENEW_MS, endMs);
    }
    if (!(await store.change(plan))) return null;
    held = plan.held;
    return RENEW_MS;
  }

  /** Notes when each lease of the table was first seen, because the database's clock may be set back. */
  function noteLeases({ holders }: LeaseTable): void {
    const leases = Object.entries(holders).map(([holder, { until: end }]) => {
      const [known, until] = [seen.get(holder), end.getTime()];
      return [holder, known?.until === until ? known : { until, at: nowMs() }] as const;
    });
    seen = new Map(leases);
  }

  function isOverdue(holder: string, askedAt: number): boolean {
    return askedAt >= (seen.get(holder)?.at ?? askedAt) + LEASE_MS + MARGIN_MS;
  }

  /** The parts that the table gives this process, without those that the plan gives up. */
  function stillHeld({ parts }: LeaseTable, plan: LeasePlan): LeasePlan["held"] {
    const kept = ([kind, planned]: [string, Set<number>]) =>
      [kind, new Set([...planned].filter((part) => parts[kind]?.[part] === id))] as const;
    return new Map([...plan.held].map(kept));
  }

  async function run<T>(use: Use, work: (hold: Hold) => Promise<T>): Promise<T> {
    uses.add(use);
    try {
      return await work({
        parts: use.parts,
        isHeld: () => isHeld(use),
        isWanted: (part) => isHeld(use) && !isIn(excess, use.kind, part),
        lost: use.ending.signal,
      });
    } finally {
      uses.delete(use);
      if (use.parts.some((part) => isIn(excess, use.kind, part))) options.onFreed();
    }
  }

  return {
    renew,
    endLost,
    use(kind, work, mostMs = Number.POSITIVE_INFINITY) {
      const parts = usable(kind);
      const dueAt = nowMs() + mostMs;
      return parts.length === 0 ? null : run({ kind, parts, dueAt, ending: new AbortController() }, work);
    },
    leave(kind) {
      kinds.delete(kind);
      excess.set(kind, held.get(kind) ?? new Set());
    },
    count: (kind) => usable(kind).length,
    stop() {
      isStopped = true;
      endLost();
    },
  };
}
