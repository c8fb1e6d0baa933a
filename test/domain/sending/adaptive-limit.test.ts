import { expect, test } from "@jest/globals";
import { type AdaptiveLimit, adjust, SENDS_IN_FLIGHT, START } from "../../../domain/sending/adaptive-limit.ts";
import { randomFrom } from "../../system/killed-worker.ts";

const { least, most } = SENDS_IN_FLIGHT;

/** Plays seconds of sending to the limit: `msAt` says how long a transaction takes with that many sends in flight. */
function play(
  seconds: number,
  msAt: (inFlight: number, second: number) => number | null,
  state: AdaptiveLimit = START,
  mustYield = false,
) {
  const limits: number[] = [];
  let current = state;
  for (let second = 1; second <= seconds; second++) {
    current = adjust(current, { now: second * 1_000, meanMs: msAt(current.limit, second), isFull: true, mustYield });
    limits.push(current.limit);
  }
  return { limits, state: current };
}

test("a quick database is not limited from the first seconds on", () => {
  expect(new Set(play(120, () => 30).limits.slice(7))).toEqual(new Set([most]));
});

test("a database that is slowed down by the sends themselves gets as many as it bears", () => {
  // It works on 20 at once, each for 200 ms; more of them queue
  const { limits } = play(240, (inFlight) => 200 * Math.max(1, (inFlight / 20) ** 2));
  const settled = limits.slice(120);
  expect(Math.max(...settled)).toBeLessThan(45);
  expect(Math.min(...settled)).toBeGreaterThan(12);
});

test("a database that becomes slow whatever is sent is sent less for half a minute, never nothing, and then as much as before", () => {
  const { limits } = play(200, (_, second) => (second < 10 ? 30 : 4_000));
  expect(Math.min(...limits)).toBe(least);
  expect(limits.at(-1)).toBe(most);
});

test("while mail that arrived waits to be read, sends yield, and return to their number afterwards", () => {
  const yielding = play(20, () => 30, START, true);
  expect(yielding.limits.at(-1)).toBe(least);
  expect(play(most, () => 30, yielding.state).limits.at(-1)).toBe(most);
});

test("whatever is measured, in any order, the limit stays between its bounds and never grows by more than five at a time", () => {
  const random = randomFrom(7);
  let state = START;
  for (let second = 1; second < 2_000; second++) {
    const before = state.limit;
    const meanMs = random() < 0.2 ? null : 10 ** (4 * random());
    state = adjust(state, { now: second * 1_000, meanMs, isFull: random() < 0.5, mustYield: random() < 0.1 });
    expect(state.limit).toBeGreaterThanOrEqual(least);
    expect(state.limit).toBeLessThanOrEqual(Math.min(most, before + 5));
  }
});
