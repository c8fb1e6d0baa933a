import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { createRequestLimit } from "../../mongo/rate-limit.ts";
import { startWorld, type World } from "../support/world.ts";
import { randomFrom } from "../system/killed-worker.ts";

const POINTS = 50;
/** Longer than a process waits until it tells the others. */
const TOLD_MS = 800;

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

/** The counters of three processes. */
const processes = (name: string) => Array.from({ length: 3 }, () => createRequestLimit(name, POINTS, 600));

test("three processes that tell each other in time allow exactly the limit together, in any order", async () => {
  const random = randomFrom(20_261_130);
  const counts = processes("told");
  let allowed = 0;
  let used = 0;
  while (used < 1.4 * POINTS) {
    // So few that the limit is not reached before the others hear of them
    for (let left = Math.floor(1 + random() * 9); left > 0; left--, used++) {
      const use = await counts[Math.floor(random() * counts.length)]?.("key");
      if (allowed < POINTS) expect(use?.isAllowed).toBe(true);
      if (use?.isAllowed) allowed++;
    }
    await sleep(TOLD_MS);
  }
  expect(allowed).toBe(POINTS);
});
