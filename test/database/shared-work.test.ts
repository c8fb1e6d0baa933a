import { once } from "node:events";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "@jest/globals";
import mongoose from "mongoose";
import type { Hold, LeaseStore } from "../../mongo/lease-holder.ts";
import type { LeaseTable } from "../../mongo/lease-plan.ts";
import { type LeaseOptions, type Leases, leaseStore, startLeases } from "../../mongo/leases.ts";
import { repeatRounds } from "../../worker/rounds.ts";
import { until } from "../fakes/wait.ts";
import { startWorld, type World } from "../support/world.ts";

const SIZES = { outbox: 64, settler: 1 };
const DEADLINE = { deadlineMs: 30_000 };

let world: World;
let running: Leases[] = [];
beforeAll(async () => {
  world = await startWorld();
});
beforeEach(() => rows().deleteMany({}));
afterEach(() => {
  for (const leases of running) leases.stop();
  running = [];
});
afterAll(() => world.close());

const rows = () => mongoose.connection.collection<LeaseTable & { _id: string }>("work_leases");
const table = () => rows().findOne({ _id: "work" });

async function begin(sizes: Record<string, number> = SIZES, options: Partial<LeaseOptions> = {}): Promise<Leases> {
  const leases = await startLeases({ sizes, onFault: (error) => console.error(error), ...options });
  running.push(leases);
  return leases;
}

/** The parts that a process may work on now. */
function partsOf(leases: Leases, kind = "outbox"): number[] {
  let parts: number[] = [];
  void leases.of(kind).use(async (hold) => {
    parts = hold.parts;
  });
  return parts;
}

const sizesOf = (...all: Leases[]) => all.map((leases) => partsOf(leases).length);

test("a process that is alone immediately holds all parts, a second gets half of them, and when it ends the first has them all again", async () => {
  const first = await begin();
  expect(sizesOf(first)).toEqual([64]);
  expect(partsOf(first, "settler")).toEqual([0]);
  const second = await begin();
  await until(() => sizesOf(first, second).join() === "32,32", { ...DEADLINE, what: "two equal shares" });
  expect(new Set([...partsOf(first), ...partsOf(second)]).size).toBe(64);
  expect([...partsOf(first, "settler"), ...partsOf(second, "settler")]).toEqual([0]);
  await second.of("outbox").end();
  await second.of("settler").end();
  expect(Object.keys((await table())?.holders ?? {})).toHaveLength(1);
  await until(() => sizesOf(first).join() === "64", { ...DEADLINE, what: "the whole work" });
});

test("parts in use are not given to a process that joins, but are in no new use either, and move when the use ends", async () => {
  const first = await begin();
  let finish = () => {};
  const isFinished = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const use = first.of("outbox").use(async (hold) => {
    await isFinished;
    return { isHeld: hold.isHeld(), wanted: hold.parts.filter((part) => hold.isWanted(part)).length };
  });
  const second = await begin();
  // The second renewal of the first one begins when it has seen the table of the one before
  const leaseOfFirst = async () => Object.values((await table())?.holders ?? {})[0]?.until.getTime() ?? 0;
  for (let renewals = 0; renewals < 2; renewals++) {
    const before = await leaseOfFirst();
    await until(async () => (await leaseOfFirst()) > before, { ...DEADLINE, what: "a renewal" });
  }
  expect(sizesOf(first, second)).toEqual([32, 0]);
  finish();
  expect(await use).toEqual({ isHeld: true, wanted: 32 });
  await until(() => sizesOf(first, second).join() === "32,32", { ...DEADLINE, what: "two equal shares" });
});

test("the parts of a process that renews no more move when its lease ends by the database's clock, not before", async () => {
  const first = await begin();
  first.stop();
  const endsAt = Object.values((await table())?.holders ?? {})[0]?.until.getTime() ?? Number.NaN;
  const second = await begin();
  expect(sizesOf(second)).toEqual([0]);
  await until(() => sizesOf(second).join() === "64", { ...DEADLINE, what: "the whole work" });
  expect((await table())?.at.getTime()).toBeGreaterThanOrEqual(endsAt);
  expect(sizesOf(first)).toEqual([0]);
});

test("the table is not changed when another process has changed it since it was read, or a lease in question was renewed", async () => {
  const store = leaseStore();
  const endOf = async (id: string) =>
    (await store.renew(id, { kinds: ["outbox"], level: 0 })).holders[id]?.until ?? new Date(0);
  /** Renews a lease until it has another end: the clock of the database counts milliseconds. */
  const later = async (id: string, end: Date) => {
    let next = end;
    const renew = async () => {
      next = await endOf(id);
      return next > end;
    };
    await until(renew, { ...DEADLINE, what: "a later end" });
    return next;
  };
  const [one, other] = [await endOf("one"), await endOf("other")];
  const { version = -1 } = (await table()) ?? {};
  const change = { version, parts: { outbox: ["one"] }, removed: ["other"], ends: { one, other } };
  const oneNow = await later("one", one);
  expect(await store.change(change)).toBe(false);
  const otherNow = await later("other", other);
  expect(await store.change({ ...change, ends: { one: oneNow, other } })).toBe(false);
  const now = { ...change, ends: { one: oneNow, other: otherNow } };
  expect(await store.change({ ...now, version: version + 1 })).toBe(false);
  expect(await store.change(now)).toBe(true);
  expect(await store.change(now)).toBe(false);
  expect(await table()).toMatchObject({ version: version + 1, parts: { outbox: ["one"] } });
  expect(Object.keys((await table())?.holders ?? {})).toEqual(["one"]);
});

test("processes of the highest level do all of the work, and when they end or lose that level the others have it again", async () => {
  let level = 2;
  const first = await begin(SIZES, { level: () => 1 });
  const second = await begin(SIZES, { level: () => level });
  await until(() => sizesOf(first, second).join() === "0,64", { ...DEADLINE, what: "the higher level" });
  level = 0;
  await until(() => sizesOf(first, second).join() === "64,0", { ...DEADLINE, what: "the lower level" });
  level = 1;
  await until(() => sizesOf(first, second).join() === "32,32", { ...DEADLINE, what: "the same level" });
});

/** A store whose calls can be made to hang. */
function hangingStore() {
  const store = leaseStore();
  const isHanging = { renew: false, change: false };
  const never = () => new Promise<never>(() => {});
  const hanging: LeaseStore = {
    renew: (...call) => (isHanging.renew ? never() : store.renew(...call)),
    change: (...call) => (isHanging.change ? never() : store.change(...call)),
  };
  return { store: hanging, isHanging };
}

test.each(["renew", "change"] as const)(
  "a use learns that its lease is over while the call that should keep it (%s) hangs",
  async (call) => {
    const { store, isHanging } = hangingStore();
    const first = await begin(SIZES, { store });
    const held: Hold[] = [];
    void first.of("settler").use((hold) => {
      held.push(hold);
      return once(hold.lost, "abort");
    });
    isHanging[call] = true;
    // Another process makes the first one change the table
    await begin();
    await until(() => held[0]?.lost.aborted, { ...DEADLINE, what: "the end of the use" });
    expect(held[0]?.isHeld()).toBe(false);
  },
);

test("when the renewals of a process end, its uses learn it at once", async () => {
  const first = await begin();
  let lost = new AbortController().signal;
  void first.of("settler").use((hold) => {
    lost = hold.lost;
    return once(hold.lost, "abort");
  });
  expect(lost.aborted).toBe(false);
  first.stop();
  expect(lost.aborted).toBe(true);
});

test("the parts of a process whose work takes too long move, and it takes part again when the work has ended", async () => {
  const first = await begin(SIZES, { onFault: () => {} });
  let finish = () => {};
  const isFinished = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const use = first.of("outbox").use(async (hold) => {
    await isFinished;
    return hold.isHeld();
  }, 1);
  const second = await begin();
  await until(() => sizesOf(first, second).join() === "0,64", { ...DEADLINE, what: "the whole work" });
  finish();
  expect(await use).toBe(false);
  await until(() => sizesOf(first, second).join() === "32,32", { ...DEADLINE, what: "two equal shares" });
});

test("rounds are repeated in one process of two, and when that one stops the other continues them", async () => {
  const [first, second] = [await begin({ rounds: 1 }), await begin({ rounds: 1 })];
  const counts = [0, 0];
  const [one, other] = [first, second].map((leases, at) =>
    repeatRounds(
      leases.of("rounds"),
      async () => {
        counts[at] = (counts[at] ?? 0) + 1;
      },
      20,
    ),
  );
  await until(() => (counts[0] ?? 0) > 3, { ...DEADLINE, what: "rounds of the first" });
  expect(counts[1]).toBe(0);
  await one?.stop();
  const [ended] = counts;
  await until(() => (counts[1] ?? 0) > 3, { ...DEADLINE, what: "rounds of the second" });
  expect(counts[0]).toBe(ended);
  await other?.stop();
});

test("one write a second renews the lease of all parts", async () => {
  const stream = rows().watch<LeaseTable>([], { fullDocument: "updateLookup" });
  const times: number[] = [];
  stream.on("change", (change) => {
    if ("fullDocument" in change && change.fullDocument) times.push(change.fullDocument.at.getTime());
  });
  await begin();
  // The first two writes add the process and its parts
  await until(() => times.length >= 5, { ...DEADLINE, what: "three renewals" });
  await stream.close();
  const later = times.slice(2, 5);
  expect(Math.max(...later) - Math.min(...later)).toBeGreaterThan(500 * (later.length - 1));
});
