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

test("with a fast database the limit of concurrent sends is at the maximum after seven seconds", () => {
  expect(new Set(play(120, () => 30).limits.slice(7))).toEqual(new Set([most]));
});

test("with a database that slows down under load, the limit of concurrent sends settles near what the database can handle", () => {
  // It works on 20 at once, each for 200 ms; more of them queue
  const { limits } = play(240, (inFlight) => 200 * Math.max(1, (inFlight / 20) ** 2));
  const settled = limits.slice(120);
  expect(Math.max(...settled)).toBeLessThan(45);
  expect(Math.min(...settled)).toBeGreaterThan(12);
});

test("with a database that is slow at any load, the limit of concurrent sends falls to the minimum and later returns to the maximum", () => {
  const { limits } = play(200, (_, second) => (second < 10 ? 30 : 4_000));
  expect(Math.min(...limits)).toBe(least);
  expect(limits.at(-1)).toBe(most);
});

test("while received emails wait to be read, the limit of concurrent sends falls to the minimum, and afterwards rises to the maximum", () => {
  const yielding = play(20, () => 30, START, true);
  expect(yielding.limits.at(-1)).toBe(least);
  expect(play(most, () => 30, yielding.state).limits.at(-1)).toBe(most);
});

test("the limit of concurrent sends stays within its bounds and grows by at most five at a time, whatever the database measures", () => {
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
