import type { Board, Writer } from "./board.ts";
import { mix } from "./day-hash.ts";
import type { OpenSet } from "./open-set.ts";

/** How many candidates are examined for one email. */
const LOOKS = 32;
/** How often a pair may meet in seven days while other partners are free. */
const MEETINGS = 2;

/**
 * Coarse steps that rank how far a mailbox is behind in receiving, and finer steps that break ties between otherwise
 * equal candidates.
 */
const STEPS = 4;
const FINE_STEPS = 64;
const MOST_TIMES = 63;
const TIE_BITS = 20;

interface Choice {
  mailbox: number;
  score: number;
}

/**
 * The receiver of an email, in the order of rules/warmup 2.5; null when no one may receive it. Members that have
 * received less than they send come first, then those that may receive more. From each of the two groups, 32 members
 * are examined, spread over the whole pool. Only if all of them have met the writer too often, the rest of the pool is
 * searched for a member that has not. This happens only in a small pool, or if the writer has met most of the pool, so
 * the search is short.
 */
export function choosePartner(board: Board, writer: Writer, seed: number): number | null {
  const { behind, open } = writer.pool;
  const sets = [behind[writer.kind], open[writer.kind]];
  let best: Choice | null = null;
  let seenAll = true;
  for (const set of sets) {
    const { choice, isWhole } = bestAmong(board, writer, set, seed, LOOKS);
    if (choice !== null && (best === null || choice.score < best.score)) best = choice;
    if (best !== null && isFresh(best)) return best.mailbox;
    seenAll &&= isWhole;
  }
  if (!seenAll) best = bestAmong(board, writer, open[writer.kind], seed, Number.POSITIVE_INFINITY).choice;
  return best?.mailbox ?? null;
}

/** The best of at most `looks` open members, evenly spread over those that the writer may write to. */
function bestAmong(board: Board, writer: Writer, set: OpenSet | undefined, seed: number, looks: number) {
  const nobody: { choice: Choice | null; isWhole: boolean } = { choice: null, isWhole: true };
  if (set === undefined) return nobody;
  const bans = writer.bans.map(({ from, to }) => {
    const before = set.countBefore(from);
    return { before, count: set.countBefore(to) - before };
  });
  const total = set.countBefore(set.size) - bans.reduce((sum, { count }) => sum + count, 0);
  const count = Math.min(total, looks);
  const first = mix(seed, 1) % Math.max(1, total);
  let choice: Choice | null = null;
  for (let look = 0; look < count; look++) {
    let rank = (first + Math.floor((look * total) / count)) % total;
    for (const ban of bans) if (rank >= ban.before) rank += ban.count;
    const mailbox = writer.pool.roster.members[set.placeOf(rank)] ?? 0;
    const score = scoreOf(board, writer, mailbox, seed);
    if (choice === null || score < choice.score) choice = { mailbox, score };
  }
  return { choice, isWhole: count === total };
}

/**
 * The score of a possible receiver; lower is better. Each line of the sum counts more than all lines after it together.
 */
function scoreOf(board: Board, writer: Writer, to: number, seed: number): number {
  const times = board.times(writer.mailbox, to);
  const received = board.received[to] ?? 0;
  const share = board.shares[to] ?? 0;
  const isBehind = received < share;
  const fullness = received / (isBehind ? share : (board.limits[to] ?? 1));
  const isAlike = board.mailboxes[writer.mailbox]?.provider === board.mailboxes[to]?.provider;
  let score = Number(times >= MEETINGS);
  score = score * 2 + Number(!isBehind);
  score = score * (MOST_TIMES + 1) + (times >= MEETINGS ? Math.min(MOST_TIMES, times) : 0);
  score = score * STEPS + Math.floor(fullness * STEPS);
  score = score * 2 + Number(isAlike);
  score = score * (MOST_TIMES + 1) + Math.min(MOST_TIMES, times);
  score = score * FINE_STEPS + Math.floor(fullness * FINE_STEPS);
  return score * 2 ** TIE_BITS + (mix(seed, board.seeds[to] ?? 0) >>> (32 - TIE_BITS));
}

/** Whether the two have met less often than a pair may while others are free. */
function isFresh({ score }: Choice): boolean {
  return score < FRESH_BELOW;
}

/** The lowest score that the first line of `scoreOf` gives to a pair that has met too often. */
const FRESH_BELOW = 2 * (MOST_TIMES + 1) * STEPS * 2 * (MOST_TIMES + 1) * FINE_STEPS * 2 ** TIE_BITS;
