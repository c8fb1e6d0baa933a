import PQueue, { type Queue, type QueueAddOptions, type RunFunction as Run } from "p-queue";

interface Options extends QueueAddOptions {
  workspaceId: string;
}

/** Hands out the oldest work of each workspace in turn, in the way that p-queue asks its queues. */
class Turns implements Queue<Run, Options> {
  /** The work that waits. The workspace whose turn is next comes first. */
  readonly #waiting = new Map<string, Run[]>();
  size = 0;

  enqueue(run: Run, { workspaceId = "" }: Partial<Options> = {}): void {
    const own = this.#waiting.get(workspaceId);
    if (own === undefined) this.#waiting.set(workspaceId, [run]);
    else own.push(run);
    this.size++;
  }

  dequeue(): Run | undefined {
    const [next] = this.#waiting;
    if (next === undefined) return undefined;
    const [workspaceId, own] = next;
    const run = own.shift();
    this.#waiting.delete(workspaceId);
    if (own.length > 0) this.#waiting.set(workspaceId, own);
    this.size--;
    return run;
  }

  filter({ workspaceId = "" }: Readonly<Partial<Options>>): Run[] {
    return [...(this.#waiting.get(workspaceId) ?? [])];
  }

  setPriority(): void {
    throw new Error("Work has no priority here");
  }

  remove(): void {
    throw new Error("Work that waits cannot be withdrawn");
  }
}

/** Runs work of many workspaces, of which only so much at once. Workspaces take turns. */
export class FairQueue {
  readonly #queue: PQueue<Turns, Options>;

  constructor(concurrency: number) {
    this.#queue = new PQueue({ concurrency, queueClass: Turns });
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
    return this.#queue.add(work, { workspaceId });
  }
}
