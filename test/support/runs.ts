import { setTimeout as sleep } from "node:timers/promises";
import type { RecipientIds, StepOutcome } from "../../domain/workflow-contract.ts";

/** One look at a recipient, with all its effects; SENT once its mail is out. */
export type Look = (ids: RecipientIds) => Promise<StepOutcome | "SENT">;

type Waits =
  | { kind: "LOOKING" }
  | { kind: "PARKED"; epoch: number }
  | { kind: "HELD" }
  | { kind: "TIMER"; at: number }
  | { kind: "ENDED" };

/** Does in memory, and in real time, what a recipient's workflow does with its looks and signals. */
export class Run {
  readonly ids: RecipientIds;
  waits: Waits = { kind: "LOOKING" };
  readonly done: Promise<void>;
  #openEpoch = 0;
  #isReplanned = false;
  #isStopped = false;
  #wake = () => {};
  readonly #look: Look;

  constructor(ids: RecipientIds, look: Look) {
    this.ids = ids;
    this.#look = look;
    this.done = this.#live();
  }

  signal(signal: "replan" | "resume", epoch = 0): void {
    if (signal === "resume") this.#openEpoch = Math.max(this.#openEpoch, epoch);
    else this.#isReplanned = true;
    this.#wake();
  }

  stop(): Promise<void> {
    this.#isStopped = true;
    this.#wake();
    return this.done;
  }

  async #live(): Promise<void> {
    while (!this.#isStopped) {
      this.#isReplanned = false;
      this.waits = { kind: "LOOKING" };
      const outcome = await this.#look(this.ids);
      if (outcome === "SENT") break;
      if (outcome.kind === "parked") await this.#wait({ kind: "PARKED", epoch: outcome.epoch });
      else if (outcome.kind === "held") await this.#wait({ kind: "HELD" });
      else if (outcome.kind === "replan") await this.#wait({ kind: "TIMER", at: outcome.at });
      else if (!this.#isReplanned) break;
    }
    this.waits = { kind: "ENDED" };
  }

  async #wait(waits: Waits): Promise<void> {
    this.waits = waits;
    const isOver = () =>
      this.#isStopped ||
      this.#isReplanned ||
      (waits.kind === "PARKED" && this.#openEpoch > waits.epoch) ||
      (waits.kind === "TIMER" && waits.at <= Date.now());
    while (!isOver()) {
      const told = new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      await Promise.race([told, ...(waits.kind === "TIMER" ? [sleep(Math.max(1, waits.at - Date.now()))] : [])]);
    }
  }
}

/** The runs of many recipients: an open run gets the signal, an ended one is replaced. Signals come late. */
export class Runs {
  readonly all = new Map<string, Run>();
  readonly #look: Look;
  readonly #lateMs: () => number;
  readonly #late = new Set<Promise<void>>();

  constructor(look: Look, lateMs: () => number) {
    this.#look = look;
    this.#lateMs = lateMs;
  }

  open(ids: RecipientIds): Run {
    const run = new Run(ids, this.#look);
    this.all.set(ids.recipientId, run);
    return run;
  }

  /**
   * Signals as Temporal does: it takes its time, has accepted the signal when this returns, and delivers it later.
   */
  wake = async (ids: RecipientIds, signal: "replan" | "resume", epoch?: number): Promise<void> => {
    await sleep(this.#lateMs());
    const delivered = sleep(this.#lateMs()).then(() => {
      const run = this.all.get(ids.recipientId);
      if (run === undefined || run.waits.kind === "ENDED") this.open(ids);
      else run.signal(signal, epoch);
    });
    this.#late.add(delivered);
    void delivered.then(() => this.#late.delete(delivered));
  };

  /** Ends every run, including those that a late signal would open. */
  async close(): Promise<void> {
    await this.delivered();
    await Promise.all([...this.all.values()].map((run) => run.stop()));
  }

  /** Waits until every signal has been delivered. */
  async delivered(): Promise<void> {
    while (this.#late.size > 0) await Promise.all(this.#late);
  }
}
