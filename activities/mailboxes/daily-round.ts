import { Context } from "@temporalio/activity";
import pLimit from "p-limit";

/** Documents that are read at a time. */
export const PAGE = 200;
const AT_ONCE = 10;

/**
 * One part of the daily round. It starts after an id, reports the last id that is done to `tell` and returns how many
 * documents it processed.
 */
export type Leg = (from: string, tell: (after: string) => void) => Promise<number>;

/**
 * Returns a part of the daily round: reads the documents that are due after an id, in the order of their ids, and runs
 * `check` on each.
 */
export function legOf<T extends { _id: string }>(
  due: (after: string) => Promise<T[]>,
  check: (document: T) => Promise<void>,
): Leg {
  return async (from, tell) => {
    const slots = pLimit(AT_ONCE);
    let [after, checked] = [from, 0];
    for (;;) {
      const page = await due(after);
      await Promise.all(page.map((document) => slots(() => check(document))));
      checked += page.length;
      after = page.at(-1)?._id ?? after;
      tell(after);
      if (page.length < PAGE) return checked;
    }
  };
}

/** Runs the parts of the daily round one after another; a retry continues after the last page that was finished. */
export async function runRound(legs: readonly Leg[]): Promise<{ checked: number }> {
  const context = Context.current();
  const begun = roundPositionOf(context.info.heartbeatDetails);
  let checked = 0;
  for (const [number, leg] of legs.entries()) {
    if (number < begun.leg) continue;
    checked += await leg(number === begun.leg ? begun.after : "", (after) => context.heartbeat({ leg: number, after }));
  }
  return { checked };
}

/**
 * Where the previous attempt stopped, from its heartbeat. Older versions had only one part and recorded only the id of
 * their last mailbox.
 */
function roundPositionOf(beat: unknown): { leg: number; after: string } {
  if (typeof beat === "string") return { leg: 0, after: beat };
  if (typeof beat !== "object" || beat === null || !("leg" in beat) || !("after" in beat)) return { leg: 0, after: "" };
  const { leg, after } = beat;
  return typeof leg === "number" && typeof after === "string" ? { leg, after } : { leg: 0, after: "" };
}
