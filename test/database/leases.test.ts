import { expect, test } from "@jest/globals";
import { createLeaseHolder } from "../../mongo/lease-holder.ts";
import { playClockStep, playCrowd, playLateAnswers, playOrder } from "./lease-orders.ts";
import { SIZES, SimulatedTable } from "./lease-simulation.ts";

test("in twelve random orders of kills, pauses and clocks, no part of the work has two holders at the same time, and all parts of a killed process have moved after 5 s", async () => {
  for (let seed = 0; seed < 12; seed++) await playOrder(seed);
});

test("forty processes share the work within 10 s, and the parts of a killed one have moved after 5 s", async () => {
  for (let seed = 0; seed < 3; seed++) await playCrowd(seed);
});

test("the parts of a dead process move within 10 s, also when the database's clock is set back by an hour", async () => {
  for (let seed = 0; seed < 6; seed++) await playClockStep(seed);
});

test("a process whose renewals are answered too late leaves the work to others, until answers come in time again", async () => {
  for (let seed = 0; seed < 3; seed++) await playLateAnswers(seed);
});

test("a lease that was answered after 3 s ends for its process half a second later", async () => {
  let now = 0;
  const table = new SimulatedTable(() => now);
  const holder = createLeaseHolder({
    id: "one",
    sizes: SIZES,
    store: {
      renew: async (id, lease) => {
        const answer = table.renew(id, lease);
        now += 3_000;
        return answer;
      },
      change: async (change) => table.change(change),
    },
    nowMs: () => now,
    level: () => 0,
    random: () => 0,
    onFault: (error) => {
      throw error;
    },
    onFreed: () => {},
  });
  await holder.renew();
  now += 499;
  expect(holder.count("outbox")).toBe(SIZES.outbox);
  now += 1;
  expect(holder.count("outbox")).toBe(0);
});
