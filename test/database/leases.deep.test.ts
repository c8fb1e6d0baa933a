import { test } from "@jest/globals";
import { playOrder } from "./lease-orders.ts";

const TENS = Array.from({ length: 20 }, (_, ten) => ten + 10);

test.each(TENS)(
  "in ten random orders (%i) of kills, pauses and clocks, no part has two holders at the same time, and none stays free for more than 5 s",
  async (ten) => {
    for (let seed = 10 * ten; seed < 10 * ten + 10; seed++) await playOrder(seed);
  },
  60_000,
);
