import { spawnSync } from "node:child_process";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "@jest/globals";
import mongoose from "mongoose";
import { HOUR_MS } from "../../domain/time/durations.ts";
import type { LeaseTable } from "../../mongo/lease-plan.ts";
import { type Leases, leaseStore, startLeases } from "../../mongo/leases.ts";
import { markOwnProcess } from "../../mongo/process-mark.ts";
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

async function begin(sizes: Record<string, number> = SIZES): Promise<Leases> {
  const leases = await startLeases({ sizes, onFault: (error) => console.error(error) });
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
    return hold.isHeld();
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
  expect(await use).toBe(true);
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

test("a process immediately takes the parts of one that died on the same machine, but not those of one elsewhere", async () => {
  const place = markOwnProcess()?.replace(/ \d+$/, "");
  const { pid } = spawnSync(process.execPath, ["--version"]);
  const until = new Date(Date.now() + HOUR_MS);
  const holder = (mark: string | null) => ({ kinds: ["outbox"], until, process: mark });
  const half = (id: string) => Array.from({ length: 32 }, () => id);
  await rows().insertOne({
    _id: "work",
    version: 1,
    at: new Date(),
    holders: { here: holder(`${place} ${pid}`), elsewhere: holder(`another-boot pid:[1] ${pid}`) },
    parts: { outbox: [...half("here"), ...half("elsewhere")] },
  });
  const first = await begin({ outbox: 64 });
  expect(partsOf(first)).toEqual(Array.from({ length: 32 }, (_, part) => part));
});

test("the table is not replaced when another process has written it since it was read", async () => {
  const [store, other] = [leaseStore(), leaseStore()];
  const { version, holders } = await store.renew("one", { kinds: ["outbox"], process: null });
  await other.renew("other", { kinds: ["outbox"], process: null });
  expect(await store.replace(version, { holders, parts: {} })).toBe(false);
  expect(Object.keys((await table())?.holders ?? {})).toEqual(["one", "other"]);
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
  await begin();
  const before = (await table())?.version ?? Number.NaN;
  const at = (await table())?.at.getTime() ?? Number.NaN;
  const renewed = async () => {
    const now = await table();
    return now !== null && now.version >= before + 3 ? now : null;
  };
  const later = await until(renewed, { ...DEADLINE, what: "three renewals" });
  expect((later?.at.getTime() ?? Number.NaN) - at).toBeGreaterThan(500 * ((later?.version ?? 0) - before));
});
