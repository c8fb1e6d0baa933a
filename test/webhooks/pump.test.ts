import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { createHostSlots } from "../../activities/webhooks/host-slots.ts";
import { type Line, type PumpLimits, pump } from "../../activities/webhooks/pump.ts";
import { type Admission, FIRST_WINDOW, MAX_WINDOW, nextWindow } from "../../domain/webhook.ts";
import { until } from "../fakes/wait.ts";

interface Result {
  item: number;
  ok: boolean;
}

const NEVER = new AbortController().signal;
const LIMITS: PumpLimits = { ms: 60_000, rows: 1_000, lingerMs: 0, signal: NEVER };
const FRESH: Admission = { window: FIRST_WINDOW, failuresInRow: 0 };

/** A line of numbered items whose results are decided from outside. */
function lineOf(count: number) {
  const waiting = Array.from({ length: count }, (_, item) => item);
  const underWay = new Map<number, (ok: boolean | null) => void>();
  const begun: number[] = [];
  const recorded: Result[] = [];
  let admission = FRESH;
  const line: Line<number, Result> = {
    async take(limit) {
      const items = waiting.splice(0, limit);
      return { items, isDry: items.length === 0 };
    },
    handle: (item) =>
      new Promise((resolve) => {
        begun.push(item);
        underWay.set(item, (ok) => {
          underWay.delete(item);
          resolve(ok === null ? null : { item, ok });
        });
      }),
    async record(results) {
      recorded.push(...results);
      const outcomes = results.map(({ ok }) => (ok ? ("success" as const) : ("failure" as const)));
      admission = outcomes.reduce((so, outcome) => nextWindow(so.window, so.failuresInRow, outcome), admission);
      return admission;
    },
  };
  const are = (size: number) =>
    until(async () => underWay.size === size, { deadlineMs: 20_000, what: `${size} under way` });
  /** Ends the oldest that is under way. */
  const end = (ok: boolean | null) => {
    const [oldest] = underWay.values();
    oldest?.(ok);
  };
  return { line, underWay, begun, recorded, are, end };
}

test("a success widens the window of concurrent requests by one, up to 32, and three failures in a row reduce that window to one", async () => {
  const stopping = new AbortController();
  const { line, are, end } = lineOf(1_000);
  const turn = pump(line, { ...LIMITS, signal: stopping.signal }, FRESH);
  await are(4);
  end(true);
  await are(5);
  for (const window of [5, 10, 20, 32]) {
    await are(window);
    for (let n = 0; n < window; n++) end(true);
  }
  await are(MAX_WINDOW);
  for (let n = 0; n < MAX_WINDOW; n++) end(false);
  await are(1);
  end(true);
  await are(2);
  stopping.abort();
  end(true);
  end(true);
  expect(await turn).toMatchObject({ delivered: 1 + 5 + 10 + 20 + 32 + 3, isEmpty: false });
});

test("a failure halves the window: requests under way end, and new ones start only within the halved window", async () => {
  const stopping = new AbortController();
  const { line, are, end, begun } = lineOf(100);
  const turn = pump(line, { ...LIMITS, signal: stopping.signal }, { window: 32, failuresInRow: 0 });
  await are(32);
  end(false);
  for (let n = 0; n < 16; n++) end(null);
  await are(16);
  expect(begun).toHaveLength(33);
  stopping.abort();
  for (let n = 0; n < 16; n++) end(null);
  expect(await turn).toEqual({ posted: 1, delivered: 0, isEmpty: false });
});

test("in any order of results, requests start oldest first, each once, within the window, and each result is recorded", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.boolean(), { minLength: 1, maxLength: 120 }),
      fc.nat({ max: 3 }),
      async (outcomes, at) => {
        const { line, underWay, begun, recorded } = lineOf(outcomes.length);
        let admission = FRESH;
        let most = 0;
        let beyond = 0;
        const handle = async (item: number): Promise<Result> => {
          begun.push(item);
          underWay.set(item, () => {});
          most = Math.max(most, underWay.size);
          if (underWay.size > admission.window) beyond++;
          for (let turns = (item * 7 + at) % 5; turns >= 0; turns--) await new Promise(setImmediate);
          underWay.delete(item);
          const ok = outcomes[item] ?? true;
          admission = nextWindow(admission.window, admission.failuresInRow, ok ? "success" : "failure");
          return { item, ok };
        };
        const turn = await pump({ ...line, handle }, LIMITS, FRESH);
        expect(begun).toEqual(outcomes.map((_, item) => item));
        expect(recorded.map(({ item }) => item).toSorted((a, b) => a - b)).toEqual(begun);
        expect(turn).toEqual({ posted: outcomes.length, delivered: outcomes.filter(Boolean).length, isEmpty: true });
        expect(most).toBeLessThanOrEqual(MAX_WINDOW);
        // A shrinking window lets requests that are under way end, and only then holds
        if (!outcomes.includes(false)) expect(beyond).toBe(0);
      },
    ),
    { numRuns: 30 },
  );
});

test("one hanging item delays neither the other items nor their records", async () => {
  const { line, are, end, recorded, underWay } = lineOf(50);
  const stopping = new AbortController();
  const turn = pump(line, { ...LIMITS, signal: stopping.signal }, FRESH);
  await are(4);
  for (;;) {
    const others = [...underWay].filter(([item]) => item !== 0);
    if (others.length === 0 && recorded.length === 49) break;
    for (const [, done] of others) done(true);
    await new Promise(setImmediate);
  }
  stopping.abort();
  end(false);
  expect((await turn).posted).toBe(50);
  expect(recorded.at(-1)).toEqual({ item: 0, ok: false });
});

test("a turn ends after its row limit or time limit, and first waits for the requests under way", async () => {
  const few = lineOf(100);
  const turn = pump(few.line, { ...LIMITS, rows: 6 }, FRESH);
  for (let n = 0; n < 6; n++) {
    await until(async () => few.underWay.size > 0, { deadlineMs: 20_000, what: "one under way" });
    few.end(true);
  }
  expect([await turn, few.begun]).toEqual([{ posted: 6, delivered: 6, isEmpty: false }, [0, 1, 2, 3, 4, 5]]);
  const short = lineOf(100);
  const over = pump(short.line, { ...LIMITS, ms: 1 }, FRESH);
  await delay(10);
  let isOver = false;
  void over.then(() => {
    isOver = true;
  });
  while (!isOver) {
    short.end(true);
    await new Promise(setImmediate);
  }
  expect((await over).isEmpty).toBe(false);
  expect(short.begun.length).toBeLessThanOrEqual(FIRST_WINDOW);
  expect(short.recorded).toHaveLength(short.begun.length);
});

test("when items cannot be taken, the turn fails after the results under way have been recorded", async () => {
  const { line, are, end, recorded } = lineOf(100);
  let isAway = false;
  const take = (limit: number) => (isAway ? Promise.reject(new Error("away")) : line.take(limit));
  const turn = pump({ ...line, take }, LIMITS, FRESH);
  await are(4);
  isAway = true;
  for (let n = 0; n < 4; n++) end(true);
  await expect(turn).rejects.toThrow("away");
  expect(recorded).toHaveLength(4);
});

test("results that could not be recorded are recorded again in order before the turn fails", async () => {
  const { line, are, end, recorded } = lineOf(100);
  let tries = 0;
  const record = (results: Result[]) => (++tries === 1 ? Promise.reject(new Error("away")) : line.record(results));
  const turn = pump({ ...line, record }, LIMITS, FRESH);
  await are(4);
  for (let n = 0; n < 4; n++) end(true);
  await until(async () => tries > 0, { deadlineMs: 20_000, what: "the first try" });
  for (let n = 0; n < 20; n++) end(true);
  await expect(turn).rejects.toThrow("away");
  expect(recorded.slice(0, 4).map(({ item }) => item)).toEqual([0, 1, 2, 3]);
});

test("feeds share the request slots of a host up to a limit, and a released slot can go to another feed", () => {
  const slots = createHostSlots(32);
  expect(slots.reserve("a.test", "one", 40)).toBe(32);
  expect(slots.reserve("a.test", "two", 10)).toBe(0);
  expect(slots.reserve("b.test", "two", 10)).toBe(10);
  for (let n = 0; n < 20; n++) slots.release("a.test", "one");
  expect(slots.reserve("a.test", "one", 20)).toBe(4);
  expect(slots.reserve("a.test", "two", 40)).toBe(16);
  for (let n = 0; n < 16; n++) slots.release("a.test", "two");
  slots.leave("two");
  expect(slots.reserve("a.test", "one", 40)).toBe(16);
});

test("when more feeds than request slots share a host, a released slot goes to a feed that has none", () => {
  const slots = createHostSlots(2);
  const granted = ["one", "two", "three"].map((feed) => slots.reserve("a.test", feed, 5));
  expect(granted).toEqual([2, 0, 0]);
  slots.release("a.test", "one");
  expect(["one", "two", "three"].map((feed) => slots.reserve("a.test", feed, 5))).toEqual([0, 1, 0]);
});
