import { Board, type Writer } from "./board.ts";
import { choosePartner } from "./choose-partner.ts";
import { RoomMaker } from "./make-room.ts";
import type { MetBefore } from "./met-before.ts";
import { KINDS, type PlannedMailbox } from "./partners.ts";
import { type Placement, Placements } from "./placements.ts";

export interface PlannedOpening {
  from: string;
  to: string;
  /** Counts the openings of its sender on this day, from 0, over all pools. */
  number: number;
  pool: string;
}

export interface PlanOptions {
  /** Openings in a page. */
  pageSize?: number;
  /** Openings that are held back before the first page, so that they may still move to make room for others. */
  heldBack?: number;
}

const PAGE_SIZE = 500;
const HELD_BACK = 5_000;

/**
 * Who opens a conversation with whom on a UTC day (rules/warmup 2), in pages, none of them empty. It plans what `openings` ask for: the day of
 * everybody, or the rest of the day of some, while all others are there with none. The same input gives the same plan, in whatever order the
 * mailboxes come. An opening that finds no partner is left out; whether there could be one at all is told by `hasPartner`.
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
  return page.map(({ writer, to, number }) => ({ from: idOf(writer.mailbox), to: idOf(to), number, pool: writer.pool.name }));
}

/**
 * The writer of each mail in turn. Who may write to the fewest comes first: weak mailboxes before those in WATCH before all others, since they
 * need partners that the others can do without. Within a kind the mails of each are spread evenly over all rounds, so that everybody has its
 * mails in the same measure when there is not room for all.
 */
function* takeTurns({ writers, mailboxes }: Board): Generator<Writer> {
  const partners = new Map(writers.map((writer) => [writer, countPartners(writer)]));
  const idOf = ({ mailbox }: Writer) => mailboxes[mailbox]?.mailboxId ?? "";
  const inOrder = writers.toSorted(
    (one, other) => (partners.get(one) ?? 0) - (partners.get(other) ?? 0) || one.seed - other.seed || (idOf(one) < idOf(other) ? -1 : 1),
  );
  for (const kind of KINDS.toReversed()) {
    const turns = inOrder.filter((writer) => writer.kind === kind);
    const rounds = turns.reduce((most, { count }) => Math.max(most, count), 0);
    for (let round = 0; round < rounds; round++) {
      for (const writer of turns) {
        const dueBy = (end: number) => Math.floor((end * writer.count + (writer.seed % rounds)) / rounds);
        if (dueBy(round + 1) > dueBy(round)) yield writer; // never two at once: nobody has more mails than there are rounds
      }
    }
  }
}

function countPartners({ pool, bans }: Writer): number {
  return pool.roster.members.length - bans.reduce((sum, { from, to }) => sum + to - from, 0);
}
