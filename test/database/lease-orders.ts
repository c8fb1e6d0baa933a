import { expect } from "@jest/globals";
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

/** Milliseconds within which the parts of a killed process are held by others. */
const MOVED_MS = 5_000;
const LONG_USES = { ...CALM, longestUseMs: STORM.longestUseMs };

/** Some processes that share work, in a storm at first. */
function begin(seed: number) {
  const random = randomFrom(seed);
  const time = new VirtualTime();
  const rate = random() < 0.5 ? 0.97 : 1.03;
  const table = new SimulatedTable(() => 1.8e12 + rate * time.now);
  let weather = STORM;
  let started = 0;
  const processes: SimulatedProcess[] = [];
  const start = () => {
    processes.push(new SimulatedProcess(`process-${started++}`, time, table, random, () => weather));
  };
  const living = () => processes.filter(({ isAlive }) => isAlive);
  const workersOn = ({ kind, part }: (typeof PARTS)[number]) =>
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
  const pass = (ms: number) => time.runUntil(time.now + ms, check);
  const turn = (next: Weather) => {
    weather = next;
  };
  return { random, start, living, workersOn, doubles, pass, turn, table };
}

/**
 * Processes begin, are killed, paused and ended in a random order on a bad network, with clocks that run apart. Then all
 * of them die, and others share the work on a good network until one of them is killed and the rest end.
 */
export async function playOrder(seed: number): Promise<void> {
  const { random, start, living, workersOn, doubles, pass, turn, table } = begin(seed);
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
  expect(PARTS.filter((one) => workersOn(one).length !== 1)).toEqual([]);

  for (const one of others.slice(1)) one.leave();
  await pass(MOVED_MS);
  expect(PARTS.filter((one) => workersOn(one)[0] !== others[0]?.id)).toEqual([]);
  expect(Object.keys(table.table.holders)).toEqual([others[0]?.id]);
  expect(doubles).toEqual([]);
}
