import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { BANDS } from "../../../domain/mailboxes/band.ts";
import { hasPartner, type PlannedMailbox } from "../../../domain/warmup/partners.ts";
import { mostOpenings } from "./most-openings.ts";
import {
  afterPlan,
  breachesOf,
  isAllowed,
  type Meeting,
  mailbox,
  needlessMeetings,
  planOf,
  SHARED,
} from "./plan-rules.ts";

/**
 * Few mailboxes of few domains and workspaces, so that every rule bites; whether they have planned and received before
 * is up to `more`.
 */
function pools(workspaces: number, atMost: number): fc.Arbitrary<PlannedMailbox[]> {
  const one = fc.record({
    workspace: fc.integer({ min: 1, max: workspaces }),
    organisation: fc.constantFrom("a.test", "b.test", "c.test", "d.test", "e.test"),
    provider: fc.constantFrom("PROVIDERA" as const, "PROVIDERB" as const, "SMTP" as const),
    band: fc.oneof(
      { weight: 3, arbitrary: fc.constant("HEALTHY" as const) },
      { weight: 2, arbitrary: fc.constantFrom(...BANDS) },
    ),
    target: fc.integer({ min: 0, max: 8 }),
    inShared: fc.integer({ min: 0, max: 6 }),
    inOwn: fc.integer({ min: -2, max: 4 }),
    planned: fc.integer({ min: 0, max: 2 }),
    received: fc.integer({ min: 0, max: 3 }),
    receivedFromWeak: fc.integer({ min: 0, max: 1 }),
  });
  return fc.array(one, { minLength: 1, maxLength: atMost }).map((lines) =>
    lines.map(({ workspace, inShared, inOwn, ...line }, index) => {
      const own = `wpl_${workspace}`;
      const openings = [{ pool: SHARED, count: inShared }, ...(inOwn > 0 ? [{ pool: own, count: inOwn }] : [])];
      const inPools = inOwn < 0 ? [SHARED] : [SHARED, own];
      return mailbox(`mbx_${index}`, {
        ...line,
        workspaceId: `wsp_${workspace}`,
        openings: line.target === 0 ? [] : openings,
        pools: inPools,
      });
    }),
  );
}

const ids = fc.integer({ min: 0, max: 7 }).map((index) => `mbx_${index}`);
const meetings: fc.Arbitrary<Meeting[]> = fc.array(
  fc.record({ from: ids, to: ids }).filter(({ from, to }) => from !== to),
  { maxLength: 30 },
);
const some = fc.oneof(pools(3, 8), pools(1, 8), pools(5, 40));

test("a warmup plan has no forbidden pair, no mailbox above the receiving limit, and each opening number once and in order", () => {
  fc.assert(
    fc.property(some, meetings, (all, met) => {
      expect(breachesOf(planOf(all, met), all)).toEqual([]);
    }),
    { numRuns: 400 },
  );
});

test("a warmup plan has the maximum possible number of openings", () => {
  fc.assert(
    fc.property(some, meetings, (all, met) => {
      expect(planOf(all, met)).toHaveLength(mostOpenings(all));
    }),
    { numRuns: 400 },
  );
});

test("no pair meets a third time in seven days while the sender has another possible partner", () => {
  fc.assert(
    fc.property(some, meetings, (all, met) => {
      expect(needlessMeetings(planOf(all, met), all, met)).toEqual([]);
    }),
    { numRuns: 400 },
  );
});

test("a warmup plan does not depend on the order of the mailboxes and of earlier meetings", () => {
  fc.assert(
    fc.property(some, meetings, fc.integer({ min: 0, max: 40 }), (all, met, turn) => {
      const turned = [...all.slice(turn), ...all.slice(0, turn)].toReversed();
      expect(planOf(turned, met.toReversed())).toEqual(planOf(all, met));
    }),
  );
});

test("two warmup plans in succession keep the rules of a single plan, and a third plan adds nothing", () => {
  fc.assert(
    fc.property(some, meetings, fc.integer({ min: 0, max: 100 }), (all, met, percent) => {
      const first = planOf(all, met);
      const kept = first.slice(0, Math.floor((first.length * percent) / 100));
      const then = all.map((one) => afterPlan(one, kept, all));
      const second = planOf(then, [...met, ...kept]);
      expect(breachesOf(second, then)).toEqual([]);
      expect(breachesOf([...kept, ...second], all)).toEqual([]);
      const whole = then.map((one) => ({ ...afterPlan(one, second, then), openings: [] }));
      expect(planOf(whole, [...met, ...kept, ...second])).toEqual([]);
    }),
  );
});

test("a warmup plan that holds back no openings keeps every rule too", () => {
  fc.assert(
    fc.property(some, meetings, (all, met) => {
      expect(breachesOf(planOf(all, met, 0), all)).toEqual([]);
    }),
  );
});

test("a mailbox has a partner exactly if some allowed mailbox exists on a day when both have emails to send", () => {
  fc.assert(
    fc.property(some, (all) => {
      const busy = all.map((one) => ({ ...one, target: 5 }));
      for (const [index, one] of all.entries()) {
        const same = busy[index] ?? one;
        const partners = busy.filter((other) => one.pools.some((pool) => isAllowed(same, other, pool, busy)));
        expect(hasPartner(one, all)).toBe(partners.length > 0);
      }
    }),
  );
});
