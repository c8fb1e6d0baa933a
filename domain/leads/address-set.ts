import { hash } from "node:crypto";

/** How many 32-bit words represent an address. In files of a million addresses, two collide once in 10^17 files. */
const WORDS = 3;
const FIRST_SLOTS = 1_024;
/** The table grows when more than this share of its slots is used. */
const FULL = 0.7;

/**
 * A set of addresses that only grows, stored as digests in one table. A million addresses take 25 MB. The texts
 * themselves would take three times as much, and every garbage collection would visit them.
 */
export class AddressSet {
  #slots = FIRST_SLOTS;
  #table = new Uint32Array(FIRST_SLOTS * WORDS);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  has(address: string): boolean {
    const digest = digestOf(address);
    return !isFree(this.#table, this.#placeOf(digest, 0));
  }

  add(address: string): void {
    const digest = digestOf(address);
    const place = this.#placeOf(digest, 0);
    if (!isFree(this.#table, place)) return;
    this.#table.set(digest, place);
    if (++this.#size > this.#slots * FULL) this.#grow();
  }

  /** The slot of a digest, or the free slot for it. If a slot is taken, the next ones are tried in order. */
  #placeOf(digests: Uint32Array, at: number): number {
    const [one, two, three] = [digests[at], digests[at + 1], digests[at + 2]];
    let slot = (one ?? 0) % this.#slots;
    for (;;) {
      const place = slot * WORDS;
      const table = this.#table;
      if (isFree(table, place) || (table[place] === one && table[place + 1] === two && table[place + 2] === three))
        return place;
      slot = (slot + 1) % this.#slots;
    }
  }

  #grow(): void {
    const before = this.#table;
    this.#slots *= 2;
    this.#table = new Uint32Array(this.#slots * WORDS);
    for (let at = 0; at < before.length; at += WORDS) {
      if (!isFree(before, at)) this.#table.set(before.subarray(at, at + WORDS), this.#placeOf(before, at));
    }
  }
}

/** Whether a slot is free. No digest begins with a word of 0. */
function isFree(table: Uint32Array, place: number): boolean {
  return table[place] === 0;
}

function digestOf(address: string): Uint32Array {
  const bytes = hash("sha256", address, "binary"); // as text, because a million small buffers cost more than the hashes
  return Uint32Array.of(wordAt(bytes, 0) || 1, wordAt(bytes, 4), wordAt(bytes, 8));
}

function wordAt(bytes: string, at: number): number {
  return (
    (bytes.charCodeAt(at) |
      (bytes.charCodeAt(at + 1) << 8) |
      (bytes.charCodeAt(at + 2) << 16) |
      (bytes.charCodeAt(at + 3) << 24)) >>>
    0
  );
}
