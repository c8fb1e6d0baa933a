import { test } from "@jest/globals";
import { playOrder } from "./lease-orders.ts";

test("in twelve random orders of kills, pauses and clocks, no part of the work has two holders at the same time, and all parts of a killed process have moved after 5 s", async () => {
  for (let seed = 0; seed < 12; seed++) await playOrder(seed);
});
