import { mix } from "./day-hash.ts";

/** A pair of numbers below this one fits into one number that JavaScript holds exactly. */
const SPAN = 2 ** 26;
const FIRST_SLOTS = 1_024;
/** When more than this share of its slots is used, the table grows. */
const FULL = 0.7;
const MOST = 65_535;

/**
 * Counts pairs of numbers; the order within a pair does not matter. The pairs are stored in one table, because a Map of
 * the 1.4 million meetings of 10,000 mailboxes takes ten times as much memory.
 */
export class PairCounts {
  #keys = new Float64Array(FIRST_SLOTS); // no key is 0: the larger of two different numbers is at least 1
  #counts = new Uint16Array(FIRST_SLOTS);
  #size = 0;

  of(one: number, other: number): number {
    const [low, high] = one < other ? [one, other] : [other, one];
    return this.#counts[slotOf(this.#keys, low, high)] ?? 0;
  }

  add(one: number, other: number, by: number): void {
    const [low, high] = one < other ? [one, other] : [other, one];
    const slot = slotOf(this.#keys, low, high);
    this.#counts[slot] = Math.min(MOST, (this.#counts[slot] ?? 0) + by);
    if (this.#keys[slot] !== 0) return;
    this.#keys[slot] = low * SPAN + high;
    if (++this.#size > this.#keys.length * FULL) this.#grow();
  }

  copy(): PairCounts {
    const copy = new PairCounts();
    copy.#keys = this.#keys.slice();
    copy.#counts = this.#counts.slice();
    copy.#size = this.#size;
    return copy;
  }

  #grow(): void {
    const keys = new Float64Array(this.#keys.length * 2);
    const counts = new Uint16Array(keys.length);
    for (const [before, key] of this.#keys.entries()) {
      if (key === 0) continue;
      const slot = slotOf(keys, Math.floor(key / SPAN), key % SPAN);
      keys[slot] = key;
      counts[slot] = this.#counts[before] ?? 0;
    }
    this.#keys = keys;
    this.#counts = counts;
  }
}

/** The slot of a pair, or the free slot for it. Later slots are tried in order. */
function slotOf(keys: Float64Array, low: number, high: number): number {
  const key = low * SPAN + high;
  const mask = keys.length - 1;
  let slot = mix(low, high) & mask;
  while (keys[slot] !== 0 && keys[slot] !== key) slot = (slot + 1) & mask;
  return slot;
}

/**
 * How often two mailboxes met, whichever of them wrote: the number of conversations opened in the seven days up to and
 * including the planned day. Openings planned for that day are included.
 */
export class MetBefore {
  #numbers = new Map<string, number>();
  #pairs = new PairCounts();

  /** Counts one opening. */
  add({ from, to }: { from: string; to: string }): void {
    this.#pairs.add(this.numberOf(from), this.numberOf(to), 1);
  }

  times(one: string, other: string): number {
    return this.#pairs.of(this.numberOf(one), this.numberOf(other));
  }

  /** The number that stands for a mailbox in the pairs. */
  numberOf(mailboxId: string): number {
    const number = this.#numbers.get(mailboxId);
    if (number !== undefined) return number;
    this.#numbers.set(mailboxId, this.#numbers.size);
    return this.#numbers.size - 1;
  }

  /**
   * A copy of the counts and of the mailboxes' numbers, for a plan that counts further meetings without changing the
   * original.
   */
  copyFor(mailboxIds: readonly string[]): { pairs: PairCounts; numbers: number[] } {
    return { pairs: this.#pairs.copy(), numbers: mailboxIds.map((mailboxId) => this.numberOf(mailboxId)) };
  }
}
