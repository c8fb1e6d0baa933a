import { createLeaseHolder, type Hold, LEASE_MS, type LeaseHolder, type LeaseStore } from "../../mongo/lease-holder.ts";
import type { Holder, LeaseChange, LeaseTable } from "../../mongo/lease-plan.ts";

export const SIZES = { outbox: 8, settler: 1, purger: 1 };
/** Every part of every kind. */
export const PARTS = Object.entries(SIZES).flatMap(([kind, size]) =>
  Array.from({ length: size }, (_, part) => ({ kind, part })),
);

type Random = () => number;

/** How disturbed the processes and their network are. */
export interface Weather {
  /** The longest way of a request or an answer in milliseconds. */
  longestMs: number;
  /** The share of requests and of answers that are lost. */
  lost: number;
  /** The share of ways that take up to two leases. */
  slow: number;
  /** How long a process uses parts at most. */
  longestUseMs: number;
  /** Milliseconds by which the answers to one process are late. */
  lateAnswers?: { id: string; ms: number };
}

export const CALM: Weather = { longestMs: 50, lost: 0, slow: 0, longestUseMs: 200 };
export const STORM: Weather = { longestMs: 400, lost: 0.1, slow: 0.05, longestUseMs: 9_000 };

/** Time that passes only from event to event. */
export class VirtualTime {
  now = 0;
  readonly #events: { at: number; run(): void }[] = [];

  after(ms: number, run: () => void): void {
    const at = this.now + Math.max(0, ms);
    const place = this.#events.findIndex((event) => event.at > at);
    this.#events.splice(place === -1 ? this.#events.length : place, 0, { at, run });
  }

  /** Lets time pass up to an instant. Everything that an event leads to happens before the next one. */
  async runUntil(end: number, afterEach: () => void): Promise<void> {
    for (let next = this.#events[0]; next !== undefined && next.at <= end; next = this.#events[0]) {
      this.#events.shift();
      this.now = next.at;
      next.run();
      await new Promise((resolve) => setImmediate(resolve));
      afterEach();
    }
    this.now = end;
    afterEach();
  }
}

/** The one table, changed as the database changes it, with a clock of its own. */
export class SimulatedTable {
  table: LeaseTable = { version: 0, at: new Date(0), holders: {}, parts: {} };
  readonly #nowMs: () => number;

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  renew(id: string, holder: Omit<Holder, "until">): LeaseTable {
    const now = this.#nowMs();
    const renewed = { ...holder, until: new Date(now + LEASE_MS) };
    this.table = { ...this.table, at: new Date(now), holders: { ...this.table.holders, [id]: renewed } };
    return structuredClone(this.table);
  }

  change({ version, parts, removed, ends }: LeaseChange): boolean {
    const { holders } = this.table;
    const isSame = ([id, until]: [string, Date]) => holders[id]?.until.getTime() === until.getTime();
    if (this.table.version !== version || !Object.entries(ends).every(isSame)) return false;
    const left = Object.fromEntries(Object.entries(holders).filter(([id]) => !removed.includes(id)));
    this.table = structuredClone({ ...this.table, version: version + 1, holders: left, parts });
    return true;
  }
}

interface Surroundings {
  time: VirtualTime;
  table: SimulatedTable;
  random: Random;
  weather: () => Weather;
  sizes?: Record<string, number>;
}

/** One process: its clock runs too fast or too slow, it can be paused and killed, and it uses its parts. */
export class SimulatedProcess {
  readonly id: string;
  readonly holder: LeaseHolder;
  isAlive = true;
  readonly #time: VirtualTime;
  readonly #table: SimulatedTable;
  readonly #random: Random;
  readonly #weather: () => Weather;
  readonly #kinds: string[];
  readonly #rate: number;
  readonly #offset: number;
  readonly #holds = new Set<{ kind: string; hold: Hold }>();
  #pausedUntil = 0;
  #leaving = false;
  #renewing = false;
  #again = false;

  constructor(id: string, { time, table, random, weather, sizes = SIZES }: Surroundings) {
    this.id = id;
    this.#kinds = Object.keys(sizes);
    this.#time = time;
    this.#table = table;
    this.#random = random;
    this.#weather = weather;
    this.#rate = random() < 0.5 ? 0.96 : 1.04;
    this.#offset = 1e6 * random();
    this.holder = createLeaseHolder({
      id,
      store: this.#store(),
      sizes,
      nowMs: () => this.#offset + this.#rate * time.now,
      level: () => 0,
      random,
      onFault: () => {},
      onFreed: () => this.#renew(),
    });
    this.#renew();
    for (const kind of this.#kinds) this.#useAgain(kind);
  }

  kill(): void {
    this.isAlive = false;
  }

  pause(ms: number): void {
    this.#pausedUntil = Math.max(this.#pausedUntil, this.#time.now + ms);
  }

  /** Ends in order: its uses end first. */
  leave(): void {
    this.#leaving = true;
    for (const kind of this.#kinds) this.holder.leave(kind);
    this.#renew();
  }

  /** Whether the process would now work on a part, by its own knowledge. */
  mayWork(kind: string, part: number): boolean {
    if (!this.isAlive) return false;
    let usable: number[] = [];
    void this.holder.use(kind, async ({ parts }) => {
      usable = parts;
    });
    const uses = [...this.#holds].some(
      (use) => use.kind === kind && use.hold.parts.includes(part) && use.hold.isHeld(),
    );
    return usable.includes(part) || uses;
  }

  /** Something of this process happens after a while; later if it is paused then, and never once it is dead. */
  #after(ms: number, run: () => void): void {
    this.#time.after(ms, () => {
      if (!this.isAlive) return;
      if (this.#pausedUntil > this.#time.now) this.#after(this.#pausedUntil - this.#time.now, run);
      else run();
    });
  }

  #renew(): void {
    if (this.#renewing) {
      this.#again = true;
      return;
    }
    this.#renewing = true;
    void this.holder.renew().then((nextMs) => {
      this.#renewing = false;
      if (this.#again) {
        this.#again = false;
        this.#renew();
      } else if (!(this.#leaving && this.#table.table.holders[this.id] === undefined)) {
        this.#after(nextMs / this.#rate, () => this.#renew());
      }
    });
  }

  #useAgain(kind: string): void {
    this.#after(300 * this.#random(), () => {
      const work = this.#leaving ? null : this.holder.use(kind, (hold) => this.#work(kind, hold));
      if (work === null) this.#useAgain(kind);
      else void work.then(() => this.#useAgain(kind));
    });
  }

  async #work(kind: string, hold: Hold): Promise<void> {
    const use = { kind, hold };
    this.#holds.add(use);
    await new Promise<void>((resolve) => this.#after(this.#weather().longestUseMs * this.#random(), resolve));
    this.#holds.delete(use);
  }

  /**
   * Requests reach the table although the process may be dead by then, or wait no more; answers may be lost.
   */
  #store(): LeaseStore {
    const call = <T>(apply: () => T): Promise<T> =>
      new Promise((resolve, reject) => {
        const { lost, lateAnswers } = this.#weather();
        const lateMs = lateAnswers?.id === this.id ? lateAnswers.ms : 0;
        this.#after(LEASE_MS / this.#rate, () => reject(new Error("No answer")));
        if (this.#random() < lost) return;
        this.#time.after(this.#way(), () => {
          const answer = apply();
          if (this.#random() >= lost) this.#after(this.#way() + lateMs, () => resolve(answer));
        });
      });
    return {
      renew: (id, holder) => call(() => this.#table.renew(id, holder)),
      change: (change) => call(() => this.#table.change(change)),
    };
  }

  #way(): number {
    const { slow, longestMs } = this.#weather();
    return this.#random() * (this.#random() < slow ? 2 * LEASE_MS : longestMs);
  }
}
