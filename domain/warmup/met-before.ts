import { PairCounts } from "./pair-counts.ts";

/**
 * How often two mailboxes met, whoever of them wrote: the conversations opened in the seven days that end with the planned one. What is
 * planned for that day already belongs to it.
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

  /** By what number the pairs know a mailbox. */
  numberOf(mailboxId: string): number {
    const known = this.#numbers.get(mailboxId);
    if (known !== undefined) return known;
    this.#numbers.set(mailboxId, this.#numbers.size);
    return this.#numbers.size - 1;
  }

  /** The counts with their numbers, for a plan that counts on by itself. */
  copyFor(mailboxIds: readonly string[]): { pairs: PairCounts; numbers: number[] } {
    return { pairs: this.#pairs.copy(), numbers: mailboxIds.map((mailboxId) => this.numberOf(mailboxId)) };
  }
}
