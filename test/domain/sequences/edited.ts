import { expect } from "@jest/globals";
import fc from "fast-check";
import type { Facts } from "../../../domain/sequences/conditions.ts";
import { courseOf, followerOf, type HadStep, routeFrom } from "../../../domain/sequences/graph.ts";
import { NO_DELAY, NO_WINNER, type Step } from "../../../domain/sequences/sequence.ts";

export function step(stepId: string, conditions: Record<string, unknown>[] = [], more: Partial<Step> = {}): Step {
  const base: Omit<Step, "stepId" | "conditions"> = {
    order: 1,
    type: "EMAIL",
    delay: NO_DELAY,
    threadMode: "NEW_THREAD",
    config: {},
    variants: [],
    winner: NO_WINNER,
  };
  return { stepId, ...base, conditions, ...more };
}

/** A recipient who was sent `a` at 0; `events` are what happened to that mail, by type. */
export function facts(
  now: number,
  events: Partial<Record<"OPENED" | "CLICKED" | "REPLIED", number>> = {},
  more: Partial<Facts> = {},
): Facts {
  const firstAt: Facts["firstAt"] = (event, stepId) => (stepId === "a" ? (events[event] ?? null) : null);
  return {
    recipientId: "rcp_1",
    lead: {},
    sentAt: new Map([["a", 0]]),
    lastMailId: "a",
    firstAt,
    category: null,
    now,
    ...more,
  };
}

/** One edit of a running sequence: its steps in another order, some of them removed, some new ones between them. */
const edit = fc.record({
  ranks: fc.array(fc.nat(99), { minLength: 12, maxLength: 12 }),
  removed: fc.array(fc.nat(11), { maxLength: 2 }),
  added: fc.nat(2),
});

/** Draws random courses of edits and emails, each beside a model. */
export function editWhileMailsGoOut(numRuns: number): void {
  fc.assert(
    fc.property(fc.array(fc.option(edit), { minLength: 1, maxLength: 12 }), (edits) => {
      let ids = ["a", "b", "c", "d"];
      let names = 0;
      const known: HadStep[] = [];
      let foretold: string[] = [];
      for (let at = 0; ; at++) {
        const change = edits[at];
        if (change != null) {
          const left = ids.filter((_, index) => !change.removed.includes(index));
          const all = [...left, ...Array.from({ length: change.added }, () => `new${names++}`)].slice(0, 12);
          ids = all
            .map((id, index) => ({ id, rank: change.ranks[index] ?? 0 }))
            .sort((one, other) => one.rank - other.rank)
            .map(({ id }) => id);
        }
        if (change != null || at === 0) {
          const { surely, perhaps } = courseOf(
            ids.map((id) => step(id)),
            known,
          );
          expect(perhaps).toEqual([]);
          foretold = surely;
        }
        // The model: only the list and the steps that were had
        const owed = ids.filter((id) => !known.some(({ stepId }) => stepId === id));
        const steps = ids.map((id) => step(id));
        const route = routeFrom(steps, known, facts(0));
        expect(route.kind === "STEP" ? route.step.stepId : null).toBe(owed[0] ?? null);
        expect(followerOf(steps, known)?.stepId ?? null).toBe(owed[0] ?? null);
        expect(foretold.shift() ?? null).toBe(owed[0] ?? null);
        if (owed[0] === undefined) {
          if (at >= edits.length) return;
          continue;
        }
        known.push({ stepId: owed[0], at });
      }
    }),
    { numRuns },
  );
}
