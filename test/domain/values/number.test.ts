import { expect, test } from "@jest/globals";
import { numberIn } from "../../../domain/values/number.ts";

test.each([
  ["1,200", 1_200],
  ["1.200", 1.2],
  ["1.200,50", 1_200.5],
  ["1,200.50", 1_200.5],
  ["1 234 567", 1_234_567],
  ["1’200", 1_200],
  ["1,5", 1.5],
  ["$1,200", 1_200],
  ["1.200 €", 1_200],
  ["CHF 1'200.50", 1_200.5],
  ["(1,200)", -1_200],
  ["-$5", -5],
  ["+5", 5],
  ["12%", 12],
  ["1,20,000", null],
  ["1.2.3", null],
  ["12 people", null],
  ["10k", null],
  ["", null],
  [" ".repeat(100_000), null],
])("the number text %j is read as %j", (text, number) => {
  expect(numberIn(text)).toBe(number);
});
