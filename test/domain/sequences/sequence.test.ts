import { expect, test } from "@jest/globals";
import { type Delay, mailDelays, NO_WINNER, type Step } from "../../../domain/sequences/sequence.ts";

function step(type: Step["type"], value: number, unit: Delay["unit"]): Step {
  const rest = {
    order: 1,
    threadMode: "NEW_THREAD",
    conditions: [],
    config: {},
    variants: [],
    winner: NO_WINNER,
  } as const;
  return { stepId: `${type}${value}`, type, delay: { value, unit }, ...rest, conditions: [], variants: [] };
}

test("a forecast counts only emails and adds the delays of other steps to the next email", () => {
  const steps = [
    step("TASK", 12, "HOURS"),
    step("EMAIL", 1, "DAYS"),
    step("EMAIL", 2, "BUSINESS_DAYS"),
    step("WAIT", 3, "DAYS"),
    step("EMAIL", 0, "DAYS"),
  ];
  expect(mailDelays(steps)).toEqual([
    { value: 2, unit: "DAYS" },
    { value: 2, unit: "BUSINESS_DAYS" },
    { value: 3, unit: "DAYS" },
  ]);
  expect(mailDelays([step("TASK", 1, "DAYS")])).toEqual([]);
});
