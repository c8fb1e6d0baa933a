import { Board, type Writer } from "./board.ts";
import { choosePartner } from "./choose-partner.ts";
import { mix } from "./day-hash.ts";
import type { MetBefore } from "./pair-counts.ts";
import { isWeak, KINDS, type PlannedMailbox } from "./partners.ts";
import { type Placement, Placements } from "./placements.ts";

export interface PlannedOpening {
  from: string;
  to: string;
  /** The number of this opening among its sender's openings of the day, from 0, over all pools. */
  number: number;
  pool: string;
}

export interface PlanOptions {
  /** How many openings a page has. */
  pageSize?: number;
  /**
   * How many openings are kept before the first page is returned, so that they can still move to other receivers and
   * make room for others.
   */
  heldBack?: number;
}

const PAGE_SIZE = 500;
const HELD_BACK = 5_000;

/**
 * Who opens a conversation with whom on a UTC day (rules/warmup 2), in pages, none of them empty. It plans the
 * `openings` of each mailbox: the whole day of all mailboxes, or the rest of the day of some mailboxes, if all others
 * have no openings. The same input gives the same plan, whatever the order of the mailboxes. An opening that finds no
 * partner is left out; `hasPartner` says whether there could be one at all.
 */
export function* planOpenings(
  day: string,
  mailboxes: readonly PlannedMailbox[],
  met: MetBefore,
  { pageSize = PAGE_SIZE, heldBack = HELD_BACK }: PlanOptions = {},
): Generator<PlannedOpening[]> {
  const board = new Board(day, mailboxes, met);
  const placements = new Placements(board);
  const room = new RoomMaker(board, placements);
  const stuck = new Set<Writer>();
  for (const writer of takeTurns(board)) {
    if (stuck.has(writer)) continue;
    const to = choosePartner(board, writer, board.seedOfNext(writer));
    if (to !== null) placements.place(writer, to);
    else if (!room.place(writer)) stuck.add(writer);
    if (placements.waiting >= heldBack + pageSize) yield pageOf(board, placements.handOut(pageSize));
  }
  while (placements.waiting > 0) yield pageOf(board, placements.handOut(pageSize));
}

function pageOf({ mailboxes }: Board, page: readonly Placement[]): PlannedOpening[] {
  const idOf = (mailbox: number) => mailboxes[mailbox]?.mailboxId ?? "";
  return page.map(({ writer, to, number }) => ({
    from: idOf(writer.mailbox),
    to: idOf(to),
    number,
    pool: writer.pool.name,
  }));
}

/**
 * The writer of each email in turn. Writers with the fewest possible receivers come first: weak mailboxes before those
 * in WATCH before all others, because they need partners that the others can do without. Within a kind the emails of
 * each writer are spread evenly over all rounds, so that each writer gets the same share of its emails if there are not
 * enough receivers for all.
 */
function* takeTurns({ writers, mailboxes }: Board): Generator<Writer> {
  const partners = new Map(writers.map((writer) => [writer, countPartners(writer)]));
  const idOf = ({ mailbox }: Writer) => mailboxes[mailbox]?.mailboxId ?? "";
  const inOrder = writers.toSorted(
    (one, other) =>
      (partners.get(one) ?? 0) - (partners.get(other) ?? 0) ||
      one.seed - other.seed ||
      (idOf(one) < idOf(other) ? -1 : 1),
  );
  for (const kind of KINDS.toReversed()) {
    const turns = inOrder.filter((writer) => writer.kind === kind);
    const rounds = turns.reduce((most, { count }) => Math.max(most, count), 0);
    for (let round = 0; round < rounds; round++) {
      for (const writer of turns) {
        const dueBy = (end: number) => Math.floor((end * writer.count + (writer.seed % rounds)) / rounds);
        if (dueBy(round + 1) > dueBy(round)) yield writer; // no writer has more emails than rounds
      }
    }
  }
}

function countPartners({ pool, bans }: Writer): number {
  return pool.roster.members.length - bans.reduce((sum, { from, to }) => sum + to - from, 0);
}

/**
 * How many placements a whole plan may examine to make room, which takes some tenths of a second. After that, no more
 * room is made, and an email without a receiver is left out.
 */
const MOST_LOOKS = 5_000_000;

/**
 * One move in a chain: the writer whose email needs a partner, the placement that would move, and the mailbox that
 * would receive the moved email.
 */
interface Link {
  writer: Writer;
  placement: Placement | null;
  next: Link | null;
}

/**
 * Makes room for an email when none of its possible receivers can receive more. An email planned for one of them moves
 * to another receiver, for which another email may have to move in turn. Such a chain is always found if it exists (the
 * search for an augmenting path of a flow). So an email has no receiver only if that is unavoidable, or because of
 * emails that the plan has already returned. A mailbox without such a chain will not have one later either.
 */
class RoomMaker {
  readonly #board: Board;
  readonly #placements: Placements;
  readonly #hopeless = new Marks();
  #looks = 0;

  constructor(board: Board, placements: Placements) {
    this.#board = board;
    this.#placements = placements;
  }

  /** Tries to find a receiver for an email, and returns whether it has one. */
  place(writer: Writer): boolean {
    const found = this.#search(writer);
    if (found === null) return false;
    let { link, to } = found;
    while (link.placement !== null && link.next !== null) {
      const freedMailbox = link.placement.to;
      this.#placements.move(link.placement, to);
      [link, to] = [link.next, freedMailbox];
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

  /** The mailboxes that a writer may write to, however much they have received. */
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

/**
 * The mailboxes that must give up an email to make room: any email, or one of a weak writer if the mailbox has reached
 * only its limit for those.
 */
class Marks {
  readonly all = new Set<number>();
  readonly fromWeak = new Set<number>();

  add({ all, fromWeak }: Marks): void {
    for (const mailbox of all) this.all.add(mailbox);
    for (const mailbox of fromWeak) this.fromWeak.add(mailbox);
  }
}
