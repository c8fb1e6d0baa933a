/** A value is computed again only after ten times as long as computing it took. */
const KEPT = 10;
/** Until thirty times as long, the old value is still returned while the new one is computed. */
const STALE = 30;
const MOST_KEPT = 1_000;

interface Entry<V> {
  workspaceId: string;
  value: V;
  at: number;
  tookMs: number;
}

/**
 * Caches values that are requested often and cost more the more documents there are. A value is kept only in proportion
 * to its cost: for a fraction of a second if computing it takes milliseconds. A value that `isWorth` rejects is
 * computed every time.
 */
export class CostAwareCache<V> {
  private readonly known = new Map<string, Entry<V>>();
  private readonly running = new Map<string, Promise<V>>();
  private readonly isWorth: (value: V) => boolean;

  constructor(isWorth: (value: V) => boolean) {
    this.isWorth = isWorth;
  }

  /** `isCurrent` may report earlier that a value is out of date. */
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

  /** Keeps a value that was computed elsewhere; `at` is the instant of `performance` when that began. */
  keep(workspaceId: string, key: string, value: V, at: number): void {
    this.known.delete(key);
    if (this.isWorth(value)) this.known.set(key, { workspaceId, value, at, tookMs: performance.now() - at });
    const [oldest] = this.known.keys();
    if (this.known.size > MOST_KEPT && oldest !== undefined) this.known.delete(oldest);
  }

  /**
   * Drops the workspace's values after a change by this process, so that the caller who changed them reads new ones.
   */
  forget(workspaceId: string): void {
    for (const [key, { workspaceId: owner }] of this.known) if (owner === workspaceId) this.known.delete(key);
    this.running.clear();
  }

  /**
   * When several callers ask at once, the value is computed once; a computation that began before a change is not kept.
   */
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
