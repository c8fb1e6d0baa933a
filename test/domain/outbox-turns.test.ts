import { expect, test } from "@jest/globals";
import { inTurns } from "../../domain/outbox.ts";

const groupOf = (item: string) => item.charAt(0);

test.each([
  [[], []],
  [
    ["a1", "a2", "a3"],
    ["a1", "a2", "a3"],
  ],
  [
    ["a1", "a2", "a3", "b1"],
    ["a1", "b1", "a2", "a3"],
  ],
  [
    ["a1", "b1", "b2", "c1", "b3", "a2"],
    ["a1", "b1", "c1", "b2", "a2", "b3"],
  ],
])("groups of %j take turns, and each keeps its order", (items, turned) => {
  expect(inTurns(items, groupOf)).toEqual(turned);
});
