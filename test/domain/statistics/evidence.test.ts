import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { type Drawn, evidenceFor, neededEvidence } from "../../../domain/statistics/evidence.ts";

const drawn = fc.record({
  isFirst: fc.boolean(),
  share: fc.double({ min: 0.01, max: 0.99, noNaN: true }),
  weight: fc.double({ min: 0.01, max: 10, noNaN: true }),
  count: fc.integer({ min: 1, max: 20 }),
});

test("between equal groups the next hit does not change the expected stake, whatever the earlier hits and the draw shares", () => {
  fc.assert(
    fc.property(fc.array(drawn, { maxLength: 8 }), drawn, (before, next) => {
      const stake = (more: Drawn) => Math.exp(evidenceFor([...before, more]) - evidenceFor(before));
      const one = { ...next, count: 1 };
      const mean = next.share * stake({ ...one, isFirst: true }) + (1 - next.share) * stake({ ...one, isFirst: false });
      expect(mean).toBeCloseTo(1, 9);
    }),
  );
});

test("evidence starts at zero, and hits counted together give the same evidence as hits counted one by one", () => {
  expect(evidenceFor([])).toBeCloseTo(0, 12);
  const each = { isFirst: true, share: 0.3, weight: 1, count: 1 };
  expect(evidenceFor(Array.from({ length: 7 }, () => each))).toBeCloseTo(evidenceFor([{ ...each, count: 7 }]), 12);
});

test("evidence for one group is not evidence for the other group, and a smaller accepted error needs more evidence", () => {
  const counts = (first: number, second: number) => [
    { isFirst: true, share: 0.5, weight: 1, count: first },
    { isFirst: false, share: 0.5, weight: 1, count: second },
  ];
  expect(evidenceFor(counts(80, 40))).toBeGreaterThan(neededEvidence(0.025));
  expect(evidenceFor(counts(40, 80))).toBeLessThan(0);
  expect(neededEvidence(0.01)).toBeGreaterThan(neededEvidence(0.05));
});
