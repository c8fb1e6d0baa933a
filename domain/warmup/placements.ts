import type { Board, Writer } from "./board.ts";

/** An opening email with its receiver. Until the plan returns it, it may still move to another receiver. */
export interface Placement {
  writer: Writer;
  to: number;
  number: number;
}

/** The opening emails that the plan has not returned yet, in their order and by receiver. */
export class Placements {
  readonly #board: Board;
  readonly #queue: Placement[] = [];
  readonly #byReceiver: Placement[][];

  constructor(board: Board) {
    this.#board = board;
    this.#byReceiver = board.mailboxes.map(() => []);
  }

  get waiting(): number {
    return this.#queue.length;
  }

  /** The placements that may still move away from a mailbox. */
  at(mailbox: number): readonly Placement[] {
    return this.#byReceiver[mailbox] ?? [];
  }

  place(writer: Writer, to: number): void {
    const placement = { writer, to, number: this.#board.takeNumber(writer.mailbox) };
    this.#board.receive(writer, to, 1);
    this.#byReceiver[to]?.push(placement);
    this.#queue.push(placement);
  }

  move(placement: Placement, to: number): void {
    this.#board.receive(placement.writer, placement.to, -1);
    this.#board.receive(placement.writer, to, 1);
    this.#forget(placement);
    this.#byReceiver[to]?.push(placement);
    placement.to = to;
  }

  handOut(count: number): Placement[] {
    const page = this.#queue.splice(0, count);
    for (const placement of page) this.#forget(placement);
    return page;
  }

  #forget(placement: Placement): void {
    const others = this.#byReceiver[placement.to];
    others?.splice(others.indexOf(placement), 1);
  }
}
