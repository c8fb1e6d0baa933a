import { type Holder, type LeasePlan, type LeaseTable, nextEndMs, planLeases } from "./lease-plan.ts";

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
/** How often a change of the table is tried again at once when another process was faster. */
const MOST_TRIES = 10;

/** Reads and writes the one table of leases. */
export interface LeaseStore {
  /** Renews the lease of a holder, or adds the holder. Returns the table after that. */
  renew(id: string, holder: Omit<Holder, "until">): Promise<LeaseTable>;
  /** Replaces holders and parts unless the table has been written since that version. Returns whether it did. */
  replace(version: number, table: Pick<LeaseTable, "holders" | "parts">): Promise<boolean>;
}

/** The parts that one use works with. */
export interface Hold {
  parts: number[];
  /** Whether the process may still work on these parts. Call it before each effect. */
  isHeld(): boolean;
  /** Fires when it may not any more. */
  lost: AbortSignal;
}

export interface LeaseHolder {
  /** Renews the lease and changes the table if necessary. Returns the milliseconds until the next call. */
  renew(): Promise<number>;
  /** Runs `work` with the parts of a kind; null when the process holds none now. They are not given up meanwhile. */
  use<T>(kind: string, work: (hold: Hold) => Promise<T>): Promise<T> | null;
  /** From now on the process does not take part in this kind of work. The next `renew` gives its parts up. */
  leave(kind: string): void;
  /** How many parts of a kind may be worked on now. */
  count(kind: string): number;
  /** Fires `lost` of the uses whose parts are not held any more. */
  endLost(): void;
  /** Milliseconds after which nothing may be worked on without another renewal. */
  leftMs(): number;
}

interface Use {
  kind: string;
  parts: number[];
  ending: AbortController;
}

export interface HolderOptions {
  id: string;
  store: LeaseStore;
  /** How many parts each kind of work has. */
  sizes: Record<string, number>;
  /** The monotonic clock of this process in milliseconds. */
  nowMs(): number;
  process: string | null;
  isGone(holder: Holder): boolean;
  /** Is called when a use has ended whose parts must be given up. */
  onFreed(): void;
}

/**
 * One process that shares work by parts. The database alone decides which parts a process holds, by its own clock. The
 * process measures its lease with its monotonic clock, from before it asked for the renewal, and stops before it ends.
 */
export function createLeaseHolder(options: HolderOptions): LeaseHolder {
  const { id, store, sizes, nowMs, isGone } = options;
  const kinds = new Set(Object.keys(sizes));
  const uses = new Set<Use>();
  let held: LeasePlan["held"] = new Map();
  let excess: LeasePlan["excess"] = new Map();
  let endsAt = Number.NEGATIVE_INFINITY;

  const isIn = (parts: LeasePlan["held"], kind: string, part: number) => parts.get(kind)?.has(part) === true;
  const isBusy = (kind: string, part: number) => [...uses].some((use) => use.kind === kind && use.parts.includes(part));
  const usable = (kind: string) =>
    nowMs() < endsAt ? [...(held.get(kind) ?? [])].filter((part) => !isIn(excess, kind, part)) : [];
  const isHeld = ({ kind, parts }: Use) => nowMs() < endsAt && parts.every((part) => isIn(held, kind, part));

  function endLost(): void {
    for (const use of uses) if (!isHeld(use)) use.ending.abort(new Error("Another process may do this work now"));
  }

  async function renew(): Promise<number> {
    for (let tries = 0; tries < MOST_TRIES; tries++) {
      const askedAt = nowMs();
      const table = await store.renew(id, { kinds: [...kinds], process: options.process });
      const plan = planLeases(table, id, { sizes, isBusy, isGone });
      // What is about to be given up or taken may not be used until the table says so
      held = stillHeld(table, plan);
      excess = plan.excess;
      endsAt = askedAt + LEASE_MS - MARGIN_MS;
      endLost();
      if (!plan.isChanged) return Math.min(RENEW_MS, Math.max(0, nextEndMs(table, id)) + AFTER_END_MS);
      if (await store.replace(table.version, plan)) {
        held = plan.held;
        return RENEW_MS;
      }
    }
    return AFTER_END_MS;
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
      return await work({ parts: use.parts, isHeld: () => isHeld(use), lost: use.ending.signal });
    } finally {
      uses.delete(use);
      if (use.parts.some((part) => isIn(excess, use.kind, part))) options.onFreed();
    }
  }

  return {
    renew,
    endLost,
    use(kind, work) {
      const parts = usable(kind);
      return parts.length === 0 ? null : run({ kind, parts, ending: new AbortController() }, work);
    },
    leave(kind) {
      kinds.delete(kind);
      excess.set(kind, held.get(kind) ?? new Set());
    },
    count: (kind) => usable(kind).length,
    leftMs: () => Math.max(0, endsAt - nowMs()),
  };
}
