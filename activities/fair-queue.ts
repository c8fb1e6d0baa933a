import PQueue from "p-queue";

/**
 * Runs work of many workspaces, of which only so much at once. Workspaces take turns: work waits for about as much of
 * each other workspace as of its own.
 */
export class FairQueue {
  readonly #queue: PQueue;
  /** How much work of each workspace waits. */
  readonly #waiting = new Map<string, number>();

  constructor(concurrency: number) {
    this.#queue = new PQueue({ concurrency });
  }

  /** How many are running. */
  get running(): number {
    return this.#queue.pending;
  }

  get isWaitedFor(): boolean {
    return this.#queue.size > 0;
  }

  setConcurrency(concurrency: number): void {
    if (this.#queue.concurrency !== concurrency) this.#queue.concurrency = concurrency;
  }

  add<T>(workspaceId: string, work: () => Promise<T>): Promise<T> {
    const ahead = this.#waiting.get(workspaceId) ?? 0;
    this.#waiting.set(workspaceId, ahead + 1);
    const inTurn = () => {
      const waiting = (this.#waiting.get(workspaceId) ?? 0) - 1;
      if (waiting === 0) this.#waiting.delete(workspaceId);
      else this.#waiting.set(workspaceId, waiting);
      return work();
    };
    return this.#queue.add(inTurn, { priority: -ahead });
  }
}
