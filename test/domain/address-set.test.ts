import { expect, test } from "@jest/globals";
import { AddressSet } from "../../domain/leads/address-set.ts";

test("a set of addresses contains exactly the added addresses at any size", () => {
  const set = new AddressSet();
  const address = (at: number) => `person${at}@company${at % 50}.example`;
  for (let at = 0; at < 50_000; at += 2) set.add(address(at));
  for (let at = 0; at < 50_000; at += 20) set.add(address(at));
  expect(set.size).toBe(25_000);
  for (let at = 0; at < 50_000; at++)
    if (set.has(address(at)) !== (at % 2 === 0)) throw new Error(`${address(at)} is wrong`);
});
