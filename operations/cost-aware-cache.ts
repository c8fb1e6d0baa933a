/** A cached value is fresh for this many times its computing time. */
const KEPT = 10;
/** Up to this many times its computing time, an old value is still returned while a new one is computed. */
const STALE = 30;
const MOST_KEPT = 1_000;

interface Entry<V> {
  workspaceId: string;
  value: V;
  at: number;
  tookMs: number;
}

/**
 * Caches values that are requested often and whose cost grows with the number of documents. A value is cached in
 * proportion to its computing time: one that takes milliseconds stays for a fraction of a second. Values that `isWorth`
 * rejects are never cached.
 */
export class CostAwareCache<V> {
  private readonly known = new Map<string, Entry<V>>();
  private readonly running = new Map<string, Promise<V>>();
  private readonly isWorth: (value: V) => boolean;

  constructor(isWorth: (value: V) => boolean) {
    this.isWorth = isWorth;
  }

  /** Returns the value, cached or computed. `isCurrent` can report that a cached value is outdated already. */
  async of(
    workspaceId: string,
    key: string,
    make: () => Promise<V>,
    isCurrent = async (_value: V) => true,
  ): Promise<V> {
    const entry = this.known.get(key);
    if (entry === undefined) return this.made(workspaceId, key, make);
    const age = performance.now() - entry.at;
    if (age > STALE * entry.tookMs || !(await isCurrent(entry.value))) return this.made(workspaceId, key, make);
    if (age > KEPT * entry.tookMs) this.made(workspaceId, key, make).catch(() => this.known.delete(key));
    return entry.value;
  }

  get(key: string): V | null {
    return this.known.get(key)?.value ?? null;
  }

  /** Caches a value that was computed elsewhere; `at` is the `performance` time at which that began. */
  keep(workspaceId: string, key: string, value: V, at: number): void {
    this.known.delete(key);
    if (this.isWorth(value)) this.known.set(key, { workspaceId, value, at, tookMs: performance.now() - at });
    const [oldest] = this.known.keys();
    if (this.known.size > MOST_KEPT && oldest !== undefined) this.known.delete(oldest);
  }

  /**
   * Drops the workspace's values after a change by this process, so that the caller who made the change reads new ones.
   */
  forget(workspaceId: string): void {
    for (const [key, { workspaceId: owner }] of this.known) if (owner === workspaceId) this.known.delete(key);
    this.running.clear();
  }

  /** Computes a value once for concurrent callers. A value whose computation began before a change is not cached. */
  private made(workspaceId: string, key: string, make: () => Promise<V>): Promise<V> {
    const under = this.running.get(key);
    if (under !== undefined) return under;
    const at = performance.now();
    const isLast = () => this.running.get(key) === making;
    const making: Promise<V> = make()
      .then((value) => {
        if (isLast()) this.keep(workspaceId, key, value, at);
        return value;
      })
      .finally(() => {
        if (isLast()) this.running.delete(key);
      });
    this.running.set(key, making);
    return making;
  }
}
