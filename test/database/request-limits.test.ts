import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { createRequestLimit } from "../../mongo/rate-limit.ts";
import { startWorld, type World } from "../support/world.ts";

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

test("one process reports what remains, and allows exactly the limit of calls that come together", async () => {
  const [count] = processes("at once");
  const first = await count?.("key");
  expect(first).toMatchObject({ isAllowed: true, remaining: POINTS - 1 });
  const uses = await Promise.all(Array.from({ length: 2 * POINTS }, () => count?.("key")));
  expect(uses.filter((use) => use?.isAllowed)).toHaveLength(POINTS - 1);
  expect((await count?.("another"))?.remaining).toBe(POINTS - 1);
});

test("a process refuses a key whose limit other processes have used up, after it heard of that", async () => {
  const [one, other] = processes("used up");
  expect((await one?.("key"))?.isAllowed).toBe(true);
  for (let use = 1; use < POINTS; use++) expect((await other?.("key"))?.isAllowed).toBe(true);
  await one?.("key");
  await sleep(TOLD_MS);
  expect(await one?.("key")).toMatchObject({ isAllowed: false, remaining: 0 });
});

test("each of two processes hears of the uses that the other counted in memory", async () => {
  const [one, other] = processes("heard");
  await one?.("key");
  for (let use = 0; use < 5; use++) await other?.("key");
  await sleep(TOLD_MS);
  expect((await one?.("key"))?.remaining).toBe(POINTS - 7);
  await one?.("key");
  await sleep(TOLD_MS);
  expect((await other?.("key"))?.remaining).toBe(POINTS - 9);
});
