import type { Board, Writer } from "./board.ts";

/** An opening that has found its place. Until it is handed out it may still move to another one. */
export interface Placement {
  writer: Writer;
  to: number;
  number: number;
  isHandedOut: boolean;
}

/** The openings of a plan, in their order and by who receives them. */
export class Placements {
  readonly #board: Board;
  readonly #waiting: Placement[] = [];
  #handedOut = 0;
  readonly #byReceiver: Placement[][];

  constructor(board: Board) {
    this.#board = board;
    this.#byReceiver = board.mailboxes.map(() => []);
  }

  get waiting(): number {
    return this.#waiting.length - this.#handedOut;
  }

  place(writer: Writer, to: number): void {
    const placement = { writer, to, number: this.#board.takeNumber(writer.mailbox), isHandedOut: false };
    this.#board.receive(writer, to, 1);
    this.#byReceiver[to]?.push(placement);
    this.#waiting.push(placement);
  }

  move(placement: Placement, to: number): void {
    this.#board.receive(placement.writer, placement.to, -1);
    this.#board.receive(placement.writer, to, 1);
    const before = this.#byReceiver[placement.to];
    before?.splice(before.indexOf(placement), 1);
    this.#byReceiver[to]?.push(placement);
    placement.to = to;
  }

  movableTo(mailbox: number): Placement[] {
    return this.#byReceiver[mailbox]?.filter(({ isHandedOut }) => !isHandedOut) ?? [];
  }

  handOut(count: number): Placement[] {
    const page = this.#waiting.slice(this.#handedOut, this.#handedOut + count);
    this.#handedOut += page.length;
    for (const placement of page) placement.isHandedOut = true;
    return page;
  }
}
