/** A value is made anew not before ten times as long as making it took. */
const KEPT = 10;
/** Until then the old one is answered once more, while the new one is made. */
const STALE = 30;
const MOST_KEPT = 1_000;

interface Entry<V> {
  workspaceId: string;
  value: V;
  at: number;
  tookMs: number;
}

/**
 * Values that are asked for again and again and cost more the more documents there are, kept for as long as that is worth it: a
 * fraction of a second where making them takes milliseconds. What `isWorth` refuses is made every time.
 */
export class Kept<V> {
  private readonly known = new Map<string, Entry<V>>();
  private readonly running = new Map<string, Promise<V>>();
  private readonly isWorth: (value: V) => boolean;

  constructor(isWorth: (value: V) => boolean) {
    this.isWorth = isWorth;
  }

  /** `isCurrent` may tell sooner that a value is of no use any more. */
  async of(workspaceId: string, key: string, make: () => Promise<V>, isCurrent = async (_value: V) => true): Promise<V> {
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

  /** Keeps a value that was made elsewhere, begun at an instant of `performance`. */
  keep(workspaceId: string, key: string, value: V, at: number): void {
    this.known.delete(key);
    if (this.isWorth(value)) this.known.set(key, { workspaceId, value, at, tookMs: performance.now() - at });
    const [oldest] = this.known.keys();
    if (this.known.size > MOST_KEPT && oldest !== undefined) this.known.delete(oldest);
  }

  /** Something of the workspace was changed here: who changed it reads the new values. */
  forget(workspaceId: string): void {
    for (const [key, { workspaceId: owner }] of this.known) if (owner === workspaceId) this.known.delete(key);
    this.running.clear();
  }

  /** Asked for by several at once, it is made once; what was begun before a change is not kept. */
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
