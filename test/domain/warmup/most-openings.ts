import type { PlannedMailbox } from "../../../domain/warmup/partners.ts";
import { isAllowed, isWeak, roomOf } from "./plan-rules.ts";

/**
 * How many openings can be planned at most: the maximum flow from what mailboxes open in each pool to what each may
 * receive, where emails of weak ones pass what a mailbox may receive of these as well. For small cases alone.
 */
export function mostOpenings(all: readonly PlannedMailbox[]): number {
  const flow = new Flow();
  for (const to of all) {
    flow.allow(`to ${to.mailboxId}`, "end", roomOf(to).all);
    flow.allow(`weak to ${to.mailboxId}`, `to ${to.mailboxId}`, roomOf(to).fromWeak);
  }
  for (const from of all) {
    for (const { pool, count } of from.openings) {
      const writer = `from ${from.mailboxId} in ${pool}`;
      flow.allow("start", writer, count);
      for (const to of all)
        if (isAllowed(from, to, pool, all))
          flow.allow(writer, `${isWeak(from) ? "weak to" : "to"} ${to.mailboxId}`, count);
    }
  }
  let most = 0;
  while (flow.push("start", "end", new Set())) most++;
  return most;
}

/**
 * Pushes one unit at a time along any way that has room, which may take back what was pushed before (Ford and
 * Fulkerson).
 */
class Flow {
  readonly #room = new Map<string, Map<string, number>>();

  allow(from: string, to: string, count: number): void {
    const ways = this.#waysOf(from);
    ways.set(to, (ways.get(to) ?? 0) + count);
  }

  push(from: string, end: string, seen: Set<string>): boolean {
    if (from === end) return true;
    seen.add(from);
    for (const [to, room] of this.#waysOf(from)) {
      if (room === 0 || seen.has(to) || !this.push(to, end, seen)) continue;
      this.allow(from, to, -1);
      this.allow(to, from, 1);
      return true;
    }
    return false;
  }

  #waysOf(from: string): Map<string, number> {
    const ways = this.#room.get(from) ?? new Map<string, number>();
    this.#room.set(from, ways);
    return ways;
  }
}
