import { expect, test } from "@jest/globals";
import { CostAwareCache } from "../../operations/cost-aware-cache.ts";

/** Counts how often the value is made; each making waits until the test releases it. */
function slow() {
  const waiting: (() => void)[] = [];
  let made = 0;
  const make = async () => {
    const nth = ++made;
    await new Promise<void>((resolve) => waiting.push(resolve));
    return nth;
  };
  const letGo = () => {
    for (const resolve of waiting.splice(0)) resolve();
  };
  return { make, letGo, count: () => made };
}

test("several simultaneous requests for a value compute the value once", async () => {
  const kept = new CostAwareCache<number>(() => true);
  const { make, letGo, count } = slow();
  const asked = [1, 2, 3].map(() => kept.of("w", "k", make));
  letGo();
  expect([await Promise.all(asked), count()]).toEqual([[1, 1, 1], 1]);
});

test("a value that is cheap to compute is computed every time", async () => {
  const kept = new CostAwareCache<number>((value) => value > 10);
  let made = 0;
  const make = async () => ++made;
  expect([await kept.of("w", "k", make), await kept.of("w", "k", make), kept.get("k")]).toEqual([1, 2, null]);
});

test("a change drops the cached and unfinished values of its own workspace only", async () => {
  const kept = new CostAwareCache<number>(() => true);
  const longAgo = performance.now() - 60_000; // so that it stays for minutes
  kept.keep("here", "a", 1, longAgo);
  kept.keep("there", "b", 2, longAgo);
  const { make, letGo } = slow();
  const begun = kept.of("here", "c", make);
  kept.forget("here");
  letGo();
  expect([await begun, kept.get("a"), kept.get("b"), kept.get("c")]).toEqual([1, null, 2, null]);
});

test("a value that is known to be out of date is computed again", async () => {
  const kept = new CostAwareCache<number>(() => true);
  kept.keep("w", "k", 1, performance.now() - 60_000);
  const make = async () => 2;
  expect(await kept.of("w", "k", make, async () => true)).toBe(1);
  expect(await kept.of("w", "k", make, async () => false)).toBe(2);
});
