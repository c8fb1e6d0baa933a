import type { Board, Writer } from "./board.ts";

/** An opening that has found its place. Until it is handed out it may still move to another one. */
export interface Draft {
  writer: Writer;
  to: number;
  number: number;
  isHandedOut: boolean;
}

/** The openings of a plan in their order, and by whom they are for. */
export class Drafts {
  readonly #board: Board;
  readonly #waiting: Draft[] = [];
  #handedOut = 0;
  readonly #byReceiver: Draft[][];

  constructor(board: Board) {
    this.#board = board;
    this.#byReceiver = board.mailboxes.map(() => []);
  }

  get waiting(): number {
    return this.#waiting.length - this.#handedOut;
  }

  place(writer: Writer, to: number): void {
    const draft = { writer, to, number: this.#board.takeNumber(writer.mailbox), isHandedOut: false };
    this.#board.receive(writer, to, 1);
    this.#byReceiver[to]?.push(draft);
    this.#waiting.push(draft);
  }

  move(draft: Draft, to: number): void {
    this.#board.receive(draft.writer, draft.to, -1);
    this.#board.receive(draft.writer, to, 1);
    const before = this.#byReceiver[draft.to];
    before?.splice(before.indexOf(draft), 1);
    this.#byReceiver[to]?.push(draft);
    draft.to = to;
  }

  movableTo(mailbox: number): Draft[] {
    return this.#byReceiver[mailbox]?.filter(({ isHandedOut }) => !isHandedOut) ?? [];
  }

  handOut(count: number): Draft[] {
    const page = this.#waiting.slice(this.#handedOut, this.#handedOut + count);
    this.#handedOut += page.length;
    for (const draft of page) draft.isHandedOut = true;
    return page;
  }
}
