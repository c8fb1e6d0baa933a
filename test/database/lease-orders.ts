import { expect } from "@jest/globals";
import { HOUR_MS } from "../../domain/time/durations.ts";
import { randomFrom } from "../system/killed-worker.ts";
import {
  CALM,
  PARTS,
  SIZES,
  SimulatedProcess,
  SimulatedTable,
  STORM,
  VirtualTime,
  type Weather,
} from "./lease-simulation.ts";

type Part = (typeof PARTS)[number];

/** Milliseconds within which the parts of a killed process are held by others. */
const MOVED_MS = 5_000;
const LONG_USES = { ...CALM, longestUseMs: STORM.longestUseMs };

/** Some processes that share work, in a storm at first. */
function begin(seed: number, sizes: Record<string, number> = SIZES) {
  const random = randomFrom(seed);
  const time = new VirtualTime();
  const rate = random() < 0.5 ? 0.97 : 1.03;
  let clock = 1.8e12;
  const table = new SimulatedTable(() => clock + rate * time.now);
  const stepClock = (ms: number) => {
    clock += ms;
  };
  let weather = STORM;
  let started = 0;
  const processes: SimulatedProcess[] = [];
  const start = () => {
    const surroundings = { time, table, random, weather: () => weather, sizes };
    processes.push(new SimulatedProcess(`process-${started++}`, surroundings));
  };
  const living = () => processes.filter(({ isAlive }) => isAlive);
  const workersOn = ({ kind, part }: Part) =>
    living()
      .filter((one) => one.mayWork(kind, part))
      .map(({ id }) => id);
  const doubles: string[] = [];
  const check = () => {
    for (const one of PARTS) {
      const ids = workersOn(one);
      if (ids.length > 1) doubles.push(`${one.kind} ${one.part} at ${time.now}: ${ids.join(" and ")}`);
    }
  };
  const pass = (ms: number, afterEach = check) => time.runUntil(time.now + ms, afterEach);
  const unsure = () => PARTS.filter((one) => workersOn(one).length !== 1);
  const turn = (next: Weather) => {
    weather = next;
  };
  return { random, start, living, workersOn, unsure, doubles, pass, turn, table, stepClock };
}

/**
 * Processes begin, are killed, paused and ended in a random order on a bad network, with clocks that run apart. Then all
 * of them die, and others share the work on a good network until one of them is killed and the rest end.
 */
export async function playOrder(seed: number): Promise<void> {
  const { random, start, living, workersOn, unsure, doubles, pass, turn, table } = begin(seed);
  for (let count = 0; count < 1 + 4 * random(); count++) start();
  for (let step = 0; step < 25; step++) {
    turn(random() < 0.5 ? STORM : LONG_USES);
    await pass(3_000 * random());
    const anyone = living()[Math.floor(living().length * random())];
    const dice = random();
    if (dice < 0.25) start();
    else if (dice < 0.4) anyone?.kill();
    else if (dice < 0.75) anyone?.pause(12_000 * random());
    else if (dice < 0.9) anyone?.leave();
  }
  expect(doubles).toEqual([]);

  turn(CALM);
  for (const one of living()) one.kill();
  for (let count = 0; count < 2 + 3 * random(); count++) start();
  await pass(30_000);
  const [first, ...others] = living();
  const shares = living().map((one) => PARTS.filter(({ kind, part }) => one.mayWork(kind, part)));
  const ofOutbox = shares.map((share) => share.filter(({ kind }) => kind === "outbox").length);
  expect(Math.max(...ofOutbox) - Math.min(...ofOutbox)).toBeLessThanOrEqual(1);
  expect(ofOutbox.reduce((sum, size) => sum + size, 0)).toBe(SIZES.outbox);

  first?.kill();
  await pass(MOVED_MS);
  expect(unsure()).toEqual([]);

  for (const one of others.slice(1)) one.leave();
  await pass(MOVED_MS);
  expect(PARTS.filter((one) => workersOn(one)[0] !== others[0]?.id)).toEqual([]);
  expect(Object.keys(table.table.holders)).toEqual([others[0]?.id]);
  expect(doubles).toEqual([]);
}

/** Forty processes on a good network begin together, and one of them is killed. */
export async function playCrowd(seed: number): Promise<void> {
  const outbox = 64;
  const { start, living, pass, turn } = begin(seed, { outbox });
  turn(CALM);
  for (let count = 0; count < 40; count++) start();
  const uncounted = () => {};
  const held = () => living().map(({ holder }) => holder.count("outbox"));
  const isShared = () => held().reduce((sum, count) => sum + count, 0) === outbox && Math.max(...held()) === 2;
  await pass(10_000, uncounted);
  expect(isShared()).toBe(true);
  living()
    .find(({ holder }) => holder.count("outbox") === 2)
    ?.kill();
  await pass(MOVED_MS, uncounted);
  expect(isShared()).toBe(true);
}

/** The database's clock is set back by an hour while one of two processes is dead. */
export async function playClockStep(seed: number): Promise<void> {
  const { start, living, unsure, doubles, pass, turn, stepClock } = begin(seed);
  turn(CALM);
  for (let count = 0; count < 2; count++) start();
  await pass(10_000);
  living()[0]?.kill();
  stepClock(-HOUR_MS);
  await pass(2 * MOVED_MS);
  expect(unsure()).toEqual([]);
  expect(doubles).toEqual([]);
}

/** Renewals of one process reach the database, but their answers come when the lease is over. */
export async function playLateAnswers(seed: number): Promise<void> {
  const { start, living, workersOn, unsure, doubles, pass, turn } = begin(seed);
  turn(CALM);
  for (let count = 0; count < 3; count++) start();
  await pass(10_000);
  const [late] = living();
  for (const ms of [3_700, 3_950, 6_000]) {
    turn({ ...CALM, lateAnswers: { id: late?.id ?? "", ms } });
    await pass(20_000);
    for (let second = 0; second < 20; second++) {
      await pass(1_000);
      expect(unsure()).toEqual([]);
      expect(PARTS.filter((one) => workersOn(one)[0] === late?.id)).toEqual([]);
    }
    turn(CALM);
    await pass(20_000);
    expect(PARTS.filter((one) => workersOn(one)[0] === late?.id)).not.toEqual([]);
  }
  expect(doubles).toEqual([]);
}
