import { mix, seedOf } from "./day-hash.ts";
import { OpenSet } from "./open-set.ts";
import type { MetBefore, PairCounts } from "./pair-counts.ts";
import {
  isAcrossWorkspaces,
  isFitFor,
  isWeak,
  KINDS,
  kindOf,
  type PartnerKind,
  type PlannedMailbox,
  receiveLimitOf,
  weakLimitOf,
} from "./partners.ts";
import { type Block, Roster } from "./roster.ts";

/**
 * A warmup pool while a day is planned. It records, for each kind of writer, which members may still receive an email.
 */
export interface Pool {
  name: string;
  roster: Roster;
  /**
   * By the writer's kind: the members that may receive more, and the members that have received less than they send.
   */
  open: readonly OpenSet[];
  behind: readonly OpenSet[];
}

/** A mailbox in one pool, with the conversations that it still has to open there. */
export interface Writer {
  mailbox: number;
  kind: PartnerKind;
  pool: Pool;
  count: number;
  bans: readonly Block[];
  /** A number that decides between equally good receivers for this writer on this day. */
  seed: number;
}

/** The state of planning a day, by mailbox number. It changes with each opening email that gets a receiver. */
export class Board {
  readonly mailboxes: readonly PlannedMailbox[];
  readonly writers: readonly Writer[];
  readonly seeds: Uint32Array;
  /**
   * `limits`: how many emails each mailbox may receive. The second array: how many it receives if every mailbox
   * receives as many as it sends.
   */
  readonly limits: Int32Array;
  readonly shares: Int32Array;
  readonly received: Int32Array;
  readonly receivedFromWeak: Int32Array;
  readonly weakLimits: Int32Array;
  /** The next number of each mailbox's openings. */
  readonly #next: Int32Array;
  readonly #kinds: readonly (PartnerKind | null)[];
  readonly #pairs: PairCounts;
  readonly #metNumbers: readonly number[];
  /** The positions of each mailbox in its pools, and what the pools' sets currently contain for it. */
  readonly #places: readonly { pool: Pool; place: number }[][];
  readonly #marks: Uint8Array;

  constructor(day: string, mailboxes: readonly PlannedMailbox[], met: MetBefore) {
    const daySeed = seedOf(day);
    const numbersOf = (value: (mailbox: PlannedMailbox) => number) => Int32Array.from(mailboxes, value);
    this.mailboxes = mailboxes;
    this.#kinds = mailboxes.map(kindOf);
    this.seeds = Uint32Array.from(mailboxes, ({ mailboxId }) => mix(daySeed, seedOf(mailboxId)));
    this.limits = numbersOf(({ target }) => receiveLimitOf(target));
    this.weakLimits = this.limits.map(weakLimitOf);
    this.shares = numbersOf(({ target, planned, openings }) =>
      Math.min(
        receiveLimitOf(target),
        openings.reduce((sum, { count }) => sum + count, planned),
      ),
    );
    this.received = numbersOf(({ received }) => received);
    this.receivedFromWeak = numbersOf(({ receivedFromWeak }) => receivedFromWeak);
    this.#next = numbersOf(({ planned }) => planned);
    const { pairs, numbers } = met.copyFor(mailboxes.map(({ mailboxId }) => mailboxId));
    this.#pairs = pairs;
    this.#metNumbers = numbers;
    this.#places = mailboxes.map(() => []);
    this.#marks = new Uint8Array(mailboxes.length);
    const pools = this.#openPools(daySeed);
    this.writers = mailboxes.flatMap((_, number) => this.#writersOf(number, pools));
    for (const number of mailboxes.keys()) this.#mark(number);
  }

  times(one: number, other: number): number {
    return this.#pairs.of(this.#metNumbers[one] ?? 0, this.#metNumbers[other] ?? 0);
  }

  /** A number that decides between equally good receivers of a writer's next email. */
  seedOfNext({ mailbox, seed }: Writer): number {
    return mix(seed, this.#next[mailbox] ?? 0);
  }

  takeNumber(mailbox: number): number {
    const number = this.#next[mailbox] ?? 0;
    this.#next[mailbox] = number + 1;
    return number;
  }

  /** Counts one opening email to a mailbox; with -1, removes one that goes to another mailbox instead. */
  receive(writer: Writer, to: number, by: 1 | -1): void {
    this.received[to] = (this.received[to] ?? 0) + by;
    if (isWeak(writer.kind)) this.receivedFromWeak[to] = (this.receivedFromWeak[to] ?? 0) + by;
    this.#pairs.add(this.#metNumbers[writer.mailbox] ?? 0, this.#metNumbers[to] ?? 0, by);
    this.#mark(to);
  }

  isFit(writer: Writer, to: number): boolean {
    const kind = this.#kinds[to];
    return kind !== null && kind !== undefined && isFitFor(writer.kind, kind);
  }

  isFullOfWeak(mailbox: number): boolean {
    return (this.receivedFromWeak[mailbox] ?? 0) >= (this.weakLimits[mailbox] ?? 0);
  }

  #openPools(daySeed: number): Map<string, Pool> {
    const members = new Map<string, number[]>();
    for (const [number, { pools }] of this.mailboxes.entries()) {
      if (this.#kinds[number] === null || this.limits[number] === 0) continue;
      for (const pool of new Set(pools)) {
        const numbers = members.get(pool);
        if (numbers === undefined) members.set(pool, [number]);
        else numbers.push(number);
      }
    }
    return new Map([...members].map(([name, numbers]) => [name, this.#openPool(name, numbers, daySeed)]));
  }

  #openPool(name: string, members: readonly number[], daySeed: number): Pool {
    const roster = new Roster(this.mailboxes, members, isAcrossWorkspaces(name, this.mailboxes), daySeed);
    const setsOf = () => KINDS.map(() => new OpenSet(members.length));
    const pool = { name, roster, open: setsOf(), behind: setsOf() };
    for (const [place, number] of roster.members.entries()) this.#places[number]?.push({ pool, place });
    return pool;
  }

  #writersOf(mailbox: number, pools: Map<string, Pool>): Writer[] {
    const [planned, kind, seed] = [this.mailboxes[mailbox], this.#kinds[mailbox], this.seeds[mailbox]];
    if (planned === undefined || kind === null || kind === undefined || seed === undefined) return [];
    return planned.openings.flatMap(({ pool: name, count }) => {
      const pool = planned.pools.includes(name) ? pools.get(name) : undefined;
      return pool === undefined || count <= 0
        ? []
        : [{ mailbox, kind, pool, count, bans: pool.roster.bansOf(planned), seed }];
    });
  }

  /** Updates in the pools of a mailbox which writers may still write to it: two bits for each kind of writer. */
  #mark(mailbox: number): void {
    const kind = this.#kinds[mailbox];
    if (kind === null || kind === undefined) return;
    const received = this.received[mailbox] ?? 0;
    let marks = 0;
    for (const writer of KINDS) {
      const isOpen =
        received < (this.limits[mailbox] ?? 0) &&
        isFitFor(writer, kind) &&
        !(isWeak(writer) && this.isFullOfWeak(mailbox));
      if (isOpen) marks |= received < (this.shares[mailbox] ?? 0) ? 3 << (2 * writer) : 1 << (2 * writer);
    }
    if (marks === this.#marks[mailbox]) return;
    this.#marks[mailbox] = marks;
    for (const { pool, place } of this.#places[mailbox] ?? []) {
      for (const writer of KINDS) {
        pool.open[writer]?.set(place, (marks & (1 << (2 * writer))) !== 0);
        pool.behind[writer]?.set(place, (marks & (2 << (2 * writer))) !== 0);
      }
    }
  }
}
