/**
 * A set of open positions among 0 to size - 1, stored as a Fenwick tree. With 10,000 positions, it takes about fourteen
 * steps to count the open positions before one, or to find the open position with a given rank.
 */
export class OpenSet {
  readonly size: number;
  readonly #sums: Int32Array;
  readonly #isOpen: Uint8Array;
  readonly #top: number;

  constructor(size: number) {
    this.size = size;
    this.#sums = new Int32Array(size + 1);
    this.#isOpen = new Uint8Array(size);
    this.#top = size === 0 ? 0 : 2 ** Math.floor(Math.log2(size));
  }

  set(place: number, isOpen: boolean): void {
    if (this.#isOpen[place] === Number(isOpen)) return;
    this.#isOpen[place] = Number(isOpen);
    const by = isOpen ? 1 : -1;
    for (let at = place + 1; at <= this.size; at += at & -at) this.#sums[at] = (this.#sums[at] ?? 0) + by;
  }

  countBefore(place: number): number {
    let count = 0;
    for (let at = place; at > 0; at -= at & -at) count += this.#sums[at] ?? 0;
    return count;
  }

  /** The open position that has `rank` open positions before it. */
  placeOf(rank: number): number {
    let place = 0;
    let left = rank;
    for (let step = this.#top; step > 0; step >>= 1) {
      const sum = place + step <= this.size ? (this.#sums[place + step] ?? 0) : Number.POSITIVE_INFINITY;
      if (sum > left) continue;
      place += step;
      left -= sum;
    }
    return place;
  }
}
