import type { Board, Writer } from "./board.ts";
import { choosePartner } from "./choose-partner.ts";
import { mix } from "./day-hash.ts";
import { isWeak } from "./partners.ts";
import type { Placement, Placements } from "./placements.ts";

/** Looks that a whole plan may spend on making room, which is some tenths of a second. Beyond them a mail without a place stays without one. */
const MOST_LOOKS = 5_000_000;

/** Of a chain of moves: whose mail looks for a place, which of its placements would move there, and for whom it would leave its own. */
interface Link {
  writer: Writer;
  placement: Placement | null;
  next: Link | null;
}

/**
 * Makes room for a mail when nobody to whom it may go can receive more: what was placed with one of them moves to somebody else, for which
 * another placement may have to move in turn. If there is any such chain, one is found (it is the search for an augmenting path of a flow), so
 * that no mail goes without a place that could have one, but for what was handed out. A mailbox from which no chain leads on never has one later.
 */
export class RoomMaker {
  readonly #board: Board;
  readonly #placements: Placements;
  readonly #hopeless = new Marks();
  #looks = 0;

  constructor(board: Board, placements: Placements) {
    this.#board = board;
    this.#placements = placements;
  }

  /** Whether the mail has its place now. */
  place(writer: Writer): boolean {
    const found = this.#search(writer);
    if (found === null) return false;
    let { link, to } = found;
    while (link.placement !== null && link.next !== null) {
      const freed = link.placement.to;
      this.#placements.move(link.placement, to);
      [link, to] = [link.next, freed];
    }
    this.#placements.place(writer, to);
    return true;
  }

  #search(writer: Writer): { link: Link; to: number } | null {
    const queue: Link[] = [{ writer, placement: null, next: null }];
    const writers = new Set([writer]);
    const seen = new Marks();
    for (const link of queue) {
      for (const mailbox of this.#receiversOf(link.writer)) {
        if (++this.#looks > MOST_LOOKS) return null;
        const which = isWeak(link.writer.kind) && this.#board.isFullOfWeak(mailbox) ? "fromWeak" : "all";
        if (this.#hopeless[which].has(mailbox) || seen[which].has(mailbox)) continue;
        seen[which].add(mailbox);
        for (const placement of this.#placements.at(mailbox)) {
          if (writers.has(placement.writer) || (which === "fromWeak" && !isWeak(placement.writer.kind))) continue;
          writers.add(placement.writer);
          const next: Link = { writer: placement.writer, placement, next: link };
          const to = choosePartner(this.#board, placement.writer, mix(placement.writer.seed, placement.number));
          if (to !== null) return { link: next, to };
          queue.push(next);
        }
      }
    }
    this.#hopeless.add(seen);
    return null;
  }

  /** To whom a writer may write, however much they have received. */
  *#receiversOf(writer: Writer): Generator<number> {
    const { members } = writer.pool.roster;
    let place = 0;
    for (const ban of [...writer.bans, { from: members.length, to: members.length }]) {
      for (; place < ban.from; place++) {
        const mailbox = members[place];
        if (mailbox !== undefined && this.#board.isFit(writer, mailbox)) yield mailbox;
      }
      place = ban.to;
    }
  }
}

/** Mailboxes from which a placement would have to move away: any, or one of a weak writer where the mailbox has enough of these alone. */
class Marks {
  readonly all = new Set<number>();
  readonly fromWeak = new Set<number>();

  add({ all, fromWeak }: Marks): void {
    for (const mailbox of all) this.all.add(mailbox);
    for (const mailbox of fromWeak) this.fromWeak.add(mailbox);
  }
}
