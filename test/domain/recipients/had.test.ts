import { expect, test } from "@jest/globals";
import { hadOf } from "../../../domain/recipients/had.ts";

const one = { stepId: "one", at: 1 };

test.each([
  ["what it knows", { had: [one], currentStepId: "one", lastSentAt: new Date(1) }, [one]],
  [
    "and the mail that a process of the release before sent last",
    { had: [one], currentStepId: "two", lastSentAt: new Date(2) },
    [one, { stepId: "two", at: 2 }],
  ],
  ["nothing at first", { had: [], currentStepId: null, lastSentAt: null }, []],
  ["nothing where it was stored before", { currentStepId: null, lastSentAt: null }, []],
])("the steps a recipient has received are %s", (_what, recipient, had) => {
  expect(hadOf(recipient)).toEqual(had);
});
